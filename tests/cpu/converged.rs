//! The measured error of runs: the converged solution, and the estimate made of it, against the
//! independent reference.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use polhode::backend::End;
use polhode::base::spread;
use polhode::describe::{MonteCarlo, ObservedChannel, Study};
use polhode::ensemble::{Quantities, Sampler};
use polhode::observe::Verdict;
use polhode::observe::channels::columns;
use polhode::output::Word;
use polhode::reference::accurate;
use polhode::study::accuracy::measure;
use polhode::study::converged::{
    Budget, Course, Goal, Groundwork, Solved, advanced, converged, differences, reference_numbers, scales,
};
use polhode::study::replay::to_reference;
use polhode::study_file::{read_study, read_study_text};

use crate::common::root;
use crate::common::tolerances::{ESTIMATED_ERROR, ROUNDED_ERROR};

static NEVER: AtomicBool = AtomicBool::new(false);

/// The operations of an accurate solution: some ten seconds.
const OPERATIONS: f64 = 2e11;

fn shipped(name: &str) -> Study {
    let file = root().join(format!("studies/{name}.toml"));
    read_study(&file).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The study over at most `most` of its steps, of which `times` are taken at once, observed at the
/// end.
fn coarser(study: &Study, most: u64, times: u64) -> Study {
    let mut study = study.clone();
    let steps = study.method.steps.min(most) / 8 * 8;
    study.method.step *= times as f64;
    study.method.steps = steps / times;
    study.observe.every = study.method.steps;
    study.verdict.energy = None;
    study
}

/// The accurate motion of these instances by the reference.
fn by_reference(study: &Study, instances: &[u64], channels: &[ObservedChannel]) -> Option<Course> {
    let h = study.method.step;
    let times = vec![0.0, study.method.steps as f64 * h];
    let columns = columns(&study.mechanism, channels);
    let mut values = vec![vec![Vec::new(); columns.len()]; times.len()];
    let sampler = Sampler::new(study).expect("an ensemble");
    let mut drawn = vec![0.0; sampler.width()];
    for number in instances {
        sampler.draw(*number, &mut drawn);
        let mut quantities = Quantities::nominal(study);
        sampler.apply(&drawn, &mut quantities);
        let (_, instance) = to_reference(&study.mechanism, quantities).ok()?;
        let deadline = Instant::now() + Duration::from_secs(60);
        let limits = accurate::Limits::until(deadline, 100.0 * h);
        let tolerance = accurate::TOLERANCE;
        let run = accurate::run_within(&study.mechanism, &instance, &times, tolerance, Some(&limits)).ok()?;
        for (k, values) in values.iter_mut().enumerate() {
            let numbers = reference_numbers(&study.mechanism, channels, &run, k);
            values.iter_mut().zip(numbers).for_each(|(column, x)| column.push(x));
        }
    }
    let end = End { verdict: Verdict::Finished, step: study.method.steps };
    Some(Course {
        instances: instances.to_vec(),
        times,
        columns,
        values,
        jumps: Vec::new(),
        ends: vec![end; instances.len()],
        alike: 0.0,
        stepping: Duration::ZERO,
    })
}

/// The largest error at the end of each column, as a share of its scale.
fn shares(course: &Course, exact: &Course, scales: &[f64]) -> Vec<f64> {
    let off = differences(course, exact);
    let last = off.last().expect("snapshots");
    let largest = |column: &Vec<f64>| column.iter().copied().fold(f64::NAN, f64::max);
    last.iter().zip(scales).map(|(column, scale)| largest(column) / scale).collect()
}

/// A parallelogram goes through the position in which its bars lie in one line: a step that ends
/// beside it errs far more than one twice as long. A run that is off by more than is allowed is not
/// resolved, though its own solution over twice the step seems to show the order of the method.
#[test]
fn errors_beside_a_singular_position_are_not_taken_to_fall_with_the_step() {
    let body = |name: &str| format!("[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [0.001, 0.02, 0.02]\n");
    let joint = |name: &str, bodies: [&str; 2], at: [f64; 2], start: &str| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"revolute\"\nbodies = {bodies:?}\n\
             points = [[{}, 0, 0], [{}, 0, 0]]\naxes = [0, 1, 0]\n{start}\n",
            at[0], at[1]
        )
    };
    let mechanism = [
        "gravity = 9.81\n".to_string(),
        ["a", "b", "c"].map(body).concat(),
        joint("j1", ["ground", "a"], [0.0, -0.2], "angle = \"-60 deg\"\nangular_velocity = 7"),
        joint("j2", ["a", "b"], [0.2, -0.4], "angle = \"60 deg\""),
        joint("j3", ["b", "c"], [0.4, 0.2], ""),
        joint("j4", ["ground", "c"], [0.8, -0.2], "angle = \"-60 deg\""),
    ]
    .concat();
    let study = |step: &str| {
        let text = format!(
            "method = {{ name = \"rk4\", step = \"{step}\", duration = \"2 s\", accuracy = 1e-6 }}\n\
             ensemble = {{ size = 20, vary = {{ \"j1.angular_velocity\" = \
             {{ uniform = {{ low = 1, high = 12 }} }} }} }}\n\
             observe = {{ channels = [\"j1.angle\", \"constraint_violation\"], every = \"50 ms\" }}\n\
             [[outcome]]\nname = \"mx\"\nmax = \"j1.angle\"\n\
             [[outcome]]\nname = \"first\"\nfirst = \"j1.angle > 0\"\n\
             [[outcome]]\nname = \"mw\"\nmax = \"abs(j1.angle_rate)\"\n"
        );
        read_study_text("parallelogram", &text, &mechanism).unwrap_or_else(|why| panic!("{why}"))
    };
    let course = |step: &str| {
        let (study, late) = (study(step), Instant::now() + Duration::from_secs(60));
        let instances: Vec<u64> = (0..20).collect();
        advanced(&study, &instances, &study.observe.channels, late, &NEVER).unwrap().expect("a course")
    };
    // A hundred times more accurate, but by chance.
    let (run, exact) = (course("0.5 ms"), course("1 ms"));
    let sizes = Groundwork::of(&study("1 ms")).expect("a mechanism").sizes;
    let error = shares(&run, &exact, &scales(&exact, &sizes))[0];
    assert!(error > 1e-6, "{error:e}");
    let found = measure(&study("0.5 ms"), None, &NEVER).expect("a measured error").accuracy;
    println!("{error:e}: {:?} {:?} {}", found.word, found.largest, found.how);
    assert_ne!(found.word, Word::Resolved, "{error:e}: {:?} {}", found.largest, found.how);
}

