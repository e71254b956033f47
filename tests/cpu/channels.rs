//! Channels: of groups of instances against those of one alone, and against closed forms.

use crate::common::engine::Ready;
use crate::common::root;
use crate::common::tolerances::CHANNEL_ROUNDING;
use fearless_simd::Level;
use polhode::backend::End;
use polhode::backend::tally::ObservedInput;
use polhode::base::Precision;
use polhode::describe::{ObservedChannel, Study};
use polhode::kinematics::body::Motion;
use polhode::observe::channels::{Baselines, CARDS, Observer, Planes};
use polhode::observe::{Verdict, channels};
use polhode::real::traced::GraphNode;
use polhode::study_file::{read_study, read_study_text};

/// One and a half groups.
const INSTANCES: u64 = 96;
const STEPS: u64 = 7;

/// Rigid and flexible bodies, with joints, locks, springs, contacts, generators, beams and timed
/// loads.
const STUDIES: [&str; 13] = [
    "tumbling",
    "double_pendulum",
    "flexible_pendulum",
    "solar_panels",
    "spacecraft",
    "rolling_ball",
    "crane_driven",
    "slider_crank_elastic",
    "manipulator",
    "boom",
    "hulbert_52",
    "rubber_hinge",
    "triangle",
];

fn shipped(name: &str) -> Study {
    let path = root().join(format!("studies/{name}.toml"));
    let mut study = read_study(path.as_ref()).unwrap_or_else(|problems| panic!("{problems}"));
    study.ensemble.size = INSTANCES;
    study.method.steps = STEPS;
    study.observe.every = STEPS;
    study
}

/// All channels of a mechanism.
fn all_channels(study: &Study) -> Vec<ObservedChannel> {
    let each = CARDS.iter().map(|card| if card.modes { card.channel.of_mode(0) } else { card.channel });
    each.filter(|channel| !channels::owners(&study.mechanism, *channel).is_empty()).map(Into::into).collect()
}

/// Returns the values at the start, from which drifts are measured.
fn baselines(observer: &Observer<'_>, start: &Planes<'_>) -> Baselines {
    let mut baselines = Baselines::new(start.states[0].len());
    observer.start(start, &mut baselines);
    baselines
}

/// All columns now, `[column][instance]`, with drifts from `start`.
fn of_groups(observer: &Observer<'_>, start: &Planes<'_>, now: &Planes<'_>, step: u64) -> Vec<Vec<f64>> {
    let mut columns = vec![vec![f64::INFINITY; now.states[0].len()]; observer.width()];
    observer.observe_in(&mut observer.rows(), now, step, &baselines(observer, start), &mut columns);
    columns
}

/// Bits, with NaN one number.
fn bits(x: f64) -> u64 {
    if x.is_nan() { u64::MAX } else { x.to_bits() }
}

#[test]
fn one_instance_has_the_bits_that_it_has_in_a_group() {
    for name in STUDIES {
        let study = shipped(name);
        let channels = all_channels(&study);
        let ready = Ready::new(study);
        let observer = Observer::new(&ready.plan, &channels);
        let batch = ready.batch(0, INSTANCES as usize);
        let planes = |states| Planes { states, parameters: &batch.parameters, first: 0 };
        let outcome = ready.on_cpu(Precision::F64, 1);
        let (start, now) = (planes(&batch.states), planes(&outcome.states));
        let baselines = baselines(&observer, &start);
        let columns = of_groups(&observer, &start, &now, STEPS);
        let named = polhode::observe::channels::columns(&ready.study.mechanism, &channels);
        for i in 0..ready.size() {
            let mut alone = vec![f64::INFINITY; observer.width()];
            observer.observe(&mut observer.rows(), &now, i, STEPS, &baselines, &mut alone);
            for ((x, column), of) in alone.iter().zip(&columns).zip(&named) {
                assert_eq!(bits(*x), bits(column[i]), "{name}, {} of {i}: {x:e}, {:e}", of.name, column[i]);
            }
        }
    }
}

