//! Reference solutions under `tests/reference/`: attitude and angular velocity at given times.

use polhode::reference::BodyState;
use serde_json::Value;

use super::root;

/// One solution.
pub struct Solution {
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

impl Solution {
    /// Reads `tests/reference/FILE.json`; `reading` names the variant where a file has several.
    pub fn read(file: &'static str, reading: Option<&str>) -> Solution {
        let json = json(file);
        let states = match reading {
            Some(name) => &json["states"][name],
            None => &json["states"],
        };
        let initial = &json["initial_conditions"];
        Solution {
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

/// A reference solution of two bodies whose origins are their mass centres.
pub struct SolutionPair {
    /// (s)
    pub times: Vec<f64>,
    pub states: Vec<[BodyState; 2]>,
    /// (J)
    pub energy: Vec<f64>,
}

impl SolutionPair {
    /// Reads `tests/reference/FILE.json`.
    pub fn read(file: &str) -> SolutionPair {
        let json = json(file);
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
                amplitudes: Vec::new(),
                amplitude_rates: Vec::new(),
            })
        };
        SolutionPair {
            states: (0..times.len()).map(at).collect(),
            energy: list(&states["energy"]).iter().map(number).collect(),
            times,
        }
    }
}

/// A reference solution of the bowling ball: a body whose origin is its geometric centre.
pub struct SolutionBall {
    /// (s)
    pub times: Vec<f64>,
    /// Heights are constant, and none of the file.
    pub states: Vec<BodyState>,
    /// Multipliers of the rows that hold x, y and the track (N).
    pub multipliers: Vec<[f64; 3]>,
}

impl SolutionBall {
    /// Reads `tests/reference/FILE.json`.
    pub fn read(file: &str) -> SolutionBall {
        let json = json(file);
        let (states, a) = (&json["states"], number(&json["parameters"]["a_m"]));
        let times: Vec<f64> = list(&json["times"]).iter().map(number).collect();
        let at = |k: usize| {
            let [v, u]: [f64; 2] = numbers(&states["vel"][k]);
            BodyState {
                position: [number(&states["x"][k]), number(&states["y"][k]), a],
                velocity: [v, u, 0.0],
                attitude: numbers(&states["q"][k]),
                angular_velocity: numbers(&states["omega_body"][k]),
                amplitudes: Vec::new(),
                amplitude_rates: Vec::new(),
            }
        };
        SolutionBall {
            states: (0..times.len()).map(at).collect(),
            multipliers: list(&states["lam_N"]).iter().map(numbers).collect(),
            times,
        }
    }
}

/// A reference solution of the planar manipulator of three links.
pub struct SolutionLinks {
    /// (s)
    pub times: Vec<f64>,
    /// Angles of the links against space (rad).
    pub angles: Vec<[f64; 3]>,
    /// (rad/s)
    pub rates: Vec<[f64; 3]>,
    /// By joint, when it locked (s).
    pub locked: [f64; 3],
}

impl SolutionLinks {
    /// Reads `tests/reference/FILE.json`, whose states are arrays by name with joints counted from
    /// 0, or rows with joints counted from 1.
    pub fn read(file: &str) -> SolutionLinks {
        let json = json(file);
        let states = &json["states"];
        let by_name = states.is_object();
        let (angles, rates) = if by_name {
            let lists = |name: &str| list(&states[name]).iter().map(numbers).collect();
            (lists("theta"), lists("thetadot"))
        } else {
            let rows: Vec<[f64; 6]> = list(states).iter().map(numbers).collect();
            let part = |at: usize| rows.iter().map(|row| [row[at], row[at + 1], row[at + 2]]).collect();
            (part(0), part(3))
        };
        let mut locked = [f64::NAN; 3];
        for event in list(&json["events"]) {
            let joint = event["joint"].as_u64().expect("a joint") as usize;
            let (joint, time) = if by_name { (joint, "t") } else { (joint - 1, "time") };
            locked[joint] = number(&event[time]);
        }
        SolutionLinks { times: list(&json["times"]).iter().map(number).collect(), angles, rates, locked }
    }
}

fn json(file: &str) -> Value {
    let path = format!("{}/tests/reference/{file}.json", root().display());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
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
