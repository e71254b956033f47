//! `docs/distributions.md`, `docs/channels.md` and `docs/reference/files.md` are printed from the
//! cards, and a distribution, a channel or a table of a result takes two files. `POLHODE_BLESS=1`
//! rewrites the pages.

use std::fmt::Write;

use polhode::describe::Owner;
use polhode::ensemble::sampling::distributions::{self, Fits};
use polhode::observe::channels;
use polhode::output::TABLES;
use polhode::study_file::GIVEN_SAMPLES;

use crate::common::sources::{assert_kept, sources};

fn distributions_page() -> String {
    let mut page = "# Distributions\n\n\
        Written from the cards in `crates/dynamics/src/ensemble/sampling/distributions/`. A study file gives \
        one in `[ensemble.vary]`, e.g.\n\
        `\"body.mass\" = { normal = { mean = 1, std = \"100 g\" } }`. `u` are numbers from 0 to 1 that the \
        design of the ensemble gives.\n"
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
        if card.takes_share {
            let name = card.name;
            let _ = writeln!(
                page,
                "- or `{{ {name} = \"±10 %\" }}`: so far below and above the mechanism's own value"
            );
        }
    }
    page
}

fn channels_page() -> String {
    let mut page = "# Channels\n\n\
        Written from the cards in `crates/engine/src/observe/channels/`. A study file names them in \
        `observe.channels`: a bare name is that of\n\
        every body, joint, ... that has the channel, `\"NAME.channel\"` that of one.\n"
        .to_string();
    for owner in Owner::ALL {
        let _ =
            write!(page, "\n## Of {}\n\n| channel | unit | columns | |\n|---|---|---|---|\n", owner.plural());
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

fn files_page() -> String {
    let mut page = "# Tables of results\n\n\
        Written from the cards in `crates/report/src/cards.rs`. The Parquet metadata of each column has its \
        unit and meaning too; an empty cell\n\
        is a number that there is none of. [results.md](../results.md) says which files else a result has.\n"
        .to_string();
    for card in TABLES {
        let _ = write!(page, "\n## `{}`: {}\n\n", card.file, card.row.trim_end_matches('.').to_lowercase());
        page.push_str("| column | unit | |\n|---|---|---|\n");
        for column in card.columns {
            let meaning = column.meaning.replace('|', "\\|");
            let _ = writeln!(page, "| `{}` | {} | {meaning} |", column.name, column.unit);
        }
        if !card.further.is_empty() {
            let _ = write!(page, "\nBehind them: {}\n", card.further);
        }
        if !card.read_by.is_empty() {
            let commands: Vec<String> = card.read_by.iter().map(|name| format!("`polhode {name}`")).collect();
            let _ = write!(page, "\nRead back by {}.\n", commands.join(", "));
        }
    }
    page
}

#[test]
fn the_pages_of_distributions_channels_and_tables_are_those_of_their_cards() {
    for (file, page) in [
        ("distributions.md", distributions_page()),
        ("channels.md", channels_page()),
        ("reference/files.md", files_page()),
    ] {
        assert_kept(&format!("docs/{file}"), &page);
    }
}

/// A table is its card, and the file that fills it: no other file knows its name, but that of
/// samples, which a study names.
#[test]
fn every_table_is_named_by_its_card_alone() {
    for card in TABLES {
        let named = sources_with(&format!("\"{}\"", card.file));
        let home = match card.file {
            GIVEN_SAMPLES => "crates/files/src/input.rs",
            _ => "crates/report/src/cards.rs",
        };
        assert_eq!(named, [home], "{}", card.file);
    }
}

fn sources_with(text: &str) -> Vec<String> {
    sources(|source| source.contains(text))
}

/// `docs/extending.md` promises it.
#[test]
fn a_distribution_and_a_channel_touch_two_files() {
    let folder = "crates/dynamics/src/ensemble/sampling/distributions";
    assert_eq!(sources_with("\"triangular\""), [format!("{folder}/triangular.rs")]);
    assert_eq!(sources_with("triangular::CARD"), [format!("{folder}/mod.rs")]);
    let folder = "crates/engine/src/observe/channels";
    let of_channel = [format!("{folder}/acceleration.rs"), format!("{folder}/mod.rs")];
    assert_eq!(sources_with("AngleAcceleration"), of_channel);
    assert_eq!(sources_with("SpringForce"), [format!("{folder}/mod.rs"), format!("{folder}/spring.rs")]);
}
