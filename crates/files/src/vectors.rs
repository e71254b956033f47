//! Vectors and attitudes in expressions: each is resolved to scalar expressions of its components
//! where it is read.
//!
//! Sums and products with the numbers 0 and 1 are left out, so that an axis such as [0, 0, 1] costs
//! nothing.

use polhode_description::describe::expression::{Expression, Function};

/// Three components.
pub(super) type Vector = [Expression; 3];
/// A unit quaternion, scalar first.
pub(super) type QuaternionParts = [Expression; 4];

fn is(expression: &Expression, value: f64) -> bool {
    *expression == Expression::Number(value)
}

pub(super) fn negative(a: Expression) -> Expression {
    match a {
        Expression::Number(number) => Expression::Number(0.0 - number),
        a => Expression::Negative(Box::new(a)),
    }
}

pub(super) fn sum(a: Expression, b: Expression) -> Expression {
    match (a, b) {
        (a, b) if is(&a, 0.0) => b,
        (a, b) if is(&b, 0.0) => a,
        (a, b) => Expression::Sum(Box::new(a), Box::new(b)),
    }
}

pub(super) fn difference(a: Expression, b: Expression) -> Expression {
    match (a, b) {
        (a, b) if is(&b, 0.0) => a,
        (a, b) if is(&a, 0.0) => negative(b),
        (a, b) => Expression::Difference(Box::new(a), Box::new(b)),
    }
}

pub(super) fn product(a: Expression, b: Expression) -> Expression {
    match (a, b) {
        (a, b) if is(&a, 0.0) || is(&b, 0.0) => Expression::Number(0.0),
        (a, b) if is(&a, 1.0) => b,
        (a, b) if is(&b, 1.0) => a,
        (a, b) => Expression::Product(Box::new(a), Box::new(b)),
    }
}

/// Component by component.
pub(super) fn by_components(
    make: impl Fn(Expression, Expression) -> Expression,
    a: Vector,
    b: Vector,
) -> Vector {
    let [a1, a2, a3] = a;
    let [b1, b2, b3] = b;
    [make(a1, b1), make(a2, b2), make(a3, b3)]
}

/// `a . b`
pub(super) fn dot(a: &Vector, b: &Vector) -> Expression {
    let products = a.iter().zip(b).map(|(a, b)| product(a.clone(), b.clone()));
    products.reduce(sum).unwrap_or(Expression::Number(0.0))
}

/// `|a|`
pub(super) fn norm(a: &Vector) -> Expression {
    let squares = a.iter().map(|a| match a {
        Expression::Number(number) => Expression::Number(number * number),
        a => Expression::Power(Box::new(a.clone()), 2),
    });
    let square = squares.reduce(sum).unwrap_or(Expression::Number(0.0));
    Expression::Call(Function::Sqrt, Box::new(square))
}

/// `a x b`
pub(super) fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)]
        .map(|(i, j)| difference(product(a[i].clone(), b[j].clone()), product(a[j].clone(), b[i].clone())))
}

/// The attitude the other way round.
pub(super) fn inverse([q0, q1, q2, q3]: QuaternionParts) -> QuaternionParts {
    [q0, negative(q1), negative(q2), negative(q3)]
}

/// A vector turned by a unit quaternion, `v + q0 t + q x t` with `t = 2 q x v`: from the body's
/// axes to those of space.
pub(super) fn rotate(attitude: &QuaternionParts, v: &Vector) -> Vector {
    let [q0, q1, q2, q3] = attitude.clone();
    let q = [q1, q2, q3];
    let t = cross(&q, v).map(|part| product(Expression::Number(2.0), part));
    let along = t.clone().map(|part| product(q0.clone(), part));
    by_components(sum, by_components(sum, v.clone(), along), cross(&q, &t))
}

/// The angle between an axis of a body and a direction in space (rad), from 0 to pi.
pub(super) fn tilt(attitude: &QuaternionParts, axis: &Vector, direction: &Vector) -> Expression {
    let axis = rotate(attitude, axis);
    let [across, along] = [norm(&cross(&axis, direction)), dot(&axis, direction)];
    Expression::Atan2(Box::new(across), Box::new(along))
}
