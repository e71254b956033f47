//! Mechanisms some numbers of which are expressions of constants: `mass = "rho*A*L"`. With other constants it
//! is another mechanism of the same structure. What follows from an expression follows it too: the mass of a
//! solid, the length of a rod that is as long as its points are apart.

use std::fmt::Debug;
use std::sync::Arc;

use super::expression::FunctionTable;
use super::force::Attached;
use super::generator::Driven;
use super::mechanism::{Flexible, Mechanism, Point};
use super::signal::{NamedPoint, Sensor, Signal};
use super::study::Target;

/// Why a mechanism is none with other values of its constants.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotMade {
    /// A number is out of its range, or another fault that a file would have.
    #[error("{0}")]
    Faulty(String),
    /// This part would differ in more than numbers that instances have of their own.
    #[error("{0} would be another than in the other instances")]
    Unlike(String),
}

/// Makes a mechanism from its constants.
pub trait Recipe: Debug + Send + Sync {
    /// The mechanism with these values of its constants (SI), by position; `None`: the value or the
    /// expression that it is described with.
    ///
    /// # Errors
    /// With these values it is none: says why.
    fn make(&self, constants: &[Option<f64>]) -> Result<Mechanism, NotMade>;

    /// Its description: the TOML text of a mechanism, with its expressions.
    fn text(&self) -> &str;
}

/// The numbers of a mechanism that are expressions, and how it is made with other constants.
#[derive(Clone, Debug)]
pub struct Linked {
    pub numbers: Vec<LinkedNumber>,
    pub recipe: Arc<dyn Recipe>,
}

impl PartialEq for Linked {
    fn eq(&self, other: &Linked) -> bool {
        self.numbers == other.numbers && self.recipe.text() == other.recipe.text()
    }
}

/// A number that is an expression of constants.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkedNumber {
    /// Its key in the file, such as `body[0].mass`.
    pub key: String,
    /// The constants that it depends on, by position.
    pub constants: Vec<usize>,
    /// The quantities that ensembles can vary which it decides.
    pub decides: Vec<Target>,
}

impl Linked {
    /// Whether a number depends on this constant.
    pub fn follows(&self, constant: usize) -> bool {
        self.numbers.iter().any(|number| number.constants.contains(&constant))
    }
}

