//! Tables that a user brings: their units, what is wrong with them, functions from files, and what
//! comes back of what was written.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use polhode::describe::Distribution;
use polhode::describe::expression::{FunctionTable, Interpolation};
use polhode::describe::{Expression, Study};
use polhode::output::{TABLES, TableCard, export_csv};
use polhode::study_file::builder::sample_columns;
use polhode::study_file::{read_study, resolved_toml};
use tempfile::TempDir;

use crate::command::{ends_with, path};

/// An arm on a hinge, with what is given of its ensemble, and of the mechanism.
fn study_text(vary: &str, mechanism: &str) -> String {
    format!(
        "method = {{ name = \"rk4\", step = \"10 ms\", duration = \"0.2 s\" }}\nensemble.size = 3\n\
         [ensemble.vary]\n{vary}\n\
         [observe]\nchannels = [\"angle\"]\nevery = \"0.1 s\"\n[run]\nbackend = \"cpu\"\n[output]\n\
         plots = false\n\
         [mechanism]\ngravity = 9.81\n[[mechanism.body]]\nname = \"arm\"\nmass = 1\n\
         inertia = [0.1, 0.2, 0.2]\n\
         [[mechanism.joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"ground\", \"arm\"]\n\
         points = [[0, 0, 0], [-0.5, 0, 0]]\naxes = [0, 1, 0]\nangle = 0.1\n{mechanism}"
    )
}

/// The study, or what is wrong with it.
fn study(home: &Path, vary: &str, mechanism: &str) -> Result<Study, String> {
    let file = home.join("study.toml");
    fs::write(&file, study_text(vary, mechanism)).unwrap();
    read_study(&file).map_err(|problems| problems.0[0].found.replace(&format!("{}/", home.display()), ""))
}

/// The study as it is written and read again, elsewhere.
fn resolved(home: &Path, study: &Study) -> Study {
    let folder = home.join("elsewhere");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("study.toml"), resolved_toml(study)).unwrap();
    read_study(&folder.join("study.toml")).unwrap_or_else(|problems| panic!("{problems}"))
}

fn write(home: &Path, name: &str, text: &str) {
    fs::write(home.join(name), text).unwrap();
}

/// The values that a table of samples gives to the first quantity that varies.
fn samples(study: &Study) -> Vec<f64> {
    let Distribution::Table { values, .. } = &study.ensemble.vary[0].distribution else { panic!() };
    values.iter().flatten().copied().collect()
}

fn of_column(column: &str, file: &str) -> String {
    format!("\"hinge.angle\" = {{ table = {{ file = \"{file}\", columns = \"{column}\" }} }}")
}

/// A Parquet table of one column.
fn parquet(home: &Path, name: &str, column: &str, unit: Option<&str>, values: &[f64]) {
    let metadata: HashMap<String, String> =
        unit.map(|unit| ("unit".to_string(), unit.to_string())).into_iter().collect();
    let field = Field::new(column, DataType::Float64, false).with_metadata(metadata);
    let schema = Arc::new(Schema::new(vec![field]));
    let values: ArrayRef = Arc::new(Float64Array::from(values.to_vec()));
    let batch = RecordBatch::try_new(schema.clone(), vec![values]).unwrap();
    let mut writer = ArrowWriter::try_new(fs::File::create(home.join(name)).unwrap(), schema, None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// A filtered table of results is a table of samples: of the columns that nothing was drawn for
/// none is taken for a quantity.
#[test]
fn columns_that_results_have_besides_are_no_samples() {
    let has_draws = |card: &&&TableCard| card.further.contains("`drawn.NAME`");
    let cards: Vec<_> = TABLES.iter().filter(has_draws).collect();
    assert_eq!(cards.len(), 4);
    for card in cards {
        let besides = card.columns.iter().map(|column| column.name.to_string());
        let quoted = card.further.split('`').skip(1).step_by(2);
        let named = quoted.filter(|name| *name != "static").map(str::to_string);
        let columns = besides.chain(named).chain(["hinge.rate".to_string()]);
        assert_eq!(sample_columns(columns.collect()), ["drawn.NAME", "hinge.rate"], "{}", card.row);
    }
    let none_drawn = vec!["instance".to_string()];
    assert_eq!(sample_columns(none_drawn.clone()), none_drawn);
}

#[test]
fn units_of_columns_are_converted() {
    let home = TempDir::new().unwrap();
    let home = home.path();
    write(home, "a.csv", "a1 (deg),a2 [mrad],a3,m (g)\n90,500,0.5,1\n-45.5,250,0.25,2\n1e1,125,0.125,3\n");
    let deg = std::f64::consts::PI / 180.0;
    for (column, wanted) in [
        ("a1 (deg)", [90.0 * deg, -45.5 * deg, 10.0 * deg]),
        ("a1", [90.0 * deg, -45.5 * deg, 10.0 * deg]),
        ("a2", [0.5, 0.25, 0.125]),
        ("a3", [0.5, 0.25, 0.125]),
    ] {
        let study = study(home, &of_column(column, "a.csv"), "").unwrap_or_else(|found| panic!("{found}"));
        for (found, wanted) in samples(&study).iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-15, "{column}: {found} {wanted}");
        }
    }
    parquet(home, "b.parquet", "a", Some("deg"), &[90.0, 30.0, -60.0]);
    let found = samples(&study(home, &of_column("a", "b.parquet"), "").unwrap());
    assert!((found[0] - 90.0 * deg).abs() < 1e-15 && (found[2] + 60.0 * deg).abs() < 1e-15);
    parquet(home, "c.parquet", "a (rad)", None, &[0.1, 0.2, 0.3]);
    assert_eq!(samples(&study(home, &of_column("a", "c.parquet"), "").unwrap()), [0.1, 0.2, 0.3]);
}

