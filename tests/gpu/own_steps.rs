//! Steps that every instance chooses for itself: the same bits everywhere, whatever stands beside
//! it; errors that follow the tolerance; the reference's own steps; stiffness over decades; locks
//! that are met at their time; and instances that find no step.

use crate::common::engine::{Outcome, Ready, assert_same};
use crate::common::judged::{reference, worst};
use crate::common::slope;
use crate::common::tolerances::{
    OWN_STEP_IMPACT, OWN_STEPS_OF_BOTH, OWN_STEPS_OF_DECADES, OWN_STEPS_OF_JUMPS, OWN_STEPS_OF_STOPS,
    OWN_STEPS_SLOPE,
};
use crate::folding::read;
use fearless_simd::Level;
use polhode::base::Precision;
use polhode::describe::Study;
use polhode::observe::{Verdict, channels};
use polhode::reference::State;

const METHODS: [&str; 2] = ["tsit5", "dop853"];

/// A body on two springs, pushed about by a load that jumps and by one of time: it turns and swings
/// in all directions.
pub fn swinging(method: &str, tolerance: f64, step: f64, size: u64) -> Study {
    let loads = "[[mechanism.load]]\nname = \"wind\"\nbody = \"body\"\nkind = \"force\"\naxes = \"space\"\n\
                 pieces = [{ until = \"1 s\", value = [1, 0, 0] }]\n\
                 [[mechanism.load]]\nname = \"shake\"\nbody = \"body\"\nkind = \"torque\"\naxes = \"body\"\n\
                 function = [\"0.2 * sin(7 * t)\", 0, 0]\n";
    swinging_under(method, tolerance, step, size, loads)
}

/// The body of [`swinging`] under loads that jump inside steps of the study, twice in some, and at
/// their ends: those by pieces, one of a drawn value, and functions of time, one a pulse that is
/// short beside the steps.
pub fn struck(method: &str, tolerance: f64, step: f64, size: u64) -> Study {
    let loads = "[[mechanism.load]]\nname = \"wind\"\nbody = \"body\"\nkind = \"force\"\naxes = \"space\"\n\
                 pieces = [{ until = \"0.313 s\", value = [1, 0, 0] }, \
                 { from = \"0.35 s\", until = \"1 s\", value = [-2, 3, 0] }, \
                 { from = \"1.9 s\", value = [0, 9, 0] }]\n\
                 [[mechanism.load]]\nname = \"push\"\nbody = \"body\"\nkind = \"torque\"\naxes = \"body\"\n\
                 function = [\"0.2 * sin(7 * t)\", \"5 * step(t - 0.777) * step(0.7775 - t)\", \
                 \"1 - 2 * step(t - 1.5)\"]\n";
    swinging_under(method, tolerance, step, size, loads)
}

fn swinging_under(method: &str, tolerance: f64, step: f64, size: u64, loads: &str) -> Study {
    read(&format!(
        "method = {{ name = \"{method}\", tolerance = {tolerance:e}, step = {step:?}, duration = 2 }}\n\
         [ensemble]\nsize = {size}\nseed = 5\n[ensemble.vary]\n\
         \"body.angular_velocity\" = {{ normal = {{ mean = [1, 2, 0.5], std = 0.5 }} }}\n\
         \"body.attitude\" = \"uniform\"\n\"first.stiffness\" = {{ log_uniform = {{ low = 20, \
         high = 400 }} }}\n\
         [observe]\nevery = \"{step:?} s\"\n[run]\nfused = false\n[mechanism]\ngravity = [0, 0, -9.81]\n\
         [[mechanism.body]]\nname = \"body\"\nmass = 2\ninertia = [0.3, 0.5, 0.7]\n\
         [[mechanism.spring]]\nname = \"first\"\nbodies = [\"ground\", \"body\"]\n\
         points = [[0, 0, 2], [0.3, 0, 0.1]]\nstiffness = 50\ndamping = 0.5\nfree_length = 1\n\
         [[mechanism.spring]]\nname = \"second\"\nbodies = [\"ground\", \"body\"]\n\
         points = [[1, 1, 2], [0, -0.3, 0]]\nstiffness = 60\nfree_length = 1\n\
         {loads}"
    ))
}

