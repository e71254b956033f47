//! Joints of which some rows say what others say, and positions where a mechanism could go on in more than one way.

mod common;

use common::distance;
use common::four_bars::{self, Joined, four_bars};
use common::tolerances::{PERIODIC_SOLUTION, PERIODIC_SOLUTION_BY_REFERENCE};
use polhode::reference::{Instance, accurate};

/// The quadrature of the period and the steps of the angle say the same, and the reference moves so up to where all bars are flat.
#[test]
fn the_periodic_solution_is_that_of_the_chain() {
    for loops in [1, 2, 40] {
        let period = four_bars::period(loops);
        let [angle, rate] = four_bars::exact(loops, period);
        assert!((angle - std::f64::consts::TAU).abs() < PERIODIC_SOLUTION, "{loops}: {angle}");
        assert!((rate - 1.0).abs() < PERIODIC_SOLUTION, "{loops}: {rate}");
    }
    for joined in [Joined::Hinges, Joined::Balls] {
        let mechanism = four_bars(1, joined);
        let times = [0.2, 0.4];
        let motion = accurate::run(&mechanism, &Instance::nominal(&mechanism), &times, accurate::TOLERANCE);
        for (state, t) in motion.expect("an accurate motion").states.iter().zip(times) {
            let coupler = state.bodies[four_bars::last(1)].position;
            let apart = distance(coupler, four_bars::last_coupler(1, t));
            assert!(apart < PERIODIC_SOLUTION_BY_REFERENCE, "{joined:?}, {t} s: {apart:e}");
            assert!(
                (state.energy - four_bars::energy(1)).abs() < PERIODIC_SOLUTION_BY_REFERENCE,
                "{joined:?}"
            );
        }
    }
}

#[test]
fn probe() {
    use polhode::backend::program::Program;
    use polhode::describe::*;
    use common::engine::Ready;
    let shipped = |name: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("studies").join(name);
        read_study(&path).unwrap_or_else(|problems| panic!("{problems}"))
    };
    let mut list = vec![];
    for joined in [Joined::Hinges, Joined::Balls] {
        for n in [1, 2, 4] {
            list.push((format!("{joined:?} {n}"), common::study::study(four_bars(n, joined), 1, 1e-3, 1000)));
        }
    }
    for name in ["four_bar.toml", "bricard.toml", "four_bar_spatial.toml"] {
        let mut s = shipped(name);
        s.ensemble.size = 1;
        s.ensemble.vary.clear();
        s.method.step = 1e-3;
        s.method.steps = 1000;
        s.observe.every = 1000;
        list.push((name.to_string(), s));
    }
    for (name, mut s) in list {
        for method in ["rk4", "dop853"] {
            for (treatment, project) in [("exact", 0), ("exact", 20), ("baumgarte", 0)] {
                s.method.name = method;
                s.method.resynchronise = 0;
                s.method.options = Options::default();
                s.constraints = Constraints { treatment, options: Options::default(), project };
                let ready = Ready::new(s.clone());
                let program = Program::new(&ready.plan, Precision::F64);
                let ops = program.operations(&program.step).total();
                let out = ready.on_cpu(Precision::F64, 1);
                let row = ready.observe(&out, &[Channel::EnergyDrift, Channel::ConstraintViolation]).remove(0);
                println!("{name} {method} {treatment} {project}: ops {ops}, {:?} at {}, drift {:e} violation {:e}", out.ends[0].verdict, out.ends[0].step, row[0], row[1]);
            }
        }
    }
}
