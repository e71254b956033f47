//! Generators: the card of a kind of prescribed motion, and one generator of a mechanism with its
//! functions of time.
//!
//! The cards are in `elements/generator.rs` of dynamics, and everything here reads them: no other
//! place lists the kinds.

use super::expression::Expression;
use super::force::Measure;
use super::joint::JointCoordinate;
use super::known_by::known_by;
use super::point::Point;

/// A kind of generator.
pub struct GeneratorCard {
    /// Key in files of the functions that are prescribed, such as `position`.
    pub key: &'static str,
    pub drives: Drives,
    /// The value of a function.
    pub measure: Measure,
    /// The rate alone is held; positions follow.
    pub rate_alone: bool,
    /// Says to users why functions must have derivatives.
    pub needs: &'static str,
    pub doc: &'static str,
}

known_by!(GeneratorCard, key);

/// Whether a kind drives a joint or a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drives {
    /// A joint's coordinate, by one function.
    Coordinate,
    /// A point of a body, by three functions along the axes of space, of which some may be absent.
    Point,
    /// A joint's coordinate, by one function of another coordinate.
    Coupled,
}

/// A motion that is prescribed as a function of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    pub name: String,
    pub kind: &'static GeneratorCard,
    pub driven: Driven,
    /// Another coordinate, of which the function is one in place of time: they are coupled, and
    /// nothing is driven.
    pub follows: Option<JointCoordinate>,
    /// SI, by component: as many as the [kind](Drives) says; `None`: this component is free.
    pub functions: Vec<Option<Expression>>,
}

/// A coordinate or a point that a generator drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Driven {
    Coordinate(JointCoordinate),
    Point(Point),
}

impl Generator {
    /// Texts speak of it so.
    pub fn noun(&self) -> &'static str {
        if self.follows.is_some() { "coupling" } else { "generator" }
    }

    /// Its functions of time.
    pub fn of_time(&self) -> impl Iterator<Item = &Expression> {
        let drives = self.follows.is_none();
        self.prescribed().map(|(_, function)| function).filter(move |_| drives)
    }

    /// The coordinate of a joint that is driven.
    pub fn coordinate(&self) -> Option<JointCoordinate> {
        match self.driven {
            Driven::Coordinate(of) => Some(of),
            Driven::Point(_) => None,
        }
    }

    /// The coordinate that a coupling makes follow, the one that it follows, and the function
    /// between them; `None`: it is none.
    pub fn coupled(&self) -> Option<(JointCoordinate, JointCoordinate, &Expression)> {
        Some((self.coordinate()?, self.follows?, self.prescribed().next()?.1))
    }

    /// The point that is driven.
    pub fn point(&self) -> Option<&Point> {
        match &self.driven {
            Driven::Point(point) => Some(point),
            Driven::Coordinate(_) => None,
        }
    }

    /// The functions of the components that are prescribed, by component.
    pub fn prescribed(&self) -> impl Iterator<Item = (usize, &Expression)> {
        self.functions.iter().enumerate().filter_map(|(k, function)| Some((k, function.as_ref()?)))
    }

    /// Number of constraint rows.
    pub fn rows(&self) -> usize {
        self.prescribed().count()
    }
}