/// Two arms under gravity, joined to ground and each other.
pub fn arms(method: &str, tolerance: f64, size: u64) -> Study {
    read(&format!(
        "method = {{ name = \"{method}\", tolerance = {tolerance:e}, step = 0.5, duration = 2 }}\n\
         [ensemble]\nsize = {size}\nseed = 5\n[ensemble.vary]\n\
         \"upper.mass\" = {{ uniform = {{ low = 0.5, high = 2 }} }}\n\
         [verdict]\nconstraint = \"none\"\nenergy = \"none\"\n\
         [observe]\nevery = \"0.5 s\"\n[run]\nfused = false\n[mechanism]\ngravity = [0, 0, -9.81]\n\
         [[mechanism.body]]\nname = \"upper\"\nmass = 1\ninertia = [0.01, 0.08, 0.09]\n\
         initial = {{ position = [0.5, 0, 0] }}\n\
         [[mechanism.body]]\nname = \"lower\"\nmass = 1\ninertia = [0.01, 0.08, 0.09]\n\
         [[mechanism.joint]]\nname = \"shoulder\"\nkind = \"spherical\"\nbodies = [\"ground\", \"upper\"]\n\
         points = [[0, 0, 0], [-0.5, 0, 0]]\n\
         [[mechanism.joint]]\nname = \"elbow\"\nkind = \"revolute\"\nbodies = [\"upper\", \"lower\"]\n\
         points = [[0.5, 0, 0], [-0.5, 0, 0]]\naxes = [0, 1, 0]\n"
    ))
}

/// An arm that swings into a latch, which lets go of it again if it is pushed hard enough.
pub fn latch(method: &str, tolerance: f64, release: f64, size: u64) -> Study {
    read(&format!(
        "method = {{ name = \"{method}\", tolerance = {tolerance:e}, step = 0.05, duration = 0.6 }}\n\
         [ensemble]\nsize = {size}\nseed = 5\n[ensemble.vary]\n\
         \"arm.mass\" = {{ uniform = {{ low = 0.9, high = 1.1 }} }}\n\
         [observe]\nevery = \"0.05 s\"\n[run]\nfused = false\n[mechanism]\ngravity = 0\n\
         [[mechanism.body]]\nname = \"arm\"\nmass = 1\ninertia = [0.001, 0.02, 0.02]\n\
         [[mechanism.joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"ground\", \"arm\"]\n\
         points = [[0, 0, 0], [-0.1, 0, 0]]\naxes = [0, 0, 1]\nangle = \"-20 deg\"\nangular_velocity = 2\n\
         [[mechanism.lock]]\nname = \"latch\"\njoint = \"hinge\"\nat = 0\nrelease = {release:?}\n\
         [[mechanism.load]]\nname = \"push\"\nbody = \"arm\"\nkind = \"torque\"\naxes = \"body\"\n\
         function = [0, 0, \"0.5 * t\"]\n"
    ))
}

fn counts(ready: &Ready, outcome: &Outcome) -> Vec<[f64; 2]> {
    let rows = ready.observe(outcome, &[channels::OWN_STEPS, channels::REJECTED_STEPS]);
    rows.iter().map(|row| [row[0], row[1]]).collect()
}

#[test]
fn all_backends_choose_the_same_steps() {
    for method in METHODS {
        for study in [
            swinging(method, 1e-5, 0.25, 150),
            struck(method, 1e-5, 0.25, 70),
            arms(method, 1e-5, 70),
            latch(method, 1e-5, 0.15, 70),
        ] {
            let ready = Ready::new(study);
            for precision in [Precision::F32, Precision::F64, Precision::F32Compensated] {
                let cpu = ready.on_cpu(precision, 1);
                let what = format!("{method}, {:?}, {precision:?}", ready.study.mechanism.bodies[0].name);
                assert_eq!(cpu.count(Verdict::Finished), ready.size(), "{what}");
                let counts = counts(&ready, &cpu);
                assert!(counts.iter().all(|[taken, _]| *taken > 10.0), "{what}: {counts:?}");
                assert!(counts.iter().any(|count| *count != counts[0]), "{what}: all take the same steps");
                let mut interpreted = ready.interpreted(precision, Level::new(), false);
                assert_same(&what, &cpu, &ready.run(&mut *interpreted, 0, ready.size()));
                assert_same(&what, &cpu, &ready.on_cpu(precision, 2));
                assert_same(&what, &cpu, &ready.on_gpu(precision));
            }
        }
    }
}

