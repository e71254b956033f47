//! Modes where rounding is apt to make differences that the mechanism does not have: losses that
//! hardly slow a spin, repeated eigenvalues, zeros without a second vector, systems without
//! damping, places far from the origin.

use nalgebra::{Complex, DMatrix, SVD};
use polhode::model::vibration::{Mode, Stability};
use polhode::study::steady::SteadyFound;

use super::common::tolerances::{KEPT_SPIN, MODE, MODE_OF_DOUBLE_ROOT, SHAPE};
use super::modes::{all, only, study};

fn body(name: &str, mass: f64, inertia: [f64; 3], start: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nmass = {mass:?}\ninertia = {inertia:?}\n{start}\n")
}

/// A start on the x axis, turning about z through the origin.
fn turning(x: f64, rate: f64) -> String {
    format!(
        "initial = {{ position = [{x:e}, 0, 0], velocity = [0, {:e}, 0], \
         angular_velocity = [0, 0, {rate:e}] }}",
        x * rate
    )
}

fn wheel(damping: f64) -> String {
    format!(
        "[[wheel]]\nname = \"w\"\nbody = \"sat\"\naxis = [0, 0, 1]\ninertia = 0.1\nspeed = 200\n\
         damping = {damping:e}\n"
    )
}

/// A satellite nutates by its wheel, `h / sqrt(A B)`, whatever friction does not slow the wheel in
/// many periods. It had one mode without frequency, and no remark, at any friction.
#[test]
fn friction_of_a_wheel_in_a_free_body_leaves_the_nutation() {
    let satellite = |damping: f64| body("sat", 100.0, [30.0, 28.0, 35.0], "") + &wheel(damping);
    let nutation = 20.0 / (30.0f64 * 28.0).sqrt();
    for (damping, remarks) in [(1e-9, 0), (1e-5, 1)] {
        let found = only("kind = \"modes\"", &satellite(damping));
        let vibrating: Vec<f64> = frequencies(&found);
        assert_eq!(vibrating.len(), 1, "{vibrating:?}");
        assert!((vibrating[0] / nutation - 1.0).abs() < KEPT_SPIN, "{vibrating:?} {nutation}");
        assert_eq!(found.remarks.len(), remarks, "{:?}", found.remarks);
    }
    let found = only("kind = \"modes\"", &satellite(1.0));
    assert!(frequencies(&found).is_empty());
    assert!(found.remarks[0].contains("come to rest"), "{:?}", found.remarks);
}

fn frequencies(found: &SteadyFound) -> Vec<f64> {
    found.vibrations.modes.iter().map(|mode| mode.eigenvalue.im).filter(|rate| *rate > 0.0).collect()
}

/// A dual-spin satellite with a ball in a damped tube, its rotor a body or a wheel: losses on the
/// fast side make its nutation grow, with friction in the bearing as without. With friction it
/// decayed by 0.0025 1/s, the rotor being left out.
#[test]
fn friction_of_a_rotor_in_a_turning_body_leaves_its_instability() {
    let start = "initial = { angular_velocity = [0, 0, 2] }";
    let ball = body("ball", 2.0, [1e-8; 3], "")
        + "[[joint]]\nname = \"tube\"\nkind = \"translational\"\nbodies = [\"sat\", \"ball\"]\n\
           points = [[0.8, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\n[[joint_spring]]\nname = \"s\"\n\
           joint = \"tube\"\nstiffness = 5\ndamping = 0.4\n";
    let of_body = |damping: f64| {
        let bearing = if damping == 0.0 {
            String::new()
        } else {
            format!("[[joint_spring]]\nname = \"bd\"\njoint = \"ax\"\ndamping = {damping:e}\n")
        };
        body("sat", 97.0, [29.95, 27.95, 35.0], start)
            + &body("rotor", 3.0, [0.05, 0.05, 0.1], "")
            + "[[joint]]\nname = \"ax\"\nkind = \"revolute\"\nbodies = [\"sat\", \"rotor\"]\n\
               points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\nangular_velocity = -200\n"
            + &ball
            + &bearing
    };
    let of_wheel = |damping: f64| {
        body("sat", 100.0, [30.0, 28.0, 35.0], start)
            + &ball
            + &wheel(damping).replace("speed = 200", "speed = -200")
    };
    let growth = |mechanism: &str| {
        let found = only("kind = \"modes\"\nrotation = \"sat\"", mechanism);
        assert_eq!(found.vibrations.stability, Stability::Unstable, "{:?}", found.remarks);
        found.vibrations.growth
    };
    let without = growth(&of_body(0.0));
    for mechanism in [of_body(1e-8), of_body(1e-6), of_wheel(0.0), of_wheel(1e-6)] {
        let found = growth(&mechanism);
        assert!((found / without - 1.0).abs() < 10.0 * KEPT_SPIN, "{found} {without}");
    }
}

