//! All channels of instances, by the recorded arithmetic of all of them: a group of instances at a
//! time, or one alone with the same bits.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use fearless_simd::{Level, dispatch};

use super::program::ChannelProgram;
use super::{Baselines, watched};
use crate::backend::cpu::jit::Code;
use crate::backend::cpu::lanes::{self, Rows};
use crate::backend::cpu::tape::{GROUP, Sheet};
use crate::backend::tally::ObservedInput;
use crate::backend::{Batch, Plan, StateReader};
use crate::base::Precision;
use crate::describe::ObservedChannel;
use crate::real::Element;

/// Computes channels of instances, from the state and the parameters of each. Its
/// copies share what is compiled.
#[derive(Clone)]
pub struct Observer<'a> {
    plan: &'a Plan,
    channels: Arc<Compiled>,
    /// Program of the baseline; compiled when it is first wanted.
    start: Arc<OnceLock<Compiled>>,
    level: Level,
}

/// Recorded channels, for groups of instances.
struct Compiled {
    program: ChannelProgram,
    sheet: Sheet,
    /// The quantities that the leaves of the sheet stand for: as many as its inputs.
    inputs: Vec<ObservedInput>,
    /// By column: the row of its value, and that of what
    /// [defines](crate::backend::tally::ObservedColumn::defined) it.
    columns: Vec<(usize, Option<usize>)>,
    /// None: it is interpreted, with the same bits.
    code: Option<Code>,
}

impl Compiled {
    fn new(program: ChannelProgram, level: Level) -> Compiled {
        let results = program.results();
        let sheet = Sheet::new(&program.graph, &results);
        let inputs = sheet.inputs.iter().map(|(_, leaf)| program.input(*leaf)).collect();
        let (values, defining) = sheet.results.split_at(program.columns.len());
        let mut defining = defining.iter().copied();
        let columns = program.columns.iter().zip(values);
        let columns =
            columns.map(|(column, row)| (*row, column.defined.and_then(|_| defining.next()))).collect();
        let code = match results.is_empty() {
            true => None,
            false => Code::compile::<f64>(&sheet.routine, level, false),
        };
        Compiled { program, sheet, inputs, columns, code }
    }

    /// Computes the rows of a group of instances.
    fn run(&self, level: Level, rows: &mut Rows<f64>, group: Range<usize>, inputs: &Inputs<'_>) {
        for ((row, _), input) in self.sheet.inputs.iter().zip(&self.inputs) {
            let of_batch = inputs.first + group.start..inputs.first + group.end;
            let values = match *input {
                ObservedInput::State(channel) => match inputs.states {
                    States::Planes(states) => &states[channel][group.clone()],
                    States::Reader(reader) => {
                        reader.read_channel(channel, of_batch.start, &mut rows[*row][..group.len()]);
                        continue;
                    }
                },
                ObservedInput::Parameter(p) => &inputs.parameters[p][of_batch],
                ObservedInput::Start(number) => &inputs.baselines.0[number][group.clone()],
                ObservedInput::Factor(span) => {
                    rows[*row].fill(inputs.factors[span]);
                    continue;
                }
            };
            rows[*row][..values.len()].copy_from_slice(values);
        }
        match &self.code {
            Some(code) => code.run(rows, group.len(), 1),
            None => lanes::run(level, false, &self.sheet.routine.instructions, rows, 1),
        }
    }
}

/// The numbers from which groups are observed.
struct Inputs<'a> {
    states: States<'a>,
    /// `[parameter][instance]`
    parameters: &'a [Vec<f64>],
    /// The first instance of `baselines` is this one of `parameters`.
    first: usize,
    baselines: &'a Baselines,
    /// Shares of the timed loads.
    factors: &'a [f64],
}

