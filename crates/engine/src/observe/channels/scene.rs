//! An instance at an instant, as channels look at it.

use super::{Baseline, Watched};
use crate::backend::Plan;
use crate::describe::{Contact, Coordinate, JointCoordinate, Owner, Spot};
use crate::elements::spring::lengthening;
use crate::elements::{self, Stretch};
use crate::kinematics::body::{Motion, Velocities};
use crate::kinematics::row::Row;
use crate::kinematics::side::Side;
use crate::math::quaternion::Quat;
use crate::math::vector::Vec3;
use crate::model::BodyParameter;
use crate::model::memory::Memory;
use crate::model::outcomes::OutcomeRecord;
use crate::model::sample::Sample;
use crate::model::system::System;
use crate::model::timing::Neighbour;
use crate::model::total_energy::TotalEnergy;
use crate::real::Real;

/// An instance, and the owner whose channel is wanted.
pub struct Scene<'a, R> {
    plan: &'a Plan,
    /// Position of the owner.
    pub of: usize,
    /// Number of the mode, for a channel of modes.
    pub mode: Option<u8>,
    /// The body that owns the channel or touches with the contact that owns it; 0 for what is of
    /// another owner, which reads no body.
    body: usize,
    memory: &'a [R],
    motions: Vec<Motion<R>>,
    parameter: &'a dyn Fn(usize) -> R,
    /// Share of each timed load at this instant.
    factor: &'a dyn Fn(usize) -> R,
    start: &'a Baseline<R>,
}

impl<'a, R: Real> Scene<'a, R> {
    pub fn new(
        plan: &'a Plan,
        watched: Watched,
        state: &'a [R],
        parameter: &'a dyn Fn(usize) -> R,
        factor: &'a dyn Fn(usize) -> R,
        start: &'a Baseline<R>,
    ) -> Scene<'a, R> {
        let model = &plan.model;
        Scene {
            plan,
            of: watched.of,
            mode: watched.channel.mode(),
            body: match watched.channel.owner() {
                Owner::Body => watched.of,
                Owner::Contact => model.mechanism().contacts[watched.of].point.body.unwrap_or(0),
                _ => 0,
            },
            memory: model.memory_in(state),
            motions: model.motions(state),
            parameter,
            factor,
            start,
        }
    }

    pub fn zero(&self) -> R {
        self.motions[0].q[0].lift(0.0)
    }

    /// Returns the energy and angular momentum that the instance started with.
    pub fn start(&self) -> &Baseline<R> {
        self.start
    }

    pub fn motions(&self) -> &[Motion<R>] {
        &self.motions
    }

    /// Returns the motion of the body that owns the channel, or touches.
    pub fn motion(&self) -> &Motion<R> {
        &self.motions[self.body]
    }

    /// Three parameters of the body.
    pub fn vector(&self, first: usize) -> Vec3<R> {
        let at = self.plan.model.of_body(self.body, first);
        [0, 1, 2].map(|k| (self.parameter)(at + k))
    }

    /// Principal axes to body axes.
    pub fn principal(&self) -> Quat<R> {
        let at = self.plan.model.of_body(self.body, BodyParameter::PRINCIPAL);
        [0, 1, 2, 3].map(|k| (self.parameter)(at + k))
    }

    pub fn axes_are_principal(&self) -> bool {
        self.plan.model.axes_are_principal(self.body)
    }

    pub fn fixed_point(&self) -> bool {
        self.plan.model.fixed_point(self.body)
    }

    /// Mass centre from the body's origin (m) and, of a flexible body, its rate (m/s), principal
    /// axes, in a motion of the body.
    pub fn centre_from_origin(&self, motion: &Motion<R>) -> (Vec3<R>, Option<Vec3<R>>) {
        self.plan.model.centre_from_origin(self.body, motion, &self.parameter)
    }

    pub fn energy(&self) -> TotalEnergy<R> {
        self.plan.model.energy(&self.parameter, self.memory)
    }

    pub fn angular_momentum(&self) -> Vec3<R> {
        self.plan.model.angular_momentum(&self.motions, &self.parameter)
    }

    pub fn violation(&self) -> R {
        self.plan.model.violation(&self.motions, &self.parameter, self.memory)
    }

    pub fn deflection(&self) -> Vec3<R> {
        self.plan.model.deflection(self.body, self.motion())
    }

    /// A coordinate of the joint that owns the channel.
    pub fn coordinate(&self, coordinate: Coordinate) -> Row<R> {
        let joint_coordinate = JointCoordinate { joint: self.of, coordinate };
        self.plan.model.held_now(&self.parameter, self.memory).coordinate(joint_coordinate, &self.motions)
    }

    /// The contact that owns the channel.
    pub fn contact(&self) -> &Contact {
        &self.plan.model.mechanism().contacts[self.of]
    }

    pub fn remembered(&self, item: Memory) -> R {
        self.plan.model.remembered(item).map_or(self.zero(), |at| self.memory[at])
    }

    /// Accelerations of all bodies at this instant.
    pub fn accelerations(&self) -> Vec<Velocities<R>> {
        self.system().accelerations(&self.motions)
    }

    /// Angular momentum about the mass centre of all bodies.
    pub fn angular_momentum_about_centre(&self) -> Vec3<R> {
        self.plan.model.angular_momentum_about_centre(&self.motions, &self.parameter)
    }

    /// Linear momentum of the group that owns the channel, and its angular momentum about its mass
    /// centre.
    pub fn momenta_of_group(&self) -> [Vec3<R>; 2] {
        let model = &self.plan.model;
        model.momenta_of(&model.mechanism().groups[self.of].bodies, &self.motions, &self.parameter)
    }

    /// Length and its rate of the force along a line that owns the channel.
    pub fn line(&self) -> (R, R) {
        lengthening(&self.plan.model.ends(self.of, &self.parameter), &self.motions)
    }

    /// Where the spring that owns the channel stands.
    pub fn spring(&self) -> Stretch<R> {
        let TotalEnergy { elements, held, .. } = self.energy();
        let configuration =
            elements::Configuration { at: &self.motions, moving: &self.motions, joints: &held };
        let mut stretches = elements.iter().filter_map(|element| element.stretch(&configuration));
        stretches.nth(self.of).expect("a channel of a spring that is there")
    }

    /// The point that owns the channel.
    pub fn point(&self) -> Side<R> {
        let model = &self.plan.model;
        model.spot(Spot::Named(self.of), &self.parameter)
    }

    /// The outcome that owns the channel, and a number that is above 0 where it has a value.
    pub fn outcome(&self) -> (R, R) {
        let mechanism = self.plan.model.mechanism();
        let system = self.system();
        let outcome = &mechanism.outcomes[self.of];
        let f = system.function(&outcome.function(), 0.0, Neighbour::After, &self.motions);
        self.record().result(outcome, mechanism.peaks(outcome), system.time(0.0), f)
    }

    /// When the peak was that owns the channel (s).
    pub fn time_of_peak(&self) -> R {
        let mechanism = self.plan.model.mechanism();
        let outcome = &mechanism.outcomes[self.of];
        self.record().peak_at(outcome, mechanism.peaks(outcome), self.system().time(0.0)).1
    }

    fn record(&self) -> OutcomeRecord<R> {
        self.plan.model.course(self.of, self.memory).expect("an outcome is remembered")
    }

    /// The system as its joints are held at this instant.
    pub fn system(&self) -> System<R> {
        let now = [Sample::new(0.0, 0.0, 0.0)];
        self.plan.model.system(&now, &self.parameter, self.memory, &|_, span| (self.factor)(span))
    }
}