/// Instance by instance: whoever stands beside one has no say in its steps.
#[test]
fn neighbours_have_no_say() {
    for (method, precision) in [
        ("tsit5", Precision::F32),
        ("dop853", Precision::F64),
        ("tsit5", Precision::F32Compensated),
        ("dop853", Precision::F32Compensated),
    ] {
        let ready = Ready::new(struck(method, 1e-5, 0.25, 90));
        let together = ready.on_cpu(precision, 1);
        for i in [0, 1, 17, 89] {
            let alone = ready.run(&mut *ready.cpu(precision, Level::new(), false), i, 1);
            assert_eq!(alone.state(0), together.state(i), "{method}, {i}");
        }
    }
}

/// The medians over instances of the largest error at the end, against the motion at a tolerance
/// far below.
fn errors(study: impl Fn(f64) -> Study, tolerances: &[f64]) -> Vec<(f64, f64)> {
    let channels = [channels::ATTITUDE, channels::ANGULAR_VELOCITY, channels::POSITION, channels::VELOCITY];
    let rows = |tolerance: f64| {
        let ready = Ready::new(study(tolerance));
        let outcome = ready.on_cpu(Precision::F64, 1);
        assert_eq!(outcome.count(Verdict::Finished), ready.size());
        ready.observe(&outcome, &channels)
    };
    let exact = rows(1e-13);
    let error = |tolerance: &f64| {
        let found = rows(*tolerance);
        let off =
            |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let mut all: Vec<f64> = found.iter().zip(&exact).map(off).collect();
        all.sort_by(f64::total_cmp);
        (*tolerance, all[all.len() / 2])
    };
    tolerances.iter().map(error).collect()
}

#[test]
fn errors_follow_the_tolerance() {
    for method in METHODS {
        for (name, study) in [
            (
                "swinging",
                Box::new(|tolerance| swinging(method, tolerance, 0.25, 15)) as Box<dyn Fn(f64) -> Study>,
            ),
            ("struck", Box::new(|tolerance| struck(method, tolerance, 0.25, 15))),
            ("arms", Box::new(|tolerance| arms(method, tolerance, 15))),
        ] {
            // Jumps cut steps that are longer: only shorter ones have the order of the method.
            let loosest = if name == "struck" { 1e-6 } else { 1e-4 };
            let errors = errors(study, &[1.0, 1e-1, 1e-2, 1e-3, 1e-4].map(|share| share * loosest));
            let found = slope(&errors);
            println!("{method}, {name}: slope {found:.2}, {errors:?}");
            assert!(
                (OWN_STEPS_SLOPE.0..OWN_STEPS_SLOPE.1).contains(&found),
                "{method}, {name}: {found} {errors:?}"
            );
            let largest = errors.iter().map(|(tolerance, error)| error / tolerance).fold(0.0, f64::max);
            assert!(largest < 1e4, "{method}, {name}: {errors:?}");
        }
    }
}

