//! `motion.parquet`: where all bodies of one instance were at the snapshots, whatever is observed.
//! From it the mechanism's motion is drawn.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;

use super::cards::MOTION;
use super::error::OutputError;
use super::new_file::NewFile;
use super::saved_table::SavedTable;
use super::table::{ColumnType, field, float_array, integer_array};
use polhode_description::base::Precision;
use polhode_description::describe::{Body, Mechanism};

/// Where a body is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Position of the body's origin, space axes (m).
    pub position: [f64; 3],
    /// Unit quaternion, body to space, scalar first.
    pub attitude: [f64; 4],
}

/// The motion of one instance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Track {
    pub instance: u64,
    /// Times of the snapshots up to the instance's end (s).
    pub times: Vec<f64>,
    /// `poses[snapshot][body]`
    pub poses: Vec<Vec<Pose>>,
    /// By snapshot, the amplitudes of all modes, body after body.
    pub amplitudes: Vec<Vec<f64>>,
}

/// The places that a body's amplitudes have among those of a snapshot.
pub fn modes_of(mechanism: &Mechanism, body: usize) -> Range<usize> {
    let first = mechanism.bodies[..body].iter().map(Body::modes).sum();
    first..first + mechanism.bodies[body].modes()
}

/// Names, units and descriptions of the columns of one body, in order.
const COLUMNS: [(&str, &str, &str); 7] = [
    ("position.x", "m", "position of the body's origin, space axes"),
    ("position.y", "m", "position of the body's origin, space axes"),
    ("position.z", "m", "position of the body's origin, space axes"),
    ("attitude.q0", "1", "attitude, unit quaternion body to space, scalar first and not negative"),
    ("attitude.q1", "1", "attitude, unit quaternion body to space, scalar first and not negative"),
    ("attitude.q2", "1", "attitude, unit quaternion body to space, scalar first and not negative"),
    ("attitude.q3", "1", "attitude, unit quaternion body to space, scalar first and not negative"),
];

impl Pose {
    fn of_numbers(numbers: [f64; 7]) -> Pose {
        let [x, y, z, q0, q1, q2, q3] = numbers;
        Pose { position: [x, y, z], attitude: [q0, q1, q2, q3] }
    }

    fn number(&self, column: usize) -> f64 {
        match column.checked_sub(3) {
            None => self.position[column],
            Some(k) => self.attitude[k],
        }
    }
}

/// Writes one row a snapshot of the first motion, of all bodies of the mechanism.
pub fn write_motion(file: &NewFile, mechanism: &Mechanism, motions: &[Track]) -> Result<(), OutputError> {
    let none = Track::default();
    let motion = motions.first().unwrap_or(&none);
    let of_body = |body: &Body| {
        let field = |(name, unit, about): &(&str, &str, &str)| {
            field(&format!("{}.{name}", body.name), unit, about, ColumnType::Float(Precision::F64))
        };
        let mode = |k: usize| (format!("amplitude_{k}"), "1", "modal coordinate");
        let modes: Vec<_> = (0..body.modes()).map(mode).collect();
        let modes = modes.iter().map(|(name, unit, about)| field(&(name, unit, about)));
        COLUMNS.iter().map(field).chain(modes).collect::<Vec<_>>()
    };
    let mut table = MOTION.create(file, &[], mechanism.bodies.iter().flat_map(of_body))?;
    let mut arrays = vec![
        integer_array(motion.times.iter().map(|_| motion.instance)),
        float_array(motion.times.iter().copied(), Precision::F64),
    ];
    for body in 0..mechanism.bodies.len() {
        arrays.extend((0..COLUMNS.len()).map(|column| {
            float_array(motion.poses.iter().map(|poses| poses[body].number(column)), Precision::F64)
        }));
        arrays.extend(modes_of(mechanism, body).map(|mode| {
            float_array(motion.amplitudes.iter().map(|amplitudes| amplitudes[mode]), Precision::F64)
        }));
    }
    table.write(arrays)?;
    table.finish()
}

/// Reads what [`write_motion`] wrote.
pub(super) fn read_motion(file: &Path, mechanism: &Mechanism) -> Result<Track, OutputError> {
    let table = SavedTable::open(file)?;
    let mut bodies = Vec::with_capacity(mechanism.bodies.len());
    let mut modes = Vec::new();
    for body in &mechanism.bodies {
        let columns = COLUMNS.iter().map(|(name, ..)| table.floats(&format!("{}.{name}", body.name)));
        bodies.push(columns.collect::<Result<Vec<_>, _>>()?);
        for k in 0..body.modes() {
            modes.push(table.floats(&format!("{}.amplitude_{k}", body.name))?);
        }
    }
    let times = table.floats("time")?;
    let pose = |at: usize, columns: &Vec<Vec<f64>>| Pose::of_numbers(std::array::from_fn(|k| columns[k][at]));
    let poses = (0..times.len()).map(|at| bodies.iter().map(|columns| pose(at, columns)).collect());
    Ok(Track {
        instance: table.integers("instance")?.first().copied().unwrap_or(0),
        poses: poses.collect(),
        amplitudes: (0..times.len()).map(|at| modes.iter().map(|mode| mode[at]).collect()).collect(),
        times,
    })
}
