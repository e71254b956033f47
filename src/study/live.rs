//! A page on which a browser advances a study: the kernels of its runs in f32 or
//! `f32_compensated`, the starts of its first instances, and a few motions that are computed here
//! for browsers without WebGPU.

use super::plan::draw_amended;
use super::planned_run::{FirstInstances, on_threads};
use super::preview::tracks;
use super::run_error::RunError;
use super::unserved::Unserved;
use crate::backend::choose::too_long;
use crate::backend::gpu::adding;
use crate::backend::gpu::columns::{ColumnsKernel, GivenNumber};
use crate::backend::gpu::kernel::Kernel;
use crate::backend::program::Program;
use crate::backend::{Batch, Plan};
use crate::base::{Precision, Verdict, shown};
use crate::describe::kind::InstanceRows;
use crate::describe::{ObservedChannel, Quantity, Study};
use crate::ensemble::sampling::{drawn_alone, varied_step};
use crate::ensemble::schedule::StepRange;
use crate::ensemble::{Quantities, Sampler};
use crate::observe::channels::{self, ChannelProgram, Observer, columns};
use crate::output::live::{
    Adding, ColumnsText, GivenPlane, Lever, LiveColumn, LivePage, LiveSide, LiveStretch, NumberPlane,
    SingleNumbers, StartNumber, StartPlane, live_page,
};

/// Instances of a page where nobody says how many.
const INSTANCES: u64 = 10_000;

/// Most instances of a page: its file has some 100 MiB then.
const MOST: u64 = 1_000_000;

/// Bytes of a buffer that every browser with WebGPU lets a kernel read
/// (`maxStorageBufferBindingSize`).
const BINDING: u64 = 128 << 20;

/// The page of a study, and of others beside it that differ from it in how they are advanced; of so
/// many instances, from the first on.
///
/// # Errors
/// A browser cannot advance one of them, or not so many instances.
pub fn live(studies: &[Study], instances: Option<u64>) -> Result<String, RunError> {
    let studies: Vec<Study> = studies.iter().cloned().map(in_single).collect::<Result<_, _>>()?;
    let first = studies.first().ok_or(Unserved::NoStudy)?;
    let size = first.ensemble.size;
    let count = instances.unwrap_or(INSTANCES.min(size));
    if count > size {
        return Err(Unserved::MoreThanAll { count, size }.into());
    }
    if count > MOST {
        return Err(Unserved::TooManyOnPage { count, most: MOST }.into());
    }
    let observed = |study: &Study| columns(&study.mechanism, &study.observe.channels);
    let bodies = |study: &Study| study.mechanism.bodies.len();
    if studies.iter().any(|study| observed(study) != observed(first) || bodies(study) != bodies(first)) {
        return Err(Unserved::PicturesDiffer.into());
    }
    on_threads(first, || {
        let mut observed = vec![channels::POSITION.into(), channels::ATTITUDE.into()];
        observed.extend(first.observe.channels.iter().copied());
        let starts = studies.iter().map(|study| FirstInstances::new(study, count as usize, &[]));
        let starts: Vec<FirstInstances> = starts.collect::<Result<_, _>>()?;
        let mut planes = Vec::new();
        let mut sides = Vec::new();
        for (study, start) in studies.iter().zip(&starts) {
            let mut side = side(study, start, &observed, &mut planes)?;
            if may_step_otherwise(study, &start.plan) {
                let start = FirstInstances::new(study, count as usize, &[(0, Quantity::Step)])?;
                side.led = Some(Box::new(self::side(study, &start, &observed, &mut planes)?));
            }
            sides.push(side);
        }
        let names = first.mechanism.verdict_names();
        let column = |column: channels::ChannelColumn| LiveColumn {
            name: column.name,
            unit: column.unit.into_owned(),
        };
        let page = LivePage {
            count: count as usize,
            size,
            bodies: first.mechanism.bodies.len(),
            verdicts: names.all().map(|verdict| names.of(verdict).to_string()).collect(),
            columns: columns(&first.mechanism, &first.observe.channels).into_iter().map(column).collect(),
            drawn: Sampler::new(first)?.width(),
            levers: levers(first, &starts[0], &planes)?,
            planes,
            sides,
            adding: studies
                .iter()
                .any(|study| study.run.precision == Precision::F32Compensated)
                .then(|| Adding { text: adding::text(), count: adding::SUMS }),
        };
        live_page(&first.title, &first.mechanism, &tracks(first)?, &page)
            .ok_or_else(|| Unserved::NothingMoves.into())
    })
}

