//! Numbers that documents tell, held against what a run measures.

use std::fs;

use crate::common::root;

/// A sentence of a document with `{}` where its number stands, and the number that was measured in
/// the unit of the sentence.
pub struct Told {
    pub sentence: &'static str,
    pub measured: f64,
}

/// A document of the repository, its lines joined.
pub fn document(path: &str) -> String {
    let text = fs::read_to_string(root().join(path)).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The part of a document from the heading that begins with this to the next one of its level.
pub fn section(document: &str, heading: &str) -> String {
    let from = document.find(heading).unwrap_or_else(|| panic!("no section {heading:?}"));
    let body = &document[from + heading.len()..];
    body[..body.find(" ## ").unwrap_or(body.len())].to_string()
}

/// `None`: the document's number is what was measured, rounded to the digits that it shows; else
/// what is wrong.
pub fn fault(document: &str, stated: &Told) -> Option<String> {
    let Told { sentence, measured } = stated;
    let (before, after) = sentence.split_once("{}").expect("a place for the number");
    let mut places = document.match_indices(before).filter_map(|(at, _)| {
        let rest = &document[at + before.len()..];
        let number = &rest[..rest.find(after)?];
        (!number.is_empty() && number.bytes().all(|c| b"+-.,e0123456789".contains(&c))).then_some(number)
    });
    let Some(number) = places.next() else { return Some(format!("{sentence:?} is not told any more")) };
    let plain = number.replace(',', "");
    let Ok(value) = plain.parse::<f64>() else {
        return Some(format!("{sentence:?}: {number:?} is no number"));
    };
    let half = half_of_the_last_digit(&plain);
    // A measured number that lies in the middle of two roundings may be told as either.
    let near = (value - measured).abs() <= 1.02 * half;
    (!near).then(|| format!("{sentence:?} tells {number}, measured is {measured:.4e}"))
}

/// Returns half a unit of the last digit that the number shows: 5e-6 for `4.06e-3`.
fn half_of_the_last_digit(number: &str) -> f64 {
    let (mantissa, exponent) = number.split_once('e').unwrap_or((number, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    0.5 * 10f64.powi(exponent.parse::<i32>().expect("an exponent") - decimals)
}

#[test]
fn numbers_are_compared_to_the_digits_that_are_told() {
    let document = "It bends by up to 1.93 mm; the pin gives 2,640 N and holds within 3e-9 m.";
    let fault = |sentence, measured| fault(document, &Told { sentence, measured });
    assert_eq!(fault("by up to {} mm", 1.9263), None);
    assert_eq!(
        fault("by up to {} mm", 1.937).unwrap(),
        "\"by up to {} mm\" tells 1.93, measured is 1.9370e0"
    );
    assert_eq!(fault("gives {} N", 2640.4), None);
    assert!(fault("gives {} N", 2641.0).is_some());
    assert_eq!(fault("within {} m", 2.66e-9), None);
    assert!(fault("within {} m", 3.6e-9).is_some());
    assert!(fault("by down to {} mm", 1.9263).unwrap().ends_with("is not told any more"));
}
