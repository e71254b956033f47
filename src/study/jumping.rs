//! Forces that jump where the motion brings them to it, such as `sign(r.displacement)`.
//!
//! A neighbour comes to the jump later, and has moved on by another force until then. Tangents of
//! steps do not see that: both go through the jump in one step, whose derivative is that of either
//! side.

use crate::describe::switches::jump_switches;
use crate::describe::{Expression, Study};
use crate::ensemble::Quantities;
use crate::ensemble::sampling::directions;
use crate::model::all_channels;
use crate::model::sample::AFTER_START;
use crate::model::timing::Neighbour;

use super::plan::plan;

/// Motions about the start among which places are sought, by how far they are from it in numbers of
/// the state.
const FAR: [f64; 4] = [0.01, 0.1, 1.0, 10.0];
const TRIES: u64 = 16;
/// Times of the run at which they are sought.
const TIMES: u64 = 4;
/// Changes below this share of the numbers are none.
const SMALL: f64 = 1e-6;

/// A sentence on the forces whose jumps the exponents leave out; `None`: none jumps.
pub fn jumps_left_out(study: &Study) -> Option<String> {
    let names = jumping_forces(study);
    (!names.is_empty()).then(|| {
        format!(
            "exponents leave out what a jump of a force does to neighbours that come to it later, and are \
             wrong where the motion comes to one: {}. Make it smooth, such as tanh(x/width) for sign(x), \
             and `dissipation` for the `damping` of a stop",
            names.join(", ")
        )
    })
}

/// The forces that jump with the motion. None, where the mechanism is not known.
pub fn jumping_forces(study: &Study) -> Vec<String> {
    let mechanism = &study.mechanism;
    let Ok(plan) = plan(study) else { return Vec::new() };
    let model = &plan.model;
    let mut parameters = plan.constants.clone();
    let Ok(start) = model.resolve(&Quantities::nominal(study), &mut parameters) else { return Vec::new() };
    let parameter = |p: usize| parameters[p];
    let acts = |_: usize, _: usize| 1.0;
    let system = model.system(&[AFTER_START], &parameter, &model.start_memory(&start, &parameter), &acts);
    let begin = all_channels(&start);
    // Two motions each, and steps since the start.
    let aside = |k: u64, side: u64, far: f64| -> Vec<f64> {
        let far = far * (begin.len() as f64).sqrt();
        let push = directions(study.ensemble.seed, k, side, begin.len());
        begin.iter().zip(push).map(|(x, push)| x + far * push).collect()
    };
    let ways: Vec<(f64, [Vec<f64>; 2])> = (0..TRIES * TIMES)
        .flat_map(|k| FAR.map(|far| (k, far)))
        .map(|(k, far)| {
            ((k % TIMES * study.method.steps / TIMES) as f64, [aside(k, 0, far), aside(k, 1, far)])
        })
        .collect();
    // Whether a law jumps where a switch changes its sign between two motions.
    let jumps = |law: &Expression, switch: &Expression, (steps, [one, other]): &(f64, [Vec<f64>; 2])| {
        let at = |share: f64, of: &Expression| {
            let between: Vec<f64> = one.iter().zip(other).map(|(a, b)| a + share * (b - a)).collect();
            system.function(of, *steps, Neighbour::After, &model.motions(&between))
        };
        let ends_of = |of: &Expression| [0.0, 1.0].map(|share| at(share, of));
        let ends = ends_of(switch);
        if ends[0].signum() == ends[1].signum() {
            return false;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..f64::MANTISSA_DIGITS {
            let middle = 0.5 * (low + high);
            let is_low = at(middle, switch).signum() == ends[0].signum();
            *if is_low { &mut low } else { &mut high } = middle;
        }
        let is_large = |of: &Expression, [a, b]: [f64; 2]| {
            (at(high, of) - at(low, of)).abs() > SMALL * (a.abs() + b.abs())
        };
        // A switch that jumps itself, as an angle does after a turn, has no place there.
        !is_large(switch, ends) && is_large(law, ends_of(law))
    };
    let jumps_somewhere = |law: &Expression| {
        let mut switches = mechanism.reached(law).flat_map(jump_switches);
        law.depends_on_motion() && switches.any(|switch| ways.iter().any(|way| jumps(law, &switch, way)))
    };
    let acting: Vec<&Expression> = mechanism.acting_functions().collect();
    let of_laws = mechanism
        .named_functions()
        .into_iter()
        .filter(|(_, law)| acting.iter().any(|acting| std::ptr::eq(*acting, *law)) && jumps_somewhere(law));
    let of_elements = mechanism.forces.iter().filter(|force| (force.card.jumps)(force));
    let of_elements = of_elements.map(|force| format!("{} `{}`", force.card.table, force.name));
    let mut names: Vec<String> = of_laws.map(|(name, _)| name).chain(of_elements).collect();
    names.dedup();
    names
}