/// Estimated and true error of a study, in the column where the true one is largest, and by how
/// much they differ at most.
struct Compared {
    estimated: f64,
    truth: f64,
    factor: f64,
    word: Word,
    reason: String,
    solved: Solved,
    took: f64,
}

fn compared(study: &Study, budget: Duration) -> Option<Compared> {
    let instances = spread(study.ensemble.size, 3);
    let channels = &study.observe.channels;
    let deadline = Instant::now() + Duration::from_secs(100);
    let run = advanced(study, &instances, channels, deadline, &NEVER).expect("a run")?;
    let started = Instant::now();
    let goal = Goal::Judging(&run, 0.05);
    let budget = Budget { operations: OPERATIONS, time: budget };
    let found = converged(
        (study, &Groundwork::of(study).unwrap()),
        (&instances, &[]),
        channels,
        goal,
        &budget,
        &NEVER,
    )
    .expect("a solution")?;
    let took = started.elapsed().as_secs_f64();
    let exact = by_reference(study, &found.course.instances, channels)?;
    let scales = scales(&exact, &Groundwork::of(study).unwrap().sizes);
    let (estimated, truth) = (shares(&run, &found.course, &scales), shares(&run, &exact, &scales));
    let factors = estimated.iter().zip(&truth).filter(|(_, truth)| **truth > ROUNDED_ERROR);
    let factor = factors.map(|(a, b)| (a / b).max(b / a)).fold(1.0, f64::max);
    let mut judged = study.clone();
    judged.accuracy.budget = Some(budget.time.as_secs_f64());
    let measured = measure(&judged, Some(run), &NEVER)?;
    // Only columns that the reference has too can be compared.
    let both = estimated.iter().zip(&truth).filter(|(a, b)| !a.is_nan() && !b.is_nan());
    let (estimated, truth): (Vec<f64>, Vec<f64>) = both.unzip();
    let largest = |all: &[f64]| all.iter().copied().fold(0.0, f64::max);
    Some(Compared {
        estimated: largest(&estimated),
        truth: largest(&truth),
        factor,
        word: measured.accuracy.word,
        reason: measured.accuracy.reason,
        solved: found.solved,
        took,
    })
}

#[test]
fn instances_are_spread_over_the_ensemble() {
    assert_eq!(spread(3, 64), [0, 1, 2]);
    let of_many = spread(1_000_000, 64);
    assert!(of_many.len() == 64 && of_many.is_sorted());
    assert!(of_many[0] == 0 && of_many[63] > 970_000, "{of_many:?}");
    let widest = of_many.windows(2).map(|pair| pair[1] - pair[0]).max();
    assert!(widest < Some(30_000), "{widest:?}");
}

