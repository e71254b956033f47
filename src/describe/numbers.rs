//! The single numbers of a mechanism's joints, forces and locks in one list, by position: what an ensemble can vary of them,
//! and what engine and reference are told of an instance.

use std::borrow::Cow;

use super::mechanism::{Coordinate, JointCoordinate, JointKind, Mechanism, Section};
use crate::base::units::Dimension;

/// One number of one element of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    pub element: Element,
    /// Position among the elements of this kind.
    pub index: usize,
    pub part: Cow<'static, str>,
    /// As described, SI.
    pub value: f64,
    pub dimension: Dimension,
}

/// What has numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    Constant,
    Joint,
    Spring,
    JointSpring,
    Stop,
    Bushing,
    BeamElement,
    Beam,
    Drag,
    Lock,
    /// A flexible body, by its position among all bodies.
    Flexible,
}

impl Number {
    /// As files address it: `NAME.part`, or `constants.NAME`.
    pub fn name(&self, mechanism: &Mechanism) -> String {
        let owner = match self.element {
            Element::Constant => return format!("constants.{}", mechanism.constants[self.index].name),
            Element::Joint => &mechanism.joints[self.index].name,
            Element::Spring => &mechanism.springs[self.index].name,
            Element::JointSpring => &mechanism.joint_springs[self.index].name,
            Element::Stop => &mechanism.stops[self.index].name,
            Element::Bushing => &mechanism.bushings[self.index].name,
            Element::BeamElement => &mechanism.beam_elements[self.index].name,
            Element::Beam => &mechanism.beams[self.index].name,
            Element::Drag => &mechanism.drags[self.index].name,
            Element::Lock => &mechanism.locks[self.index].name,
            Element::Flexible => &mechanism.bodies[self.index].name,
        };
        format!("{owner}.{}", self.part)
    }
}

/// The values that a number or another quantity may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    Any,
    NotNegative,
    Positive,
    Within(f64, f64),
}

impl Range {
    pub fn holds(self, value: f64) -> bool {
        match self {
            Range::Any => true,
            Range::NotNegative => value >= 0.0,
            Range::Positive => value > 0.0,
            Range::Within(low, high) => value >= low && value <= high,
        }
    }

    /// In words.
    pub fn wanted(self) -> String {
        match self {
            Range::Any => "a number".to_string(),
            Range::NotNegative => "zero or positive".to_string(),
            Range::Positive => "positive".to_string(),
            Range::Within(low, high) => format!("a number from {low:?} to {high:?}"),
        }
    }
}

impl Number {
    /// What the description allows, and so what may be drawn.
    pub fn range(&self) -> Range {
        match (self.element, &*self.part) {
            (Element::BeamElement | Element::Beam, "damping") | (Element::Flexible, "damping_scale") => {
                Range::NotNegative
            }
            (Element::Joint, "length")
            | (Element::Stop, "stiffness")
            | (Element::Lock, "release")
            | (Element::Flexible, "stiffness_scale")
            | (Element::BeamElement | Element::Beam, _) => Range::Positive,
            (
                Element::Spring | Element::JointSpring | Element::Stop,
                "stiffness" | "damping" | "free_length",
            )
            | (Element::Bushing | Element::Drag, _) => Range::NotNegative,
            (
                Element::Constant
                | Element::Joint
                | Element::Spring
                | Element::JointSpring
                | Element::Stop
                | Element::Lock
                | Element::Flexible,
                _,
            ) => Range::Any,
        }
    }
}

const STIFFNESS: [&str; 3] = ["stiffness.x", "stiffness.y", "stiffness.z"];
const DAMPING: [&str; 3] = ["damping.x", "damping.y", "damping.z"];
const TORSIONAL_STIFFNESS: [&str; 3] =
    ["torsional_stiffness.x", "torsional_stiffness.y", "torsional_stiffness.z"];
const TORSIONAL_DAMPING: [&str; 3] = ["torsional_damping.x", "torsional_damping.y", "torsional_damping.z"];

/// Multiplies all that is elastic of a beam, but not the damping time.
pub const STIFFNESS_FACTOR: &str = "stiffness_factor";
/// Multiplies mass and inertia of all nodes of a beam.
pub const DENSITY_FACTOR: &str = "density_factor";

