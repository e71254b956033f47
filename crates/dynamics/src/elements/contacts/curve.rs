//! A point that stays on the curve y = f(x) of space; z is free.
//!
//! ```text
//! Phi = P_y - f(P_x)
//! ```

use super::{Touches, values};
use crate::base::units::Dimension;
use crate::describe::contact::{ContactForm, ContactKey};
use crate::describe::{ContactCard, Expression};
use crate::kinematics::function::{Moment, jet};
use crate::kinematics::row::Row;
use crate::kinematics::side::{Placed, SideVector};
use crate::math::vector::dot;
use crate::real::Real;

values! {
    /// Values of a point on a curve.
    OnCurve of CURVE {
        y: Expression = ContactKey::new(
            ContactForm::OfPlace(Dimension::Length, "a curve needs slope and curvature")
        ), "The height y (m) as a function of x (m).";
    }
}

pub static CURVE: ContactCard = ContactCard {
    doc: "A point of a body stays on the curve y = y(x) of space; z is free.",
    keys: OnCurve::KEYS,
    ..ContactCard::new("curve", "a curve", 1)
};

impl<R: Real> Touches<R> for OnCurve {
    fn rows(&self, point: &Placed<'_, R>, constants: &[R]) -> Vec<Row<R>> {
        let curved = point.centripetal(SideVector::Arm);
        let [f, slope, bend] = jet(&self.y, &Moment::at(point.point[0]), constants);
        let one = f.lift(1.0);
        let across = [-slope, one, one.lift(0.0)];
        let along = point.velocity()[0];
        let bias = dot(across, curved) - bend * (along * along);
        vec![Row::new(point.part(Some(across), None), point.point[1] - f, bias)]
    }
}
