// Puts what is packed here in its place; scripts in it run.
const main = document.querySelector("main");
const bytes = Uint8Array.from(atob(main.querySelector("script").textContent), c => c.charCodeAt(0));
try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const text = await new Response(stream).text();
    main.replaceChildren(document.createRange().createContextualFragment(text));
} catch (error) {
    main.firstElementChild.textContent = `This browser cannot unpack the page (${error.message}): `
        + "it needs Chrome or Edge 103, Safari 16.4 or Firefox 113, or later ones.";
}
