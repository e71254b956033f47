//! Equilibria and modes against closed forms, against the reference's own small vibrations, and
//! against motions in time.

use crate::common::differences::Differences;
use crate::common::root;
use std::sync::atomic::AtomicBool;

use nalgebra::{Complex, DMatrix};
use polhode::base::Precision;
use polhode::describe::{Constraints, SteadyMotion, Study};
use polhode::model::vibration::{Mode, Stability};
use polhode::observe::Verdict;
use polhode::output::steady::SearchOutcome;
use polhode::reference::{Instance, accurate};
use polhode::study::Silent;
use polhode::study::steady::{SteadyFound, SteadyStudy};
use polhode::study_file::{mechanism_of_text, read_study, read_study_text};

use super::common::engine::Ready;
use super::common::tolerances::{BLADE, FITTED, MODE, MODE_OF_DOUBLE_ROOT, MODE_OF_REFERENCE, WHIRL};

const G: f64 = 9.81;

pub(super) fn study(table: &str, mechanism: &str) -> Study {
    let text = format!("[study]\n{table}\n[ensemble]\nsize = 1\n");
    read_study_text("study", &text, mechanism).unwrap_or_else(|problems| panic!("{problems}"))
}

fn about(study: &Study) -> SteadyMotion {
    study.kind.steady().expect("a steady state").clone()
}

/// All instances of a study, or why there is no equilibrium.
pub(super) fn all(study: &Study) -> Vec<Result<Box<SteadyFound>, (SearchOutcome, String)>> {
    let about = about(study);
    let ensemble = SteadyStudy::new(study, &about).unwrap_or_else(|error| panic!("{error}"));
    ensemble.all(&Silent, &AtomicBool::new(false)).into_iter().map(|outcome| outcome.found).collect()
}

pub(super) fn only(table: &str, mechanism: &str) -> Box<SteadyFound> {
    let found = all(&study(table, mechanism)).remove(0);
    found.unwrap_or_else(|(_, why)| panic!("{why}"))
}

/// Eigenvalues as (real, imaginary), the slowest first.
fn eigenvalues(found: &SteadyFound) -> Vec<(f64, f64)> {
    found.vibrations.modes.iter().map(|mode| (mode.eigenvalue.re, mode.eigenvalue.im)).collect()
}

/// Whether the eigenvalues are these, in any order.
fn assert_eigenvalues(found: &SteadyFound, known: &[(f64, f64)], tolerance: f64) {
    let mut left = eigenvalues(found);
    assert_eq!(left.len(), known.len(), "{left:?} {known:?}");
    for (re, im) in known {
        let size = re.hypot(*im);
        let at = left.iter().position(|(a, b)| (a - re).hypot(b - im) <= tolerance * size);
        let at = at.unwrap_or_else(|| panic!("no eigenvalue {re} + {im} i among {left:?}"));
        left.remove(at);
    }
}

fn pendulum(start: &str) -> String {
    format!(
        "gravity = \"{G} m/s^2\"\n[[body]]\nname = \"rod\"\nmass = 2\ninertia = [0.01, 0.3, 0.3]\n\
         centre_of_mass = [0.7, 0, 0]\n[[joint]]\nname = \"pivot\"\nkind = \"revolute\"\n\
         bodies = [\"ground\", \"rod\"]\npoints = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 1, 0]\n{start}\n"
    )
}

/// `omega² = m g d / (J + m d²)`, hanging; upright it topples with that rate.
#[test]
fn a_pendulum_hangs_or_topples_with_its_rate() {
    let rate = (2.0 * G * 0.7 / (0.3 + 2.0 * 0.49f64)).sqrt();
    for start in ["angle = \"60 deg\"", "angle = 0", "angle = \"100 deg\""] {
        let found = only("kind = \"modes\"", &pendulum(start));
        assert_eigenvalues(&found, &[(0.0, rate)], MODE);
        assert_eq!(found.vibrations.stability, Stability::Stable);
        assert!(found.equilibrium.residual < 1e-12, "{:e}", found.equilibrium.residual);
    }
    let found = only("kind = \"static\"", &pendulum("angle = \"-90 deg\""));
    assert_eigenvalues(&found, &[(rate, 0.0), (-rate, 0.0)], MODE);
    assert_eq!(found.vibrations.stability, Stability::Unstable);
}

/// Two equal rods of length l on hinges: `|K - omega² M| = 0`, `M = m l² [[4/3, 1/2], [1/2, 1/3]]`,
/// `K = m g l diag(3/2, 1/2)`.
#[test]
fn a_double_pendulum_has_its_two_frequencies() {
    let body = |name: &str, at: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [1e-3, {0}, {0}]\n\
             centre_of_mass = [0.5, 0, 0]\ninitial = {{ position = {at}, approximate = true }}\n",
            1.0 / 12.0
        )
    };
    let joint = |name: &str, bodies: &str, points: &str| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"revolute\"\nbodies = {bodies}\npoints = {points}\n\
             axes = [0, 1, 0]\n"
        )
    };
    let mechanism = format!(
        "gravity = \"{G} m/s^2\"\n{}{}{}{}",
        body("upper", "[0, 0, 0]"),
        body("lower", "[1, 0, 0]"),
        joint("shoulder", "[\"ground\", \"upper\"]", "[[0, 0, 0], [0, 0, 0]]"),
        joint("elbow", "[\"upper\", \"lower\"]", "[[1, 0, 0], [0, 0, 0]]")
    );
    let (a, b, c) = (4.0 / 3.0, 0.5, 1.0 / 3.0);
    let (k1, k2) = (1.5 * G, 0.5 * G);
    // (a c - b²) x² - (a k2 + c k1) x + k1 k2 = 0
    let (p, q, r) = (a * c - b * b, a * k2 + c * k1, k1 * k2);
    let root = (q * q - 4.0 * p * r).sqrt();
    let known = [(q - root) / (2.0 * p), (q + root) / (2.0 * p)].map(|square| (0.0, square.sqrt()));
    // It starts level, where weight pulls and nothing resists.
    assert_eigenvalues(&only("kind = \"modes\"", &mechanism), &known, MODE);
}

fn slider(forces: &str) -> String {
    format!(
        "[[body]]\nname = \"slider\"\nmass = 2\ninertia = [1, 1, 1]\n[[joint]]\nname = \"rail\"\n\
         kind = \"translational\"\n\
         bodies = [\"ground\", \"slider\"]\npoints = [[0, 0, 0], [0, 0, 0]]\naxes = [1, 0, 0]\n{forces}"
    )
}

/// `m s² + c s + k = 0`, below and above critical damping.
#[test]
fn a_damped_oscillator_has_the_roots_of_its_polynomial() {
    let spring = |c: f64| {
        format!(
            "[[joint_spring]]\nname = \"spring\"\njoint = \"rail\"\nstiffness = \"50 N/m\"\n\
             damping = \"{c} N s/m\"\n"
        )
    };
    let found = only("kind = \"modes\"", &slider(&spring(4.0)));
    assert_eigenvalues(&found, &[(-1.0, 24.0f64.sqrt())], MODE);
    assert!((found.vibrations.modes[0].damping_ratio() - 0.2).abs() < MODE);
    assert_eq!(found.vibrations.stability, Stability::Damped);
    let found = only("kind = \"modes\"", &slider(&spring(25.0)));
    let root = (12.5f64.powi(2) / 4.0 - 25.0).sqrt();
    assert_eigenvalues(&found, &[(-6.25 + root, 0.0), (-6.25 - root, 0.0)], MODE);
}