#[test]
fn units_that_are_wrong_are_refused_by_column() {
    let home = TempDir::new().unwrap();
    let home = home.path();
    write(home, "a.csv", "a1 (degg),a2 (kg),a3 (old),x (m),x (mm),n (1),e (rad)\n1,1,1,1,1,1,\n");
    parquet(home, "b.parquet", "a", Some("m"), &[1.0]);
    for (column, file, found) in [
        ("a1", "a.csv", "a.csv: column `a1 (degg)` has the unknown unit `degg`; did you mean `deg`?"),
        ("a2", "a.csv", "a.csv: column `a2 (kg)` is a mass, not an angle"),
        ("a3", "a.csv", "a.csv: column `a3 (old)` has the unknown unit `old`"),
        ("x", "a.csv", "a.csv: has two columns of the name `x`"),
        ("x (m)", "a.csv", "a.csv: column `x (m)` is a length, not an angle"),
        ("n", "a.csv", "a.csv: column `n (1)` is a number, not an angle"),
        ("e", "a.csv", "a.csv: line 2, column `e`: the cell is empty"),
        ("b", "a.csv", "a.csv has no column `b`"),
        ("a", "b.parquet", "b.parquet: column `a` is a length, not an angle"),
    ] {
        assert_eq!(study(home, &of_column(column, file), "").unwrap_err(), found, "{column}");
    }
}

/// A run's own table as the samples of the next: the same draws, bit by bit, from CSV and from
/// Parquet.
#[test]
fn what_export_writes_is_read_back_to_the_same_bits() {
    let home = TempDir::new().unwrap();
    let home = home.path();
    let drawn = "\"hinge.angle\" = { normal = { std = \"20 deg\" } }";
    write(home, "first.toml", &study_text(drawn, ""));
    let (first, out) = (home.join("first.toml"), home.join("first"));
    ends_with(0, &["run", path(&first), "--out", path(&out), "--quiet"]);
    let mut text = Vec::new();
    export_csv(&out, "instances", &mut text).unwrap();
    assert!(String::from_utf8_lossy(&text).contains("drawn.hinge.angle (rad)"));
    fs::write(home.join("drawn.csv"), &text).unwrap();
    let of_csv = samples(&study(home, &of_column("drawn.hinge.angle", "drawn.csv"), "").unwrap());
    let of_parquet =
        samples(&study(home, &of_column("drawn.hinge.angle", "first/instances.parquet"), "").unwrap());
    assert_eq!(of_csv, of_parquet);
    let mut read = csv::Reader::from_reader(&text[..]);
    let at = read.headers().unwrap().iter().position(|name| name.starts_with("drawn.hinge.angle")).unwrap();
    let cells: Vec<f64> = read.records().map(|row| row.unwrap()[at].parse().unwrap()).collect();
    assert_eq!(of_csv, cells);
    write(home, "second.toml", &study_text(&of_column("drawn.hinge.angle", "drawn.csv"), ""));
    let (second, again) = (home.join("second.toml"), home.join("second"));
    ends_with(0, &["run", path(&second), "--out", path(&again), "--quiet"]);
    let mut of_second = Vec::new();
    export_csv(&again, "instances", &mut of_second).unwrap();
    assert_eq!(String::from_utf8(of_second).unwrap(), String::from_utf8(text).unwrap());
}

