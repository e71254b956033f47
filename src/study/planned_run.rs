//! The beginning of a run: its threads, and its plan, which is made again where an instance
//! contradicts it.

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::checkpoint::Found;
use super::plan::{NotZero, draw, plan, plan_varying, replanned};
use super::room::warned;
use super::run_context::RunContext;
use super::run_error::RunError;
use crate::backend::{Batch, Plan};
use crate::describe::Study;
use crate::ensemble::{Sampler, Shard};
use crate::model::{Model, NoMechanism, Varied};
use crate::output::RunOutcome;

/// So many threads; `None`: one for each processor.
pub(crate) fn pool(threads: Option<usize>) -> Result<ThreadPool, RunError> {
    let threads = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    threads.build().map_err(|error| RunError::Threads(error.to_string()))
}

/// Runs something on as many threads as the study asks for.
pub(super) fn on_threads<T: Send>(
    study: &Study,
    run: impl FnOnce() -> Result<T, RunError> + Send,
) -> Result<T, RunError> {
    pool(study.run.threads)?.install(run)
}

/// The study's plan; what is wrong with its mechanism, in words.
pub(super) fn planned(study: &Study) -> Result<Plan, RunError> {
    plan(study).map_err(|error| no_mechanism(study, error))
}

fn no_mechanism(study: &Study, error: NoMechanism) -> RunError {
    RunError::NoMechanism(Model::explain(&study.mechanism, error))
}

/// Instances of a study at their start, and the plan that none of them contradicts.
pub(super) struct FirstInstances {
    pub plan: Plan,
    pub batch: Batch,
    /// Drawn numbers, one row an instance.
    pub drawn: Vec<f64>,
}

impl FirstInstances {
    /// The first `count` instances, from the start again where there are fewer; these quantities
    /// vary too.
    pub fn new(study: &Study, count: usize, further: &[Varied]) -> Result<FirstInstances, RunError> {
        let mut plan = plan_varying(study, further).map_err(|error| no_mechanism(study, error))?;
        let sampler = Sampler::new(study)?;
        loop {
            match draw(study, &plan, &sampler, count, |i| i as u64 % study.ensemble.size) {
                Ok((batch, drawn)) => return Ok(FirstInstances { plan, batch, drawn }),
                Err(found) => plan = replanned(plan, study, &found),
            }
        }
    }
}

/// Plans the study and runs it, on as many threads as it asks for, and again with another plan
/// where an instance shows that the plan took something for zero that is not. A run that goes on
/// from a checkpoint has the plan of it.
pub(super) fn on_plan(
    study: &Study,
    under: &RunContext<'_>,
    run: impl Fn(Plan, Option<Found>) -> Result<RunOutcome, RunError> + Sync,
) -> Result<RunOutcome, RunError> {
    let found = Found::look(study, under)?;
    on_threads(study, || {
        let mut plan = planned(study)?;
        if let Some(found) = &found {
            plan = found.planned(plan, 0, study);
        }
        if let Some(warning) = warned(study, &plan, under.shard, under.out) {
            under.listener.say(&warning);
        }
        let mut found = found;
        loop {
            match run(plan.clone(), found.take()) {
                // Every turn takes channels out of the plan's, and so the plan of the end is one of
                // all instances. A shard comes here from the pilot alone, which is the same for all
                // shards.
                Err(RunError::NotZero(found)) => {
                    under.listener.say(&format!("{found}: starting again"));
                    plan = replanned(plan, study, &found);
                }
                done => return done,
            }
        }
    })
}

/// For `map_err`: a run is begun again with what an instance has shown not to be zero, and a shard
/// cannot be.
pub(super) fn unforeseen(shard: Option<Shard>) -> impl Fn(NotZero) -> RunError {
    move |found| if shard.is_some() { RunError::NotForeseen(found) } else { RunError::NotZero(found) }
}
