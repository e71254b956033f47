//! Channels as recorded arithmetic: the source of machine code, of lanes and of kernels.

use super::baseline::{Baseline, NUMBERS};
use super::scene::Scene;
use super::{Registered, Watched, defined, numbers};
use crate::backend::Plan;
use crate::backend::tally::{ColumnArithmetic, ObservedColumn, ObservedInput};
use crate::base::Precision;
use crate::describe::EndCondition;
use crate::model::sample::Sample;
use crate::model::timing::Neighbour;
use crate::real::traced::{Graph, Traced, constant, leaf, record};

/// Results of channels as an expression graph, with what its leaves are.
#[derive(Debug)]
pub struct ChannelProgram {
    pub graph: Graph,
    pub columns: Vec<ObservedColumn>,
    layout: Layout,
}

/// Leaves: state channels, then parameters, then the numbers of the baseline, then the
/// shares of the timed loads.
#[derive(Clone, Copy, Debug)]
struct Layout {
    states: usize,
    parameters: usize,
}

impl Layout {
    fn of(plan: &Plan) -> Layout {
        Layout { states: plan.moving.len(), parameters: plan.model.parameters() }
    }

    fn leaf(self, input: ObservedInput) -> Traced {
        let of_start = self.states + self.parameters;
        let number = match input {
            ObservedInput::State(channel) => channel,
            ObservedInput::Parameter(p) => self.states + p,
            ObservedInput::Start(number) => of_start + number,
            ObservedInput::Factor(span) => of_start + NUMBERS + span,
        };
        leaf(number as u32)
    }

    fn input(self, leaf: u32) -> ObservedInput {
        match leaf as usize {
            channel if channel < self.states => ObservedInput::State(channel),
            leaf => match leaf - self.states {
                p if p < self.parameters => ObservedInput::Parameter(p),
                rest if rest - self.parameters < NUMBERS => ObservedInput::Start(rest - self.parameters),
                rest => ObservedInput::Factor(rest - self.parameters - NUMBERS),
            },
        }
    }
}

impl ChannelProgram {
    /// All columns of these channels.
    pub(super) fn of_channels(plan: &Plan, watched: &[Watched], precision: Precision) -> ChannelProgram {
        let layout = Layout::of(plan);
        let (graph, columns) = record(precision, || {
            let state = state(plan, layout);
            let parameter = |p: usize| parameter(plan, layout, p);
            let factor = |span: usize| layout.leaf(ObservedInput::Factor(span));
            let start = Baseline::from_numbers(|number| layout.leaf(ObservedInput::Start(number)));
            let of_channel = |watched: &Watched| {
                let scene = Scene::new(plan, *watched, &state, &parameter, &factor, &start);
                let defined = defined(watched.channel, &scene);
                let outlasts = watched.channel.is_of_the_end();
                let column = move |value| ObservedColumn { value, defined, outlasts };
                numbers(watched.channel, &scene).into_iter().map(column)
            };
            watched.iter().flat_map(of_channel).collect()
        });
        ChannelProgram { graph, columns, layout }
    }

    /// The numbers of the baseline of an instance whose start the state is.
    pub fn of_start(plan: &Plan, precision: Precision) -> ChannelProgram {
        let layout = Layout::of(plan);
        let (graph, columns) = record(precision, || {
            let state = state(plan, layout);
            let parameter = |p: usize| parameter(plan, layout, p);
            let motions = plan.model.motions(&state);
            let start = Baseline::new(plan, &motions, &parameter, plan.model.memory_in(&state));
            start.numbers().map(|value| ObservedColumn { value, defined: None, outlasts: false }).to_vec()
        });
        ChannelProgram { graph, columns, layout }
    }

    /// This tells how far the conditions hold that are looked at at the end: 1 or 0,
    /// in the order of the file.
    pub(super) fn of_ends(plan: &Plan, precision: Precision) -> ChannelProgram {
        let layout = Layout::of(plan);
        let (graph, columns) = record(precision, || {
            let state = state(plan, layout);
            let parameter = |p: usize| parameter(plan, layout, p);
            let factor = |span: usize| layout.leaf(ObservedInput::Factor(span));
            let motions = plan.model.motions(&state);
            let now = [Sample::new(0.0, 0.0, 0.0)];
            let memory = plan.model.memory_in(&state);
            let system = plan.model.system(&now, &parameter, memory, &|_, span| factor(span));
            let ends = plan.model.mechanism().ends.iter().filter(|end| end.at_end);
            let holds = |end: &EndCondition| system.function(&end.when, 0.0, Neighbour::After, &motions);
            ends.map(|end| ObservedColumn { value: holds(end), defined: None, outlasts: false }).collect()
        });
        ChannelProgram { graph, columns, layout }
    }

    /// As what computes it elsewhere is made from it.
    pub fn arithmetic<T>(&self, use_columns: impl FnOnce(&ColumnArithmetic<'_>) -> T) -> T {
        let input = |leaf| self.input(leaf);
        use_columns(&ColumnArithmetic { graph: &self.graph, columns: &self.columns, input: &input })
    }

    /// Returns the quantity that a leaf stands for.
    pub fn input(&self, leaf: u32) -> ObservedInput {
        self.layout.input(leaf)
    }

    /// The values of all columns, in order, and then what [defines](ObservedColumn::defined) those
    /// that are not defined everywhere.
    pub fn results(&self) -> Vec<Traced> {
        let values = self.columns.iter().map(|column| column.value);
        values.chain(self.columns.iter().filter_map(|column| column.defined)).collect()
    }
}

/// The state; what rests at zero in every instance is not read.
fn state(plan: &Plan, layout: Layout) -> Vec<Traced> {
    let rests_at_zero = |c: usize| !plan.moving[c] && plan.zeros.channels.get(c) == Some(&true);
    let of_channel = |c: usize| match rests_at_zero(c) {
        true => constant(0.0),
        false => layout.leaf(ObservedInput::State(c)),
    };
    (0..layout.states).map(of_channel).collect()
}

fn parameter(plan: &Plan, layout: Layout, p: usize) -> Traced {
    if plan.model.varies(p) { layout.leaf(ObservedInput::Parameter(p)) } else { constant(plan.constants[p]) }
}