impl Mechanism {
    /// The constants that numbers depend on, and that are varied by these targets, by position.
    pub fn leading<'t>(&self, targets: impl IntoIterator<Item = &'t Target>) -> Vec<usize> {
        let Some(linked) = &self.linked else { return Vec::new() };
        let constants = targets.into_iter().filter_map(|target| target.number());
        // Constants are the first of all numbers.
        constants.filter(|k| *k < self.constants.len() && linked.follows(*k)).collect()
    }

    /// The quantities that ensembles can vary and that depend on these constants.
    pub fn following(&self, constants: &[usize]) -> Vec<&Target> {
        let numbers = self.linked.iter().flat_map(|linked| &linked.numbers);
        let follows = numbers.filter(|number| number.constants.iter().any(|k| constants.contains(k)));
        follows.flat_map(|number| &number.decides).collect()
    }

    /// This mechanism as it is with other values of its constants, the first of `numbers`; `None`: as it is
    /// described.
    ///
    /// # Errors
    /// With these values it is none, or one of another structure: says why.
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
        let mut own = linked.recipe.make(&given)?;
        for (own, described) in own.bodies.iter_mut().zip(&self.bodies) {
            own.initial.given = described.initial.given;
        }
        for (own, described) in own.joints.iter_mut().zip(&self.joints) {
            if let (Some(own), Some(described)) = (&mut own.initial, &described.initial) {
                own.given_as(described);
            }
        }
        // A study adds outcomes and an end, with what they measure.
        let measured = self.sensors_at(&own.points);
        own.sensors.extend(measured.into_iter().skip(own.sensors.len()));
        own.outcomes.clone_from(&self.outcomes);
        own.ends.clone_from(&self.ends);
        match self.unlike(&own) {
            None => Ok(Some(own)),
            Some(part) => Err(NotMade::Unlike(part)),
        }
    }

    /// The sensors where the named points are these.
    pub fn sensors_at(&self, points: &[NamedPoint]) -> Vec<Sensor> {
        let moved = |point: Point| {
            let named = self.points.iter().position(|named| named.point == point);
            named.and_then(|k| points.get(k)).map_or(point, |named| named.point)
        };
        self.sensors.iter().map(|sensor| sensor.at(moved)).collect()
    }

    /// The part of another mechanism by which it has not the structure of this one; `None`: only numbers
    /// differ that instances can have of their own.
    pub fn unlike(&self, own: &Mechanism) -> Option<String> {
        /// The first part that is not the same.
        fn first<T>(
            what: &str,
            ours: &[T],
            own: &[T],
            name: impl Fn(&T) -> &str,
            same: impl Fn(&T, &T) -> bool,
        ) -> Option<String> {
            if ours.len() != own.len() {
                return Some(format!("the number of each {what}"));
            }
            let unlike = ours.iter().zip(own).find(|(ours, own)| name(ours) != name(own) || !same(ours, own));
            unlike.map(|(ours, _)| format!("the {what} `{}`", name(ours)))
        }
        let point = |ours: &Point, own: &Point| {
            let bends = ours.body.is_some_and(|b| self.bodies[b].flexible.is_some());
            // The shapes of the modes there are the same in all instances.
            ours.body == own.body && (!bends || ours.at == own.at)
        };
        let points = |ours: &[Point], own: &[Point]| {
            ours.len() == own.len() && ours.iter().zip(own).all(|(ours, own)| point(ours, own))
        };
        let flexible = |ours: &Flexible, own: &Flexible| {
            (ours.level, &ours.frame, &ours.source, &ours.damping, &ours.watch)
                == (own.level, &own.frame, &own.source, &own.damping, &own.watch)
        };
        let sensor = |ours: &Sensor, own: &Sensor| {
            let origin = |at: Point| Point { at: [0.0; 3], ..at };
            ours.at(origin) == own.at(origin)
                && ours.point().zip(own.point()).is_none_or(|(ours, own)| point(&ours, &own))
        };
        first(
            "body",
            &self.bodies,
            &own.bodies,
            |body| &body.name,
            |ours, own| {
                ours.inertia_about == own.inertia_about
                    && ours.is_point == own.is_point
                    && ours.support == own.support
                    && ours.initial.angular_velocity_axes == own.initial.angular_velocity_axes
                    && match (&ours.flexible, &own.flexible) {
                        (Some(ours), Some(own)) => flexible(ours, own),
                        (ours, own) => ours.is_none() && own.is_none(),
                    }
            },
        )
        .or_else(|| {
            first(
                "joint",
                &self.joints,
                &own.joints,
                |joint| &joint.name,
                |ours, own| {
                    ours.kind == own.kind
                        && ours.initial.is_some() == own.initial.is_some()
                        && points(&ours.points, &own.points)
                },
            )
        })
        .or_else(|| {
            first(
                "generator",
                &self.generators,
                &own.generators,
                |generator| &generator.name,
                |ours, own| {
                    ours.kind == own.kind
                        && ours.functions == own.functions
                        && ours.follows == own.follows
                        && match (ours.driven, own.driven) {
                            (Driven::Point(ours), Driven::Point(own)) => point(&ours, &own),
                            (ours, own) => ours == own,
                        }
                },
            )
        })
        .or_else(|| {
            first(
                "contact",
                &self.contacts,
                &own.contacts,
                |contact| &contact.name,
                |ours, own| {
                    ours.kind == own.kind && ours.values == own.values && point(&ours.point, &own.point)
                },
            )
        })
        .or_else(|| {
            first(
                "force",
                &self.forces,
                &own.forces,
                |force| &force.name,
                |ours, own| {
                    ours.card == own.card
                        && ours.functions == own.functions
                        && ours.numbers.len() == own.numbers.len()
                        && ours.numbers.iter().zip(&own.numbers).all(|(a, b)| a.is_finite() == b.is_finite())
                        && match (&ours.attached, &own.attached) {
                            (
                                Attached::Coordinate(_) | Attached::Body(_),
                                Attached::Coordinate(_) | Attached::Body(_),
                            ) => ours.attached == own.attached,
                            _ => points(ours.points(), own.points()),
                        }
                },
            )
        })
        .or_else(|| {
            first(
                "beam element",
                &self.beam_elements,
                &own.beam_elements,
                |of| &of.name,
                |ours, own| {
                    ours.length == own.length && ours.beam == own.beam && points(&ours.points, &own.points)
                },
            )
        })
        .or_else(|| {
            first(
                "beam",
                &self.beams,
                &own.beams,
                |beam| &beam.name,
                |ours, own| {
                    (ours.elements, ours.clamped, ours.first_node, ours.nodes)
                        == (own.elements, own.clamped, own.first_node, own.nodes)
                },
            )
        })
        .or_else(|| {
            first(
                "lock",
                &self.locks,
                &own.locks,
                |lock| &lock.name,
                |ours, own| ours.of == own.of && ours.release.is_finite() == own.release.is_finite(),
            )
        })
        .or_else(|| {
            first(
                "load",
                &self.loads,
                &own.loads,
                |load| &load.name,
                |ours, own| {
                    let times = |load: &super::Load| {
                        load.pieces.iter().map(|piece| (piece.from, piece.until)).collect::<Vec<_>>()
                    };
                    (ours.kind, ours.axes, &ours.function) == (own.kind, own.axes, &own.function)
                        && times(ours) == times(own)
                        && point(&ours.at(), &own.at())
                },
            )
        })
        .or_else(|| {
            first(
                "point",
                &self.points,
                &own.points,
                |of| &of.name,
                |ours, own| point(&ours.point, &own.point),
            )
        })
        .or_else(|| {
            first("state", &self.states, &own.states, |of| &of.name, |ours, own| ours.rate == own.rate)
        })
        .or_else(|| {
            let same =
                |ours: &Signal, own: &Signal| (&ours.value, &ours.initial) == (&own.value, &own.initial);
            first("signal", &self.signals, &own.signals, |of| &of.name, same)
        })
        .or_else(|| {
            let name = |of: &FunctionTable| of.name.as_deref().unwrap_or_default().to_string();
            let parted = self.tables.iter().zip(&own.tables).find(|(ours, own)| ours != own);
            parted.map(|(ours, _)| format!("the table `{}`", name(ours)))
        })
        .or_else(|| first("sensor", &self.sensors, &own.sensors, |_| "of a law", sensor))
        .or_else(|| {
            // Points that are one as described are computed once.
            let (ours, own) = (self.spots(), own.spots());
            let parted = |k: usize| {
                let twin = ours[..k].iter().position(|other| *other == ours[k]);
                twin.is_some_and(|twin| own[twin] != own[k])
            };
            let found = (0..ours.len()).any(parted);
            found.then(|| "the place of points that are one as described".to_string())
        })
    }

    /// The points at which laws measure or act, and those that have names, in the order of the description.
    pub fn spots(&self) -> Vec<Point> {
        let named = self.points.iter().map(|named| named.point);
        let measured = self.sensors.iter().filter_map(|sensor| sensor.point());
        let acting = self.loads.iter().filter(|load| load.is_law()).map(super::Load::at);
        named.chain(measured).chain(acting).collect()
    }
}
