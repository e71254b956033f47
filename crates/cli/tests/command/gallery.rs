//! The numbers of docs/mechanisms.md are those of the runs that it names.

use std::fs;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tempfile::TempDir;

use crate::command::{output, path, text};
use crate::common::root;
use crate::documents::{Told, document, fault, section};

/// `statistics.parquet` of a run.
struct Statistics(RecordBatch);

impl Statistics {
    fn of(study: &str) -> Statistics {
        let home = TempDir::new().unwrap();
        let out = home.path().join("out");
        let file = format!("studies/{study}.toml");
        // The tables are enough.
        let bare =
            ["--no-accuracy", "--quiet", "--set", "output.plots=false", "--set", "output.report=false"];
        let run = output(&[&["run", &file, "--out", path(&out), "--backend", "cpu"][..], &bare].concat());
        assert_eq!(run.status.code(), Some(0), "{study}: {}", text(&run.stderr));
        let file = fs::File::open(out.join("statistics.parquet")).unwrap();
        let rows = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().with_batch_size(1 << 20);
        let mut batches = rows.build().unwrap().map(Result::unwrap);
        let all = batches.next().unwrap();
        assert!(batches.next().is_none(), "{study}: more rows than this test reads");
        Statistics(all)
    }

    /// Returns a statistic of a column such as `ball.position.x`, by time.
    fn series(&self, column: &str, statistic: &str) -> Vec<f64> {
        let texts = |name: &str| {
            let dictionary = self.0.column_by_name(name).unwrap().as_any_dictionary();
            let values = dictionary.values().as_string::<i32>();
            dictionary
                .normalized_keys()
                .into_iter()
                .map(|key| values.value(key).to_string())
                .collect::<Vec<_>>()
        };
        let values = self.0.column_by_name(statistic).unwrap().as_primitive::<Float64Type>();
        let names = texts("channel").into_iter().zip(texts("component"));
        let whole =
            names.map(|(channel, part)| if part.is_empty() { channel } else { format!("{channel}.{part}") });
        let found: Vec<f64> =
            whole.zip(values.values()).filter(|(name, _)| name == column).map(|(_, value)| *value).collect();
        assert!(!found.is_empty(), "no column {column}");
        found
    }

