//! `f32_compensated` on every backend: the same sums, bit for bit.

use crate::common::arms::{KINDS, SPIN, TREATMENTS, mechanism_of, study_of};
use crate::common::cases;
use crate::common::engine::Ready;
use crate::common::free_body;
use crate::common::methods::variants;
use crate::common::study::{Varied, study};
use polhode::backend::gpu::adapter::AdapterChoice;
use polhode::backend::gpu::device::Device;
use polhode::base::Precision;
use polhode::methods::chooses_steps;
use polhode::observe::Verdict;

const SUMS: Precision = Precision::F32Compensated;

/// The device adds as kernels are written: the probe has passed.
#[test]
fn the_probe_passes_on_a_device_that_leaves_sums_alone() {
    let device = Device::open(&AdapterChoice::Any, SUMS);
    assert!(device.is_ok(), "{:?}", device.err());
}

#[test]
fn every_backend_has_the_same_sums_of_free_bodies() {
    for (name, study) in [
        ("free", cases::free(150)),
        ("top", cases::top(150)),
        ("thrown", cases::thrown(150)),
        ("jumps", cases::jumps(150)),
        ("all varied", cases::all_varied(150)),
    ] {
        let ready = Ready::new(study);
        let outcome = ready.on_every_backend(SUMS);
        assert_eq!(outcome.count(Verdict::Finished), ready.size(), "{name}");
    }
}

#[test]
fn every_backend_has_the_same_sums_by_every_method() {
    for variant in variants().into_iter().filter(|v| !chooses_steps(v.name, &v.options)) {
        let body = free_body([5.0, 10.0, 1.0], [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
        let ready = Ready::new(variant.apply(study(body, 70, 1e-3, 400).any_attitude()));
        let outcome = ready.on_every_backend(SUMS);
        assert_eq!(outcome.count(Verdict::Finished), ready.size(), "{}", variant.label());
    }
}

#[test]
fn every_backend_has_the_same_sums_of_joints() {
    for (k, treatment) in TREATMENTS.iter().enumerate() {
        let kind = KINDS[k % KINDS.len()];
        let ready = Ready::new(study_of(treatment, SPIN, &mechanism_of(kind), 1e-3, 100));
        let outcome = ready.on_every_backend(SUMS);
        // `staggered_as_printed` loses the joint at once, in f64 too.
        let finished = ready.on_cpu(Precision::F64, 1).count(Verdict::Finished);
        assert_eq!(outcome.count(Verdict::Finished), finished, "{kind}, {treatment}");
    }
}
