//! `docs/distributions.md` and `docs/channels.md` are printed from the cards, and a distribution or a channel takes two files.
//! `POLHODE_BLESS=1` rewrites the pages.

use std::fmt::Write;
use std::path::Path;

use polhode::describe::Owner;
use polhode::ensemble::sampling::distributions::{self, Fits};
use polhode::observe::channels;

fn distributions_page() -> String {
    let mut page = "# Distributions\n\n\
        Written from the cards in `src/ensemble/sampling/distributions/`. A study file gives one in `[ensemble.vary]`, e.g.\n\
        `\"body.mass\" = { normal = { mean = 1, std = \"100 g\" } }`. `u` are numbers from 0 to 1 that the design of the ensemble gives.\n"
        .to_string();
    for card in distributions::CARDS {
        let fits = match card.fits {
            Fits::Numbers => "numbers; a vector component by component",
            Fits::Vector => "a whole vector",
            Fits::Attitude => "an attitude",
        };
        let name = card.word.map_or(card.name.to_string(), |word| format!("\"{word}\""));
        let _ = write!(
            page,
            "\n## `{name}`\n\n{}\n\n- for {fits}\n- law: {}\n- value: {}\n",
            card.title, card.law, card.map_in_words
        );
        for parameter in card.parameters {
            let _ = writeln!(page, "- `{}`: {}", parameter.name, parameter.meaning);
        }
    }
    page
}

fn channels_page() -> String {
    let mut page = "# Channels\n\n\
        Written from the cards in `src/observe/channels/`. A study file names them in `observe.channels`: a bare name is that of\n\
        every body, joint, ... that has the channel, `\"NAME.channel\"` that of one.\n"
        .to_string();
    for owner in Owner::ALL {
        let _ =
            write!(page, "\n## Of {}\n\n| channel | unit | columns | |\n|---|---|---|---|\n", plural(owner));
        for card in channels::CARDS.iter().filter(|card| card.channel.owner() == owner) {
            let channel = if card.modes { card.channel.of_mode(0) } else { card.channel };
            let columns: Vec<&str> =
                card.components.iter().map(|part| part.trim_start_matches('.')).collect();
            let text = card.description.replace('|', "\\|");
            let _ =
                writeln!(page, "| `{}` | {} | {} | {text} |", channel.name(), card.unit, columns.join(" "));
        }
    }
    page
}

fn plural(owner: Owner) -> &'static str {
    match owner {
        Owner::Mechanism => "the mechanism",
        Owner::Body => "bodies",
        Owner::Joint => "joints",
        Owner::Generator => "generators",
        Owner::Lock => "locks",
        Owner::Spring => "springs",
    }
}

#[test]
fn the_pages_of_distributions_and_channels_are_those_of_their_cards() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for (file, page) in [("distributions.md", distributions_page()), ("channels.md", channels_page())] {
        if std::env::var_os("POLHODE_BLESS").is_some() {
            std::fs::write(docs.join(file), &page).expect("a page");
        }
        let kept = std::fs::read_to_string(docs.join(file)).unwrap_or_default();
        assert_eq!(kept, page, "docs/{file} is out of date: POLHODE_BLESS=1 cargo test --test command");
    }
}

/// The sources that contain this text.
fn sources_with(text: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![root.join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read_to_string(&path).expect("a source file").contains(text) {
                found.push(path.strip_prefix(root).expect("inside").to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

/// What `docs/extending.md` promises.
#[test]
fn a_distribution_and_a_channel_touch_two_files() {
    let folder = "src/ensemble/sampling/distributions";
    assert_eq!(sources_with("\"triangular\""), [format!("{folder}/triangular.rs")]);
    assert_eq!(sources_with("triangular::CARD"), [format!("{folder}/mod.rs")]);
    let folder = "src/observe/channels";
    let of_channel = [format!("{folder}/acceleration.rs"), format!("{folder}/mod.rs")];
    assert_eq!(sources_with("AngleAcceleration"), of_channel);
    assert_eq!(sources_with("SpringForce"), [format!("{folder}/mod.rs"), format!("{folder}/spring.rs")]);
}
