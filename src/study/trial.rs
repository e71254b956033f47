//! A trial of a study's first instances on this processor, from which `auto` foretells the time of
//! a run: how long its step takes to compile and to do, and how many attempts of own steps there
//! are inside it.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use fearless_simd::Level;

use super::judge::planned;
use super::march::{BatchRun, Piece};
use super::planned_run::on_threads;
use crate::backend::Plan;
use crate::backend::choose::TriedOnCpu;
use crate::backend::cpu::{self, Execution, tape::GROUP};
use crate::backend::forecast::CpuTrial;
use crate::backend::program::Program;
use crate::describe::{ObservedChannel, Study};
use crate::observe::channels::{self, Observer};

/// Instances that choose their steps are advanced over so much of the run that the trial is this
/// part of its work, and over this part of its time at least. Their attempts do not depend on the
/// clock.
const WORK: f64 = 0.05;
const TIME: f64 = 1.0 / 16.0;

/// Instances that do not choose are advanced over more and more steps, until these take so long.
const LONG: Duration = Duration::from_millis(10);

/// Advances a group of instances on each thread from their start. `None`: it cannot be tried; the
/// run says why. The machine code comes along where the run is to have this plan and program: it
/// need not be made again.
pub fn tried(study: &Study, of_run: &Plan, program: &Program) -> Option<TriedOnCpu> {
    on_threads(study, || Ok(trial(study, of_run, program))).ok().flatten()
}

fn trial(study: &Study, of_run: &Plan, of_the_run: &Program) -> Option<TriedOnCpu> {
    let count = GROUP * rayon::current_num_threads();
    let (mut plan, batch) = planned(study, count).ok()?;
    let all = plan.schedule.steps;
    let begun = Instant::now();
    let precision = study.run.precision;
    let program = Program::new(&plan, precision);
    let serves = plan.schedule == of_run.schedule && program == *of_the_run;
    let operations = program.operations(&program.step).total() as f64;
    let code = Execution::MachineCode;
    let mut backend =
        cpu::open_recorded(plan.clone(), program, precision, study.run.fused, Level::new(), code);
    let compiling = begun.elapsed().as_secs_f64();
    let chooses = plan.method.own_steps().is_some();
    let counted = match chooses {
        true => [channels::OWN_STEPS, channels::REJECTED_STEPS].map(ObservedChannel::from).to_vec(),
        false => Vec::new(),
    };
    let share = (WORK * study.ensemble.size as f64 / count as f64).clamp(TIME, 1.0);
    let mut steps = if chooses { (all as f64 * share).ceil() as u64 } else { 1 };
    loop {
        (plan.schedule.steps, plan.schedule.every) = (steps, steps);
        let mut march = BatchRun::new(&plan, Observer::new(&plan, &counted), &batch);
        let mut attempts = 0.0;
        let record = |_, pieces: &[Piece]| {
            attempts = pieces.iter().flat_map(|piece| piece.values.iter().flatten()).sum();
        };
        march.run(&mut *backend, None, record, |_| ControlFlow::Continue(())).ok()?;
        let spent = march.spent.stepping;
        if chooses || spent >= LONG || steps == all {
            let attempts = (attempts / (count as f64 * steps as f64)).max(1.0);
            let step = spent.as_secs_f64() / steps as f64;
            return Some((CpuTrial { attempts, operations, compiling, step }, serves.then_some(backend)));
        }
        let more = LONG.as_secs_f64() / spent.as_secs_f64().max(1e-6);
        steps = (steps as f64 * (1.5 * more).min(100.0)).ceil().min(all as f64) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Backend;
    use crate::study::plan::plan;
    use crate::study_file::read_study;

    fn shipped(name: &str) -> Study {
        let file = format!("{}/studies/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        read_study(std::path::Path::new(&file)).expect("a study")
    }

    fn of(study: &Study, of_run: &Study) -> TriedOnCpu {
        let plan = plan(of_run).expect("a mechanism");
        let program = Program::new(&plan, study.run.precision);
        tried(study, &plan, &program).expect("a trial")
    }

    /// The whole run of 10,000 instances takes 24.7 attempts a step, more of them at its start.
    #[test]
    fn a_part_of_a_run_tells_the_attempts_of_all() {
        let mut study = shipped("stiffness_decades");
        study.run.threads = Some(1);
        let mut attempts = |size| {
            study.ensemble.size = size;
            of(&study, &study).0.attempts
        };
        let [sixteenth, whole] = [64, 10_000].map(&mut attempts);
        assert!((24.7..1.5 * 24.7).contains(&sixteenth), "{sixteenth}");
        assert!((0.7 * 24.7..1.3 * 24.7).contains(&whole), "{whole}");
    }

    #[test]
    fn steps_of_the_study_are_tried_as_they_are() {
        let study = shipped("spacecraft");
        let (found, _) = of(&study, &study);
        assert!(found.attempts == 1.0 && found.step > 0.0 && found.compiling > 0.0, "{found:?}");
    }

    /// A trial has made the machine code of its run, and of no other one; the trial leaves no trace
    /// in it.
    #[test]
    fn the_code_of_a_trial_serves_its_run_alone() {
        let study = shipped("spacecraft");
        let mut longer = study.clone();
        longer.method.steps *= 2;
        let mut other = study.clone();
        other.method.step *= 0.5;
        for run in [&longer, &other] {
            assert!(of(&study, run).1.is_none());
        }
        let made = of(&study, &study).1.expect("the code of the run");
        let (plan, batch) = planned(&study, 3).expect("instances");
        let (precision, fused) = (study.run.precision, study.run.fused);
        let ends = |mut backend: Box<dyn Backend>| {
            let observed = study.observe.channels.as_slice();
            let mut march = BatchRun::new(&plan, Observer::new(&plan, observed), &batch);
            let mut bits: Vec<u64> = Vec::new();
            let see = |_: usize, pieces: &[Piece]| {
                bits.extend(
                    pieces.iter().flat_map(|piece| piece.values.iter().flatten()).map(|x| x.to_bits()),
                );
            };
            march.run(&mut *backend, None, see, |_| ControlFlow::Continue(())).expect("a run");
            bits
        };
        assert_eq!(ends(made), ends(cpu::open(plan.clone(), precision, fused, Level::new())));
    }
}
