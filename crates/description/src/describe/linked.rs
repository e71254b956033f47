//! Mechanisms some numbers of which are expressions of constants: `mass = "rho*A*L"`. With other
//! constants it is another mechanism of the same structure. What follows from an expression follows
//! it too: the mass of a solid, the length of a rod that is as long as its points are apart.

use super::decided::{Decided, LinkedNumber, Sided};
use super::mechanism::{Mechanism, NotMade};
use super::point::Point;
use super::signal::Spot;
use super::vary::{Quantity, Target};

impl Mechanism {
    /// The constants that numbers depend on, and that are varied by these targets, by position.
    pub fn leading<'t>(&self, targets: impl IntoIterator<Item = &'t Target>) -> Vec<usize> {
        let Some(linked) = &self.linked else { return Vec::new() };
        let constants = targets.into_iter().filter_map(|target| target.number());
        // Constants are the first of all numbers.
        constants.filter(|k| *k < self.constants.len() && linked.follows(*k)).collect()
    }

    /// All that depends on these constants.
    pub fn decided(&self, constants: &[usize]) -> impl Iterator<Item = &Decided> {
        let numbers = self.linked.iter().flat_map(|linked| linked.numbers.iter());
        let follows = move |number: &&LinkedNumber| number.constants.iter().any(|k| constants.contains(k));
        numbers.filter(follows).flat_map(|number| &number.decides)
    }

    /// The quantities that ensembles can vary and that depend on these constants: body, quantity,
    /// component.
    pub fn following(&self, constants: &[usize]) -> Vec<(usize, Quantity, Option<usize>)> {
        let quantities = self.decided(constants).filter_map(|decided| match *decided {
            Decided::Quantity(body, quantity, component) => Some((body, quantity, component)),
            Decided::Side(_) | Decided::Common(_) => None,
        });
        quantities.collect()
    }

    /// This mechanism as it is with other values of its constants, the first of `numbers`; `None`:
    /// as it is described.
    ///
    /// # Errors
    /// With these values it is none: says why.
    pub fn with_constants(&self, numbers: &[f64]) -> Result<Option<Mechanism>, NotMade> {
        let Some(linked) = &self.linked else { return Ok(None) };
        let constants = || self.constants.iter().zip(numbers);
        let differs = |(constant, number): (&super::Constant, &f64)| {
            (constant.value.to_bits() != number.to_bits()).then_some(*number)
        };
        let given: Vec<Option<f64>> = constants().map(differs).collect();
        if !given.iter().enumerate().any(|(k, given)| given.is_some() && linked.follows(k)) {
            return Ok(None);
        }
        let mut own = Mechanism { linked: None, ..self.clone() };
        linked.recipe.make(&mut own, &given)?;
        Ok(Some(own))
    }

    /// All points of laws, and those that have names. None is an earlier one again, in every
    /// instance.
    pub fn spots(&self) -> Vec<Spot> {
        let named = (0..self.points.len()).map(Spot::Named);
        let measured = self.sensors.iter().filter_map(|sensor| sensor.spot());
        let acting = (0..self.loads.len()).filter(|k| self.loads[*k].is_law()).map(Spot::Load);
        let mut different: Vec<Spot> = Vec::new();
        for spot in named.chain(measured).chain(acting) {
            if !different.iter().any(|known| self.is_one(*known, spot)) {
                different.push(spot);
            }
        }
        different
    }

    /// Whether two points are one in every instance.
    pub fn is_one(&self, a: Spot, b: Spot) -> bool {
        a == b || (self.place(a) == self.place(b) && !self.moves(a) && !self.moves(b))
    }

    /// The place of a point, as described.
    pub fn place(&self, spot: Spot) -> Point {
        match spot {
            Spot::Named(k) => self.points[k].point,
            Spot::Origin(body) => Point { body: Some(body), at: [0.0; 3] },
            Spot::Load(k) => self.loads[k].at(),
        }
    }

    /// Whether a point's place in its body follows from constants.
    fn moves(&self, spot: Spot) -> bool {
        let element = match spot {
            Spot::Named(k) => Sided::Point(k),
            Spot::Load(k) => Sided::Load(k),
            Spot::Origin(_) => return false,
        };
        let decides = self.linked.iter().flat_map(|linked| linked.numbers.iter()).flat_map(|n| &n.decides);
        decides.into_iter().any(|decided| matches!(decided, Decided::Side(side) if side.element == element))
    }
}
