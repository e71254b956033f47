//! A force of your own: a spring that hardens, `f = -k e (1 + e²/L²)`, `e = l - l0`, and its
//! damper. It runs on CPU and GPU like any other, has its table in mechanism files, and is judged
//! by a twin.
//!
//!     cargo run --release --example own_force

use std::error::Error;
use std::process::ExitCode;

use polhode::force::{
    Conditions, Configuration, Damper, Dimension, Drawn, Force, ForceCard, ForceKind, ForceLaw, Joins,
    Measure, Motion, Mounting, NumberKey, OwnForce, Range, Side, Stretch, Wrench, along_line, line,
    push_apart,
};
use polhode::judge::{self, Push, Pushing, RigidBody, Twin};
use polhode::scalar::{Real, dot, scale, sub};
use polhode::{FromKeys, Mechanism, Part, RunOptions, Study, force_numbers};

const STIFFNESS: Measure = Measure::Of(Dimension::Stiffness);

force_numbers! {
    /// Numbers of a spring that hardens.
    HardSpring {
        stiffness: R = NumberKey::new(STIFFNESS, Range::NotNegative).required(),
            "Stiffness k at the free length, not negative.";
        doubling: R = NumberKey::new(Measure::Of(Dimension::Length), Range::Positive).required(),
            "Stretch L at which the force is twice that of a linear spring, positive.";
        free_length: R = NumberKey::new(Measure::Of(Dimension::Length), Range::NotNegative),
            "Length l0 without force, not negative.";
        damping: R = NumberKey::new(Measure::Of(Dimension::Damping), Range::NotNegative).loses(),
            "Damping, not negative.";
    }
}

impl<R: Real> ForceKind<R> for HardSpring<R> {
    const CARD: &'static ForceCard = &ForceCard {
        title: "Springs that harden.",
        doc: "A spring between two points: -stiffness e (1 + e²/doubling²) - damping dl/dt, e = l - \
              free_length; positive pushes apart.",
        numbers: HardSpring::<f64>::KEYS,
        is_elastic: true,
        drawn: Drawn::Coil,
        ..ForceCard::new("hard_spring", "hardening spring", Joins::Points)
    };

    fn law(self, mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
        Box::new(Law { numbers: self, damped: mounting.damped, sides: mounting.joined.sides() })
    }
}

/// The spring of an instance.
struct Law<R> {
    numbers: HardSpring<R>,
    sides: [Side<R>; 2],
    damped: bool,
}

impl<R: Real> Law<R> {
    /// `rates`: with the velocities that the damper sees.
    fn stretched(&self, at: &[Motion<R>], rates: &[Motion<R>]) -> Stretch<R> {
        let HardSpring { stiffness, doubling, free_length, damping } = self.numbers;
        let [a, b] = [0, 1].map(|k: usize| (self.sides[k].point(at).0, self.sides[k].point(rates).1));
        let (length, along) = line(a.0, b.0);
        let rate = dot(along, sub(b.1, a.1));
        let e = length - free_length;
        let share = e / doubling;
        let grown = share.mul_add(share, e.lift(1.0));
        let force = damping.neg_mul_add(rate, -(stiffness * e * grown));
        Stretch { length, rate, force, along }
    }
}

impl<R: Real> ForceLaw<R> for Law<R> {
    fn act(&self, configuration: &Configuration<'_, R>, now: &Conditions<'_, R>, wrenches: &mut [Wrench<R>]) {
        let Stretch { force, along, .. } = self.stretched(configuration.at, now.rates);
        push_apart(&self.sides, configuration.at, scale(force, along), wrenches);
    }

    fn is_damped(&self) -> bool {
        self.damped
    }

    fn dampers(&self, configuration: &Configuration<'_, R>) -> Vec<Damper<R>> {
        vec![along_line(&self.sides, configuration.at, self.numbers.damping)]
    }

    /// `k/2 e² (1 + e²/(2 L²))`
    fn energy(&self, configuration: &Configuration<'_, R>) -> Option<R> {
        let HardSpring { stiffness, doubling, free_length, .. } = self.numbers;
        let [a, b] = [0, 1].map(|k: usize| self.sides[k].point(configuration.at).0);
        let e = line(a, b).0 - free_length;
        let (half, share) = (e.lift(0.5), e / doubling);
        Some(half * stiffness * (e * e) * (half * share).mul_add(share, e.lift(1.0)))
    }
}

