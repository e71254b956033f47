//! The converged solution against the independent reference.

mod common;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use polhode::describe::{Kind, read_study};
use polhode::study::converged::{Goal, converged, spread};

#[test]
fn instances_are_spread_over_the_ensemble() {
    assert_eq!(spread(3, 64), [0, 1, 2]);
    let of_many = spread(1_000_000, 64);
    assert!(of_many.len() == 64 && of_many.is_sorted());
    assert!(of_many[0] == 0 && of_many[63] > 970_000, "{of_many:?}");
    let widest = of_many.windows(2).map(|pair| pair[1] - pair[0]).max();
    assert!(widest < Some(30_000), "{widest:?}");
}

/// Prints for every shipped study how its solution was had, how accurate it is, and what it took.
#[test]
#[ignore = "a table for people; takes minutes"]
fn shipped_studies_have_a_converged_solution() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut files: Vec<_> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("studies"))
        .expect("the shipped studies")
        .map(|entry| entry.expect("a study").path())
        .collect();
    files.sort();
    for file in files.iter().filter(|file| file.to_string_lossy().contains(&only)) {
        let study = read_study(file).expect("a sound study");
        if study.kind != Kind::MonteCarlo {
            continue;
        }
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let instances = spread(study.ensemble.size, 64);
        let budget = Duration::from_secs(10);
        let never = AtomicBool::new(false);
        let goal = Goal::Share(1e-10);
        match converged(&study, &instances, &study.observe.channels, goal, budget, &never) {
            Ok(Some(found)) => println!(
                "{name:24} {:2} of {:2}  {:?} own error {:.1e}  opening {:.3} stepping {:.3} all {:.3} s  {}",
                found.course.instances.len(),
                instances.len(),
                found.solved,
                found.largest_share(),
                found.course.opening.as_secs_f64(),
                found.course.stepping.as_secs_f64(),
                found.took.as_secs_f64(),
                found.how,
            ),
            Ok(None) => println!("{name:24} none"),
            Err(error) => println!("{name:24} {error}"),
        }
    }
}
