"use strict";
// Draws the frames of a film with the player, and leaves them in the page as text, a line each.
{
    const film = JSON.parse(document.querySelector("#film").textContent);
    const { player } = document.querySelector(".player");
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = film.size;
    const pen = canvas.getContext("2d", { alpha: false });
    const end = Math.min(player.last, film.until ?? Infinity);
    const frames = Array.from({ length: film.frames }, (_, k) => {
        player.show(player.first + (end - player.first) * k / (film.frames - 1));
        pen.fillStyle = "#ffffff";
        pen.fillRect(0, 0, ...film.size);
        pen.drawImage(player.canvas, 0, 0, ...film.size);
        Object.assign(pen, { fillStyle: "#5b6770", font: "15px system-ui, sans-serif" });
        pen.fillText(player.output.textContent.split(" of ")[0], 14, 26);
        return canvas.toDataURL("image/webp", 0.82);
    });
    const text = document.createElement("pre");
    text.textContent = `\n${frames.join("\n")}\n`;
    document.body.append(text);
}