/// A controller's force on a filtered displacement: `(m s² + c s)(T s + 1) + k = 0`.
#[test]
fn a_law_with_a_state_has_the_roots_of_its_polynomial() {
    let law = "[constants]\nT = \"0.1 s\"\nk = \"50 N/m\"\nc = \"20 N s/m\"\n\
               [[state]]\nname = \"lagging\"\nunit = \"m\"\nrate = \"(rail.displacement - lagging)/T\"\n\
               [[load]]\nname = \"controller\"\nbody = \"slider\"\nkind = \"force\"\naxes = \"space\"\n\
               function = [\"-k*lagging - c*rail.displacement_rate\", 0, 0]\n";
    let found = only("kind = \"modes\"", &slider(law));
    for (re, im) in eigenvalues(&found) {
        let s = nalgebra::Complex::new(re, im);
        let left = (s * s * 2.0 + s * 20.0) * (s * 0.1 + 1.0) + 50.0;
        assert!(left.norm() < MODE * 50.0, "{s} {left}");
    }
    let roots = found.vibrations.modes.iter().map(|mode| if mode.eigenvalue.im > 0.0 { 2 } else { 1 });
    assert_eq!(roots.sum::<usize>(), 3);
}

fn spinning(inertia: [f64; 3], rate: [f64; 3]) -> String {
    format!(
        "[body]\nname = \"body\"\nmass = 3\ninertia = {inertia:?}\n[body.initial]\n\
         position = [0.3, -0.2, 0.1]\nangular_velocity = {rate:?}\n"
    )
}

/// About the middle axis a disturbance grows with `Omega sqrt((J3 - J2)(J2 - J1)/(J1 J3))`; about
/// the others the axis nutates with `Omega sqrt((J - Ja)(J - Jb)/(Ja Jb))` in the body.
#[test]
fn a_free_body_nutates_about_its_outer_axes_and_leaves_the_middle_one() {
    let (j, omega) = ([1.0, 2.0, 4.0], 5.0);
    for (axis, other) in [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])] {
        let mut rate = [0.0; 3];
        rate[axis] = omega;
        let found = only("kind = \"modes\"\nrotation = \"body\"", &spinning(j, rate));
        let [a, b] = other;
        let square = omega * omega * (j[axis] - j[a]) * (j[axis] - j[b]) / (j[a] * j[b]);
        let size = square.abs().sqrt();
        // The attitude against the turning axes has the rotation's own frequency besides: the axis
        // stands still elsewhere in space.
        let mut known = vec![(0.0, omega)];
        match square > 0.0 {
            true => known.push((0.0, size)),
            false => known.extend([(size, 0.0), (-size, 0.0)]),
        }
        assert_eigenvalues(&found, &known, MODE_OF_DOUBLE_ROOT);
        assert_eq!(found.vibrations.stability == Stability::Unstable, axis == 1);
    }
}

/// A sleeping top: in space its axis precesses with the roots of `A mu² - C Omega mu + m g l = 0`;
/// seen from axes that turn along, with `|mu - Omega|`. Below the critical rate `sqrt(4 A m g l)/C`
/// the roots are complex: it falls.
#[test]
fn a_sleeping_top_precesses_and_falls_below_its_critical_rate() {
    let (a, c, m, l) = (0.02, 0.005, 1.5, 0.1);
    let top = |omega: f64| {
        format!(
            "gravity = \"{G} m/s^2\"\n[body]\nname = \"top\"\nmass = {m}\ninertia = [{a}, {a}, {c}]\n\
             inertia_about = \"origin\"\n\
             centre_of_mass = [0, 0, {l}]\nsupport = \"fixed_point\"\n[body.initial]\n\
             angular_velocity = [0, 0, {omega}]\n"
        )
    };
    let critical = (4.0 * a * m * G * l).sqrt() / c;
    let omega = 1.5 * critical;
    let root = ((c * omega).powi(2) - 4.0 * a * m * G * l).sqrt();
    let known = [1.0, -1.0].map(|sign| (0.0, ((c * omega + sign * root) / (2.0 * a) - omega).abs()));
    let found = only("kind = \"modes\"\nrotation = \"top\"", &top(omega));
    assert_eigenvalues(&found, &known, MODE_OF_DOUBLE_ROOT);
    assert_eq!((found.vibrations.rigid, found.vibrations.stability), (1, Stability::Neutral));
    let omega = 0.5 * critical;
    let growth = (4.0 * a * m * G * l - (c * omega).powi(2)).sqrt() / (2.0 * a);
    let turning = (c * omega / (2.0 * a) - omega).abs();
    let found = only("kind = \"modes\"\nrotation = \"top\"", &top(omega));
    assert_eigenvalues(&found, &[(growth, turning), (-growth, turning)], MODE_OF_DOUBLE_ROOT);
    assert_eq!(found.vibrations.stability, Stability::Unstable);
}

/// A ball on a thread that a shaft turns stands at `cos theta = g/(l Omega²)`, and swings about it
/// with `Omega sin theta`, slower by the root of `m l²/(m l² + J)` for its own moment J.
#[test]
fn a_governor_swings_out_and_about_its_angle() {
    let (l, omega, j) = (0.5, 7.0f64, 1e-4);
    let mechanism = format!(
        "gravity = \"{G} m/s^2\"\n[constants]\nrate = \"{omega} rad/s\"\n\
         [[body]]\nname = \"shaft\"\nmass = 1\ninertia = [1, 1, 1]\n\
         [[body]]\nname = \"ball\"\nmass = 2\ninertia = [{j}, {j}, {j}]\ncentre_of_mass = [{l}, 0, 0]\n\
         [[joint]]\nname = \"bearing\"\nkind = \"revolute\"\nbodies = [\"ground\", \"shaft\"]\n\
         points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\n\
         [[joint]]\nname = \"pin\"\nkind = \"revolute\"\nbodies = [\"shaft\", \"ball\"]\n\
         points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 1, 0]\nangle = \"50 deg\"\n\
         [[generator]]\nname = \"motor\"\njoint = \"bearing\"\nvalue = \"rate*t\"\n"
    );
    let found = only("kind = \"modes\"\nrotation = \"shaft\"", &mechanism);
    let cosine = G / (l * omega * omega);
    let ball = &found.equilibrium.posture.motions[1];
    assert!((ball.r[2] + l * cosine).abs() < MODE, "{} {}", ball.r[2], l * cosine);
    let light = 2.0 * l * l / (2.0 * l * l + j);
    assert_eigenvalues(&found, &[(0.0, omega * ((1.0 - cosine * cosine) * light).sqrt())], MODE);
}