/// A free body, a chain, a loop, something elastic: the estimate is the true error, and no word is
/// better than the truth.
#[test]
fn the_estimated_error_is_the_true_one() {
    for (name, most) in [("tumbling", 400), ("double_pendulum", 400), ("four_bar", 80), ("hulbert_52", 400)] {
        for times in [1, 4] {
            let study = coarser(&shipped(name), most, times);
            let found = compared(&study, Duration::from_secs(120)).expect("a solution");
            let errors = format!("{name} x{times}: {:.3e} {:.3e}", found.estimated, found.truth);
            assert!(found.factor < ESTIMATED_ERROR, "{errors}: {}", found.factor);
            assert!(found.word != Word::Resolved || found.truth <= 1e-4, "{errors}");
        }
    }
}

/// The first steps of the accurate method are too long for what is stiff: it goes on from where
/// nothing holds.
#[test]
fn stiff_mechanisms_are_solved_by_another_method() {
    let study = coarser(&shipped("boom"), 400, 1);
    let instances = spread(study.ensemble.size, 20);
    let channels = &study.observe.channels;
    let deadline = Instant::now() + Duration::from_secs(120);
    let run = advanced(&study, &instances, channels, deadline, &NEVER).expect("a run").expect("in time");
    let budget = Budget { operations: OPERATIONS, time: Duration::from_secs(120) };
    let goal = Goal::Judging(&run, 0.05);
    let found = converged(
        (&study, &Groundwork::of(&study).unwrap()),
        (&instances, &[]),
        channels,
        goal,
        &budget,
        &NEVER,
    )
    .expect("a solution");
    let found = found.expect("a solution in time");
    assert_eq!(found.solved, Solved::Refined);
    assert!(found.largest_share() <= 1e-4, "{:e}", found.largest_share());
    assert_eq!(found.course.instances, instances);
}

/// The table of `docs/accuracy.md`.
#[test]
#[ignore = "a table for people: minutes"]
fn estimates_of_twenty_mechanisms() {
    const STUDIES: [&str; 28] = [
        "tumbling",
        "hulbert_51",
        "hulbert_52",
        "spacecraft",
        "double_pendulum",
        "four_bar",
        "four_bar_spatial",
        "bricard",
        "furuta_pendulum",
        "manipulator",
        "rolling_ball",
        "rolling_ball_offset",
        "slider_crank",
        "slider_crank_elastic",
        "rubber_hinge",
        "vibration",
        "triangle",
        "pendulum_flexible",
        "pendulum_rigid",
        "spinning_beam",
        "solar_panels",
        "crane_joints_rigid",
        "crane",
        "crane_driven",
        "crane_modal",
        "boom",
        "flexible_pendulum",
        "triangle_levels",
    ];
    let only = std::env::var("ONLY").unwrap_or_default();
    println!("| study | step (s) | estimated | true | factor | word | accurate by | took (s) |");
    println!("|---|---|---|---|---|---|---|---|");
    for name in STUDIES.into_iter().filter(|name| name.contains(&only)) {
        for times in [1, 2, 4] {
            let study = coarser(&shipped(name), 1000, times);
            let h = study.method.step;
            match compared(&study, Duration::from_secs(10)) {
                Some(found) => println!(
                    "| {name} | {h:.3e} | {:.1e} | {:.1e} | {:.2} | {} {} | {:?} | {:.2} |",
                    found.estimated,
                    found.truth,
                    found.factor,
                    found.word.name(),
                    found.reason,
                    found.solved,
                    found.took
                ),
                None => println!("| {name} | {h:.3e} | none |"),
            }
        }
    }
}

/// Prints for every shipped study how its solution was had, how accurate it is, and what it took.
#[test]
#[ignore = "a table for people: minutes"]
fn shipped_studies_have_a_converged_solution() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut files: Vec<_> = std::fs::read_dir(root().join("studies"))
        .expect("the shipped studies")
        .map(|entry| entry.expect("a study").path())
        .collect();
    files.sort();
    for file in files.iter().filter(|file| file.to_string_lossy().contains(&only)) {
        let study = read_study(file).expect("a sound study");
        if study.kind.settings::<MonteCarlo>().is_none() {
            continue;
        }
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let instances = spread(study.ensemble.size, 64);
        let budget = Budget { operations: OPERATIONS, time: Duration::from_secs(60) };
        let goal = Goal::Share(1e-10);
        match converged(
            (&study, &Groundwork::of(&study).unwrap()),
            (&instances, &[]),
            &study.observe.channels,
            goal,
            &budget,
            &NEVER,
        ) {
            Ok(Some(found)) => println!(
                "{name:24} {:2} of {:2}  {:?} own error {:.1e} stepping {:.3} all {:.3} s  {}",
                found.course.instances.len(),
                instances.len(),
                found.solved,
                found.largest_share(),
                found.course.stepping.as_secs_f64(),
                found.took.as_secs_f64(),
                found.how,
            ),
            Ok(None) => println!("{name:24} none"),
            Err(error) => println!("{name:24} {error}"),
        }
    }
}
