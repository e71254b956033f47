//! The places at which an expression goes on by another branch: what its branches are chosen by,
//! and where that changes its sign.

use super::expression::{Expression, Function, FunctionTable, Interpolation};

/// The places at which an expression has a kink or a jump.
#[derive(Default)]
pub struct Bends {
    /// Knots of tables of the argument itself.
    pub knots: Vec<f64>,
    /// Expressions at whose zeros a branch changes.
    pub switches: Vec<Expression>,
}

/// Where the expression has a kink or a jump.
pub fn bends(expression: &Expression) -> Bends {
    let mut found = Bends::default();
    gather_bends(expression, &mut found);
    found
}

/// Expressions at whose zeros the value of this one jumps.
pub fn jump_switches(expression: &Expression) -> Vec<Expression> {
    let mut switches = Vec::new();
    gather_jumps(expression, &mut switches);
    switches
}

/// The arguments between `from` and `until` at which any of the switches, by its `value` there,
/// changes its sign: as far as a thousandth of the interval shows them, and to the last bit.
/// Switches of the motion are left out.
pub fn sign_changes(
    switches: &[Expression],
    from: f64,
    until: f64,
    value: impl Fn(&Expression, f64) -> f64,
) -> Vec<f64> {
    const SAMPLES: u32 = 1000;
    let mut found = Vec::new();
    for switch in switches.iter().filter(|switch| !switch.depends_on_motion()) {
        let behind = |x: f64| value(switch, x) >= 0.0;
        let sample = |k: u32| from + (until - from) * f64::from(k) / f64::from(SAMPLES);
        for k in 0..SAMPLES {
            let (mut low, mut high) = (sample(k), sample(k + 1));
            let first = behind(low);
            if first == behind(high) {
                continue;
            }
            loop {
                let middle = low + (high - low) / 2.0;
                if middle <= low || middle >= high {
                    break;
                }
                if behind(middle) == first {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            found.push(high);
        }
    }
    found
}

/// Expressions that are zero where the argument of a table is at a knot.
fn at_knots(table: &FunctionTable, argument: &Expression) -> impl Iterator<Item = Expression> {
    table
        .knots
        .iter()
        .map(|knot| Expression::Difference(Box::new(argument.clone()), Box::new(Expression::Number(*knot))))
}

fn gather_jumps(expression: &Expression, switches: &mut Vec<Expression>) {
    match expression {
        Expression::Call(Function::Step | Function::Sign, a) | Expression::Atan2(a, _) => {
            switches.push((**a).clone());
        }
        Expression::Less(a, b) => switches.push(Expression::Difference(a.clone(), b.clone())),
        Expression::Lookup(table, a) if table.interpolation == Interpolation::Hold => {
            switches.extend(at_knots(table, a));
        }
        _ => {}
    }
    expression.parts().into_iter().for_each(|part| gather_jumps(part, switches));
}

fn gather_bends(expression: &Expression, found: &mut Bends) {
    match expression {
        Expression::Call(Function::Abs | Function::Step | Function::Sign, a) | Expression::Atan2(a, _) => {
            found.switches.push((**a).clone());
        }
        // Its third derivative jumps at both ends.
        Expression::Call(Function::SmoothStep, a) => {
            found.switches.push((**a).clone());
            found.switches.push(Expression::Difference(a.clone(), Box::new(Expression::Number(1.0))));
        }
        Expression::Least(a, b) | Expression::Greatest(a, b) | Expression::Less(a, b) => {
            found.switches.push(Expression::Difference(a.clone(), b.clone()));
        }
        Expression::Lookup(table, a) if **a == Expression::Argument => found.knots.extend(&table.knots),
        Expression::Lookup(table, a) => found.switches.extend(at_knots(table, a)),
        _ => {}
    }
    expression.parts().into_iter().for_each(|part| gather_bends(part, found));
}
