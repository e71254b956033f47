//! Small vibrations about the start, by the model's exact derivatives and by the judge's
//! differences.

use polhode::ensemble::Quantities;
use polhode::model::small_vibrations::{SmallVibrations, Stops};
use polhode::study_file::read_study;

use crate::common::differences::Differences;
use crate::common::root;
use crate::common::tolerances::{SMALL_VIBRATION, SMALL_VIBRATION_SEEN};

/// Every shipped study starts with the vibrations and the damping that the judge finds.
#[test]
fn small_vibrations_of_shipped_studies_are_those_of_the_judge() {
    let mut compared = 0;
    let files = std::fs::read_dir(root().join("studies")).expect("a folder");
    let files = files.map(|entry| entry.expect("an entry").path());
    for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "toml")) {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let study = read_study(&file).unwrap_or_else(|problems| panic!("{problems}"));
        let own = SmallVibrations::about_start(
            &study.mechanism,
            &Quantities::nominal(&study),
            &study.constraints,
            Stops::Touched,
        );
        let judged = Differences::of(&study.mechanism, &study.constraints);
        let own = own.unwrap_or_else(|| panic!("{name}"));
        let is_near = |a: f64, b: f64, scale: f64| a == b || (a - b).abs() <= SMALL_VIBRATION * scale;
        // Differences lose squares that are small beside the largest.
        let significant = |all: &[f64]| {
            let highest = all.last().copied().unwrap_or_default();
            all.iter().copied().filter(|omega| *omega > SMALL_VIBRATION_SEEN * highest).collect::<Vec<f64>>()
        };
        let (mine, other) = (significant(&own.frequencies), significant(&judged.frequencies));
        assert_eq!(mine.len(), other.len(), "{name}: {mine:?} {other:?}");
        for (a, b) in mine.iter().zip(&other) {
            assert!(is_near(*a, *b, *b), "{name}: {a} and {b} rad/s");
        }
        // Rates of decay of a share of 1/s are rounding.
        assert!(is_near(own.damping, judged.damping, judged.damping + 1.0), "{name}: {own:?} {judged:?}");
        // Differences find no growth that is small beside the highest frequency.
        let growth_seen = own.growth > SMALL_VIBRATION_SEEN * own.highest();
        assert!(
            !growth_seen || is_near(own.growth, judged.growth, judged.growth),
            "{name}: {own:?} {judged:?}"
        );
        assert_eq!(own.rests, judged.rests, "{name}");
        compared += usize::from(!mine.is_empty());
    }
    assert!(compared > 20, "{compared} studies vibrate");
}
