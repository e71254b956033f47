//! The law of an actuator, as the compiler of MuJoCo 4.0.0 makes it of classes of defaults and of
//! its element.
//!
//! A class has one law. Each shortcut (`position`, ..) makes it anew. It has its own parameters
//! from the nearest class whose law was written by the same shortcut, or by `general` with a gain
//! of its type; `general` changes the numbers that it gives. MuJoCo 3.15 and older kept gains
//! across shortcuts.

use super::known::ACTUATORS;
use crate::fault::Findings;
use crate::xml::{Layered, XmlElement, lay_over};

#[derive(Clone)]
pub(super) struct Law {
    /// The element that wrote it last.
    written_by: String,
    gain_is: String,
    gain: Vec<f64>,
    bias_is: String,
    bias: Vec<f64>,
    dynamics: String,
    lag: f64,
    /// The part of the joint's range that a servo's setpoint has.
    inherits: f64,
    /// Ranges of command and activation; zeros: none.
    pub ranges: [[f64; 2]; 2],
    /// Whether limits of the activation hold; `None`: where a range is given.
    pub activation_limited: Option<bool>,
}

/// The attributes of [`Law::ranges`].
const RANGES: [&str; 2] = ["ctrlrange", "actrange"];

const GENERAL: &str = "general";
const FIXED: &str = "fixed";
const AFFINE: &str = "affine";
const NONE: &str = "none";
const FILTER_EXACT: &str = "filterexact";
const INTEGRATOR: &str = "integrator";

/// The law where nothing is written.
fn plain() -> Law {
    Law {
        written_by: GENERAL.into(),
        gain_is: FIXED.into(),
        gain: vec![1.0, 0.0, 0.0],
        bias_is: NONE.into(),
        bias: vec![0.0; 3],
        dynamics: NONE.into(),
        lag: 1.0,
        inherits: 0.0,
        ranges: [[0.0; 2]; 2],
        activation_limited: None,
    }
}

fn three(list: &[f64]) -> [f64; 3] {
    [list[0], list[1], list[2]]
}

impl Law {
    /// The law of an element whose classes have these elements of actuators, from the root on.
    /// `root`: all of the root, those behind its class too.
    pub fn resolved(
        element: &XmlElement,
        classes: &[Vec<&XmlElement>],
        root: &[&XmlElement],
        found: &mut Findings,
    ) -> Law {
        let mut laws = vec![plain()];
        for (class, elements) in classes.iter().enumerate() {
            if class > 0 {
                laws.push(laws[class - 1].clone());
            }
            for element in elements {
                laws[class] = Law::written(element, &laws, found);
            }
        }
        // The class keeps what the root was, and parameters are looked up in what it is now.
        if classes.len() > 1 {
            laws[0] = plain();
            for element in root {
                laws[0] = Law::written(element, &laws[..1], found);
            }
        }
        Law::written(element, &laws, found)
    }

    /// The law that an element makes of those of its class, which is last, and of the classes
    /// above.
    fn written(element: &XmlElement, laws: &[Law], found: &mut Findings) -> Law {
        let shortcut = element.name.as_str();
        let own = Layered::alone(element);
        let mut law = laws.last().cloned().unwrap_or_else(plain);
        for (range, name) in law.ranges.iter_mut().zip(RANGES) {
            *range = own.few(name, found).unwrap_or(*range);
        }
        if shortcut == GENERAL {
            law.change(&own, found);
            return law;
        }
        let gain_is = if shortcut == "damper" { AFFINE } else { FIXED };
        let has_its_own =
            |law: &&Law| law.written_by == shortcut || law.written_by == GENERAL && law.gain_is == gain_is;
        let before = laws.iter().rev().find(has_its_own).cloned().unwrap_or_else(plain);
        // A shortcut without `inheritrange` leaves it to a `general` behind it.
        let Law { inherits, ranges, .. } = law;
        law = Law { written_by: shortcut.into(), gain_is: gain_is.into(), inherits, ranges, ..plain() };
        let mut number = |name: &str| own.number(name, found);
        match shortcut {
            "motor" => {}
            "position" | "intvelocity" => {
                let kp = number("kp").unwrap_or(before.gain[0]);
                let kv = number("kv").map_or(before.bias[2], |kv| -kv);
                law.gain[0] = kp;
                law.bias_is = AFFINE.into();
                law.bias = vec![0.0, -kp, number("dampratio").unwrap_or(kv)];
                let (given, lag) = (number("inheritrange"), number("timeconst"));
                // A range takes `inheritrange` of a class away, and the other way round.
                let target = usize::from(shortcut == "intvelocity");
                let is_given = own.attribute(RANGES[target]).is_some();
                law.inherits = given.unwrap_or(if is_given { 0.0 } else { before.inherits });
                if given.is_some_and(|share| share > 0.0) {
                    law.ranges[target] = [0.0; 2];
                }
                let lags = lag.map_or(before.dynamics == FILTER_EXACT, |lag| lag != 0.0);
                law.lag = lag.unwrap_or(before.lag);
                law.dynamics = match target {
                    0 => if lags { FILTER_EXACT } else { NONE }.into(),
                    _ => INTEGRATOR.into(),
                };
            }
            "velocity" => {
                law.gain[0] = number("kv").unwrap_or(before.gain[0]);
                law.bias_is = AFFINE.into();
                law.bias[2] = -law.gain[0];
            }
            "damper" => law.gain = vec![0.0, 0.0, -number("kv").unwrap_or(-before.gain[2])],
            "cylinder" => {
                let of_diameter = number("diameter").map(|d| std::f64::consts::PI / 4.0 * d * d);
                law.gain[0] = of_diameter.or(number("area")).unwrap_or(before.gain[0]);
                law.lag = number("timeconst").unwrap_or(before.lag);
                law.bias_is = AFFINE.into();
                law.bias = own.few::<3>("bias", found).map_or(before.bias, Vec::from);
                law.dynamics = "filter".into();
            }
            other => law.dynamics = other.to_string(),
        }
        law
    }