impl Mechanism {
    /// All numbers, element by element in the order of the description.
    pub fn numbers(&self) -> Vec<Number> {
        let mut all = Vec::new();
        let mut put = |element, index, numbers: &[(&'static str, f64, Dimension)]| {
            all.extend(numbers.iter().map(|&(part, value, dimension)| Number {
                element,
                index,
                part: Cow::Borrowed(part),
                value,
                dimension,
            }));
        };
        for (k, constant) in self.constants.iter().enumerate() {
            put(Element::Constant, k, &[("", constant.value, Dimension::Number)]);
        }
        for (k, joint) in self.joints.iter().enumerate() {
            if joint.kind == JointKind::Distance {
                put(Element::Joint, k, &[("length", joint.length, Dimension::Length)]);
            }
            let Some(initial) = joint.initial else { continue };
            for coordinate in joint.kind.coordinates() {
                match coordinate {
                    Coordinate::Angle => put(
                        Element::Joint,
                        k,
                        &[
                            ("angle", initial.angle, Dimension::Angle),
                            ("angular_velocity", initial.angular_velocity, Dimension::AngularSpeed),
                        ],
                    ),
                    Coordinate::Displacement => put(
                        Element::Joint,
                        k,
                        &[
                            ("displacement", initial.displacement, Dimension::Length),
                            ("velocity", initial.velocity, Dimension::Speed),
                        ],
                    ),
                }
            }
        }
        for (k, spring) in self.springs.iter().enumerate() {
            put(
                Element::Spring,
                k,
                &[
                    ("stiffness", spring.stiffness, Dimension::Stiffness),
                    ("damping", spring.damping, Dimension::Damping),
                    ("free_length", spring.free_length, Dimension::Length),
                    ("actuator", spring.actuator, Dimension::Force),
                ],
            );
        }
        for (k, spring) in self.joint_springs.iter().enumerate() {
            put(
                Element::JointSpring,
                k,
                &[
                    ("stiffness", spring.stiffness, spring.of.stiffness()),
                    ("damping", spring.damping, spring.of.damping()),
                    ("rest", spring.rest, spring.of.dimension()),
                ],
            );
        }
        for (k, stop) in self.stops.iter().enumerate() {
            put(
                Element::Stop,
                k,
                &[
                    ("low", stop.low, stop.of.dimension()),
                    ("high", stop.high, stop.of.dimension()),
                    ("stiffness", stop.stiffness, stop.of.stiffness()),
                    ("damping", stop.damping, stop.of.damping()),
                ],
            );
        }
        for (k, bushing) in self.bushings.iter().enumerate() {
            let vectors = [
                (STIFFNESS, bushing.stiffness, Dimension::Stiffness),
                (DAMPING, bushing.damping, Dimension::Damping),
                (TORSIONAL_STIFFNESS, bushing.torsional_stiffness, Dimension::TorsionalStiffness),
                (TORSIONAL_DAMPING, bushing.torsional_damping, Dimension::TorsionalDamping),
            ];
            for (names, values, dimension) in vectors {
                put(Element::Bushing, k, &[0, 1, 2].map(|i| (names[i], values[i], dimension)));
            }
        }
        let of_section = |section: &Section| {
            let Section { axial, shear, torsion, bending, damping } = *section;
            [
                ("EA", axial, Dimension::Force),
                ("GA.y", shear[0], Dimension::Force),
                ("GA.z", shear[1], Dimension::Force),
                ("GJ", torsion, Dimension::FlexuralRigidity),
                ("EI.y", bending[0], Dimension::FlexuralRigidity),
                ("EI.z", bending[1], Dimension::FlexuralRigidity),
                ("damping", damping, Dimension::Time),
                (STIFFNESS_FACTOR, 1.0, Dimension::Number),
            ]
        };
        for (k, element) in self.beam_elements.iter().enumerate() {
            if element.beam.is_none() {
                put(Element::BeamElement, k, &of_section(&element.section));
            }
        }
        for (k, beam) in self.beams.iter().enumerate() {
            put(Element::Beam, k, &of_section(&beam.section));
            put(Element::Beam, k, &[(DENSITY_FACTOR, 1.0, Dimension::Number)]);
        }
        for (k, drag) in self.drags.iter().enumerate() {
            put(
                Element::Drag,
                k,
                &[
                    ("linear", drag.linear, Dimension::Damping),
                    ("quadratic", drag.quadratic, Dimension::QuadraticDrag),
                    ("angular_linear", drag.angular_linear, Dimension::TorsionalDamping),
                    ("angular_quadratic", drag.angular_quadratic, Dimension::AngularQuadraticDrag),
                ],
            );
        }
        for (k, lock) in self.locks.iter().enumerate() {
            put(
                Element::Lock,
                k,
                &[("at", lock.at, lock.of.dimension()), ("release", lock.release, lock.of.load())],
            );
        }
        for (b, body) in self.bodies.iter().enumerate() {
            let Some(flexible) = &body.flexible else { continue };
            let mut put = |part: Cow<'static, str>, value| {
                let (element, dimension) = (Element::Flexible, Dimension::Number);
                all.push(Number { element, index: b, part, value, dimension });
            };
            put("stiffness_scale".into(), flexible.stiffness_scale);
            put("damping_scale".into(), flexible.damping_scale);
            for (k, value) in flexible.amplitudes.iter().enumerate() {
                put(format!("amplitude[{k}]").into(), *value);
            }
            for (k, value) in flexible.amplitude_rates.iter().enumerate() {
                put(format!("amplitude_rate[{k}]").into(), *value);
            }
        }
        all
    }
}

/// Where the first number of an element is in the list.
pub fn position(numbers: &[Number], element: Element, index: usize) -> Option<usize> {
    numbers.iter().position(|number| number.element == element && number.index == index)
}

impl Mechanism {
    /// Who has the numbers of a beam element: itself, or its beam.
    pub fn owner_of_section(&self, element: usize) -> (Element, usize) {
        match self.beam_elements[element].beam {
            Some(beam) => (Element::Beam, beam),
            None => (Element::BeamElement, element),
        }
    }
}

impl JointCoordinate {
    pub fn dimension(self) -> Dimension {
        match self.coordinate {
            Coordinate::Angle => Dimension::Angle,
            Coordinate::Displacement => Dimension::Length,
        }
    }

    /// Of what works upon it.
    pub fn load(self) -> Dimension {
        match self.coordinate {
            Coordinate::Angle => Dimension::Torque,
            Coordinate::Displacement => Dimension::Force,
        }
    }

    pub fn stiffness(self) -> Dimension {
        match self.coordinate {
            Coordinate::Angle => Dimension::TorsionalStiffness,
            Coordinate::Displacement => Dimension::Stiffness,
        }
    }

    pub fn damping(self) -> Dimension {
        match self.coordinate {
            Coordinate::Angle => Dimension::TorsionalDamping,
            Coordinate::Displacement => Dimension::Damping,
        }
    }
}
