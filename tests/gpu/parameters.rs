//! Numbers that are expressions of constants, and constants that vary: every backend and the
//! reference move each instance as the mechanism with its numbers written out.

use crate::common::arms::study_of;
use crate::common::engine::Ready;
use crate::common::judged::{CHANNELS, reference, worst};
use crate::common::tolerances::REFERENCE_PER_STEP;
use polhode::base::Precision;
use polhode::describe::Study;

const STEPS: u64 = 60;

/// The mechanism's constants, and how they vary.
const CONSTANTS: [(&str, f64, &str); 6] = [
    ("rho", 700.0, "{ normal = { relative_std = 0.05 } }"),
    ("L", 0.8, "{ uniform = \"±10 %\" }"),
    ("w", 0.05, "{ normal = { std = 0.002 } }"),
    ("K", 40.0, "{ uniform = { low = 20, high = 60 } }"),
    // 0 as described, so that products of inertia, and dampers, are there in other instances alone.
    ("turn", 0.0, "{ normal = { std = 0.3 } }"),
    ("c", 0.0, "{ uniform = { low = 0, high = 0.5 } }"),
];

/// An arm of solids on a hinge, and a bob on a ball joint at its end: masses, places, springs,
/// loads, points and starts that follow from six constants, with these values.
fn mechanism(values: &[f64]) -> String {
    let constants: String =
        CONSTANTS.iter().zip(values).map(|((name, ..), value)| format!("{name} = {value:?}\n")).collect();
    format!(
        "[mechanism.constants]\n{constants}A = \"w^2\"\n\
         [[mechanism.body]]\nname = \"arm\"\nsolid = [\n\
         {{ box = [\"L\", \"w\", \"2*w\"], density = \"rho\", centre = [\"L/2\", 0, 0], \
         attitude = {{ axis = [1, 0, 0], angle = \"turn\" }} }},\n\
         {{ point = true, mass = \"0.1*rho*A*L\", centre = [\"0.3*L\", \"w\", 0] }},\n]\n\
         [[mechanism.body]]\nname = \"bob\"\nmass = \"0.5*rho*A*L\"\n\
         inertia = [\"0.01*rho*A*L^3\", 2e-3, \"3e-3 + A\"]\n\
         initial = {{ attitude = {{ axis = [0, 1, 0], angle = \"turn/2\" }}, angular_velocity = [0, \
         \"1 + turn\", 0.5] }}\n\
         [[mechanism.joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"ground\", \"arm\"]\n\
         points = [[0, 0, \"w\"], [0, 0, 0]]\naxes = [0, 1, 0]\nangle = \"0.2 + turn\"\n\
         [[mechanism.joint]]\nname = \"ball\"\nkind = \"spherical\"\nbodies = [\"arm\", \"bob\"]\n\
         points = [[\"L\", 0, 0], [0, 0, \"L/4\"]]\n\
         [[mechanism.point]]\nname = \"tip\"\nbody = \"bob\"\nat = [0, 0, \"-L/4\"]\n\
         [[mechanism.spring]]\nname = \"coil\"\nbodies = [\"ground\", \"bob\"]\n\
         points = [[\"2*L\", 0, 0.5], [0, 0, 0]]\nstiffness = \"K\"\ndamping = \"c\"\nfree_length = \"L/2\"\n\
         [[mechanism.drag]]\nname = \"air\"\nbody = \"arm\"\nlinear = \"0.1*c\"\n\
         [[mechanism.load]]\nname = \"push\"\nbody = \"bob\"\nkind = \"force\"\naxes = \"body\"\n\
         point = [0, \"w\", 0]\nvalue = [\"K/40\", 0, 0.2]\n\
         [[mechanism.load]]\nname = \"law\"\nbody = \"bob\"\nkind = \"force\"\naxes = \"space\"\n\
         function = [\"-0.1*K*tip.position.x\", 0, \"-c*tip.velocity.z\"]\n"
    )
}

fn described() -> Vec<f64> {
    CONSTANTS.iter().map(|(_, value, _)| *value).collect()
}

fn varied() -> Study {
    let vary: String = CONSTANTS
        .iter()
        .map(|(name, _, distribution)| format!("\"constants.{name}\" = {distribution}\n"))
        .collect();
    study_of("", &vary, &mechanism(&described()), 2e-3, STEPS)
}

#[test]
fn every_backend_moves_a_mechanism_with_expressions_to_the_same_bits() {
    let ready = Ready::new(varied());
    for precision in [Precision::F32, Precision::F64] {
        let code = ready.on_every_backend(precision);
        assert!(code.states.iter().flatten().all(|x| x.is_finite()));
    }
}

#[test]
fn the_reference_has_the_numbers_of_each_instance() {
    let ready = Ready::new(varied());
    let outcome = ready.on_cpu(Precision::F64, 1);
    let references: Vec<_> = (0..ready.size()).map(|i| reference(&ready, i)).collect();
    let worst = worst(&ready, &outcome, &references);
    println!("{worst:.1e}");
    assert!(worst <= STEPS as f64 * REFERENCE_PER_STEP, "{worst:e}");
}