fn tethered(main: [f64; 3], tip: [f64; 3]) -> String {
    body("main", 5.0, main, &turning(-4.0 / 7.0, 1.0))
        + &body("tip", 2.0, tip, &turning(10.0 / 7.0, 1.0))
        + "[[spring]]\nname = \"tether\"\nbodies = [\"main\", \"tip\"]\n\
           points = [[0, 0, 0], [0, 0, 0]]\nstiffness = 100\nfree_length = 2\n"
}

/// Two bodies on a spring turn about their centre by w: they stretch with `lambda² = -(k/mu + 3
/// w²)`, the whole turning back by 2 w/lambda, and do not tilt. Cubes had `main.rotation.x` as the
/// largest entry, and share 0.004 of the tip for 5/7.
#[test]
fn a_tether_stretches_without_tilting_its_ends() {
    let rate = (100.0 * 7.0 / 10.0 + 3.0f64).sqrt();
    for inertia in [[1.0, 2.0, 3.0], [1.0; 3], [2.0, 2.0, 3.0]] {
        let found = only("kind = \"modes\"\nrotation = \"main\"", &tethered(inertia, inertia));
        let modes = found.vibrations.modes.iter();
        let mode = modes.max_by(|a, b| a.natural().total_cmp(&b.natural())).unwrap();
        assert!((mode.eigenvalue - Complex::new(0.0, rate)).norm() < MODE * rate, "{}", mode.eigenvalue);
        assert!((mode.shares[1] - 5.0 / 7.0).abs() < SHAPE, "{inertia:?}: {:?}", mode.shares);
        let along = mode.shape[9];
        let turned =
            [0, 1, 2, 6, 7, 8].map(|k| (mode.shape[k] / along).norm()).into_iter().fold(0.0, f64::max);
        assert!(turned < SHAPE, "{inertia:?}: {:?}", mode.shape);
        assert!(((mode.shape[10] / along).im.abs() - 2.0 / rate).abs() < SHAPE, "{:?}", mode.shape);
    }
}

/// Shapes of one eigenvalue span its space: both tilts of ends and that of the orbit, all with w.
/// Two of the three were the same to all digits; of cubes all three.
#[test]
fn modes_of_one_frequency_have_shapes_of_their_own() {
    for (main, tip) in [([1.0, 2.0, 2.5], [1.0, 2.1, 2.6]), ([1.0; 3], [1.0; 3])] {
        let found = only("kind = \"modes\"\nrotation = \"main\"", &tethered(main, tip));
        let modes = found.vibrations.modes.iter();
        let tilts: Vec<&Mode> =
            modes.filter(|mode| (mode.eigenvalue - Complex::i()).norm() < MODE_OF_DOUBLE_ROOT).collect();
        assert_eq!(tilts.len(), 3, "{main:?}");
        let shapes = DMatrix::from_fn(tilts[0].shape.len(), 3, |i, k| {
            let size = tilts[k].shape.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt();
            tilts[k].shape[i] / size
        });
        let least = SVD::new(shapes, false, false).singular_values.min();
        assert!(least > 0.1, "{main:?}: {least}");
        // Nothing couples the three: each is of one body, or of the orbit.
        let largest = |mode: &&Mode| mode.shares.iter().copied().fold(0.0, f64::max);
        let mut shares: Vec<f64> = tilts.iter().map(largest).collect();
        shares.sort_by(f64::total_cmp);
        let off = shares.iter().zip([5.0 / 7.0, 1.0, 1.0]).map(|(share, known)| (share - known).abs());
        assert!(off.fold(0.0, f64::max) < SHAPE, "{main:?}: {shares:?}");
    }
}

/// Along its orbit and about its axis nothing resists a satellite: zeros without a second vector,
/// which rounding parted by 2e-8 of the orbit's rate for 15 masses of 20.
#[test]
fn a_satellite_on_its_orbit_is_neutral_whatever_it_weighs() {
    let (mu, radius): (f64, f64) = (3.986004418e14, 7e6);
    let rate = (mu / radius.powi(3)).sqrt();
    for mass in (1..=20).map(|k| 10.0 * f64::from(k)) {
        let text = body("sat", mass, [20.0, 40.0, 45.0], &turning(radius, rate))
            + &format!(
                "[[load]]\nname = \"pull\"\nbody = \"sat\"\nkind = \"force\"\naxes = \"space\"\n\
                 function = \"-{:e}/norm(sat.position)^3*sat.position\"\n",
                mass * mu
            );
        let found = only("kind = \"modes\"\nrotation = \"sat\"", &text);
        let vibrations = &found.vibrations;
        assert_eq!((vibrations.rigid, vibrations.growth), (2, 0.0), "{mass}: {:?}", vibrations.modes);
        assert_eq!(vibrations.stability, Stability::Neutral);
    }
}