/// A ball with its mass centre a below its middle rocks with `omega² = m g a / (J + m (R - a)²)`
/// about both level axes; it may lie anywhere, turned anyhow about the vertical.
#[test]
fn a_loaded_ball_rocks_where_it_rolls() {
    let (m, j, radius, a) = (2.0, 0.01, 0.2, 0.05);
    let mechanism = format!(
        "gravity = \"{G} m/s^2\"\n[[body]]\nname = \"ball\"\nmass = {m}\ninertia = [{j}, {j}, {j}]\n\
         centre_of_mass = [0, 0, -{a}]\n\
         initial = {{ position = [0, 0, {radius}], attitude = {{ axis = [1, 0, 0], angle = \"20 deg\" }} }}\n\
         [[contact]]\nname = \"floor\"\nbody = \"ball\"\nkind = \"rolling\"\nradius = {radius}\n\
         normal = [0, 0, 1]\n"
    );
    let found = only("kind = \"modes\"", &mechanism);
    let rate = (m * G * a / (j + m * (radius - a) * (radius - a))).sqrt();
    assert_eigenvalues(&found, &[(0.0, rate), (0.0, rate)], MODE_OF_DOUBLE_ROOT);
}

/// The frequencies of a cantilever of n elements, dimensionless, and those of Euler and Bernoulli.
fn blade(elements: usize, eta: f64) -> Vec<f64> {
    let text = std::fs::read_to_string(root().join("mechanisms/rotating_blade.toml")).unwrap();
    let text = text.replace("elements = 20", &format!("elements = {elements}"));
    let text = text.replace("rate = \"6 rad/s\"", &format!("rate = \"{eta} rad/s\""));
    let found = only("kind = \"modes\"\nrotation = \"hub\"\ncount = 6", &text);
    let names = |mode: &Mode| {
        // Flapping is out of the plane of rotation: along z of the tip, the last node.
        let tip = mode.shape.len() - 6;
        let size = |k: usize| mode.shape[tip + 3 + k].norm();
        size(2) > size(1)
    };
    found.vibrations.modes.iter().filter(|mode| names(mode)).map(|mode| mode.eigenvalue.im).collect()
}

/// Wright, Smith, Thresher & Wang 1982, flapping, hub radius 0: (eta, three frequencies).
const WRIGHT: [(f64, [f64; 3]); 4] = [
    (0.0, [3.5160, 22.0345, 61.6972]),
    (3.0, [4.7973, 23.3203, 62.9850]),
    (6.0, [7.3604, 26.8091, 66.6839]),
    (12.0, [13.1702, 37.6031, 79.6145]),
];

/// Elements are of second order: from n and 2 n the limit follows, `(4 f_2n - f_n)/3`.
#[test]
fn a_rotating_blade_has_the_frequencies_of_wright() {
    for (eta, known) in WRIGHT {
        let (coarse, fine) = (blade(8, eta), blade(16, eta));
        for (k, known) in known.into_iter().enumerate().take(2) {
            let limit = (4.0 * fine[k] - coarse[k]) / 3.0;
            println!("eta {eta} mode {k}: {} {}, limit {limit}, known {known}", coarse[k], fine[k]);
            assert!((limit / known - 1.0).abs() < BLADE, "{limit} {known}");
        }
    }
    let [coarse, middle, fine] = [4, 8, 16].map(|elements| blade(elements, 0.0));
    for ((coarse, middle), fine) in coarse.iter().zip(&middle).zip(&fine).take(2) {
        let order = ((coarse - middle) / (middle - fine)).log2();
        assert!((order - 2.0).abs() < 0.1, "{order}");
    }
}

/// The engine's modes at rest are the reference's small vibrations, which it finds by differences
/// and by its own matrices: a boom of modes on a bushing, with a body on a beam element, and three
/// modes of one body.
#[test]
fn modes_of_shipped_mechanisms_are_those_of_the_reference() {
    for (file, table, rigid) in
        [("boom", "kind = \"modes\"\nat = \"9 s\"\ncount = 40", 6), ("vibration", "kind = \"modes\"", 6)]
    {
        let study = read_study(&root().join(format!("studies/{file}.toml")));
        let resolved =
            polhode::study_file::resolved_toml(&study.unwrap_or_else(|problems| panic!("{problems}")));
        let (_, mechanism) = resolved.split_once("[mechanism]").expect("it has a mechanism");
        // Damping moves frequencies, and the reference's are those without it.
        let lines = mechanism.lines().filter(|line| !line.contains("damping"));
        let mechanism: String =
            lines.map(|line| line.replace("[mechanism.", "[").replace("[[mechanism.", "[[") + "\n").collect();
        let study = self::study(table, &mechanism);
        let found = all(&study).remove(0).unwrap_or_else(|(_, why)| panic!("{file}: {why}"));
        let reference = Differences::of(&study.mechanism, &Constraints::default());
        assert_eq!(found.vibrations.rigid, rigid, "{file}");
        let engine: Vec<f64> = found.vibrations.modes.iter().map(Mode::natural).collect();
        assert_eq!(
            engine.len(),
            reference.frequencies.len(),
            "{file}: {engine:?} {:?}",
            reference.frequencies
        );
        for (engine, reference) in engine.iter().zip(&reference.frequencies) {
            assert!((engine / reference - 1.0).abs() < MODE_OF_REFERENCE, "{file}: {engine} {reference}");
        }
    }
}