/// The kind over all scalars.
struct OfHardSpring;

impl OwnForce for OfHardSpring {
    type Over<R: Real> = HardSpring<R>;
}

/// The judge computes the force in f64, by a text of its own, apart from the law above.
#[derive(Debug)]
struct HardSpringTwin {
    sides: [judge::Side; 2],
    stiffness: f64,
    doubling: f64,
    free_length: f64,
    damping: f64,
}

impl HardSpringTwin {
    fn new(force: &Force, bodies: &[RigidBody]) -> HardSpringTwin {
        HardSpringTwin {
            sides: judge::ends(force, bodies),
            stiffness: force.number("stiffness"),
            doubling: force.number("doubling"),
            free_length: force.number("free_length"),
            damping: force.number("damping"),
        }
    }
}

impl Pushing for HardSpringTwin {
    fn pushes(&self, _: &[RigidBody], moving: &[judge::Motion]) -> Vec<Push> {
        let [a, b] = [0, 1].map(|k: usize| self.sides[k].point(moving));
        let d = b.value - a.value;
        let length = d.norm();
        let e = length - self.free_length;
        let f = -self.stiffness * (e + e.powi(3) / self.doubling.powi(2))
            - self.damping * d.dot(&(b.rate - a.rate)) / length;
        judge::apart(&self.sides, f / length * d, moving)
    }

    fn energy(&self, motions: &[judge::Motion]) -> f64 {
        let e = (self.sides[1].point(motions).value - self.sides[0].point(motions).value).norm()
            - self.free_length;
        self.stiffness * (e.powi(2) / 2.0 + e.powi(4) / (4.0 * self.doubling.powi(2)))
    }
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
    polhode::register_force::<OfHardSpring>(|force, bodies, _| {
        Twin::pushing(HardSpringTwin::new(force, bodies))
    })?;

    // A mass on two of them: what its period is depends on how far it is pulled.
    let mass = Part::named("mass")
        .set("mass", "2 kg")
        .set("inertia", [0.01, 0.01, 0.01])
        .set("initial.position", [0.0, 0.0, 0.3]);
    let spring = |name: &str, x: f64| {
        Part::named(name)
            .set("bodies", vec!["mass", "ground"])
            .set("points", vec![[0.0, 0.0, 0.0], [x, 0.0, 0.0]])
            .set("stiffness", "50 N/m")
            .set("doubling", "0.5 m")
            .set("free_length", "0.8 m")
            .set("damping", "0.2 N s/m")
    };
    let mechanism = Mechanism::builder("mass on springs")
        .add("body", mass)
        .add("hard_spring", spring("left", -1.0))
        .add("hard_spring", spring("right", 1.0));
    let study = |backend: &str, precision: &str| {
        Study::builder(mechanism.clone())
            .set("method.name", "staggered")
            .set("method.step", "1 ms")
            .set("method.duration", "2 s")
            .set("ensemble.size", 1000)
            .set("observe.channels", vec!["position", "energy"])
            .set("run.backend", backend)
            .set("run.precision", precision)
            .set("run.fused", false)
            .vary("left.doubling", "uniform", Part::new().set("low", 0.3).set("high", 0.7))
            .build()
    };

    // The twin by the same method, and the accurate solution.
    let results = polhode::run(&study("cpu", "f64")?, &RunOptions::new())?;
    let folder = results.write_to("target/own_force", true)?;
    let distances = polhode::replay(&folder, 7)?.distances();
    println!(
        "instance 7: the twin differs by {:.1e}, the accurate solution by {:.1e}",
        distances.coding, distances.step
    );
    println!("report: {}", folder.join("report.html").display());

    // A kernel computes the force too, with the same bits.
    let on_cpu = polhode::run(&study("cpu", "f32")?, &RunOptions::new())?.table("instances")?;
    match polhode::run(&study("gpu", "f32")?, &RunOptions::new()) {
        Ok(results) => {
            let same = results.table("instances")? == on_cpu;
            println!(
                "{}: {}",
                results.manifest().device,
                if same { "every bit as on the CPU" } else { "other bits than on the CPU" }
            );
        }
        Err(error) => println!("not run on a GPU: {error}"),
    }
    Ok(())
}
