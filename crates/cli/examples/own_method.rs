//! A method of your own: the body's turn as turns about its principal axes, one after the other
//! (McLachlan 1993, Reich 1994). It keeps the angular momentum of a free body to rounding, needs no
//! iteration, and is of order 2.
//!
//!     cargo run --release --example own_method
//!
//! measures its order beside two methods of polhode. With arguments the program is the command
//! `polhode` with the method in it:
//!
//!     cargo run --release --example own_method -- methods axis_turns
//!     cargo run --release --example own_method -- run studies/tumbling.toml

use std::error::Error;
use std::process::ExitCode;

use polhode::method::{AFTER_START, BEFORE_END, Card, Method, Motion, Options, Sample, State, System, Takes};
use polhode::scalar::{Quat, Real, Vec3, add, exponential, scale, scale_add, sin_cos};
use polhode::{FromKeys, Mechanism, Part, RunOptions, Study};

/// The method; it has no settings.
struct AxisTurns;

/// Positions in the list of samples.
const START: usize = 0;
const END: usize = 1;

impl Method for AxisTurns {
    const CARD: Card = Card {
        name: "axis_turns",
        title: "turns about the principal axes, one after the other",
        source: "McLachlan, Phys. Rev. Lett. 71 (1993); Reich, Physica D 76 (1994)",
        order: 2,
        limit: None,
        conserves: "angular momentum of a free body, exactly; energy nearly",
        takes: Takes::OneBody,
        resynchronises: false,
        roles: &[],
        keys: &[],
        text: "\
```text
H = l1²/(2 J1) + l2²/(2 J2) + l3²/(2 J3) ;   each part alone turns the body about its axis, by the angle h \
lk/Jk
l += h/2 M(q) ;   1(h/2) 2(h/2) 3(h) 2(h/2) 1(h/2) ;   l += h/2 M(q1)
```
",
    };

    fn new(_: &Options) -> Self {
        AxisTurns
    }

    fn samples(&self) -> Vec<Sample> {
        vec![AFTER_START, BEFORE_END]
    }

    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        let h = system.h;
        let half = h * h.lift(0.5);
        let (before, after) = (system.only(START), system.only(END));
        let Motion { q, w, r, v, .. } = state.motions[0];

        let v = before.push(half, q, v);
        let r = scale_add(h, v, r);
        let mut turning = (q, add(before.momentum(w), scale(half, before.body_moment(q))));
        for (axis, time) in [(0, half), (1, half), (2, h), (1, half), (0, half)] {
            turning = turned(turning, axis, time / before.inertia[axis]);
        }
        let (q, momentum) = turning;
        let v = after.push(half, q, v);
        let w = after.velocity(add(momentum, scale(half, after.body_moment(q))));
        State::of_one(Motion::rigid(q, w, r, v), Vec::new())
    }
}

/// The body after a turn about one of its axes by `s` times its momentum along it: the attitude,
/// and the momentum in the axes of the body.
fn turned<R: Real>((q, l): (Quat<R>, Vec3<R>), axis: usize, s: R) -> (Quat<R>, Vec3<R>) {
    let angle = s * l[axis];
    let mut along = [angle.lift(0.0); 3];
    along[axis] = angle;
    let (sine, cosine) = sin_cos(angle);
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut turned = l;
    turned[j] = cosine.mul_add(l[j], sine * l[k]);
    turned[k] = sine.neg_mul_add(l[j], cosine * l[k]);
    (exponential(q, along), turned)
}

fn main() -> ExitCode {
    if let Err(refused) = polhode::register_method::<AxisTurns>(None) {
        eprintln!("{refused}");
        return ExitCode::FAILURE;
    }
    if std::env::args().len() > 1 {
        return polhode_cli::main();
    }
    match compare() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Error over step of three methods, each judged by the reference.
fn compare() -> Result<(), Box<dyn Error>> {
    let body = Part::named("body").set("mass", 1.0).set("inertia", [5.0, 10.0, 1.0]);
    let study = Study::builder(Mechanism::builder("tumbling").add("body", body))
        .set("title", "Turns about the axes")
        .set("study.kind", "convergence")
        .set("study.methods", vec!["axis_turns", "staggered", "rk4"])
        .set("study.steps", vec!["40 ms", "20 ms", "10 ms", "5 ms"])
        .set("study.targets", vec![1e-3])
        .set("method.name", "staggered")
        .set("method.step", "5 ms")
        .set("method.duration", "2 s")
        .set("ensemble.size", 16)
        .set("run.backend", "cpu")
        .set("run.precision", "f64")
        .vary(
            "body.angular_velocity",
            "normal",
            Part::new().set("mean", [0.1, 2.0, 0.1]).set("std", [0.05, 0.05, 0.05]),
        )
        .build()?;
    let results = polhode::run(&study, &RunOptions::new())?;
    for line in results.lines() {
        println!("{line}");
    }
    println!("report: {}", results.write_to("target/own_method", true)?.join("report.html").display());
    Ok(())
}