/// Shipped flexible mechanisms move in time as their modes say, damping included: bending after a
/// small knock, as the accurate solution has it, is fitted by their frequencies and damping ratios,
/// and by none that are a thousandth off.
#[test]
fn modes_of_shipped_mechanisms_fit_their_motions_in_time() {
    /// Modal rate that the knock gives, so small that the modes keep their ratios in the accurate
    /// solution.
    const KNOCK: f64 = 1e-6;
    const SAMPLES: usize = 400;
    for (file, periods) in [("boom", 1.5), ("vibration", 6.0)] {
        let study = read_study(&root().join(format!("studies/{file}.toml")));
        let mut mechanism = study.unwrap_or_else(|problems| panic!("{problems}")).mechanism;
        mechanism.loads.clear();
        for flexible in mechanism.bodies.iter_mut().filter_map(|body| body.flexible.as_mut()) {
            flexible.amplitudes.fill(0.0);
            flexible.amplitude_rates.fill(0.0);
        }
        for body in &mut mechanism.bodies {
            (body.initial.velocity, body.initial.angular_velocity) = ([0.0; 3], [0.0; 3]);
        }
        let text =
            polhode::study_file::resolved_toml(&crate::common::study::study(mechanism.clone(), 1, 1e-3, 1));
        let (_, text) = text.split_once("[mechanism]").expect("it has a mechanism");
        let text = text.replace("[mechanism.", "[").replace("[[mechanism.", "[[");
        let found = all(&self::study("kind = \"modes\"\ncount = 40", &text)).remove(0);
        let found = found.unwrap_or_else(|(_, why)| panic!("{file}: {why}"));
        let roots: Vec<(f64, f64)> = eigenvalues(&found).into_iter().filter(|(_, im)| *im > 0.0).collect();

        let knocked = mechanism.bodies.iter().position(|body| body.flexible.is_some()).unwrap();
        let flexible = mechanism.bodies[knocked].flexible.as_mut().unwrap();
        let modes = flexible.amplitude_rates.len();
        flexible.amplitude_rates.iter_mut().enumerate().for_each(|(k, rate)| *rate = KNOCK / (k + 1) as f64);
        let slowest = roots.iter().map(|(_, im)| *im).fold(f64::INFINITY, f64::min);
        let end = periods * std::f64::consts::TAU / slowest;
        let times: Vec<f64> = (1..=SAMPLES).map(|k| end * k as f64 / SAMPLES as f64).collect();
        let run =
            accurate::run(&mechanism, &Instance::nominal(&mechanism), &times, accurate::TOLERANCE).unwrap();
        let bending =
            DMatrix::from_fn(SAMPLES, modes, |k, mode| run.states[k].bodies[knocked].amplitudes[mode]);
        // The least squares over all phases and sizes, of frequencies that are off by this share.
        let residual = |off: f64| {
            let basis = DMatrix::from_fn(SAMPLES, 2 * roots.len(), |k, column| {
                let (re, im) = roots[column / 2];
                let angle = im * (1.0 + off) * times[k];
                (re * times[k]).exp() * if column % 2 == 0 { angle.cos() } else { angle.sin() }
            });
            let fitted = &basis * basis.clone().svd(true, true).solve(&bending, 1e-12).unwrap();
            (fitted - &bending).norm() / bending.norm()
        };
        let (fitted, off) = (residual(0.0), residual(1e-3));
        println!(
            "{file}: {} modes, slowest {slowest} rad/s: {fitted:.1e}, off by a thousandth {off:.1e}",
            roots.len()
        );
        assert!(fitted < FITTED, "{file}: {fitted:e}");
        assert!(off > 100.0 * FITTED, "{file}: {off:e}");
    }
}

/// Spinning about its axis between its two frequencies of bending, a free beam whirls out (Wielenga
/// 1984, VII): the linearised growth is that of the motion in time, as the accurate solution has it
/// while the bending is small.
#[test]
fn a_whirl_grows_in_time_as_its_mode_says() {
    let text = std::fs::read_to_string(root().join("mechanisms/spinning_beam.toml")).unwrap();
    // So little that it is small all the time.
    let text = text
        .replace("[1e-5, 1e-5]", "[1e-9, 1e-9]")
        .replace("modal = \"", &format!("modal = \"{}/mechanisms/", root().display()));
    let study = self::study("kind = \"modes\"\nrotation = \"beam\"", &text);
    let found = all(&study).remove(0).unwrap_or_else(|(_, why)| panic!("{why}"));
    let growth = found.vibrations.growth;
    let instance = Instance::nominal(&study.mechanism);
    // After the parts that do not grow are small beside those that do.
    let times = [12.0 / growth, 14.8 / growth];
    let run = accurate::run(&study.mechanism, &instance, &times, accurate::TOLERANCE).unwrap();
    let size = |k: usize| run.states[k].bodies[0].amplitudes.iter().map(|x| x * x).sum::<f64>().sqrt();
    let measured = (size(1) / size(0)).ln() / (times[1] - times[0]);
    println!("growth {growth} 1/s, in time {measured} 1/s; bending {} and {}", size(0), size(1));
    assert!((measured / growth - 1.0).abs() < WHIRL, "{measured} {growth}");
}

/// A disc of 1 kg in springs on a shaft that turns, with damping c between them. In axes that turn,
/// `lambda² + (c + 2 i W) lambda + k - W² = 0`: a whirl grows above the critical rate, however fast
/// damping makes other modes. Without the shaft's bearing nothing resists six motions.
#[test]
fn slow_whirls_grow_beside_a_fast_damped_mode() {
    let body = |name: &str| format!("[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [1, 1, 1]\n");
    let points = "points = [[0, 0, 0], [0, 0, 0]]";
    let (k, c): (f64, f64) = (16.0, 0.1);
    let free = format!(
        "{}{}[[bushing]]\nname = \"springs\"\nbodies = [\"hub\", \"disc\"]\n{points}\n\
         stiffness = [1e8, {k}, {k}]\ntorsional_stiffness = [1e8, 1e8, 1e8]\n\
         damping = [1e7, {c}, {c}]\ntorsional_damping = [1e7, 1e7, 1e7]\n",
        body("hub"),
        body("disc")
    );
    for rate in [3.0f64, 4.01, 5.0] {
        let driven = format!(
            "{free}[[joint]]\nname = \"shaft\"\nkind = \"revolute\"\n\
             bodies = [\"ground\", \"hub\"]\n{points}\naxes = [1, 0, 0]\n\
             [[generator]]\nname = \"motor\"\njoint = \"shaft\"\nvalue = \"{rate}*t\"\n"
        );
        let found = only("kind = \"modes\"\nrotation = \"hub\"", &driven);
        let half = Complex::new(c / 2.0, rate);
        let root = (half * half - (k - rate * rate)).sqrt();
        for whirl in [root - half, -root - half] {
            let known = Complex::new(whirl.re, whirl.im.abs());
            let modes = found.vibrations.modes.iter().map(|mode| (mode.eigenvalue - known).norm());
            let off = modes.fold(f64::INFINITY, f64::min);
            println!("{rate} rad/s: {known} 1/s, off by {off:e}");
            assert!(off < MODE_OF_DOUBLE_ROOT * known.re.abs(), "{known} {:?}", eigenvalues(&found));
        }
        let stability = if rate < 4.0 { Stability::Damped } else { Stability::Unstable };
        assert_eq!((found.vibrations.rigid, found.vibrations.stability), (0, stability));
        assert!(found.remarks.is_empty(), "the disc only turns along: {:?}", found.remarks);
    }
    let found = only("kind = \"modes\"", &free);
    assert_eq!((found.vibrations.rigid, found.vibrations.stability), (6, Stability::Neutral));
}

/// Bodies whose rotations are left out are named together.
#[test]
fn rotations_that_are_left_out_are_one_remark() {
    let turning = |name: &str, rate: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [1, 2, 2.5]\n[[joint]]\nname = \"j{name}\"\n\
             kind = \"revolute\"\nbodies = [\"ground\", \"{name}\"]\npoints = [[0, 0, 0], [0, 0, 0]]\n\
             axes = [1, 0, 0]\nangular_velocity = {rate}\n"
        )
    };
    let found = only("kind = \"modes\"", &[turning("a", 3.0), turning("b", 4.0), turning("c", 0.0)].concat());
    let [remark] = &found.remarks[..] else { panic!("{:?}", found.remarks) };
    assert!(remark.contains("rotation of `a` and `b` at the start, up to 4 rad/s"), "{remark}");
}

