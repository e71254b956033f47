//! The first motions of a study, computed here and now to be looked at.

use std::ops::ControlFlow;

use fearless_simd::Level;

use super::judge::planned;
use super::march::{BatchRun, Piece};
use super::planned_run::on_threads;
use super::recorder::{PoseObserver, Recorder};
use super::run_error::RunError;
use super::unserved::Unserved;
use crate::backend::cpu::{self, Execution};
use crate::base::{Precision, quantity};
use crate::describe::{ObservedChannel, Study};
use crate::observe::channels::Observer;
use crate::output::{self, Track};

/// Instances whose motions are computed.
const PLAYED: usize = 8;
/// Steps of a preview at most: some tenths of a second for the largest mechanisms.
const STEPS: u64 = 2000;
/// Snapshots of a preview.
const SNAPSHOTS: u64 = 100;

/// Motions of the first instances, on the CPU.
pub(super) fn tracks(study: &Study) -> Result<Vec<Track>, RunError> {
    let (plan, batch) = &planned(study, PLAYED.min(study.ensemble.size as usize))?;
    let mut backend =
        cpu::open_with(plan.clone(), Precision::F32, study.run.fused, Level::new(), Execution::MachineCode);
    let mut recorder = Recorder::default();
    let Some(observer) = PoseObserver::new(study, plan, batch, 0) else { return Ok(Vec::new()) };
    let steps = plan.schedule.snapshots();
    let none: [ObservedChannel; 0] = [];
    let mut march = BatchRun::new(plan, Observer::new(plan, &none), batch);
    let record = |time: usize, pieces: &[Piece]| {
        recorder.record(&observer, steps[time] as f64 * plan.schedule.h, pieces);
    };
    march.run(&mut *backend, None, record, |_| ControlFlow::Continue(()))?;
    let (_, ends) = march.finish(&Observer::new(plan, &none));
    let names = study.mechanism.verdict_names();
    recorder.ended(0, &ends, |verdict| names.is_whole(verdict));
    Ok(recorder.motions())
}

/// A page that plays the first steps of a study's first instances.
///
/// # Errors
/// The study cannot be served, or does not move so that it could be drawn.
pub fn preview(study: &Study) -> Result<String, RunError> {
    if !study.kind.card().steps {
        return Err(Unserved::NoPreview(study.kind.name()).into());
    }
    let mut study = study.clone();
    study.method.steps = study.method.steps.min(STEPS);
    study.observe.every = study.method.steps.div_ceil(SNAPSHOTS);
    on_threads(&study, || {
        let tracks = tracks(&study)?;
        let seconds = study.method.steps as f64 * study.method.step;
        let lead = format!(
            "The start, and the first {} of {} by {} steps of {}",
            quantity(seconds, 3, "s"),
            match tracks.len() {
                1 => "one instance".to_string(),
                played => format!("{played} instances"),
            },
            study.method.name,
            quantity(study.method.step, 4, "s")
        );
        output::preview(&study.title, &lead, &study.mechanism, &tracks)
            .ok_or_else(|| Unserved::NothingMoves.into())
    })
}