/// A free body of 1 kg under a force that jumps inside a step, by pieces, by a function of time,
/// and by a pulse of a thousandth of a step: an own step ends at each jump, and so nothing is
/// refused there and the path is that of constant forces.
#[test]
fn a_load_that_jumps_is_met_at_its_time() {
    for method in METHODS {
        let study = read(&format!(
            "method = {{ name = \"{method}\", tolerance = 1e-9, step = 1, duration = 4 }}\n[ensemble]\n\
             size = 1\n[run]\nfused = false\n\
             [mechanism]\ngravity = 0\n[[mechanism.body]]\nname = \"body\"\nmass = 1\ninertia = [1, 1, 1]\n\
             [[mechanism.load]]\nname = \"push\"\nbody = \"body\"\nkind = \"force\"\naxes = \"space\"\n\
             pieces = [{{ from = \"0.3 s\", until = \"1.7 s\", value = [2, 0, 0] }}]\n\
             [[mechanism.load]]\nname = \"kick\"\nbody = \"body\"\nkind = \"force\"\naxes = \"space\"\n\
             function = [0, \"3 * step(t - 0.7)\", \"500 * step(t - 2.25) * step(2.251 - t)\"]\n"
        ));
        let ready = Ready::new(study);
        let outcome = ready.on_cpu(Precision::F64, 1);
        let channels = [channels::POSITION, channels::OWN_STEPS, channels::REJECTED_STEPS];
        let [x, y, z, taken, rejected] = ready.observe(&outcome, &channels)[0][..] else { panic!() };
        let push =
            |force: f64, from: f64, until: f64| force * ((4.0 - from).powi(2) - (4.0 - until).powi(2)) / 2.0;
        let exact = [push(2.0, 0.3, 1.7), push(3.0, 0.7, 4.0), push(500.0, 2.25, 2.251)];
        let off = [x, y, z].iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("{method}: off by {off:.1e} m, {taken} steps, {rejected} rejected");
        assert!(off < OWN_STEPS_OF_JUMPS, "{method}: {x} {y} {z} m, not {exact:?}");
        // Growth from a 1024th of a step takes five or twelve, four steps four, jumps of pieces one
        // more and those of functions two.
        assert!(taken < 30.0 && rejected == 0.0, "{method}: {taken} steps, {rejected} rejected");
    }
}

/// A carriage of 1 kg at 2 m/s between stops of 10 kN/m, 0.4 m to both sides: five times it is sent
/// back by half a period of 100 rad/s. Where its force bends, with a damper jumps, steps are
/// refused until the estimate allows them: errors follow the tolerance all the same.
#[test]
fn stops_are_met_by_short_steps() {
    for method in METHODS {
        let run = |tolerance: f64, damping: f64| {
            let ready = Ready::new(read(&format!(
                "method = {{ name = \"{method}\", tolerance = {tolerance:e}, step = 0.5, duration = 2 }}\n\
                 ensemble.size = 1\n[run]\nfused = false\n\
                 [verdict]\nenergy = \"none\"\n[mechanism]\ngravity = 0\n[[mechanism.body]]\n\
                 name = \"carriage\"\nmass = 1\ninertia = [1, 1, 1]\n\
                 [[mechanism.joint]]\nname = \"slide\"\nkind = \"translational\"\n\
                 bodies = [\"ground\", \"carriage\"]\npoints = [[0, 0, 0], [0, 0, 0]]\n\
                 axes = [1, 0, 0]\nvelocity = 2\n\
                 [[mechanism.stop]]\nname = \"buffer\"\njoint = \"slide\"\nlow = -0.4\nhigh = 0.4\n\
                 stiffness = 1e4\ndamping = {damping:?}\n"
            )));
            let outcome = ready.on_cpu(Precision::F64, 1);
            let channels = [channels::DISPLACEMENT, channels::OWN_STEPS, channels::REJECTED_STEPS];
            let row = ready.observe(&outcome, &channels)[0].clone();
            (row[0], row[1], row[2])
        };
        let exact = [std::f64::consts::PI / 10.0, run(1e-13, 20.0).0];
        for (damping, exact) in [0.0, 20.0].into_iter().zip(exact) {
            let runs = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9].map(|tolerance| (tolerance, run(tolerance, damping)));
            let errors = runs.map(|(tolerance, (s, ..))| (tolerance, (s - exact).abs()));
            println!("{method}, {damping} N s/m: {errors:?}, {runs:?}");
            for (tolerance, error) in errors {
                assert!(
                    error < OWN_STEPS_OF_STOPS * tolerance,
                    "{method}, {damping} N s/m, {tolerance:e}: {error:e} m"
                );
            }
        }
    }
}