/// The study as a browser advances it, if one can.
fn in_single(mut study: Study) -> Result<Study, RunError> {
    if !study.run.precision.is_single() {
        study.run.precision = Precision::F32;
    }
    let card = study.kind.card();
    let unserved = |why: String| Err(Unserved::OnPage(why).into());
    if !card.steps || card.rows == InstanceRows::None {
        return unserved(format!("one of kind {} takes no ensemble from a start to an end", card.name));
    }
    if varied_step(&study).is_some() {
        return unserved("its step differs between instances".to_string());
    }
    match study.uncountable() {
        Some(why) => unserved(format!("browsers compute in f32, and {why}")),
        None => Ok(study),
    }
}

/// Whether the page can take steps of another length: not where loads or samples have times of
/// their own.
fn may_step_otherwise(study: &Study, plan: &Plan) -> bool {
    let takes_times = !plan.schedule.spans.is_empty() || study.mechanism.sampling_steps(plan.schedule.h) > 0;
    !takes_times && plan.method.own_steps().is_none()
}

/// A study as a picture of the page advances it; its starts join those of the page.
fn side(
    study: &Study,
    FirstInstances { plan, batch, .. }: &FirstInstances,
    observed: &[ObservedChannel],
    all: &mut Vec<StartPlane>,
) -> Result<LiveSide, RunError> {
    let precision = study.run.precision;
    let name = study.method.name;
    let unserved = |why: String| Err(Unserved::OnPage(why).into());
    if plan.method.is_adaptive() {
        return unserved(format!(
            "the method {name} computes in f64, which browsers lack, and has no kernel; polhode methods \
             lists others"
        ));
    }
    let program = Program::new(plan, precision);
    if let Some(too_long) = too_long(&program) {
        return unserved(format!("its kernel has {too_long}"));
    }
    let kernel = Kernel::of(plan, precision, &program);
    let observer = Observer::new(plan, observed);
    let planes = [kernel.state.len(), kernel.parameters.len(), observer.width()];
    let most = BINDING / (4 * planes.into_iter().max().unwrap_or(1) as u64);
    if batch.count as u64 > most {
        let count = batch.count as u64;
        return Err(Unserved::TooManyInBuffer { count, mib: BINDING >> 20, most }.into());
    }
    let are_sums = precision == Precision::F32Compensated;
    let mut place = |of: StartNumber| {
        let values = match of {
            StartNumber::State(channel) if are_sums => NumberPlane::double(&batch.states[channel]),
            StartNumber::State(channel) => NumberPlane::of(&batch.states[channel]),
            StartNumber::Parameter(p) => NumberPlane::of(&batch.parameters[p]),
        };
        let plane = StartPlane { of, values };
        all.iter().position(|other| *other == plane).unwrap_or_else(|| {
            all.push(plane);
            all.len() - 1
        })
    };
    let mut columns_text = |program: &ChannelProgram| {
        let made = program.arithmetic(|what| ColumnsKernel::new(&kernel.state, [precision; 2], None, what));
        let mut given = |given: &GivenNumber| match *given {
            GivenNumber::Resting(channel) => GivenPlane::Plane(place(StartNumber::State(channel))),
            GivenNumber::Parameter(p) => GivenPlane::Plane(place(StartNumber::Parameter(p))),
            GivenNumber::Start(start) => GivenPlane::Start { start },
        };
        ColumnsText {
            given: made.given.iter().map(&mut given).collect(),
            shared: SingleNumbers::of(&made.shared),
            text: without_comments(&made.text),
        }
    };
    let observe = columns_text(observer.program());
    let started = columns_text(&ChannelProgram::of_start(plan, Precision::F64));
    let schedule = &plan.schedule;
    let stretch = |range: StepRange| LiveStretch {
        end: range.end,
        pieces: range.pieces.len(),
        factors: SingleNumbers::of(
            &range.pieces.iter().flat_map(|piece| piece.factors.clone()).collect::<Vec<_>>(),
        ),
    };
    let ended = batch.verdicts.iter().enumerate().filter(|(_, verdict)| **verdict != Verdict::Finished);
    // The kernel computes at step 0 what the method carries.
    let mut state_plane = |channel: &usize| {
        let (source, is_low) = kernel.lows.source(*channel);
        let plane = (source < batch.states.len()).then(|| place(StartNumber::State(source)))?;
        Some(if is_low { GivenPlane::Low { low: plane } } else { GivenPlane::Plane(plane) })
    };
    let state = kernel.state.iter().map(&mut state_plane).collect();
    let sums = if are_sums { format!(", {}", precision.name()) } else { String::new() };
    Ok(LiveSide {
        name: format!("{name}, step {} s{sums}", shown(schedule.h)),
        observe,
        start: started,
        state,
        parameters: kernel.parameters.iter().map(|p| place(StartNumber::Parameter(*p))).collect(),
        energy: [0, 1].map(|k| kernel.parameters.iter().position(|p| *p == plan.model.start_energy() + k)),
        step: kernel.parameters.iter().position(|p| *p == plan.model.step()),
        led: None,
        constants: SingleNumbers::of(&kernel.constants),
        shared: (kernel.constants.len() + kernel.factors * kernel.pieces).max(1),
        advance: without_comments(&kernel.text),
        stretches: schedule.stretches(0, schedule.steps).into_iter().map(stretch).collect(),
        spans: schedule.spans.iter().map(|span| [span.from, span.until.min(f64::MAX)]).collect(),
        h: schedule.h,
        steps: schedule.steps,
        every: schedule.every,
        check: schedule.check,
        begin: schedule.begin,
        resynchronise: schedule.resynchronise,
        ended: ended.map(|(instance, verdict)| (instance, verdict.code())).collect(),
    })
}

