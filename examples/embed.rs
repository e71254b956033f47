//! A study run from another program: made in code, looked at, run, its tables read, its folder
//! written, some of it run again and compared.
//!
//!     cargo run --release --example embed

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use polhode::{CheckOptions, ComparisonOptions, FromKeys, Listener, Mechanism, Part, RunOptions, Study};

/// Prints what polhode has to say.
struct Lines;

impl Listener for Lines {
    fn say(&self, line: &str) {
        println!("{line}");
    }
    fn progress(&self, _: u64, _: u64) {}
}

fn main() -> ExitCode {
    match study() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn study() -> Result<(), Box<dyn Error>> {
    // A top on its tip, 10 % of uncertainty in its spin.
    let top = Part::named("top")
        .set("mass", "0.5 kg")
        .set("inertia", ["8e-4 kg m^2", "8e-4 kg m^2", "1e-3 kg m^2"])
        .set("centre_of_mass", [0.0, 0.0, 0.04])
        .set("support", "fixed_point")
        .set("initial.attitude", Part::new().set("axis", [1.0, 0.0, 0.0]).set("angle", "20 deg"));
    let builder = Study::builder(Mechanism::builder("top").set("gravity", 9.81).add("body", top))
        .set("title", "How far a top leans")
        .set("method.name", "rk4")
        .set("method.step", "0.5 ms")
        .set("method.duration", "2 s")
        .set("ensemble.size", 1000)
        .set("observe.channels", vec!["tilt"])
        .set("observe.every", "0.1 s")
        .vary(
            "top.angular_velocity",
            "normal",
            Part::new().set("mean", [0.0, 0.0, 200.0]).set("std", [0.0, 0.0, 20.0]),
        );
    let study = builder.build()?;

    let checked = polhode::check(&study, &CheckOptions::default())?;
    println!("it would take about {:.1} s", checked.seconds.unwrap_or(f64::NAN));
    let results = polhode::run(&study, &RunOptions::new().listener(&Lines))?;
    println!("verdicts: {:?}", results.verdicts());
    for batch in results.table("statistics")? {
        let column =
            |name: &str| batch.column_by_name(name).map(|column| column.as_primitive::<Float64Type>());
        if let (Some(time), Some(mean)) = (column("time"), column("mean")) {
            for row in (0..batch.num_rows()).step_by(5) {
                println!("after {:.1} s: mean tilt {:.4} rad", time.value(row), mean.value(row));
            }
        }
    }
    // The folder that `polhode run` would have written: report, plots, tables.
    let folder = results.write_to("target/embed", true)?;
    println!("report: {}", folder.join("report.html").display());

    // The tops of the first batch again, by shorter steps and their own draws: samples come from
    // memory, tables as streams.
    let drawn = results.stream("instances")?.next().transpose()?;
    let again = builder.samples(drawn).set("method.step", "0.25 ms").build()?;
    let again =
        polhode::run(&again, &RunOptions::new().out(Path::new("target/embed_again")).overwrite(true))?;
    let compared = polhode::compare(&[folder.as_path(), again.folder()], &ComparisonOptions::default())?;
    println!("{}", compared.text());
    Ok(())
}