/// The twin chooses its steps by itself, and comes to the same ones: axes and origins of this body
/// are those in which errors are measured.
#[test]
fn the_reference_takes_the_same_steps() {
    for method in METHODS {
        for study in [swinging(method, 1e-7, 0.25, 20), struck(method, 1e-7, 0.25, 20)] {
            let ready = Ready::new(study);
            let references: Vec<State> = (0..ready.size()).map(|i| reference(&ready, i)).collect();
            let found = worst(&ready, &ready.on_cpu(Precision::F64, 1), &references);
            println!("{method}: {found:.1e}");
            assert!(found < OWN_STEPS_OF_BOTH, "{method}: {found:e}");
        }
    }
}

/// A mass on a spring of 10^0 to 10^6 N/m: every instance has the error that was asked for, and
/// pays for its own stiffness.
#[test]
fn every_instance_pays_for_its_own_stiffness() {
    let study = read(
        "method = { name = \"dop853\", tolerance = 1e-9, step = 1, duration = 2 }\n[ensemble]\nsize = 200\n\
         seed = 5\n\
         [ensemble.vary]\n\"spring.stiffness\" = { log_uniform = { low = 1, high = 1e6 } }\n[run]\n\
         fused = false\n\
         [mechanism]\ngravity = 0\n[[mechanism.body]]\nname = \"mass\"\nmass = 1\ninertia = [1, 1, 1]\n\
         initial = { position = [1.001, 0, 0] }\n\
         [[mechanism.spring]]\nname = \"spring\"\nbodies = [\"ground\", \"mass\"]\n\
         points = [[0, 0, 0], [0, 0, 0]]\nstiffness = 1\nfree_length = 1\n",
    );
    let ready = Ready::new(study);
    let outcome = ready.on_cpu(Precision::F64, 2);
    assert_eq!(outcome.count(Verdict::Finished), 200);
    let positions = ready.observe(&outcome, &[channels::POSITION]);
    let counts = counts(&ready, &outcome);
    let batch = ready.batch(0, 200);
    let stiffness = batch.parameters.iter().find(|plane| !plane.is_empty()).expect("one number varies");
    let mut effort = Vec::new();
    for ((position, [taken, _]), k) in positions.iter().zip(&counts).zip(stiffness) {
        let omega = k.sqrt();
        let exact = 1.0 + 1e-3 * (omega * 2.0).cos();
        assert!((position[0] - exact).abs() < OWN_STEPS_OF_DECADES, "{k} N/m: {} m", position[0] - exact);
        if omega > 30.0 {
            effort.push((omega, *taken));
        }
    }
    let growth = slope(&effort);
    // An amplitude of a velocity that grows with omega costs a little more than omega.
    assert!((0.9..1.3).contains(&growth), "steps grow with omega^{growth}");
    let (least, most) = counts.iter().fold((f64::INFINITY, 0.0f64), |(a, b), [n, _]| (a.min(*n), b.max(*n)));
    assert!(most > 50.0 * least, "{least} to {most} steps");
}