/// Nodes by which a function is seen to be linear, and those of one that is not.
const FEW_NODES: usize = 17;
const NODES: usize = 1025;

/// A start may differ by this from what its functions say, as a share of the largest such number.
const ADDITIVE: f64 = 1e-5;

/// Instances in which that is tried.
const TRIED: usize = 32;

/// Numbers at the start of instances with these drawn numbers; `None`: one of them describes no
/// mechanism, or what the plan takes for zero is not.
fn started(study: &Study, plan: &Plan, sampler: &Sampler, rows: &[Vec<f64>]) -> Option<Batch> {
    let as_row = |i: usize, q: &mut Quantities| sampler.apply(&rows[i], q);
    let (batch, _) = draw_amended(study, plan, sampler, rows.len(), |_| 0, as_row).ok()?;
    batch.verdicts.iter().all(|verdict| *verdict == Verdict::Finished).then_some(batch)
}

/// The planes of a batch that the page has; the energy at the start it computes itself.
fn numbers<'a>(plan: &Plan, batch: &'a Batch, all: &[StartPlane]) -> Vec<(StartNumber, &'a Vec<f64>)> {
    let energy = plan.model.start_energy();
    let states = batch.states.iter().enumerate().map(|(c, plane)| (StartNumber::State(c), plane));
    let parameters = batch.parameters.iter().enumerate();
    let parameters = parameters.filter(|(p, plane)| !plane.is_empty() && ![energy, energy + 1].contains(p));
    let both = states.chain(parameters.map(|(p, plane)| (StartNumber::Parameter(p), plane)));
    both.filter(|(of, _)| all.iter().any(|plane| plane.of == *of)).collect()
}

/// A function of one drawn number, at equal distances from low to high.
struct Table {
    low: f64,
    high: f64,
    values: Vec<f64>,
}

impl Table {
    fn at(&self, x: f64) -> f64 {
        let last = self.values.len() - 1;
        let place = (x - self.low) / (self.high - self.low) * last as f64;
        let k = (place.max(0.0) as usize).min(last - 1);
        self.values[k] + (place - k as f64) * (self.values[k + 1] - self.values[k])
    }

    /// With two values, if it is a straight line within `error`.
    fn shortened(self, error: f64) -> Table {
        let last = self.values.len() - 1;
        let line = Table { values: vec![self.values[0], self.values[last]], ..self };
        let step = (self.high - self.low) / last as f64;
        let is_line = |(k, x): (usize, &f64)| (line.at(self.low + k as f64 * step) - x).abs() <= error;
        if self.values.iter().enumerate().all(is_line) { line } else { self }
    }
}