fn hub_and_wheel(hub: &str, wheel: &str, rate: f64) -> String {
    format!(
        "[[body]]\nname = \"hub\"\nmass = 1\ninertia = {hub}\n[[body]]\nname = \"wheel\"\nmass = 1\n\
         inertia = {wheel}\n\
         [[joint]]\nname = \"axle\"\nkind = \"revolute\"\nbodies = [\"hub\", \"wheel\"]\n\
         points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\nangular_velocity = {rate}\n"
    )
}

/// A gyrostat at rest but for its wheel nutates with `h / sqrt(A B)`, A and B of both together; a
/// body of no revolution does not spin on.
#[test]
fn a_wheel_that_spins_makes_its_hub_nutate() {
    let found = only("kind = \"modes\"", &hub_and_wheel("[20, 30, 25]", "[0.05, 0.05, 0.1]", 100.0));
    assert_eigenvalues(&found, &[(0.0, 10.0 / (20.05f64 * 30.05).sqrt())], MODE);
    assert_eq!(found.vibrations.rigid, 6);
    let still = only("kind = \"modes\"", &hub_and_wheel("[20, 30, 25]", "[0.05, 0.06, 0.1]", 100.0));
    assert!(still.vibrations.modes.is_empty() && still.vibrations.rigid == 7, "{:?}", eigenvalues(&still));
}

/// A generator holds a spin that the start has; a start without it shares the generator's rate
/// among the bodies, and the reason for no equilibrium says how to give it.
#[test]
fn a_generator_holds_a_spin_that_its_joint_starts_with() {
    let spinning = hub_and_wheel("[20, 30, 25]", "[0.05, 0.05, 0.1]", 100.0)
        + "[[generator]]\nname = \"motor\"\njoint = \"axle\"\nvalue = \"100*t\"\n";
    let found = only("kind = \"modes\"\nat = \"0 s\"", &spinning);
    assert_eigenvalues(&found, &[(0.0, 10.0 / (20.05f64 * 30.05).sqrt())], MODE);
    let shared = spinning.replace("angular_velocity = 100\n", "");
    let why = all(&study("kind = \"modes\"\nat = \"0 s\"", &shared)).remove(0).err().map(|(_, why)| why);
    assert!(why.as_ref().is_some_and(|why| why.contains("if `angular_velocity` of its joint")), "{why:?}");
}

/// A gyrostat that turns about the axis of its wheel, with W = 2 rad/s, hub and wheel alike in its
/// rate relative to space: the free body's nutation with `C W + h` in place of `C W`.
#[test]
fn a_gyrostat_that_turns_nutates_by_all_its_momentum() {
    let text = hub_and_wheel("[20, 30, 25]", "[0.05, 0.05, 0.1]", 100.0).replace(
        "inertia = [20, 30, 25]",
        "inertia = [20, 30, 25]\ninitial = { angular_velocity = [0, 0, 2] }",
    );
    let found = only("kind = \"modes\"\nrotation = \"hub\"", &text);
    let (a, b, along, rate): (f64, f64, f64, f64) = (20.05, 30.05, 25.0 * 2.0 + 0.1 * 102.0, 2.0);
    let nutation: f64 = ((along - a * rate) * (along - b * rate) / (a * b)).sqrt();
    let slowest = eigenvalues(&found);
    println!("{slowest:?} {nutation}");
    assert!(
        slowest.iter().any(|(re, im)| re.abs() < 1e-9 && (im - nutation).abs() < 1e-9),
        "{slowest:?} {nutation}"
    );
}

/// That gyrostat with a wheel as an element, whose inertia across its axis is the body's: at
/// rest, and turning.
#[test]
fn a_wheel_as_an_element_makes_its_body_nutate_alike() {
    let text = |turning: &str| {
        format!(
            "[[body]]\nname = \"hub\"\nmass = 1\ninertia = [20.05, 30.05, 25]\n{turning}\
             [[wheel]]\nname = \"wheel\"\naxis = [0, 0, 1]\ninertia = 0.1\nspeed = 100\n"
        )
    };
    let (a, b): (f64, f64) = (20.05, 30.05);
    let found = only("kind = \"modes\"", &text(""));
    assert_eigenvalues(&found, &[(0.0, 10.0 / (a * b).sqrt())], MODE);
    let turning = text("initial = { angular_velocity = [0, 0, 2] }\n");
    let found = only("kind = \"modes\"\nrotation = \"hub\"", &turning);
    let (along, rate) = (25.0 * 2.0 + 0.1 * 102.0, 2.0);
    let nutation: f64 = ((along - a * rate) * (along - b * rate) / (a * b)).sqrt();
    let slowest = eigenvalues(&found);
    assert!(
        slowest.iter().any(|(re, im)| re.abs() < 1e-9 && (im - nutation).abs() < 1e-9),
        "{slowest:?} {nutation}"
    );
}

/// A motor drives a wheel against its friction in a body that oil holds back: the wheel is found
/// where both balance, whatever it starts with, and small motions have the roots of two
/// polynomials.
#[test]
fn a_driven_wheel_is_steady_where_friction_balances_its_motor() {
    let found = only(
        "kind = \"modes\"",
        "[[body]]\nname = \"hub\"\nmass = 1\ninertia = [20, 30, 25]\n[[wheel]]\nname = \"wheel\"\n\
         axis = [0, 0, 1]\n\
         inertia = 0.1\nspeed = 60\ndamping = 0.02\ntorque = \"2\"\n[[drag]]\nname = \"oil\"\n\
         angular_linear = 50\n",
    );
    let (a, b, c, j, damping, oil) = (20.0, 30.0, 25.0, 0.1, 0.02, 50.0);
    let h = j * 2.0 / damping;
    // x^2 + p x + q
    let roots = |p: f64, q: f64| {
        let root = (p * p / 4.0 - q).abs().sqrt();
        if p * p / 4.0 < q {
            vec![(-p / 2.0, root)]
        } else {
            vec![(-p / 2.0 + root, 0.0), (-p / 2.0 - root, 0.0)]
        }
    };
    let across = roots(oil / a + oil / b, (oil * oil + h * h) / (a * b));
    let along = roots(damping / j + (damping + oil) / c, damping * oil / (j * c));
    assert_eigenvalues(&found, &[across, along].concat(), MODE);
}

