//! The single numbers of a mechanism's joints, forces and locks in one list, by position: what an
//! ensemble can vary of them, and what engine and reference are told of an instance.

use std::borrow::Cow;

use super::expression::FunctionTable;
use super::force::Role;
use super::mechanism::{Mechanism, SectionStiffness};
use super::point::Range;
use crate::base::units::Dimension;

/// One number of one element of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    pub element: NumberOwner,
    /// Position among the elements of this kind.
    pub index: usize,
    pub part: Cow<'static, str>,
    /// As described, SI.
    pub value: f64,
    pub dimension: Dimension,
    /// Values that the description allows, and so values that may be drawn.
    pub range: Range,
    pub role: Role,
}

/// Owners of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberOwner {
    Constant,
    Joint,
    Force,
    BeamElement,
    Beam,
    Lock,
    /// A flexible body, by its position among all bodies.
    Flexible,
    /// A state of laws, in its own unit.
    State,
    /// A table that has several columns, by its position among all tables.
    Table,
}

impl Number {
    /// As files address it: `NAME.part`, or `constants.NAME`.
    pub fn name(&self, mechanism: &Mechanism) -> String {
        let owner = match self.element {
            NumberOwner::Constant => return format!("constants.{}", mechanism.constants[self.index].name),
            NumberOwner::Joint => &mechanism.joints[self.index].name,
            NumberOwner::Force => &mechanism.forces[self.index].name,
            NumberOwner::BeamElement => &mechanism.beam_elements[self.index].name,
            NumberOwner::Beam => &mechanism.beams[self.index].name,
            NumberOwner::Lock => &mechanism.locks[self.index].name,
            NumberOwner::Flexible => &mechanism.bodies[self.index].name,
            NumberOwner::State => &mechanism.states[self.index].name,
            NumberOwner::Table => mechanism.tables[self.index].name.as_deref().unwrap_or_default(),
        };
        format!("{owner}.{}", self.part)
    }
}

/// Multiplies all that is elastic of a beam, but not the damping time.
pub const STIFFNESS_FACTOR: &str = "stiffness_factor";
/// Value of a state of laws at t = 0.
pub const INITIAL: &str = "initial";
/// Position of the column of a table that an instance has.
pub const COLUMN: &str = "column";
/// Multiplies mass and inertia of all nodes of a beam.
pub const DENSITY_FACTOR: &str = "density_factor";