/// The drawn numbers that the page can change: those whose instances all start where functions of
/// each such number alone, added up, say.
fn levers(study: &Study, start: &FirstInstances, all: &[StartPlane]) -> Result<Vec<Lever>, RunError> {
    let FirstInstances { plan, batch, drawn } = start;
    let count = batch.count;
    let sampler = Sampler::new(study)?;
    let width = sampler.width();
    let column = |k: usize| drawn.chunks_exact(width).map(move |row| row[k]);
    let means: Vec<f64> = (0..width).map(|k| column(k).sum::<f64>() / count as f64).collect();
    let scale = |plane: &[f64]| plane.iter().fold(0.0_f64, |most, x| most.max(x.abs())).max(1e-30);
    let mut levers = Vec::new();
    let targets =
        study.ensemble.vary.iter().flat_map(|vary| (0..vary.target.width()).map(move |n| (vary, n)));
    for ((k, of), (vary, n)) in sampler.columns().into_iter().enumerate().zip(targets) {
        // The parts of a quaternion belong together, as do correlated numbers.
        if vary.target.width() > 1 && !drawn_alone(vary, n) {
            continue;
        }
        let farthest = column(k).map(|x| (x - means[k]).abs()).fold(0.0, f64::max);
        if farthest <= 0.0 {
            continue;
        }
        // Twice the spread, and the mean moved by as much; less, where that describes no mechanism.
        let tables = [3.0, 2.0, 1.25].into_iter().find_map(|widened| {
            let (low, high) = (means[k] - widened * farthest, means[k] + widened * farthest);
            let tables = |nodes: usize| {
                let node = |n: usize| {
                    let mut row = means.clone();
                    row[k] = low + (high - low) * n as f64 / (nodes - 1) as f64;
                    row
                };
                let batch = started(study, plan, &sampler, &(0..nodes).map(node).collect::<Vec<_>>())?;
                let table = |(of, plane): (StartNumber, &Vec<f64>)| {
                    let error = 0.1 * ADDITIVE * scale(plane);
                    (of, Table { low, high, values: plane.clone() }.shortened(error))
                };
                Some(numbers(plan, &batch, all).into_iter().map(table).collect::<Vec<_>>())
            };
            let few = tables(FEW_NODES)?;
            let are_lines = few.iter().all(|(_, table)| table.values.len() == 2);
            Some((low, high, if are_lines { few } else { tables(NODES)? }))
        });
        let Some((low, high, tables)) = tables else { continue };
        // Other drawn numbers stay those of instances, and this one goes to the far side.
        let tried: Vec<usize> = (0..count).step_by(count.div_ceil(TRIED)).collect();
        let other = |i: usize| (2.0 * means[k] - drawn[i * width + k]).clamp(low, high);
        let row = |i: &usize| {
            let mut row = drawn[i * width..(i + 1) * width].to_vec();
            row[k] = other(*i);
            row
        };
        let Some(found) = started(study, plan, &sampler, &tried.iter().map(row).collect::<Vec<_>>()) else {
            continue;
        };
        let is_additive = |table: &Table, plane: &[f64], found: &[f64]| {
            let error = ADDITIVE * scale(plane);
            tried.iter().zip(found).all(|(i, found)| {
                let moved = table.at(other(*i)) - table.at(drawn[i * width + k]);
                (plane[*i] + moved - found).abs() <= error
            })
        };
        let pairs = numbers(plan, batch, all).into_iter().zip(numbers(plan, &found, all));
        let mut each = tables.iter().zip(pairs);
        if each.all(|((_, table), ((_, plane), (_, found)))| is_additive(table, plane, found)) {
            let moves =
                tables.into_iter().filter(|(_, table)| table.values.iter().any(|x| *x != table.values[0]));
            levers.push(Lever {
                name: of.name,
                unit: of.unit.into_owned(),
                drawn: SingleNumbers::of(&column(k).collect::<Vec<_>>()),
                low,
                high,
                moves: moves.map(|(of, table)| (of, SingleNumbers::of(&table.values))).collect(),
            });
        }
    }
    Ok(levers)
}
/// A kernel without the lines that are for people: a page is sent.
fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.fold(String::with_capacity(text.len()), |all, line| all + line + "\n")
}