    fn most(&self, column: &str, statistic: &str) -> f64 {
        self.series(column, statistic).into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    fn least(&self, column: &str) -> f64 {
        self.series(column, "min").into_iter().fold(f64::INFINITY, f64::min)
    }

    fn largest(&self, column: &str) -> f64 {
        self.most(column, "max").max(-self.least(column))
    }

    fn last(&self, column: &str, statistic: &str) -> f64 {
        *self.series(column, statistic).last().unwrap()
    }
}

fn stated(sentence: &'static str, measured: f64) -> Told {
    Told { sentence, measured }
}

/// A study, the heading under which it is told, and its numbers.
type Entry = (&'static str, &'static str, fn(&Statistics) -> Vec<Told>);

const GALLERY: &[Entry] = &[
    ("rolling_ball", "## rolling_ball ", |s| {
        vec![
            stated("the 5,000 balls are at x = {} m,", s.last("ball.position.x", "mean")),
            stated("{} m standard deviation, a third", s.last("ball.position.x", "std")),
            stated("Energy stays within {} of itself", s.largest("ball.energy_drift")),
        ]
    }),
    ("manipulator", "## manipulator ", |s| {
        vec![
            stated("The locks catch at {} ±", s.last("wrist_lock.caught", "mean")),
            stated("± {} s (wrist)", s.last("wrist_lock.caught", "std")),
            stated("(wrist), {} ±", s.last("elbow_lock.caught", "mean")),
            stated("± {} s (elbow)", s.last("elbow_lock.caught", "std")),
            stated("(elbow) and {} ±", s.last("shoulder_lock.caught", "mean")),
            stated("± {} s (shoulder)", s.last("shoulder_lock.caught", "std")),
            stated("the last shoulder catches at {} s", s.last("shoulder_lock.caught", "max")),
        ]
    }),
    ("crane", "## crane ", |s| {
        vec![
            stated("The force in x reaches {} N", s.most("tip.drive_force.x", "max")),
            stated("its 95 % quantile {} N", s.most("tip.drive_force.x", "q95")),
        ]
    }),
    ("crane_flexible", "## crane_flexible ", |s| {
        vec![
            stated("The tip needs up to {} N (in z)", s.largest("tip.drive_force.z")),
            stated(".28 s, {} N. At the end", s.most("tip.drive_force.z", "std")),
            stated("the elbow is at z = {} mm", 1e3 * s.last("arm.0.position.z", "mean")),
            stated("mm, {} mm standard deviation", 1e3 * s.last("arm.0.position.z", "std")),
        ]
    }),
    ("flexible_pendulum", "## flexible_pendulum ", |s| {
        vec![
            stated("has a standard deviation of {} rad", s.most("hinge.angle", "std")),
            stated("The energy falls by {} J", -s.last("energy", "mean")),
        ]
    }),
    ("crane_driven", "## crane_driven ", |s| {
        vec![
            stated("The slewing gear needs up to {} N m", s.largest("slewing_gear.drive_torque")),
            stated("The luffing gear needs up to {} N m", s.largest("luffing_gear.drive_torque")),
        ]
    }),
    ("rubber_hinge", "## rubber_hinge ", |s| {
        vec![
            stated("After 4 s it has lost between {} and", -s.last("energy", "max")),
            stated("and {} J of the", -s.last("energy", "min")),
        ]
    }),
    ("four_bar_spatial", "## four_bar_spatial ", |s| {
        vec![
            stated("the motor needs between {} and", s.least("motor.drive_torque")),
            stated("and {} N m; the rocker", s.most("motor.drive_torque", "max")),
            stated("the rocker swings over {} rad", s.largest("pivot.angle")),
        ]
    }),
    ("bricard", "## bricard ", |s| vec![stated("5 degrees ({} rad)", s.most("hinge1.angle", "max"))]),
    ("slider_crank", "## slider_crank ", |s| {
        vec![
            stated("keeping the speed takes between {} and", s.least("flywheel.drive_torque")),
            stated("and {} N m. The main", s.most("flywheel.drive_torque", "max")),
            stated("bears up to {} kN along", 1e-3 * s.largest("crankshaft.force.x")),
            stated("the cylinder and {} kN across", 1e-3 * s.largest("crankshaft.force.z")),
            stated("the cylinder's wall up to {} kN", 1e-3 * s.largest("cylinder.force.z")),
        ]
    }),
    ("furuta_pendulum", "## furuta_pendulum ", |s| {
        let turns = s.last("hinge.angle", "max") / std::f64::consts::TAU;
        vec![
            stated("one {} turns", turns),
            stated("Energy stays within {} of itself", s.largest("energy_drift")),
        ]
    }),
    ("solar_panels", "## solar_panels ", |s| {
        vec![
            stated("A panel locks at {} ±", s.last("right_latch.caught", "mean")),
            stated("± {} s, between", s.last("right_latch.caught", "std")),
            stated(
                "between {} and",
                s.last("right_latch.caught", "min").min(s.last("left_latch.caught", "min")),
            ),
            stated(
                "and {} s; the two",
                s.last("right_latch.caught", "max").max(s.last("left_latch.caught", "max")),
            ),
            stated("at up to {} rad/s", s.largest("bus.angular_velocity.y")),
            stated("stays within {} of itself", s.largest("angular_momentum_drift")),
        ]
    }),
    ("triangle", "## vibration, triangle", |s| {
        vec![stated("angular momentum within {} of itself", s.largest("triangle.angular_momentum_drift"))]
    }),
    ("pendulum_flexible", "## pendulum_flexible", |s| {
        vec![
            stated("to be up to {} mm off its frame in y", 1e3 * s.largest("rod.deflection.y")),
            stated("Its energy stays within {} of itself", s.largest("rod.energy_drift")),
            stated("the joint holds within {} m", s.largest("rod.constraint_violation")),
        ]
    }),
    ("slider_crank_elastic", "## slider_crank_elastic", |s| {
        vec![
            stated("bends by up to {} mm", 1e3 * s.largest("rod.deflection.y")),
            stated("has to give up to {} N along", s.most("pin.drive_force.x", "max")),
            stated("and {} N against", -s.least("pin.drive_force.x")),
            stated("hold within {} m", s.largest("rod.constraint_violation")),
        ]
    }),
    ("crane_modal", "## crane_modal", |s| {
        vec![
            stated("Its boom's end bends by up to {} mm", 1e3 * s.largest("boom.deflection.z")),
            stated("the arm's by {} mm", 1e3 * s.largest("arm.deflection.z")),
            stated("the jib's by {} mm", 1e3 * s.largest("jib.deflection.y")),
            stated("All rows hold within {} (m or rad).", s.largest("constraint_violation")),
        ]
    }),
];

#[test]
fn the_numbers_of_the_gallery_are_those_of_its_runs() {
    let gallery = document("docs/mechanisms.md");
    let mut faults = Vec::new();
    for (study, heading, numbers) in GALLERY {
        assert!(root().join(format!("studies/{study}.toml")).exists(), "{study}");
        let section = section(&gallery, heading);
        let measured = numbers(&Statistics::of(study));
        faults.extend(
            measured.iter().filter_map(|number| Some(format!("{study}: {}", fault(&section, number)?))),
        );
    }
    assert!(faults.is_empty(), "docs/mechanisms.md\n{}", faults.join("\n"));
}