/// Instances from the sixth on, by planes and straight from the backend that advances them, one
/// of them stopped.
#[test]
fn channels_are_the_same_by_planes_and_from_the_backend() {
    const FIRST: usize = 5;
    for name in STUDIES {
        let study = shipped(name);
        let channels = all_channels(&study);
        let ready = Ready::new(study);
        let n = INSTANCES as usize;
        let observer = Observer::new(&ready.plan, &channels);
        let mut batch = ready.batch(0, n);
        batch.verdicts[n - 2] = Verdict::InvalidSample;
        let mut backend = ready.cpu(Precision::F32, Level::new(), false);
        backend.load(&batch).expect("load");
        backend.advance(0, STEPS).expect("advance");
        backend.fetch().expect("fetch");
        let started: Vec<Vec<f64>> = batch.states.iter().map(|plane| plane[FIRST..].to_vec()).collect();
        let mut states = vec![vec![f64::NAN; n - FIRST]; started.len()];
        backend.read(FIRST, &mut states);
        let planes = |states| Planes { states, parameters: &batch.parameters, first: FIRST };
        let baselines = baselines(&observer, &planes(&started));
        let by_planes = of_groups(&observer, &planes(&started), &planes(&states), STEPS);
        let mut rows = observer.rows();
        let mut columns = vec![vec![f64::INFINITY; n - FIRST]; observer.width()];
        observer.observe_read(&mut rows, &*backend, &batch, FIRST, STEPS, &baselines, &mut columns);
        for (x, y) in by_planes.iter().flatten().zip(columns.iter().flatten()) {
            assert_eq!(bits(*x), bits(*y), "{name}: {x:e} {y:e}");
        }
        let mut ends = vec![End { verdict: Verdict::Finished, step: 0 }; n];
        backend.ends(0, &mut ends);
        assert_eq!(ends[n - 2].verdict, Verdict::InvalidSample);
        for (first, count) in [(0, n - 2), (n - 1, 1), (0, n - 1), (n - 2, 2)] {
            let all = ends[first..first + count].iter().all(|end| end.verdict == Verdict::Finished);
            assert_eq!(backend.are_under_way(first, count), all, "{name}: {count} from {first}");
        }
    }
}

/// Compilers of kernels may take for granted that there is no infinity and no NaN.
#[test]
fn recorded_channels_have_finite_constants_and_leaves_that_are_there() {
    for name in STUDIES {
        let study = shipped(name);
        let channels = all_channels(&study);
        let ready = Ready::new(study);
        let observer = Observer::new(&ready.plan, &channels);
        let program = observer.program();
        assert_eq!(program.columns.len(), observer.width());
        for (_, node) in program.graph.nodes() {
            match node {
                GraphNode::Constant(bits) => assert!(f64::from_bits(bits).is_finite(), "{name}"),
                GraphNode::Leaf(leaf) => {
                    let model = &ready.plan.model;
                    let is_there = match program.input(leaf) {
                        ObservedInput::State(channel) => channel < ready.plan.moving.len(),
                        ObservedInput::Parameter(p) => model.varies(p),
                        ObservedInput::Start(number) => number < 5,
                        ObservedInput::Factor(span) => span < model.spans().len(),
                    };
                    assert!(is_there, "{name}: {:?}", program.input(leaf));
                }
                _ => {}
            }
        }
    }
}

/// The free body of `tumbling.toml` in two instances of one state, and where that has its motion.
fn two_free_bodies() -> (Ready, Vec<Vec<f64>>, Motion<usize>) {
    let mut study = shipped("tumbling");
    study.ensemble.vary.clear();
    let ready = Ready::new(study);
    let states = ready.batch(0, 2).states;
    let numbers: Vec<usize> = (0..states.len()).collect();
    let motion = ready.plan.model.motions(&numbers).swap_remove(0);
    (ready, states, motion)
}