/// The table in the actuator of a spring.
fn table(study: &Study) -> &FunctionTable {
    let Expression::Lookup(table, _) = &study.mechanism.forces[0].functions[0] else { panic!() };
    table
}

fn motor(function: &str) -> String {
    format!(
        "[[mechanism.joint_spring]]\nname = \"motor\"\njoint = \"hinge\"\n\
         actuator = {{ table = {{ {function} }} }}\n"
    )
}

#[test]
fn functions_come_from_files() {
    let home = TempDir::new().unwrap();
    let home = home.path();
    write(home, "thrust.csv", "t (ms),pull (kN m)\n0,0\n50,0.002\n120,0.001\n200,0\n");
    let from_file = "file = \"thrust.csv\", time = \"t\", column = \"pull\"";
    for interpolation in ["cubic", "monotone", "linear", "hold"] {
        let end = format!(", interpolation = \"{interpolation}\"");
        let found = study(home, "", &motor(&format!("{from_file}{end}"))).unwrap();
        let lists = format!("times = [0, 0.05, 0.12, 0.2], values = [0, 2, 1, 0]{end}");
        let listed = study(home, "", &motor(&lists)).unwrap();
        assert_eq!(table(&found), table(&listed), "{interpolation}");
        assert_eq!(table(&found).interpolation.name(), interpolation);
        // The resolved study needs no file.
        let again = resolved(home, &found);
        assert_eq!(table(&again), table(&found));
    }
    // Nor do instances whose other numbers follow from a constant.
    let linked = motor(from_file).replace("joint = \"hinge\"\n", "joint = \"hinge\"\nstiffness = \"2*k\"\n");
    let vary = "\"constants.k\" = { list = [1, 2, 3] }";
    let text = study_text(vary, &format!("{linked}[mechanism.constants]\nk = 1\n"));
    write(home, "linked.toml", &text);
    let (file, out) = (home.join("linked.toml"), home.join("linked"));
    ends_with(0, &["run", path(&file), "--out", path(&out), "--quiet"]);
    assert!(!fs::read_to_string(out.join("study.toml")).unwrap().contains("thrust.csv"));
}

#[test]
fn faults_of_files_of_functions_are_told_with_their_lines() {
    let home = TempDir::new().unwrap();
    let home = home.path();
    write(home, "a.csv", "t (s),f (N m),g (N),h\n0,0,1,1\n0.2,1,1,\n0.1,2,1,3\n");
    write(home, "b.csv", "t,f\n0,1\n1,nan\n");
    write(home, "c.csv", "t,f\n0,1\n");
    let many: String = (0..1002).map(|k| format!("{k},0\n")).collect();
    write(home, "d.csv", &format!("t,f\n{many}"));
    let motor_of = |file: &str, rest: &str| motor(&format!("file = \"{file}\", {rest}"));
    for (mechanism, found) in [
        (
            motor_of("a.csv", "time = \"t\", column = \"f\""),
            "a.csv: line 4: 0.1 does not come after 0.2; sort the rows, each once",
        ),
        (motor_of("a.csv", "time = \"t\", column = \"g\""), "a.csv: column `g (N)` is a force, not a torque"),
        (motor_of("a.csv", "time = \"t\", column = \"h\""), "a.csv: line 3, column `h`: the cell is empty"),
        (
            motor_of("a.csv", "time = \"f\", column = \"h\""),
            "a.csv: column `f (N m)` is a torque, not a time",
        ),
        (motor_of("a.csv", "time = \"t\", column = \"F\""), "a.csv has no column `F`"),
        (motor_of("a.csv", "time = \"t\""), "is missing"),
        (motor_of("b.csv", "time = \"t\", column = \"f\""), "b.csv: line 3, column `f`: NaN is not finite"),
        (motor_of("c.csv", "time = \"t\", column = \"f\""), "the table has one row, not two or more"),
        (
            motor_of("d.csv", "time = \"t\", column = \"f\""),
            "d.csv: line 1002: the table has more than 1000 rows; leave rows out",
        ),
        (motor_of("e.csv", "time = \"t\", column = \"f\""), "there is no file e.csv"),
        (motor_of("a.csv", "time = \"t\", column = \"f\", values = [1]"), "stands beside `file`"),
        (motor("times = [0, 1], values = [0, 1], column = \"f\""), "names a column, but there is no `file`"),
        (motor("times = [0, 1]"), "is missing"),
        (
            motor("times = [0, 1], values = [0, 1], slopes = [0, 0], interpolation = \"linear\""),
            "slopes are those of cubics",
        ),
    ] {
        assert_eq!(study(home, "", &mechanism).unwrap_err(), found, "{mechanism}");
    }
}