/// Nothing resists the angle of a shaft that turns freely with a pendulum. Rounding made a mode of
/// 1e-7 Hz of it at 16 rates of 45.
#[test]
fn a_freely_turning_shaft_has_its_rigid_motion_at_any_rate() {
    for rate in (0..45).map(|k| 0.5 + 5.5 * f64::from(k) / 44.0) {
        let text = "gravity = 9.81\n".to_string()
            + &body("sh", 1.0, [0.1; 3], "")
            + &body("pend", 2.0, [0.03, 0.02, 0.01], "")
            + &format!(
                "[[joint]]\nname = \"s\"\nkind = \"revolute\"\nbodies = [\"ground\", \"sh\"]\n\
                 points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\nangular_velocity = {rate}\n\
                 [[joint]]\nname = \"p\"\nkind = \"revolute\"\nbodies = [\"sh\", \"pend\"]\n\
                 points = [[0.2, 0, 0], [0, 0, 0.5]]\naxes = [0, -1, 0]\nangle = 0.1\n"
            );
        let found = only("kind = \"modes\"\nrotation = \"sh\"", &text);
        let vibrations = &found.vibrations;
        assert_eq!((vibrations.rigid, vibrations.modes.len()), (1, 1), "{rate}: {:?}", vibrations.modes);
        assert_eq!(vibrations.stability, Stability::Neutral);
    }
}

/// Springs without damping carry a rotor: all eigenvalues are on the imaginary axis, however fast
/// it spins. It was unstable at 18 rates of 60, from 4000 rad/s on.
#[test]
fn an_undamped_rotor_does_not_grow_at_any_rate() {
    for rate in (0..20).map(|k| 1e3 * 20f64.powf(f64::from(k) / 19.0)) {
        let text = body("house", 10.0, [0.3, 0.4, 0.5], "")
            + &body("rotor", 5.0, [0.05, 0.05, 0.08], "")
            + &format!(
                "[[bushing]]\nname = \"m\"\nbodies = [\"ground\", \"house\"]\n\
                 points = [[0, 0, 0], [0, 0, 0]]\nstiffness = 1e4\ntorsional_stiffness = [300, 200, 500]\n\
                 [[joint]]\nname = \"ax\"\nkind = \"revolute\"\nbodies = [\"house\", \"rotor\"]\n\
                 points = [[0, 0, 0.1], [0, 0, 0]]\naxes = [0, 0, 1]\nangular_velocity = {rate:?}\n"
            );
        let found = only("kind = \"modes\"", &text);
        let vibrations = &found.vibrations;
        assert_eq!((vibrations.growth, vibrations.rigid), (0.0, 1), "{rate}: {:?}", vibrations.modes);
        assert_eq!(vibrations.modes.len(), 6, "{rate}");
    }
}

/// Two satellites on a tether librate with sqrt 3 and 2 times the orbit's rate, 7000 km from the
/// middle of the earth: rounding of places times the tether's stiffness is no load that does not
/// turn along. From 2 N/m on most were refused.
#[test]
fn a_tether_on_its_orbit_turns_with_its_loads() {
    let (mu, radius, long): (f64, f64, f64) = (3.986004418e14, 7e6, 1e3);
    let rate = (mu / radius.powi(3)).sqrt();
    let load = |name: &str, mass: f64| {
        format!(
            "[[load]]\nname = \"pull_{name}\"\nbody = \"{name}\"\nkind = \"force\"\n\
             axes = \"space\"\nfunction = \"-{:e}/norm({name}.position)^3*{name}.position\"\n",
            mass * mu
        )
    };
    for stiffness in [0.5, 2.0, 10.0, 50.0, 500.0] {
        let text = body("main", 1000.0, [100.0; 3], &turning(radius, rate))
            + &body("tip", 10.0, [1.0; 3], &turning(radius + long, rate))
            + &load("main", 1000.0)
            + &load("tip", 10.0)
            + &format!(
                "[[spring]]\nname = \"tether\"\nbodies = [\"main\", \"tip\"]\n\
                 points = [[0, 0, 0], [0, 0, 0]]\nstiffness = {stiffness:?}\nfree_length = {long:?}\n"
            );
        let found = all(&study("kind = \"modes\"\nrotation = \"main\"", &text)).remove(0);
        let found = found.unwrap_or_else(|(_, why)| panic!("{stiffness} N/m: {why}"));
        let shares: Vec<f64> = frequencies(&found).iter().map(|found| found / rate).collect();
        for known in [3f64.sqrt(), 2.0] {
            assert!(shares.iter().any(|share| (share - known).abs() < 0.01), "{stiffness}: {shares:?}");
        }
        assert_ne!(found.vibrations.stability, Stability::Unstable, "{stiffness} N/m: {shares:?}");
        let mode = found.vibrations.modes.iter().max_by(|a, b| a.natural().total_cmp(&b.natural())).unwrap();
        assert!((mode.shares[1] - 100.0 / 101.0).abs() < 1e-3, "{stiffness} N/m: {:?}", mode.shares);
    }
}
