//! The option `loads`: loads that are constant by pieces enter a step by their mean, or by
//! their value at an instant.

use super::{Key, Kind};
use crate::base::Options;
use crate::model::sample::LoadValue;

pub const KEY: Key = Key {
    name: "loads",
    kind: Kind::Choice(&["mean", "instant"]),
    unit: "",
    meaning: "Loads that are constant by pieces: their mean over a step, which keeps the impulse exact, or \
              their value at the instant at which the step evaluates them.",
};

pub fn chosen(options: &Options) -> LoadValue {
    match options.choice(KEY.name, "mean") {
        "instant" => LoadValue::Instant,
        _ => LoadValue::Mean,
    }
}