/// Where states are read from.
#[derive(Clone, Copy)]
enum States<'a> {
    /// `[channel][instance]`, from the first instance of the baselines on.
    Planes(&'a [Vec<f64>]),
    Reader(&'a dyn StateReader),
}

impl<'a> Inputs<'a> {
    fn of_planes(planes: &Planes<'a>, baselines: &'a Baselines, factors: &'a [f64]) -> Inputs<'a> {
        let Planes { states, parameters, first } = *planes;
        Inputs { states: States::Planes(states), parameters, first, baselines, factors }
    }
}

/// State planes and parameter planes of some instances.
#[derive(Clone, Copy)]
pub struct Planes<'a> {
    /// `[channel][instance]`
    pub states: &'a [Vec<f64>],
    /// `[parameter][instance]`, empty where the parameter does not vary.
    pub parameters: &'a [Vec<f64>],
    /// Instance 0 of `states` is this instance of `parameters`.
    pub first: usize,
}

impl<'a> Observer<'a> {
    pub fn new<C: Copy + Into<ObservedChannel>>(plan: &'a Plan, channels: &[C]) -> Observer<'a> {
        let observed: Vec<ObservedChannel> = channels.iter().map(|channel| (*channel).into()).collect();
        let watched = watched(plan.model.mechanism(), &observed);
        let program = ChannelProgram::of_channels(plan, &watched, Precision::F64);
        let level = Level::new();
        Observer { plan, channels: Arc::new(Compiled::new(program, level)), start: Arc::default(), level }
    }

    /// This tells how far the conditions hold that the study looks at when an instance has
    /// come to its end, a column each.
    pub fn of_ends(plan: &'a Plan) -> Observer<'a> {
        let level = Level::new();
        let program = ChannelProgram::of_ends(plan, Precision::F64);
        Observer { plan, channels: Arc::new(Compiled::new(program, level)), start: Arc::default(), level }
    }

    /// Its recorded arithmetic.
    pub fn program(&self) -> &ChannelProgram {
        &self.channels.program
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.channels.columns.len()
    }

    /// Takes what all instances of `baselines` have now as the start that drifts are measured from.
    pub fn start(&self, planes: &Planes<'_>, baselines: &mut Baselines) {
        let of_start = || Compiled::new(ChannelProgram::of_start(self.plan, Precision::F64), self.level);
        let start = self.start.get_or_init(of_start);
        let nothing = Baselines::new(0);
        let inputs = Inputs::of_planes(planes, &nothing, &[]);
        let mut rows = start.sheet.rows();
        for group in groups(baselines.instances()) {
            start.run(self.level, &mut rows, group.clone(), &inputs);
            for ((row, _), numbers) in start.columns.iter().zip(&mut baselines.0) {
                numbers[group.clone()].copy_from_slice(&rows[*row][..group.len()]);
            }
        }
    }

    /// All columns of instance `i` after `step` steps, in order. A drift from zero is NaN: there is
    /// nothing to compare with.
    pub fn observe(
        &self,
        rows: &mut Rows<f64>,
        planes: &Planes<'_>,
        i: usize,
        step: u64,
        baselines: &Baselines,
        out: &mut [f64],
    ) {
        let factors = self.plan.schedule.factors_around(step);
        self.channels.run(self.level, rows, i..i + 1, &Inputs::of_planes(planes, baselines, &factors));
        for ((value, defined), out) in self.channels.columns.iter().zip(out) {
            *out = where_defined(rows[*value][0].flushed(), defined.map(|row| rows[row][0]));
        }
    }

    /// Rows to observe in, again and again.
    pub fn rows(&self) -> Vec<[f64; GROUP]> {
        self.channels.sheet.rows()
    }

    /// All columns of the instances of `baselines` after `step` steps, `out[column][instance]`: the
    /// values of [`Observer::observe`], a group at a time.
    pub fn observe_in(
        &self,
        rows: &mut Rows<f64>,
        planes: &Planes<'_>,
        step: u64,
        baselines: &Baselines,
        out: &mut [impl AsMut<[f64]>],
    ) {
        let factors = self.plan.schedule.factors_around(step);
        self.observe_from(rows, &Inputs::of_planes(planes, baselines, &factors), out);
    }

    /// As [`observe_in`](Self::observe_in), of the instances of a batch from `first` on
    /// as a backend has them now.
    #[expect(clippy::too_many_arguments, reason = "planes are what it does without")]
    pub fn observe_read(
        &self,
        rows: &mut Rows<f64>,
        reader: &dyn StateReader,
        batch: &Batch,
        first: usize,
        step: u64,
        baselines: &Baselines,
        out: &mut [Vec<f64>],
    ) {
        let factors = self.plan.schedule.factors_around(step);
        let states = States::Reader(reader);
        let inputs = Inputs { states, parameters: &batch.parameters, first, baselines, factors: &factors };
        self.observe_from(rows, &inputs, out);
    }

    fn observe_from(&self, rows: &mut Rows<f64>, inputs: &Inputs<'_>, out: &mut [impl AsMut<[f64]>]) {
        for group in groups(inputs.baselines.instances()) {
            self.channels.run(self.level, rows, group.clone(), inputs);
            for ((value, defined), column) in self.channels.columns.iter().zip(&mut *out) {
                let defined = defined.map(|row| &rows[row]);
                let into = &mut column.as_mut()[group.clone()];
                dispatch!(self.level, _simd => finish(into, &rows[*value], defined));
            }
        }
    }
}

/// Instances in groups of [`GROUP`].
fn groups(instances: usize) -> impl Iterator<Item = Range<usize>> {
    (0..instances).step_by(GROUP).map(move |first| first..instances.min(first + GROUP))
}

/// A column from its values without those that have decayed. Inlined, so that it is compiled
/// for the caller's SIMD level.
#[inline(always)]
fn finish(column: &mut [f64], values: &[f64; GROUP], defined: Option<&[f64; GROUP]>) {
    for (column, value) in column.iter_mut().zip(values) {
        *column = value.flushed();
    }
    for (column, defined) in column.iter_mut().zip(defined.into_iter().flatten()) {
        *column = where_defined(*column, Some(*defined));
    }
}

/// The value of a column, or NaN where it is not
/// [defined](crate::backend::tally::ObservedColumn::defined).
#[inline(always)]
fn where_defined(value: f64, defined: Option<f64>) -> f64 {
    match defined {
        Some(defined) if defined.is_nan() || defined <= 0.0 => f64::NAN,
        _ => value,
    }
}