/// The numbers of an instance written into the file: its motion is that of the instance.
#[test]
fn an_instance_moves_as_the_mechanism_with_its_constants_written_out() {
    /// Rounding over 60 steps.
    const ROUNDING: f64 = 1e-12;
    let ready = Ready::new(varied());
    let outcome = ready.on_cpu(Precision::F64, 1);
    let rows = ready.observe(&outcome, &CHANNELS);
    assert!(rows[0] != rows[1]);
    let mut drawn = vec![f64::NAN; ready.sampler.width()];
    for (i, row) in rows.iter().enumerate().take(10) {
        ready.sampler.draw(i as u64, &mut drawn);
        let alone = Ready::new(study_of("", "", &mechanism(&drawn), 2e-3, STEPS));
        let expected = alone.observe(&alone.on_cpu(Precision::F64, 1), &CHANNELS).remove(0);
        for (found, expected) in row.iter().zip(&expected) {
            assert!(
                (found - expected).abs() <= ROUNDING * expected.abs().max(1.0),
                "{i}: {found} {expected}"
            );
        }
    }
}

/// Each instance has its own column of the recorded inputs: on every backend the motion is that of
/// the mechanism which has this column alone, and the reference's.
#[test]
fn an_instance_moves_by_its_column_of_a_table() {
    let knots = "arguments = [0, 0.02, 0.05, 0.1]";
    let columns = ["[0.3, 2, -1, 0.5]", "[-1, 0.5, 0.5, 2]", "[0.3, 1, -3, 0.5]"];
    let mechanism = |interpolation: &str, given: &str| {
        format!(
            "[mechanism.constants]\nk = 3\n[[mechanism.table]]\nname = \"before\"\narguments = [0, 1]\n\
             values = [1, 2]\n\
             [[mechanism.table]]\nname = \"pull\"\n{knots}\ninterpolation = \"{interpolation}\"\n{given}\n\
             [[mechanism.table]]\nname = \"after\"\narguments = [-1, 1]\nvalues = [[0, 1], [1, -1]]\n\
             column = [\"up\", \"down\"]\n\
             [[mechanism.body]]\nname = \"arm\"\nmass = 1\ninertia = [0.1, 0.2, 0.3]\n\
             [[mechanism.joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"ground\", \"arm\"]\n\
             points = [[0, 0, 0], [-0.5, 0, 0]]\naxes = [0, 1, 0]\nangle = 0.1\n\
             [[mechanism.joint_spring]]\nname = \"motor\"\njoint = \"hinge\"\n\
             actuator = \"k*pull(t) + before(t)*after(hinge.angle)*pull(hinge.angle/4)\"\n"
        )
    };
    for interpolation in ["hold", "linear", "monotone", "cubic"] {
        let all = format!("values = [{}]\ncolumn = [\"a\", \"b\", \"c\"]", columns.join(", "));
        let vary = "\"pull.column\" = { list = [\"c\", \"a\", \"b\", \"c\"] }\n\
                    \"constants.k\" = { list = [3, 3.5, 4] }\n";
        let ready = Ready::new(study_of("", vary, &mechanism(interpolation, &all), 2e-3, 50));
        ready.on_every_backend(Precision::F32);
        let outcome = ready.on_every_backend(Precision::F64);
        let references: Vec<_> = (0..ready.size()).map(|i| reference(&ready, i)).collect();
        let worst = worst(&ready, &outcome, &references);
        println!("{interpolation}: {worst:.1e}");
        assert!(worst <= 50.0 * REFERENCE_PER_STEP, "{interpolation}: {worst:e}");
        let rows = ready.observe(&outcome, &CHANNELS);
        let mut drawn = vec![f64::NAN; ready.sampler.width()];
        let mut counts = [0; 3];
        for (i, row) in rows.iter().enumerate() {
            ready.sampler.draw(i as u64, &mut drawn);
            let [column, k] = ["pull.column", "constants.k"].map(|name| {
                let columns = ready.sampler.columns();
                drawn[columns.iter().position(|column| column.name == name).expect("it varies")]
            });
            let column = column as usize;
            counts[column] += 1;
            if i >= 12 {
                continue;
            }
            let own = format!("values = {}", columns[column]);
            let text = mechanism(interpolation, &own).replace("k = 3", &format!("k = {k}"));
            let alone = Ready::new(study_of("", "", &text, 2e-3, 50));
            let expected = alone.observe(&alone.on_cpu(Precision::F64, 1), &CHANNELS).remove(0);
            for (found, expected) in row.iter().zip(&expected) {
                let near = (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
                assert!(near, "{interpolation} {i}: {found} {expected}");
            }
        }
        assert_eq!(counts, [15, 15, 30], "{interpolation}");
    }
}