/// Bodies far smaller than the mechanism: a mass on a slide a metre away, a slide far from where it
/// starts, a steel ball of 8 mm on a hinge of 1 m.
#[test]
fn equilibria_are_found_whatever_the_size_of_bodies() {
    for (inertia, from, rest) in [(1e-3, 1.0, 0.2), (1e-4, 1.0, 0.2), (1e-9, 1.0, 0.2), (1e-6, 0.0, 50.0)] {
        let found = only(
            "kind = \"static\"",
            &format!(
                "[[body]]\nname = \"mass\"\nmass = 1\ninertia = [{inertia}, {inertia}, {inertia}]\n\
                 [[joint]]\nname = \"slide\"\n\
                 kind = \"translational\"\nbodies = [\"ground\", \"mass\"]\npoints = [[0, 0, 0], [0, 0, 0]]\n\
                 axes = [1, 0, 0]\n\
                 displacement = {from}\n[[joint_spring]]\nname = \"s\"\njoint = \"slide\"\nstiffness = 100\n\
                 rest = {rest}\n"
            ),
        );
        let place = found.equilibrium.posture.motions[0].r[0];
        assert!((place - rest).abs() < 1e-9 * rest, "{inertia} {from}: {place}");
    }
    for radius in [1e-2f64, 4e-3, 1e-4] {
        let mass = 7800.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
        let inertia = 0.4 * mass * radius * radius;
        let found = only(
            "kind = \"modes\"",
            &format!(
                "gravity = [0, 0, -9.81]\n[[body]]\nname = \"ball\"\nmass = {mass:e}\n\
                 inertia = [{inertia:e}, {inertia:e}, {inertia:e}]\n\
                 [[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"ground\", \"ball\"]\n\
                 points = [[0, 0, 0], [0, 0, 1]]\naxes = [0, 1, 0]\nangle = \"20 deg\"\n"
            ),
        );
        let rate = (G / (1.0 + 0.4 * radius * radius)).sqrt();
        assert_eigenvalues(&found, &[(0.0, rate)], 1e-6);
    }
}

/// Links of a chain that hangs from the ground, each from the end of the one before; they lie
/// along x at first.
fn chain(kind: &str, masses: &[f64]) -> String {
    let mut text = String::from("gravity = [0, 0, -9.81]\n");
    for (k, mass) in masses.iter().enumerate() {
        let (before, point) =
            if k == 0 { ("ground".into(), "[0, 0, 0]") } else { (format!("b{}", k - 1), "[0.5, 0, 0]") };
        let inertia = mass / 48.0;
        let axes = if kind == "fixed" { "" } else { "axes = [0, 1, 0]\n" };
        text += &format!(
            "[[body]]\nname = \"b{k}\"\nmass = {mass:e}\ninertia = [{inertia:e}, {inertia:e}, {inertia:e}]\n\
             centre_of_mass = [0.25, 0, 0]\n[[joint]]\nname = \"j{k}\"\nkind = \"{kind}\"\n\
             bodies = [\"{before}\", \"b{k}\"]\npoints = [{point}, [0, 0, 0]]\n{axes}"
        );
    }
    text
}

/// Hinged links of masses a million times apart are assembled as far as rounding lets them:
/// Newton's steps leave 1e-12 m.
#[test]
fn a_chain_of_masses_far_apart_is_assembled() {
    let masses: Vec<f64> = (0..10).map(|k| 10f64.powi(-(k % 7))).collect();
    let mechanism = mechanism_of_text("chain", &chain("revolute", &masses)).unwrap();
    let ready = Ready::new(crate::common::study::study(mechanism, 1, 1e-4, 1));
    assert_eq!(ready.on_cpu(Precision::F64, 1).ends[0].verdict, Verdict::Finished);
}

/// Sixteen straight beams welded in a row from the ground: an open chain has no singular position.
#[test]
fn a_row_of_welded_beams_hangs_without_a_singular_position() {
    let mut text = String::from("gravity = [0, 0, -9.81]\n");
    for k in 0..16 {
        let (before, point) =
            if k == 0 { ("ground".into(), "[0, 0, 0]") } else { (format!("b{}", k - 1), "\"end\"") };
        text += &format!(
            "[[body]]\nname = \"b{k}\"\n[body.flexible]\n\
             beam = {{ length = 0.1, mass = 0.1, polar_inertia = 1e-4, bending_stiffness = 1000, \
             modes_z = 1 }}\n[[joint]]\nname = \"weld{k}\"\nkind = \"fixed\"\n\
             bodies = [\"{before}\", \"b{k}\"]\npoints = [{point}, \"start\"]\n"
        );
    }
    let found = only("kind = \"static\"", &text);
    assert!(found.equilibrium.residual < 1e-6, "{:e}", found.equilibrium.residual);
}

/// A singular position is one where the rows of a loop depend on others, and do not beside it: not
/// the dead point of a crank, not a loop with a row too many everywhere.
#[test]
fn a_singular_position_is_told_where_there_is_one() {
    let bar = |name: &str, length: f64, at: [f64; 2], angle: f64| {
        let (x, y) = (at[0] + length / 2.0 * angle.cos(), at[1] + length / 2.0 * angle.sin());
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [0.01, 0.1, 0.1]\n\
             initial = {{ position = [{x:?}, {y:?}, 0], \
             attitude = {{ axis = [0, 0, 1], angle = {angle:?} }} }}\n"
        )
    };
    let hinge = |name: &str, bodies: [&str; 2], points: [[f64; 2]; 2]| {
        let [[a, b], [c, d]] = points;
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"revolute\"\nbodies = [\"{}\", \"{}\"]\n\
             points = [[{a:?}, {b:?}, 0], [{c:?}, {d:?}, 0]]\naxes = [0, 0, 1]\n",
            bodies[0], bodies[1]
        )
    };
    // Crank, coupler and rocker of these lengths on the ground of this length, from the angles of
    // their bars.
    let four_bar = |lengths: [f64; 3], ground: f64, angles: [f64; 3]| {
        let mut at = [0.0, 0.0];
        let mut text = String::new();
        for ((name, length), angle) in ["crank", "coupler", "rocker"].iter().zip(lengths).zip(angles) {
            text += &bar(name, length, at, angle);
            at = [at[0] + length * angle.cos(), at[1] + length * angle.sin()];
        }
        assert!((at[0] - ground).abs() < 1e-12 && at[1].abs() < 1e-12, "{at:?}");
        let [a, b, c] = lengths.map(|length| length / 2.0);
        text + &hinge("first", ["ground", "crank"], [[0.0, 0.0], [-a, 0.0]])
            + &hinge("second", ["crank", "coupler"], [[a, 0.0], [-b, 0.0]])
            + &hinge("third", ["coupler", "rocker"], [[b, 0.0], [-c, 0.0]])
            + &hinge("last", ["rocker", "ground"], [[c, 0.0], [ground, 0.0]])
    };
    // Crank and coupler in line: the rocker has come to its end.
    let (along, rocker, ground) = (3.0, 2.0, 4.0f64);
    let from_crank = ((along * along + ground * ground - rocker * rocker) / (2.0 * along * ground)).acos();
    let from_rocker = (along * from_crank.sin()).atan2(along * from_crank.cos() - ground);
    let at_dead_point =
        four_bar([1.0, 2.0, 2.0], ground, [from_crank, from_crank, from_rocker - std::f64::consts::PI]);
    let flat = four_bar([1.0, 2.0, 1.0], 2.0, [0.0, 0.0, std::f64::consts::PI]);
    let upright = {
        let up = std::f64::consts::FRAC_PI_3;
        four_bar([1.0, 2.0, 1.0], 2.0, [up, 0.0, up - std::f64::consts::PI])
    };
    let slider = |crank: f64, angle: f64| {
        let reach = crank * angle.cos() + (4.0 - (crank * angle.sin()).powi(2)).sqrt();
        let rod = -(crank * angle.sin() / 2.0).asin();
        bar("crank", crank, [0.0, 0.0], angle)
            + &bar("rod", 2.0, [crank * angle.cos(), crank * angle.sin()], rod)
            + &format!(
                "[[body]]\nname = \"block\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n\
                 initial = {{ position = [{reach:?}, 0, 0] }}\n"
            )
            + &hinge("first", ["ground", "crank"], [[0.0, 0.0], [-crank / 2.0, 0.0]])
            + &hinge("second", ["crank", "rod"], [[crank / 2.0, 0.0], [-1.0, 0.0]])
            + &hinge("third", ["rod", "block"], [[1.0, 0.0], [0.0, 0.0]])
            + "[[joint]]\nname = \"slide\"\nkind = \"translational\"\nbodies = [\"ground\", \"block\"]\n\
               points = [[0, 0, 0], [0, 0, 0]]\naxes = [1, 0, 0]\n"
    };
    let bricard = std::fs::read_to_string(root().join("mechanisms/bricard.toml")).unwrap();
    for (name, mechanism, is_singular) in [
        ("four-bar at its dead point", at_dead_point, false),
        ("flat parallelogram", flat, true),
        ("parallelogram", upright, false),
        ("slider-crank at its dead centre", slider(1.0, 0.0), false),
        ("slider-crank", slider(1.0, 0.7), false),
        // Crank and rod of one length: above the crank's foot the block may rest while both turn.
        ("slider-crank of one length, upright", slider(2.0, std::f64::consts::FRAC_PI_2), true),
        ("Bricard", bricard, false),
    ] {
        let mechanism = if name == "Bricard" { mechanism } else { format!("gravity = 0\n{mechanism}") };
        let reason = match all(&study("kind = \"static\"", &mechanism)).remove(0) {
            Ok(_) => String::new(),
            Err((_, why)) => why,
        };
        println!("{name}: {reason}");
        assert_eq!(reason.contains("singular position"), is_singular, "{name}: {reason}");
        assert!(is_singular || reason.is_empty(), "{name}: {reason}");
    }
}