/// A file of recorded inputs, one of which each instance has: by name, by number in samples, with
/// units; the resolved study needs no file.
#[test]
fn instances_have_columns_of_their_own() {
    let home = TempDir::new().unwrap();
    let home = home.path();
    write(home, "runs.csv", "t (ms),one (kN m),two (N m),three\n0,0,1,3\n50,0.002,2,3\n200,0,1,4\n");
    write(home, "which.csv", "run\n2\n0\n1\n");
    write(home, "wrong.csv", "run\n2\n0.5\n1\n");
    let table = |column: &str| {
        format!(
            "[[mechanism.table]]\nname = \"pull\"\nfile = \"runs.csv\"\nargument = \"t\"\ncolumn = {column}\n\
             [[mechanism.joint_spring]]\nname = \"motor\"\njoint = \"hinge\"\nactuator = \"pull(t)\"\n\
             stiffness = \"2*k\"\n[mechanism.constants]\nk = 1\n"
        )
    };
    let of_three = table("[\"one\", \"two (N m)\", \"three\"]");
    let vary = |distribution: &str| format!("\"pull.column\" = {{ {distribution} }}");
    let ends = |name: &str, vary: &str, mechanism: &str| {
        write(home, &format!("{name}.toml"), &study_text(vary, mechanism));
        let (file, out) = (home.join(format!("{name}.toml")), home.join(name));
        ends_with(0, &["run", path(&file), "--out", path(&out), "--quiet"]);
        let mut text = Vec::new();
        export_csv(&out, "instances", &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let at =
            text.lines().next().unwrap().split(',').position(|name| name.starts_with("final.hinge.angle"));
        let number = |line: &str| line.split(',').nth(at.unwrap()).unwrap().parse::<f64>().unwrap();
        text.lines().skip(1).map(number).collect::<Vec<f64>>()
    };
    let alone = |name: &str| ends(name, "", &table(&format!("\"{name}\"")))[0];
    let (one, two, three) = (alone("one"), alone("two"), alone("three"));
    let near = |found: Vec<f64>, wanted: [f64; 3]| {
        let close = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-12);
        assert!(close, "{found:?} {wanted:?}");
    };
    assert!((one - two).abs() > 1e-3 && (two - three).abs() > 1e-3 && (one - three).abs() > 1e-3);
    let list = vary("list = [\"three\", \"one\", 1]");
    near(ends("list", &list, &of_three), [three, one, two]);
    let samples = vary("table = { file = \"which.csv\", columns = \"run\" }");
    near(ends("samples", &samples, &of_three), [three, one, two]);
    // With a constant that others follow from, too.
    let linked = format!("{list}\n\"constants.k\" = {{ list = [1] }}");
    near(ends("linked", &linked, &of_three), [three, one, two]);
    let grid = vary("linspace = { from = 0, to = 2, count = 3 }");
    near(ends("grid", &grid, &of_three), [one, two, three]);
    // Not varied, all have the first.
    near(ends("first", "", &of_three), [one, one, one]);
    let found = study(home, &list, &of_three).unwrap();
    assert_eq!(resolved(home, &found).mechanism.tables, found.mechanism.tables);
    assert_eq!(resolved(home, &found).ensemble, found.ensemble);
    for (vary, mechanism, found) in [
        (vary("list = [\"thre\"]"), of_three.clone(), "the table has no column `thre`"),
        (vary("list = [3]"), of_three.clone(), "3 is not a whole number from 0 to 2"),
        (vary("list = [-1]"), of_three.clone(), "-1 is not a whole number from 0 to 2"),
        (
            vary("table = { file = \"wrong.csv\", columns = \"run\" }"),
            of_three.clone(),
            "wrong.csv: line 3: column `run`, the sample of instance 1: 0.5 is not a whole number from 0 to \
             2",
        ),
        (
            vary("uniform = { low = 0, high = 2 }"),
            of_three.clone(),
            "a column is one of several and has no distribution",
        ),
        (
            vary("linspace = { from = 0, to = 1, count = 3 }"),
            of_three.clone(),
            "columns are counted by whole numbers, not by 0.5",
        ),
        (vary("list = [0]"), table("\"one\""), "is no quantity of the mechanism"),
        (String::new(), table("[\"one\", \"tow\"]"), "runs.csv has no column `tow`"),
        (String::new(), table("[\"one\"]"), "the number of columns is 1, not 2 to 10000"),
        (String::new(), table("[\"one\", \"one\"]"), "the column `one` is named twice"),
        (
            String::new(),
            motor("file = \"runs.csv\", time = \"t\", column = [\"one\", \"two\"]"),
            "the columns of instances are for a table with a name",
        ),
        (
            String::new(),
            "[[mechanism.table]]\nname = \"f\"\narguments = [0, 1]\nvalues = [[0, 1]]\n\
             column = [\"a\", \"b\"]\n"
                .into(),
            "has 1 entries, but `column` has 2",
        ),
    ] {
        assert_eq!(study(home, &vary, &mechanism).unwrap_err(), found, "{vary} {mechanism}");
    }
}