    /// Takes over the numbers that a `general` gives.
    fn change(&mut self, own: &Layered<'_>, found: &mut Findings) {
        self.written_by = GENERAL.into();
        for (name, into) in [
            ("gaintype", &mut self.gain_is),
            ("biastype", &mut self.bias_is),
            ("dyntype", &mut self.dynamics),
        ] {
            // Numbers of a shortcut that polhode does not know stay strange.
            if let Some(word) = own.value(name).filter(|_| !ACTUATORS.contains(&into.as_str())) {
                *into = word.to_string();
            }
        }
        for (name, into) in [("gainprm", &mut self.gain), ("biasprm", &mut self.bias)] {
            if let Some(read) = own.numbers(name, found) {
                lay_over(into, &read);
            }
        }
        if let Some([lag, ..]) = own.numbers("dynprm", found).as_deref() {
            self.lag = *lag;
        }
        self.inherits = own.number("inheritrange", found).unwrap_or(self.inherits);
        self.activation_limited = own.flag("actlimited", found).or(self.activation_limited);
    }

    /// Gain, and its change with length and velocity.
    pub fn gains(&self) -> [f64; 3] {
        if self.gain_is == AFFINE { three(&self.gain) } else { [self.gain[0], 0.0, 0.0] }
    }

    /// A force, and its change with length and velocity.
    pub fn biases(&self) -> [f64; 3] {
        if self.bias_is == AFFINE { three(&self.bias) } else { [0.0; 3] }
    }

    /// The time constant of the activation, 0 of an integrator; `None`: it has none.
    pub fn lag(&self) -> Option<f64> {
        match self.dynamics.as_str() {
            INTEGRATOR => Some(0.0),
            NONE => None,
            _ => Some(self.lag),
        }
    }

    /// The force is proportional to a setpoint less the length.
    fn is_servo(&self) -> bool {
        self.gain_is == FIXED && self.bias_is == AFFINE && self.gain[0] == -self.bias[1]
    }

    /// The part of its joint's range that its setpoint has.
    pub fn inherited_range(&self) -> Option<f64> {
        (self.inherits > 0.0 && self.is_servo()).then_some(self.inherits)
    }

    /// Counts of the actuator's commands and activations, where polhode knows.
    pub fn sizes(&self) -> [Option<usize>; 2] {
        // Laws of other gains may have several commands.
        let has_one = self.gain_is == FIXED || self.gain_is == AFFINE || self.gain_is == "muscle";
        let activations = match self.dynamics.as_str() {
            NONE | "adhesion" => Some(0),
            INTEGRATOR | "filter" | FILTER_EXACT | "muscle" => Some(1),
            _ => None,
        };
        [has_one.then_some(1).filter(|_| activations.is_some()), activations]
    }

    /// Why polhode has no such law.
    pub fn strange(&self, shown: &str) -> Option<String> {
        if ![NONE, INTEGRATOR, "filter", FILTER_EXACT].contains(&self.dynamics.as_str()) {
            return Some(format!("{shown} has dynamics of type `{}`", self.dynamics));
        }
        if self.dynamics.starts_with("filter") && self.lag <= 0.0 {
            return Some(format!("{shown} filters without a time constant"));
        }
        if ![FIXED, AFFINE].contains(&self.gain_is.as_str()) {
            return Some(format!("{shown} has a gain of type `{}`", self.gain_is));
        }
        if ![NONE, AFFINE].contains(&self.bias_is.as_str()) {
            return Some(format!("{shown} has a bias of type `{}`", self.bias_is));
        }
        // MuJoCo takes damping that drives a servo for a ratio.
        if self.is_servo() && self.bias[2] > 0.0 {
            return Some(format!(
                "{shown} has its damping by `dampratio`, which follows from MuJoCo's mass matrix: write kv"
            ));
        }
        None
    }
}