/// A block that falls freely at first has an equilibrium on the stop below it.
#[test]
fn an_equilibrium_beyond_a_gap_is_found() {
    let text = "gravity = 9.81\n[[body]]\nname = \"block\"\nmass = 2\ninertia = [0.1, 0.1, 0.1]\n[[joint]]\n\
                name = \"slide\"\n\
                kind = \"translational\"\nbodies = [\"ground\", \"block\"]\npoints = [[0, 0, 0], [0, 0, 0]]\n\
                axes = [0, 0, 1]\n\
                displacement = 0.3\n[[stop]]\nname = \"floor\"\njoint = \"slide\"\nlow = -3\n\
                stiffness = 5000\n";
    let found = only("kind = \"static\"", text);
    let z = found.equilibrium.posture.motions[0].r[2];
    assert!((z + 3.0 + 2.0 * G / 5000.0).abs() < 1e-9, "{z}");
}

/// An engine pushes a stage and the bob that hangs from it: nothing holds them, though the bob has
/// places where it hangs still beside the stage.
#[test]
fn what_accelerates_as_a_whole_has_no_equilibrium() {
    let text = "[[body]]\nname = \"stage\"\nmass = 400\ninertia = [600, 600, 100]\n[[body]]\n\
                name = \"bob\"\nmass = 80\ninertia = [1, 1, 1]\ninitial = { position = [0.1, 0, 0.2] }\n\
                [[joint]]\nname = \"rod\"\nkind = \"distance\"\nbodies = [\"stage\", \"bob\"]\n\
                points = [[0, 0, 0.8], [0, 0, 0]]\n[[load]]\nname = \"engine\"\nbody = \"stage\"\n\
                kind = \"force\"\naxes = \"space\"\nvalue = [0, 0, 2000]\n";
    for kind in ["static", "modes"] {
        let found = all(&study(&format!("kind = \"{kind}\""), text)).remove(0);
        assert!(found.is_err(), "{kind}: {:?} m/s²", found.ok().map(|found| found.equilibrium.residual));
    }
}

/// A disc that turns by 3000 rpm on a housing on a sprung universal joint.
fn rotor(moments: &str, losses: &str) -> String {
    let body = |name: &str, mass: f64, inertia: &str| {
        format!("[[body]]\nname = \"{name}\"\nmass = {mass}\ninertia = {inertia}\n")
    };
    let joint = |name: &str, kind: &str, bodies: &str, rest: &str| {
        format!(
            "[[joint]]\nname = \"{name}\"\nkind = \"{kind}\"\nbodies = {bodies}\n\
             points = [[0, 0, 0], [0, 0, 0]]\n{rest}\n"
        )
    };
    let spring = |name: &str, coordinate: &str, stiffness: f64| {
        format!(
            "[[joint_spring]]\nname = \"{name}\"\njoint = \"u\"\ncoordinate = \"{coordinate}\"\n\
             stiffness = \"{stiffness} N m/rad\"\n"
        )
    };
    [
        body("housing", 1.0, "[0.01, 0.01, 0.01]"),
        body("disc", 2.0, moments),
        joint("u", "universal", "[\"ground\", \"housing\"]", "axes = [[1, 0, 0], [0, 1, 0]]"),
        joint(
            "bearing",
            "revolute",
            "[\"housing\", \"disc\"]",
            "axes = [0, 0, 1]\nangular_velocity = \"3000 rpm\"",
        ),
        spring("kx", "angle_a", 1000.0),
        spring("ky", "angle_b", 1500.0),
        losses.to_string(),
    ]
    .concat()
}

/// Frequencies of the modes that vibrate (rad/s).
fn vibrating(found: &SteadyFound) -> Vec<f64> {
    let rates = found.vibrations.modes.iter().map(|mode| mode.eigenvalue.im);
    rates.filter(|rate| *rate > 0.0).collect()
}