/// Named tables and sampled states are the same once they are written and read.
#[test]
fn tables_and_sampled_states_survive_being_written() {
    let home = TempDir::new().unwrap();
    let text = "[[mechanism.table]]\nname = \"curve\"\narguments = { value = [0, 90], unit = \"deg\" }\n\
                values = [\"1 N m\", \"2 N m\"]\ninterpolation = \"hold\"\n\
                [[mechanism.table]]\nname = \"other\"\narguments = [0, 1, 3]\nvalues = [1, 0, 2]\n\
                [[mechanism.state]]\nname = \"sum\"\nrate = \"hinge.angle - before\"\n\
                [[mechanism.state]]\nname = \"before\"\nnext = \"curve(hinge.angle) + now\"\n\
                initial = \"2 deg\"\nevery = \"20 ms\"\n\
                [[mechanism.signal]]\nname = \"now\"\nvalue = \"other(sum) - before^1.5\"\n\
                every = \"10 ms\"\n\
                [[mechanism.joint_spring]]\nname = \"motor\"\njoint = \"hinge\"\n\
                actuator = \"-before + curve(t)\"\n";
    let first = study(home.path(), "", text).unwrap_or_else(|found| panic!("{found}"));
    let signals: Vec<&str> = first.mechanism.signals.iter().map(|signal| &*signal.name).collect();
    assert_eq!(signals, ["before", "now", ""]);
    assert_eq!(first.mechanism.tables[0].interpolation, Interpolation::Hold);
    assert_eq!(first.mechanism.tables[0].knots[1], std::f64::consts::FRAC_PI_2);
    let again = resolved(home.path(), &first);
    assert_eq!(again.mechanism, first.mechanism);
}

/// A thrust curve whose cubics go below zero says so, with the numbers, in `check` and `run`;
/// another way to join the values does not.
#[test]
fn tables_that_overshoot_say_so() {
    let home = TempDir::new().unwrap();
    let values = "times = [0, 0.01, 0.02, 0.15, 0.16, 0.2], values = [0, 2, 2.2, 2, 0.1, 0]";
    for (interpolation, is_told) in [("cubic", true), ("monotone", false), ("linear", false), ("hold", false)]
    {
        let motor = motor(&format!("{values}, interpolation = \"{interpolation}\""));
        let file = home.path().join(format!("{interpolation}.toml"));
        fs::write(&file, study_text("", &motor)).unwrap();
        let out = home.path().join(interpolation);
        for command in [vec!["check", path(&file)], vec!["run", path(&file), "--out", path(&out)]] {
            let said = crate::command::output(&command);
            let said = [said.stdout, said.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            let warning = "joint_spring[0].actuator.table.values: the table goes to";
            assert_eq!(said.contains(warning), is_told, "{command:?}: {said}");
            if is_told {
                assert!(said.contains("overshoot") && said.contains("monotone"), "{said}");
            }
        }
    }
    // A table in another file is told by its column there.
    let csv =
        "time (s),rising (N m),thrust (N m)\n0,0,0\n0.01,1,2\n0.02,2,2.2\n0.15,3,2\n0.16,4,0.1\n0.2,5,0\n";
    fs::write(home.path().join("motor.csv"), csv).unwrap();
    let motor = motor("file = \"motor.csv\", time = \"time\", column = \"thrust\"");
    let file = home.path().join("file.toml");
    fs::write(&file, study_text("", &motor)).unwrap();
    let said = crate::command::output(&["check", path(&file)]);
    let said = String::from_utf8_lossy(&[said.stdout, said.stderr].concat()).into_owned();
    assert!(
        said.contains("the column `thrust` of `motor.csv` goes to") && said.contains("file.toml:"),
        "{said}"
    );
}
