//! Sentences of the documents stay short, and their numbers have a leading zero.

use std::fs;
use std::path::PathBuf;

use crate::common::root;
use crate::floors::files_of;

/// Words of a sentence that is read at once, at most.
const WORDS: usize = 30;

/// Sentences with more words, by document. The numbers only fall.
const LONG: [(&str, usize); 3] =
    [("ARCHITECTURE.md", 3), ("docs/findings.md", 14), ("docs/flexible-bodies.md", 1)];

/// Code, the target of a link or a comment becomes one word or none, as in a page that is read.
fn read_aloud(line: &str) -> String {
    let mut text = line.to_string();
    for (open, close, word) in [("<!--", "-->", ""), ("](", ")", "]"), ("`", "`", "C")] {
        while let Some(from) = text.find(open) {
            let begun = from + open.len();
            let Some(to) = text[begun..].find(close) else { break };
            text.replace_range(from..begun + to + close.len(), word);
        }
    }
    text
}

/// The paragraphs and items of lists of a document, each on one line; no code, table or heading.
fn paragraphs(document: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in document.split("```").step_by(2).flat_map(str::lines) {
        let words = line.trim_start();
        let item = words.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['-', '*', '.']);
        let begins_item = item.starts_with(' ') && item.len() < words.len();
        let is_other = words.is_empty() || words.starts_with(['|', '#']);
        let last = paragraphs.last_mut().expect("there is one");
        if is_other || last.is_empty() && line.starts_with("    ") {
            paragraphs.push(String::new());
        } else if begins_item {
            paragraphs.push(item.trim_start().to_string());
        } else {
            last.push(' ');
            last.push_str(words);
        }
    }
    paragraphs.iter().map(|paragraph| read_aloud(paragraph)).collect()
}

/// The sentences of a paragraph: they end at `.`, `!` or `?`, and at `:` or `;` before a capital,
/// a digit or code, which begin a statement of their own.
fn sentences(paragraph: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    let mut words = paragraph.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let last = sentences.last_mut().expect("there is one");
        last.push_str(word);
        last.push(' ');
        let end = word.trim_end_matches(['"', ')', '*']);
        let begins = |next: &&str| next.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        if end.ends_with(['.', '!', '?']) || end.ends_with([':', ';']) && words.peek().is_some_and(begins) {
            sentences.push(String::new());
        }
    }
    sentences
}

fn long_sentences(document: &str) -> Vec<String> {
    let sentences = paragraphs(document).into_iter().flat_map(|paragraph| sentences(&paragraph));
    sentences.filter(|sentence| sentence.split_whitespace().count() > WORDS).collect()
}

/// All documents by their paths from the root.
fn documents() -> Vec<(String, String)> {
    let top = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "ARCHITECTURE.md"];
    let mut files: Vec<PathBuf> = top.map(|name| root().join(name)).to_vec();
    files_of("md", &root().join("docs"), &mut files);
    let name = |file: &PathBuf| file.strip_prefix(root()).expect("below the root").display().to_string();
    files.iter().map(|file| (name(file), fs::read_to_string(file).expect("a document"))).collect()
}

#[test]
fn sentences_of_documents_are_short() {
    let mut longer = Vec::new();
    for (name, text) in documents() {
        let long = long_sentences(&text);
        let allowed = LONG.iter().find(|(document, _)| *document == name).map_or(0, |(_, count)| *count);
        if long.len() > allowed {
            longer.push(format!(
                "{name}: {} sentences, {allowed} allowed\n  {}",
                long.len(),
                long.join("\n  ")
            ));
        }
    }
    assert!(longer.is_empty(), "more than {WORDS} words:\n{}", longer.join("\n"));
}

#[test]
fn a_long_sentence_is_found() {
    let thirty = "word ".repeat(29) + "word.";
    let long = "word ".repeat(30) + "word.";
    let found = |document: &str| long_sentences(document).len();
    assert_eq!([&thirty, &long].map(|text| found(text)), [0, 1]);
    assert_eq!(found(&format!("{thirty} {thirty}\n- {thirty}\n{long}\n\n{long}")), 2);
    assert_eq!(found(&format!("```text\n{long}\n```\n| {long} |\n# {long}\n\n    {long}\n")), 0);
    let (half, rest) = ("word ".repeat(20), "word ".repeat(20));
    assert_eq!(
        ["; W", ": 2", "; w", " `a b` w"].map(|joint| found(&format!("{half}w{joint}{rest}."))),
        [0, 0, 1, 1]
    );
}

#[test]
fn numbers_of_documents_have_a_leading_zero() {
    // The reports' own words stand as they are printed.
    let quoting = ["docs/reports.md", "docs/verdicts.md", "docs/contributing/read-aloud.md"];
    let mut bare = Vec::new();
    for (name, text) in documents().into_iter().filter(|(name, _)| !quoting.contains(&name.as_str())) {
        for line in text.split("```").step_by(2).flat_map(str::lines) {
            let line = read_aloud(line);
            let is_bare = |word: &str| {
                let number = word.trim_start_matches(['(', '-', '±', '=', '<', '>', '~']);
                number.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            };
            if line.split_whitespace().any(is_bare) {
                bare.push(format!("{name}: {line}"));
            }
        }
    }
    assert!(bare.is_empty(), "{}", bare.join("\n"));
}