/// `(k1 - A w²)(k2 - A w²) = (h w)²`, whatever slows the disc so little that its rate is the one of
/// the start for many periods; what slows it at once leaves a rotor at rest, and says so.
#[test]
fn losses_of_a_bearing_leave_the_gyroscopic_effect_and_large_ones_are_told() {
    let (a, h, k1, k2) = (0.04, 0.05 * 100.0 * std::f64::consts::PI, 1000.0, 1500.0);
    let (b, c) = (a * (k1 + k2) + h * h, k1 * k2);
    let root = (b * b - 4.0 * a * a * c).sqrt();
    let known = [(b - root), (b + root)].map(|twice| (twice / (2.0 * a * a)).sqrt());
    let damper = |c: f64| {
        format!("[[joint_spring]]\nname = \"bd\"\njoint = \"bearing\"\ndamping = \"{c} N m s/rad\"\n")
    };
    let drag = "[[drag]]\nname = \"air\"\nbody = \"disc\"\nangular_linear = \"1e-4 N m s/rad\"\n".to_string();
    let even = "[0.03, 0.03, 0.05]";
    for (moments, losses, remarks) in [
        (even, String::new(), 0),
        (even, damper(1e-5), 1),
        (even, drag, 1),
        ("[0.03, 0.03001, 0.05]", String::new(), 1),
        ("[0.03, 0.03001, 0.05]", damper(1e-5), 2),
    ] {
        let found = only("kind = \"modes\"", &rotor(moments, &losses));
        let rates = vibrating(&found);
        assert_eq!(rates.len(), 2, "{rates:?}");
        for (rate, known) in rates.iter().zip(known) {
            assert!((rate / known - 1.0).abs() < 1e-3, "{moments} {losses}: {rates:?} {known:?}");
        }
        assert_eq!(found.remarks.len(), remarks, "{:?}", found.remarks);
    }
    for (moments, losses, said) in
        [(even, damper(0.5), "balance them"), ("[0.03, 0.04, 0.05]", String::new(), "no body of revolution")]
    {
        let found = only("kind = \"modes\"", &rotor(moments, &losses));
        assert!((vibrating(&found)[0] / known[0] - 1.0).abs() > 0.5);
        assert!(found.remarks[0].contains(said), "{:?}", found.remarks);
    }
    let wheel = hub_and_wheel_as_element("1e-5 N m s/rad");
    let found = only("kind = \"modes\"", &wheel);
    assert!((vibrating(&found)[0] / known[0] - 1.0).abs() < 1e-3, "{:?}", vibrating(&found));
    assert_eq!(found.remarks.len(), 1, "{:?}", found.remarks);
}

/// The rotor of [`rotor`] with its disc as a `[[wheel]]`.
fn hub_and_wheel_as_element(damping: &str) -> String {
    let whole = rotor("[0.03, 0.03, 0.05]", "");
    let (first, rest) = whole.split_once("[[body]]\nname = \"disc\"").expect("a disc");
    let (_, rest) = rest.split_once("[[joint]]").expect("joints");
    let (universal, rest) = rest.split_once("[[joint]]").expect("a bearing");
    let (_, springs) = rest.split_once("[[joint_spring]]").expect("springs");
    let first = first.replace("[0.01, 0.01, 0.01]", "[0.04, 0.04, 0.01]");
    format!(
        "{first}[[joint]]{universal}[[joint_spring]]{springs}[[wheel]]\nname = \"w\"\nbody = \"housing\"\n\
         axis = [0, 0, 1]\ninertia = \"0.05 kg m^2\"\nspeed = \"3000 rpm\"\ndamping = \"{damping}\"\n"
    )
}

/// A sampled controller of 100 N/m and 4 N s/m holds a mass of 2 kg against 10 N; a state that
/// depends on its own last value has no resting value that follows from the motion.
#[test]
fn sampled_signals_and_states_are_those_of_the_place() {
    let law = "-100*rail.displacement - 4*rail.displacement_rate + 10";
    let signal = format!("[[signal]]\nname = \"u\"\nvalue = \"{law}\"\nunit = \"N\"\nevery = \"50 ms\"\n");
    let state = format!("[[state]]\nname = \"u\"\nnext = \"{law}\"\nevery = \"50 ms\"\n");
    let motor = "[[joint_spring]]\nname = \"motor\"\njoint = \"rail\"\nactuator = \"u\"\n";
    for sampled in [signal, state] {
        let found = only("kind = \"modes\"", &slider(&format!("{sampled}{motor}")));
        assert_eigenvalues(&found, &[(-1.0, 49.0f64.sqrt())], MODE);
        assert!((found.equilibrium.posture.motions[0].r[0] - 0.1).abs() < MODE);
    }
    let integrator = "[[state]]\nname = \"u\"\nnext = \"u - rail.displacement\"\nevery = \"50 ms\"\n";
    let study = study("kind = \"static\"", &slider(&format!("{integrator}{motor}")));
    let about = about(&study);
    let refused = SteadyStudy::new(&study, &about).err().expect("it is refused").to_string();
    assert!(refused.contains("`u` depends on its own last value"), "{refused}");
}

/// A steel ruler of 1 m sags under its own weight, softer and stiffer ones too; the stiffest by
/// `w x² (6 l² - 4 l x + x²) / (24 E I)` at x, with 8 elements to a hundredth.
#[test]
fn a_slender_ruler_sags_whatever_its_stiffness() {
    let sag = |search: &str, modulus: f64| {
        let ruler = format!(
            "gravity = \"{G} m/s^2\"\n[[beam]]\nname = \"b\"\ndirection = [1, 0, 0]\nlength = \"1 m\"\n\
             elements = 8\n\
             clamped = \"from\"\nreference = [0, 1, 0]\n\
             material = {{ E = \"{modulus} GPa\", nu = 0.3, rho = \"7850 kg/m^3\" }}\n\
             section = {{ shape = \"rectangle\", width = \"20 mm\", height = \"1 mm\" }}\n"
        );
        let found = only(&format!("kind = \"static\"\n{search}"), &ruler);
        assert_eq!(found.vibrations.stability, Stability::Stable, "{search} {modulus} GPa");
        found.equilibrium.posture.motions.last().unwrap().r
    };
    for search in ["", "search = \"stable\""] {
        let sags = [100.0, 210.0, 1000.0, 10_000.0].map(|modulus| sag(search, modulus));
        println!("{sags:?}");
        assert!(sags.is_sorted_by(|a, b| a[2] < b[2]) && sags[0][2] > -0.9);
        // The last node is where its half element has its mass centre.
        let [x, _, z] = sags[3];
        let (load, stiffness) = (7850.0 * 2e-5 * G, 1e13 * 2e-2 * 1e-9 / 12.0);
        let exact = load * x * x * (6.0 - 4.0 * x + x * x) / (24.0 * stiffness);
        assert!((-z / exact - 1.0).abs() < 0.01, "{z} {exact}");
    }
}

/// `F = 100 x - 50 x³` has its crest at 0 and wells at `±sqrt 2`: a creep goes down on its side.
#[test]
fn a_creep_ends_in_the_well_below_its_start() {
    for (at, well) in [(0.1, 1.0), (1e-3, 1.0), (-0.5, -1.0), (0.0, 0.0)] {
        let law = format!(
            "displacement = {at}\n[[joint_spring]]\nname = \"a\"\njoint = \"rail\"\n\
             actuator = \"100*rail.displacement - 50*rail.displacement^3\"\n"
        );
        let found = only("kind = \"static\"\nsearch = \"stable\"", &slider(&law));
        let x = found.equilibrium.posture.motions[0].r[0];
        assert_eq!(found.vibrations.stability, Stability::Stable, "{at}: {x}");
        assert!((x.abs() - 2.0f64.sqrt()).abs() < MODE && (well == 0.0 || x * well > 0.0), "{at}: {x}");
    }
    // Upright a spring of 1 N m/rad does not carry the rod.
    let spring =
        "angle = \"-89 deg\"\n[[joint_spring]]\nname = \"s\"\njoint = \"pivot\"\nstiffness = \"1 N m/rad\"\n";
    let found = only("kind = \"static\"\nsearch = \"stable\"", &pendulum(spring));
    assert_eq!(found.vibrations.stability, Stability::Stable);
}
