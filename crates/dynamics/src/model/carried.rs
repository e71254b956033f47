//! The motions of a mechanism and what a method carries from step to step.

use crate::kinematics::body::Motion;

/// The motions of all bodies and what the method carries besides.
#[derive(Clone, Debug)]
pub struct State<R> {
    /// By body.
    pub motions: Vec<Motion<R>>,
    /// As many values as the method [names](crate::methods::Method::carried).
    pub carried: Vec<R>,
}

impl<R> State<R> {
    /// Returns the state of a mechanism of one body.
    pub fn of_one(motion: Motion<R>, carried: Vec<R>) -> State<R> {
        State { motions: vec![motion], carried }
    }
}
