//! Every function that expressions know, vectors and attitudes, tables, and states that are
//! sampled: every backend has the same bits, and the reference the same motion.

use crate::common::arms::{KINDS, SPIN, mechanism_of, study_of};
use crate::common::engine::Ready;
use crate::common::judged::{reference, worst};
use crate::common::tolerances::REFERENCE_PER_STEP;
use crate::common::words::{BENT, SAMPLED, SIGNS, TABLES, WORDS};
use polhode::base::Precision;
use polhode::describe::Study;

const STEPS: u64 = 60;

fn study() -> Study {
    let laws = [WORDS, SIGNS, TABLES, BENT, SAMPLED].concat();
    study_of("", SPIN, &(mechanism_of(KINDS[2]) + &laws), 2e-3, STEPS)
}

#[test]
fn every_backend_has_the_same_bits_of_every_function() {
    let ready = Ready::new(study());
    for precision in [Precision::F32, Precision::F64] {
        let code = ready.on_every_backend(precision);
        assert!(code.states.iter().flatten().all(|x| x.is_finite()));
    }
}

#[test]
fn the_reference_has_the_same_value_of_every_function() {
    let mut study = study();
    study.ensemble.size = 3;
    let ready = Ready::new(study);
    let outcome = ready.on_cpu(Precision::F64, 1);
    let references: Vec<_> = (0..ready.size()).map(|i| reference(&ready, i)).collect();
    let worst = worst(&ready, &outcome, &references);
    println!("{worst:.1e}");
    assert!(worst <= STEPS as f64 * REFERENCE_PER_STEP, "{worst:e}");
}