/// Inertia about the hinge 0.02 + 0.01 kg m²: the arm is caught where its angle, and let go when
/// the push, says so.
#[test]
fn a_lock_is_met_at_its_time() {
    for method in METHODS {
        let never = f64::INFINITY;
        let loose = [(1e-6, 0.15), (1e-9, 0.15), (1e-9, never)];
        let tight = [(1e-12, 0.15), (1e-12, never), (1e-13, 0.15), (1e-13, never)];
        for (tolerance, release) in loose.into_iter().chain(tight) {
            let mut study = latch(method, tolerance, if release.is_finite() { release } else { 1e6 }, 1);
            study.ensemble.vary.clear();
            let ready = Ready::new(study);
            let outcome = ready.on_cpu(Precision::F64, 1);
            assert_eq!(outcome.count(Verdict::Finished), 1, "{method}, {tolerance:e}");
            let channels = [channels::CAUGHT, channels::RELEASED, channels::ANGLE, channels::ANGLE_RATE];
            let [caught, released, angle, rate] = ready.observe(&outcome, &channels)[0][..] else { panic!() };
            // -20 deg + 2 t + 0.5 t³ / (6 J) = 0, by Newton's method.
            let inertia = 0.02 + 1.0 * 0.1f64.powi(2);
            let mut t = 0.15;
            for _ in 0..20 {
                let angle = -20f64.to_radians() + 2.0 * t + 0.5 * f64::powi(t, 3) / (6.0 * inertia);
                t -= angle / (2.0 + 0.25 * t * t / inertia);
            }
            let what =
                format!("{method}, {tolerance:e}: caught {caught} of {t}, released {released}, {angle} rad");
            println!("{what}, {rate} rad/s");
            // No attempt that ends at a lock is shorter than this.
            let tolerance = f64::max(tolerance, 6e-13);
            // The lock's time is found on a line through the ends of its step.
            assert!((caught - t).abs() < OWN_STEP_IMPACT * tolerance, "{what}");
            if release.is_finite() {
                assert!((released - 0.3).abs() < OWN_STEP_IMPACT * tolerance, "{what}");
                let left = 0.5 * (0.6f64.powi(3) - 0.3f64.powi(3)) / 6.0 - 0.5 * 0.3f64.powi(2) / 2.0 * 0.3;
                assert!(
                    (angle - left / inertia).abs() < 10.0 * OWN_STEP_IMPACT * tolerance,
                    "{what}: {}",
                    left / inertia
                );
            } else {
                assert!(
                    released.is_nan() && angle.abs() < OWN_STEP_IMPACT * tolerance && rate.abs() < 1e-9,
                    "{what} {rate}"
                );
            }
        }
    }
}

/// The shortest share of a step, in single precision 1e-6, bounds how closely a catch is met: a
/// tolerance below it, or little above, ends no instance.
#[test]
fn a_lock_is_met_by_tolerances_below_the_shortest_step() {
    for (precision, tolerances) in [
        (Precision::F32, [3e-6, 1e-6, 1e-7]),
        (Precision::F32Compensated, [3e-6, 1e-6, 1e-7]),
        (Precision::F64, [5e-13, 2e-13, 1e-13]),
    ] {
        for tolerance in tolerances {
            let ready = Ready::new(latch("tsit5", tolerance, 0.15, 20));
            let cpu = ready.on_cpu(precision, 1);
            let what = format!("{precision:?}, {tolerance:e}");
            assert_eq!(cpu.count(Verdict::Finished), ready.size(), "{what}");
            let caught = ready.observe(&cpu, &[channels::CAUGHT]);
            assert!(caught.iter().all(|row| (0.15..0.2).contains(&row[0])), "{what}: {caught:?}");
            let mut interpreted = ready.interpreted(precision, Level::new(), false);
            assert_same(&what, &cpu, &ready.run(&mut *interpreted, 0, ready.size()));
        }
    }
}

/// A body that turns so fast that its rates are no numbers finds no step, ends as `step_too_small`,
/// and harms no other.
#[test]
fn who_finds_no_step_is_told_so() {
    let text = |high: &str| {
        format!(
            "method = {{ name = \"tsit5\", tolerance = 1e-6, step = 0.1, duration = 1 }}\n[ensemble]\n\
             size = 70\nseed = 5\n\
             [ensemble.vary]\n\"body.angular_velocity.x\" = {{ log_uniform = {{ low = 1, \
             high = {high} }} }}\n[run]\nfused = false\n\
             [observe]\nevery = \"0.1 s\"\n[mechanism]\n[[mechanism.body]]\nname = \"body\"\nmass = 1\n\
             inertia = [1, 2, 2.5]\ninitial = {{ angular_velocity = [1, 1, 1] }}\n"
        )
    };
    for precision in [Precision::F32, Precision::F64] {
        let ready = Ready::new(read(&text(if precision == Precision::F32 { "1e30" } else { "1e60" })));
        let cpu = ready.on_cpu(precision, 1);
        let stuck = cpu.count(Verdict::StepTooSmall);
        assert!(stuck > 20 && stuck < 70, "{stuck}");
        assert!(
            cpu.ends.iter().all(|end| matches!(end.verdict, Verdict::Finished | Verdict::StepTooSmall)),
            "{:?}",
            cpu.ends
        );
        assert_same("stuck", &cpu, &ready.on_gpu(precision));
    }
}
