//! Names of what is recorded of every instance. What a channel computes, and its unit, says its
//! file in `observe::channels`.

use std::borrow::Cow;

use super::mechanism::Mechanism;

/// A named quantity per instance and time. A vector channel has several columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Channel {
    owner: Owner,
    name: &'static str,
    /// Number of the mode, where the channel is of a mode.
    mode: Option<u8>,
}

/// Owners of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    Mechanism,
    Body,
    Joint,
    Generator,
    Lock,
    Spring,
    Rotor,
    Contact,
    Point,
    Group,
    State,
    Signal,
    Outcome,
}

impl Owner {
    /// The plural by which texts name all owners of a kind.
    pub fn plural(self) -> &'static str {
        match self {
            Owner::Mechanism => "the mechanism",
            Owner::Body => "bodies",
            Owner::Joint => "joints",
            Owner::Generator => "generators",
            Owner::Lock => "locks",
            Owner::Spring => "springs and actuators along lines",
            Owner::Rotor => "wheels",
            Owner::Contact => "contacts",
            Owner::Point => "points",
            Owner::Group => "groups",
            Owner::State => "states",
            Owner::Signal => "signals",
            Owner::Outcome => "outcomes",
        }
    }
}

/// A channel that is observed: of one of those that have it, or of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservedChannel {
    pub channel: Channel,
    /// Position among the bodies, joints, generators, locks, springs, rotors, contacts, points,
    /// groups of bodies, states, signals or outcomes, as its [owner](Channel::owner) says; `None`:
    /// of every one, or of the mechanism as a whole.
    pub of: Option<usize>,
}

impl From<Channel> for ObservedChannel {
    fn from(channel: Channel) -> ObservedChannel {
        ObservedChannel { channel, of: None }
    }
}

impl Channel {
    /// The channel of this owner and name. Owners of several kinds may have channels of one name.
    pub const fn of(owner: Owner, name: &'static str) -> Channel {
        Channel { owner, name, mode: None }
    }

    /// The channel of this mode.
    pub const fn of_mode(self, mode: u8) -> Channel {
        Channel { mode: Some(mode), ..self }
    }

    /// The channel of all modes.
    pub const fn of_modes(self) -> Channel {
        Channel { mode: None, ..self }
    }

    pub const fn mode(self) -> Option<u8> {
        self.mode
    }

    pub const fn owner(self) -> Owner {
        self.owner
    }

    /// Whether the name of its owner stands for it: it is the value of a state, a signal or an
    /// outcome.
    pub fn is_value(self) -> bool {
        self.name == "value"
    }

    /// The name in study files with that of its owner.
    pub fn name_of(self, owner: &str) -> String {
        if self.is_value() { owner.to_string() } else { format!("{owner}.{}", self.name()) }
    }

    /// The name in study files, without the owner's name.
    pub fn name(self) -> Cow<'static, str> {
        match self.mode {
            None => self.name.into(),
            Some(mode) => format!("{}_{mode}", self.name).into(),
        }
    }
}

impl Owner {
    pub const ALL: [Owner; 13] = [
        Owner::Mechanism,
        Owner::Body,
        Owner::Joint,
        Owner::Generator,
        Owner::Lock,
        Owner::Spring,
        Owner::Rotor,
        Owner::Contact,
        Owner::Point,
        Owner::Group,
        Owner::State,
        Owner::Signal,
        Owner::Outcome,
    ];

    /// The names of those that a mechanism has.
    pub fn names(self, mechanism: &Mechanism) -> Vec<&str> {
        match self {
            Owner::Mechanism => Vec::new(),
            Owner::Body => mechanism.bodies.iter().map(|body| body.name.as_str()).collect(),
            Owner::Joint => mechanism.joints.iter().map(|joint| joint.name.as_str()).collect(),
            Owner::Generator => mechanism.generators.iter().map(|g| g.name.as_str()).collect(),
            Owner::Lock => mechanism.locks.iter().map(|lock| lock.name.as_str()).collect(),
            Owner::Spring => mechanism.lines().map(|line| line.name.as_str()).collect(),
            Owner::Rotor => mechanism.rotors().map(|rotor| rotor.name.as_str()).collect(),
            Owner::Contact => mechanism.contacts.iter().map(|contact| contact.name.as_str()).collect(),
            Owner::Point => mechanism.points.iter().map(|point| point.name.as_str()).collect(),
            Owner::Group => mechanism.groups.iter().map(|group| group.name.as_str()).collect(),
            Owner::State => mechanism.states.iter().map(|state| state.name.as_str()).collect(),
            Owner::Signal => {
                let names = mechanism.signals.iter().map(|signal| signal.name.as_str());
                names.filter(|name| !name.is_empty()).collect()
            }
            Owner::Outcome => mechanism.outcomes.iter().map(|outcome| outcome.name.as_str()).collect(),
        }
    }
}
