//! How a method takes loads that are constant by pieces, where its studies may choose.

use super::{Key, Kind};
use crate::base::Options;
use crate::model::sample::LoadValue;

pub const KEY: Key = Key {
    name: "loads",
    kind: Kind::Choice(&["mean", "instant"]),
    unit: "",
    meaning: "Loads that are constant by pieces: their mean over a step, which keeps the impulse exact, or their value at the instant at \
        which the step evaluates them.",
};

pub fn chosen(options: &Options) -> LoadValue {
    match options.choice(KEY.name, "mean") {
        "instant" => LoadValue::Instant,
        _ => LoadValue::Mean,
    }
}
