//! Published solutions under `tests/reference/`: attitude and angular velocity at given times.

use polhode::reference::BodyState;
use serde_json::Value;

/// One solution.
pub struct Published {
    pub file: &'static str,
    /// (s)
    pub times: Vec<f64>,
    /// Body to space, scalar first.
    pub attitude: Vec<[f64; 4]>,
    /// Body axes (rad/s).
    pub angular_velocity: Vec<[f64; 3]>,
    /// At t = 0.
    pub initial_attitude: [f64; 4],
    pub initial_angular_velocity: [f64; 3],
}

impl Published {
    /// Reads `tests/reference/FILE.json`; `reading` names the variant where a file has several.
    pub fn read(file: &'static str, reading: Option<&str>) -> Published {
        let path = format!("{}/tests/reference/{file}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let json: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let states = match reading {
            Some(name) => &json["states"][name],
            None => &json["states"],
        };
        let initial = &json["initial_conditions"];
        Published {
            file,
            times: list(&json["times"]).iter().map(number).collect(),
            attitude: list(&states["q"]).iter().map(numbers).collect(),
            angular_velocity: list(&states["omega_body"]).iter().map(numbers).collect(),
            initial_attitude: numbers(&initial["q"]),
            initial_angular_velocity: numbers(&initial["omega_body_rad_s"]),
        }
    }

    /// The index of the time nearest to `t`, which it must meet.
    pub fn at(&self, t: f64) -> usize {
        self.times
            .iter()
            .position(|time| (time - t).abs() < 1e-9)
            .unwrap_or_else(|| panic!("{} has no state at {t} s", self.file))
    }
}

/// A published solution of two bodies whose origins are their mass centres.
pub struct PublishedPair {
    /// (s)
    pub times: Vec<f64>,
    pub states: Vec<[BodyState; 2]>,
    /// (J)
    pub energy: Vec<f64>,
}

impl PublishedPair {
    /// Reads `tests/reference/FILE.json`.
    pub fn read(file: &str) -> PublishedPair {
        let path = format!("{}/tests/reference/{file}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let json: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let states = &json["states"];
        let times: Vec<f64> = list(&json["times"]).iter().map(number).collect();
        // d and v have both bodies in one list, the others one list a body.
        let of_both = |name: &str, k: usize| -> [[f64; 3]; 2] {
            let all: [f64; 6] = numbers(&states[name][k]);
            [[all[0], all[1], all[2]], [all[3], all[4], all[5]]]
        };
        let at = |k: usize| {
            [0, 1].map(|b| BodyState {
                position: of_both("d", k)[b],
                velocity: of_both("v", k)[b],
                attitude: numbers(&states["q"][k][b]),
                angular_velocity: numbers(&states["omega_body"][k][b]),
            })
        };
        PublishedPair {
            states: (0..times.len()).map(at).collect(),
            energy: list(&states["energy"]).iter().map(number).collect(),
            times,
        }
    }
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let all: Vec<f64> = list(value).iter().map(number).collect();
    all.try_into().expect("as many numbers as components")
}