/// A body that rests has no energy and no momentum to compare changes with.
#[test]
fn a_drift_from_nothing_is_not_a_number() {
    let (ready, mut start, of) = two_free_bodies();
    let observer = Observer::new(&ready.plan, &[channels::ENERGY_DRIFT, channels::ANGULAR_MOMENTUM_DRIFT]);
    of.w.into_iter().for_each(|channel| start[channel][0] = 0.0);
    let mut faster = start.clone();
    of.w.into_iter().for_each(|channel| faster[channel][1] *= 1.25);
    let parameters = ready.batch(0, 2).parameters;
    let planes = |states| Planes { states, parameters: &parameters, first: 0 };
    for (now, expected) in [(&start, [0.0, 0.0]), (&faster, [0.5625, 0.25])] {
        let columns = of_groups(&observer, &planes(&start), &planes(now), 0);
        for (column, expected) in columns.iter().zip(expected) {
            assert!(
                column[0].is_nan() && (column[1] - expected).abs() < CHANNEL_ROUNDING,
                "{column:?} {expected}"
            );
        }
    }
}

/// A pendulum that is let go level has no energy but what rounding leaves of its height: there is
/// no drift of it, and no bound on the energy ends it. A little above, there are both.
#[test]
fn a_level_start_has_no_energy_to_drift_from() {
    const ROD: &str = r#"
gravity = 9.81
body = [{ name = "rod", mass = 1, inertia = [0.01, 0.1, 0.1] }]
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "rod"]
points = [[0, 0, 0], [0, 0, 0.5]]
axes = [0, 1, 0]
angle = "ANGLE deg"
"#;
    let study = "method = { name = \"rk4\", step = \"5 ms\", duration = \"1 s\" }\nensemble.size = 1\n\
                 verdict = { energy = 1e-3, every = 1 }\n";
    for (angle, drifts) in [("90", false), ("-90", false), ("450", false), ("89", true)] {
        let mut study = read_study_text("rod.toml", study, &ROD.replace("ANGLE", angle))
            .unwrap_or_else(|problems| panic!("{problems}"));
        for precision in [Precision::F64, Precision::F32] {
            study.run.precision = precision;
            let ready = Ready::new(study.clone());
            let outcome = ready.on_cpu(precision, 1);
            assert_eq!(outcome.ends[0].verdict, Verdict::Finished, "{angle} {precision:?}");
            let batch = ready.batch(0, 1);
            let start = Planes { states: &batch.states, parameters: &batch.parameters, first: 0 };
            let observer = Observer::new(&ready.plan, &[channels::ENERGY_DRIFT]);
            let drift = of_groups(&observer, &start, &start, 0)[0][0];
            assert_eq!(drift.is_finite(), drifts, "{angle} {precision:?}: {drift}");
        }
    }
}

/// The third axis of a body that has turned by an angle about its first one lies at that angle to
/// the vertical, whichever of the two quaternions says so; the attitude is the one whose scalar
/// part is not negative.
#[test]
fn attitude_and_tilt_have_one_value_for_both_quaternions() {
    let (ready, mut states, of) = two_free_bodies();
    let channels = [channels::TILT, channels::ATTITUDE, channels::QUATERNION_NORM_ERROR];
    let observer = Observer::new(&ready.plan, &channels);
    let parameters = ready.batch(0, 2).parameters;
    for angle in (-20..=20).map(|k| f64::from(k) * std::f64::consts::PI / 20.0) {
        for length in [1.0, 0.75] {
            let (sine, cosine) = (angle / 2.0).sin_cos();
            for (channel, x) in of.q.into_iter().zip([cosine, sine, 0.0, 0.0]) {
                states[channel] = vec![length * x, -length * x];
            }
            let planes = Planes { states: &states, parameters: &parameters, first: 0 };
            let columns = of_groups(&observer, &planes, &planes, 0);
            let expected = [cosine.abs(), sine * cosine.signum()].map(|x| length * x);
            // The tilt is that of a unit quaternion.
            let tilt = if length == 1.0 { angle.abs() } else { columns[0][0] };
            let expected = [tilt, expected[0], expected[1], 0.0, 0.0, 1.0 - length];
            for (column, expected) in columns.iter().zip(expected) {
                let off = column.iter().map(|x| (x - expected).abs()).fold(0.0, f64::max);
                assert!(off < CHANNEL_ROUNDING, "{angle} rad, {length}: {column:?} {expected}");
            }
        }
    }
}