impl Mechanism {
    /// All numbers, element by element in the order of the description.
    pub fn numbers(&self) -> Vec<Number> {
        let mut all = Vec::new();
        let put =
            |all: &mut Vec<Number>, element, index, numbers: &[(&'static str, f64, Dimension, Range)]| {
                all.extend(numbers.iter().map(|&(part, value, dimension, range)| {
                    let role = if part == "damping" { Role::Loses } else { Role::Plain };
                    Number { element, index, part: Cow::Borrowed(part), value, dimension, range, role }
                }));
            };
        for (k, constant) in self.constants.iter().enumerate() {
            put(&mut all, NumberOwner::Constant, k, &[("", constant.value, Dimension::Number, Range::Any)]);
        }
        for (k, joint) in self.joints.iter().enumerate() {
            if joint.kind.length.is_some() {
                put(
                    &mut all,
                    NumberOwner::Joint,
                    k,
                    &[("length", joint.length, Dimension::Length, Range::Positive)],
                );
            }
            let Some(initial) = joint.initial else { continue };
            for coordinate in joint.kind.coordinates {
                let ([value, rate], keys) = (initial.of(*coordinate).numbers, coordinate.start_keys());
                let dimensions = coordinate.dimensions();
                let numbers = [
                    (keys[0], value, dimensions[0], coordinate.range()),
                    (keys[1], rate, dimensions[1], Range::Any),
                ];
                put(&mut all, NumberOwner::Joint, k, &numbers);
            }
        }
        all.extend(self.forces.iter().enumerate().flat_map(|(index, force)| {
            force.parts().map(move |(part, value, key)| Number {
                element: NumberOwner::Force,
                index,
                part,
                value,
                dimension: force.dimension(key.measure),
                range: key.range,
                role: key.role,
            })
        }));
        let of_section = |section: &SectionStiffness| {
            let SectionStiffness { axial, shear, torsion, bending, damping } = *section;
            [
                ("EA", axial, Dimension::Force, Range::Positive),
                ("GA.y", shear[0], Dimension::Force, Range::Positive),
                ("GA.z", shear[1], Dimension::Force, Range::Positive),
                ("GJ", torsion, Dimension::FlexuralRigidity, Range::Positive),
                ("EI.y", bending[0], Dimension::FlexuralRigidity, Range::Positive),
                ("EI.z", bending[1], Dimension::FlexuralRigidity, Range::Positive),
                ("damping", damping, Dimension::Time, Range::NotNegative),
                (STIFFNESS_FACTOR, 1.0, Dimension::Number, Range::Positive),
            ]
        };
        for (k, element) in self.beam_elements.iter().enumerate() {
            if element.beam.is_none() {
                put(&mut all, NumberOwner::BeamElement, k, &of_section(&element.section));
            }
        }
        for (k, beam) in self.beams.iter().enumerate() {
            put(&mut all, NumberOwner::Beam, k, &of_section(&beam.section));
            put(&mut all, NumberOwner::Beam, k, &[(DENSITY_FACTOR, 1.0, Dimension::Number, Range::Positive)]);
        }
        for (k, lock) in self.locks.iter().enumerate() {
            all.extend(lock.numbers().map(|(key, value)| Number {
                element: NumberOwner::Lock,
                index: k,
                part: Cow::Borrowed(key.name),
                value,
                dimension: key.measure.at(Some(lock.of.coordinate)),
                range: key.range,
                role: key.role,
            }));
        }
        for (b, body) in self.bodies.iter().enumerate() {
            let Some(flexible) = &body.flexible else { continue };
            let mut put = |part: Cow<'static, str>, value, range| {
                let (element, dimension, role) = (NumberOwner::Flexible, Dimension::Number, Role::Plain);
                all.push(Number { element, index: b, part, value, dimension, range, role });
            };
            put("stiffness_scale".into(), flexible.stiffness_scale, Range::Positive);
            put("damping_scale".into(), flexible.damping_scale, Range::NotNegative);
            for (k, value) in flexible.amplitudes.iter().enumerate() {
                put(format!("amplitude[{k}]").into(), *value, Range::Any);
            }
            for (k, value) in flexible.amplitude_rates.iter().enumerate() {
                put(format!("amplitude_rate[{k}]").into(), *value, Range::Any);
            }
        }
        for (k, state) in self.states.iter().enumerate() {
            put(&mut all, NumberOwner::State, k, &[(INITIAL, state.initial, Dimension::Number, Range::Any)]);
        }
        for (k, table) in self.tables.iter().enumerate() {
            let Some(last) = table.columns.len().checked_sub(1) else { continue };
            put(&mut all, NumberOwner::Table, k, &[(COLUMN, 0.0, Dimension::Number, Range::Upto(last))]);
        }
        all
    }

    /// The tables that have several columns.
    pub fn tables_by_instance(&self) -> impl Iterator<Item = &FunctionTable> + Clone {
        self.tables.iter().filter(|table| !table.columns.is_empty())
    }

    /// The numbers that expressions call by position, in an instance with these
    /// [numbers](Self::numbers): the constants, then by table that has several columns values and
    /// slopes of the instance's.
    pub fn called(&self, numbers: &[f64]) -> Vec<f64> {
        // Constants are the first of all numbers, and positions of columns the last.
        let mut called = numbers[..self.constants.len()].to_vec();
        let tables = self.tables_by_instance().count();
        let positions = &numbers[numbers.len() - tables..];
        for (table, position) in self.tables_by_instance().zip(positions) {
            // A position that no column has makes the instance invalid.
            let column = table.columns.get(*position as usize).unwrap_or(&table.columns[0]);
            called.extend(column.numbers());
        }
        called
    }

    /// The unit of a number that may be of any, as a constant or a state of laws is; `None`: its
    /// dimension says it.
    pub fn own_unit(&self, number: &Number) -> Option<&Cow<'static, str>> {
        match number.element {
            NumberOwner::Constant => Some(&self.constants[number.index].unit),
            NumberOwner::State => Some(&self.states[number.index].unit),
            _ => None,
        }
    }
}

/// Where the first number of an element is in the list.
pub fn position(numbers: &[Number], element: NumberOwner, index: usize) -> Option<usize> {
    numbers.iter().position(|number| number.element == element && number.index == index)
}

impl Mechanism {
    /// Who has the numbers of a beam element: itself, or its beam.
    pub fn owner_of_section(&self, element: usize) -> (NumberOwner, usize) {
        match self.beam_elements[element].beam {
            Some(beam) => (NumberOwner::Beam, beam),
            None => (NumberOwner::BeamElement, element),
        }
    }
}
