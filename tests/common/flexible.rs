//! Flexible mechanisms of the reference solutions, from text as a user would write it.

use nalgebra::{DVector, Vector3};
use polhode::describe::{Level, Mechanism};
use polhode::reference::flexible::Deformation;
use polhode::study_file::read_mechanism;
use serde_json::{Value, json};

use super::root;

/// The file of a flexible reference solution.
pub fn reference_file(name: &str) -> Value {
    let path = root().join(format!("tests/reference/flexible_{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

pub fn rows(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

/// The mechanism in a text.
pub fn mechanism(text: &str) -> Mechanism {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mechanism.toml");
    std::fs::write(&path, text).unwrap();
    read_mechanism(&path).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// The torque (N m) and the modal forces that a body needs to turn with w and w' (rad/s, rad/s²)
/// while its modal coordinates have these values, rates and second rates: what its mass matrix and
/// its forces say.
pub fn needed(
    body: &Deformation,
    [w, turn]: [Vector3<f64>; 2],
    [eta, rate, second]: [&DVector<f64>; 3],
) -> DVector<f64> {
    let modes = eta.len();
    let mut accelerations = DVector::zeros(3 + modes);
    accelerations.fixed_rows_mut::<3>(0).copy_from(&turn);
    accelerations.rows_mut(3, modes).copy_from(second);
    let (torque, modal) = body.forces(w, eta, rate, rate);
    let mut needed = body.mass_matrix(eta, 0.0) * accelerations;
    for i in 0..3 {
        needed[i] -= torque[i];
    }
    for k in 0..modes {
        needed[3 + k] -= modal[k];
    }
    needed
}

/// Returns the mechanism with all flexible bodies at this level.
pub fn at_level(mechanism: &Mechanism, level: Level) -> Mechanism {
    let mut mechanism = mechanism.clone();
    mechanism.bodies.iter_mut().filter_map(|body| body.flexible.as_mut()).for_each(|f| f.level = level);
    mechanism
}

pub const LEVELS: [(&str, Level); 5] = [
    ("0", Level::Zero),
    ("0p5", Level::Half),
    ("1", Level::One),
    ("1p5", Level::OneAndHalf),
    ("2", Level::Two),
];

/// W84 figure 7.1: three damped modes of a body that does not move otherwise.
pub fn free_vibration() -> Mechanism {
    let file = reference_file("fig7_1_free_vibration");
    let w = numbers(&file["parameters"]["w"]);
    let diagonal = |d: [f64; 3]| [[d[0], 0.0, 0.0], [0.0, d[1], 0.0], [0.0, 0.0, d[2]]];
    let none = [[0.0; 3]; 3];
    let (j1, j2, g) = ([none; 3], [[none; 3]; 3], [[[0.0; 3]; 3]; 3]);
    let modal = json!({
        "mass": 1.0, "J0": diagonal([1.0; 3]), "J1": j1, "J2": j2, "G": g,
        "modal_mass": diagonal([1.0; 3]),
        "modal_stiffness": diagonal([w[0] * w[0], w[1] * w[1], w[2] * w[2]]),
        "points": [{ "name": "tip", "at": [1, 0, 0], "shapes": [[0, 1, 0], [0, 1, 0], [0, 1, 0]] }],
    });
    mechanism(&format!(
        "[body]\n[body.flexible]\nmodal = '''{modal}'''\namplitudes = {}\ndamping = {}\n",
        file["initial_conditions"]["eta"], file["parameters"]["zeta"]
    ))
}

/// W84 figure 5.1: the free triangle of three masses.
pub fn triangle() -> Mechanism {
    let file = reference_file("triangle_three_mass");
    let p = &file["parameters"];
    let node = |k: usize| {
        let shapes: Vec<&Value> = (1..=3).map(|mode| &p["shapes"][format!("mode{mode}")][k]).collect();
        json!({ "name": format!("mass{k}"), "at": p["positions"][k], "mass": 1.0, "shapes": shapes })
    };
    let modal = json!({
        "nodes": [node(0), node(1), node(2)], "stiffness": p["constants"]["modal_stiffness"],
    });
    mechanism(&format!(
        "[body]\ninitial = {{ angular_velocity = [0, 0, 10] }}\n[body.flexible]\nmodal = '''{modal}'''\n\
         amplitudes = {}\n",
        file["initial_conditions"]["eta"]
    ))
}

/// The beam that spins about its axis between its two bending frequencies.
pub fn spinning_beam() -> Mechanism {
    let file = reference_file("spinning_free_beam_unstable");
    let p = &file["parameters"];
    let c = &p["body_constants"];
    let modal = json!({
        "mass": c["M"], "J0": c["J0"], "J1": c["J1"], "J2": c["J2"], "G": c["G"],
        "modal_mass": c["modal_mass"], "modal_stiffness": c["modal_stiffness"],
        "points": [{ "name": "tip", "at": [1, 0.05, 0.07], "shapes": p["tip_shapes"] }],
    });
    let initial = &file["initial_conditions"];
    mechanism(&format!(
        "[body]\ninitial = {{ angular_velocity = {} }}\n[body.flexible]\nmodal = '''{modal}'''\n\
         amplitudes = {}\n",
        initial["Om"], initial["eta"]
    ))
}

/// A lumped beam as the reference files have it, as TOML.
fn lumped(p: &Value) -> String {
    let number = |key: &str| p[key].as_f64().unwrap();
    format!(
        "{{ length = {:?}, mass = {:?}, polar_inertia = {:?}, bending_stiffness = [{:?}, {:?}], modes_y = \
         {}, modes_z = {}, masses = {} }}",
        number("L"),
        number("L") * number("rhoA"),
        number("Jx"),
        number("EIz"),
        number("EIy"),
        p["ny"],
        p["nz"],
        p["n"]
    )
}

/// The pendulum on a spherical joint.
pub fn pendulum() -> Mechanism {
    let file = reference_file("pendulum3d_spherical");
    let initial = &file["initial_conditions"];
    mechanism(&format!(
        "gravity = [0, 0, -9.81]\n[body]\nname = \"rod\"\n\
         initial = {{ position = {}, velocity = {}, attitude = {}, angular_velocity = {} }}\n\
         [body.flexible]\nbeam = {}\n\
         [[joint]]\nname = \"ball\"\nkind = \"spherical\"\nbodies = [\"ground\", \"rod\"]\n\
         points = [[0, 0, 0], \"start\"]\n",
        initial["R"],
        initial["V"],
        initial["p"],
        initial["Om"],
        lumped(&file["parameters"])
    ))
}

/// A rod on a hinge with its frame attached there, bending in both planes.
pub fn attached_rod() -> Mechanism {
    mechanism(
        r#"
gravity = 9.81
[body]
name = "rod"
initial = { angular_velocity = [0, 0, 2] }
[body.flexible]
frame = "attached"
at = "start"
damping = 0.02
amplitudes = [0.01, -0.005]
amplitude_rates = [0, 0.1]
beam = { length = 1, mass = 0.5, polar_inertia = 2e-3, bending_stiffness = [4, 6], boundary = "cantilever",
  modes_y = 1, modes_z = 1 }
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "rod"]
points = [[0, 0, 0], "start"]
axes = [0, 0, 1]
"#,
    )
}

/// The rod between a crank of constant speed and a massless slider.
pub fn slider_crank() -> Mechanism {
    mechanism(
        "[constants]\nomega = 124.8\n[body]\nname = \"rod\"\n\
         initial = { position = [0.3048, 0, 0], velocity = [0, 9.50976, 0], \
         angular_velocity = [0, 0, -62.4] }\n\
         [body.flexible]\n\
         beam = { length = 0.3048, mass = 0.0759673587424737, polar_inertia = 1e-6, \
         bending_stiffness = 16.508185068324163, modes_y = 3 }\n\
         [[generator]]\nname = \"pin\"\nbody = \"rod\"\npoint = \"start\"\n\
         position = [\"0.1524*cos(omega*t)\", \"0.1524*sin(omega*t)\", \"free\"]\n\
         [[generator]]\nname = \"slider\"\nbody = \"rod\"\npoint = \"end\"\n\
         position = [\"free\", 0, \"free\"]\n",
    )
}

/// Three links with spherical joints whose tip has a prescribed velocity, until t = 1 s.
pub fn crane() -> Mechanism {
    let file = reference_file("crane_three_flexible_links");
    let mut text = String::new();
    for k in 0..3 {
        let state = &file["initial_conditions"]["states"][k];
        text += &format!(
            "[[body]]\nname = \"link{k}\"\ninitial = {{ position = {}, attitude = {} }}\n[body.flexible]\n\
             beam = {}\n",
            state["R"],
            state["p"],
            lumped(&file["parameters"]["links"][k])
        );
        let (before, point) =
            if k == 0 { ("ground".to_string(), "[0, 0, 0]") } else { (format!("link{}", k - 1), "\"end\"") };
        text += &format!(
            "[[joint]]\nname = \"ball{k}\"\nkind = \"spherical\"\nbodies = [\"{before}\", \"link{k}\"]\n\
             points = [{point}, \"start\"]\n"
        );
    }
    text += "[[generator]]\nname = \"tip\"\nbody = \"link2\"\npoint = \"end\"\n\
             velocity = [\"0.6*sin(pi*t)^2\", \"0.8*sin(pi*t)^2\", \"-0.3*sin(pi*t)^2\"]\n";
    mechanism(&text)
}

/// A body that bends in all ways, away from its axes, with loads of all kinds, a spring and a joint
/// with an axis.
pub fn everything(joint: &str) -> Mechanism {
    mechanism(&text_of_everything(joint))
}

/// Returns [`everything`] with frames attached to an end of the rod and to a node of the frame, and
/// with less deflection: levels 1 and 3/2 have no positive mass matrix where masses leave the axis
/// by more than the radius of gyration about it, `J - c M^-1 c^T` without J2.
pub fn everything_attached(joint: &str) -> Mechanism {
    let text = text_of_everything(joint)
        .replace("position = [0.5, 0, 0]", "position = [0.004, -0.003, 0]")
        .replace("position = [1.2, 0.1, -0.2]", "position = [1.207, -0.016, 0.448]")
        .replace("amplitudes = [0.01, -0.02]", "amplitudes = [5e-4, -1e-3]")
        .replace("[0.004, -0.003, 0.002, 0.001, -0.001]", "[4e-4, -3e-4, 2e-4, 1e-4, -1e-3]")
        .replace("amplitude_rates = [0, 0.1, 0, -0.1, 0]", "amplitude_rates = [0, 0.01, 0, -0.01, 0]")
        .replace("points = [[0.3, 0.02, 0.01], \"c\"]", "points = [[0.8, 0.02, 0.01], \"c\"]")
        .replace("damping = [0.02", "frame = \"attached\"\nat = \"start\"\ndamping = [0.02")
        .replace("damping = 0.05", "frame = \"attached\"\nat = \"b\"\ndamping = 0.05");
    mechanism(&text)
}

fn text_of_everything(joint: &str) -> String {
    format!(
        r#"
gravity = 9.81
[[body]]
name = "rod"
initial = {{ position = [0.5, 0, 0], angular_velocity = [0.4, -0.3, 1], approximate = true }}
[body.flexible]
damping = [0.02, 0.03, 0.01, 0.05, 0.04]
amplitudes = [0.004, -0.003, 0.002, 0.001, -0.001]
amplitude_rates = [0, 0.1, 0, -0.1, 0]
[body.flexible.beam]
length = 1
mass = 0.5
polar_inertia = 2e-3
bending_stiffness = [4, 6]
axial_stiffness = 2000
torsional_stiffness = 1
modes_y = 2
modes_z = 1
modes_axial = 1
modes_torsion = 1
[[body]]
name = "frame"
initial.position = [1.2, 0.1, -0.2]
initial.attitude = {{ axis = [1, 2, 3], angle = "40 deg" }}
initial.approximate = true
[body.flexible]
damping = 0.05
amplitudes = [0.01, -0.02]
watch = "c"
[body.flexible.structure]
modes = 2
nodes = [
  {{ name = "a", at = [0, 0, 0], mass = 0.3, rotary_inertia = [1e-3, 2e-3, 1e-3] }},
  {{ name = "b", at = [0, 0, 0.5], mass = 0.2 }},
  {{ name = "c", at = [0.3, 0.1, 1], mass = 0.2 }},
]
members = [
  {{ nodes = ["a", "b"], mass = 0.1, axial_stiffness = 1000, bending_stiffness = [20, 30],
     torsional_stiffness = 10, y = [0, 1, 0] }},
  {{ nodes = ["b", "c"], axial_stiffness = 1000, bending_stiffness = 20, torsional_stiffness = 10 }},
]
{joint}
[[spring]]
name = "strut"
bodies = ["rod", "frame"]
points = [[0.3, 0.02, 0.01], "c"]
stiffness = 20
damping = 0.5
free_length = 0.4
[[load]]
name = "push"
body = "rod"
kind = "force"
axes = "space"
point = "end"
value = [0.3, -0.2, 0.4]
[[load]]
name = "twist"
body = "rod"
kind = "torque"
axes = "body"
point = "end"
value = [0.02, 0.01, -0.01]
[[load]]
name = "tug"
body = "frame"
kind = "force"
axes = "body"
point = "b"
function = ["0.1*sin(3*t)", 0, 0.2]
"#
    )
}

/// Bushings and beam elements at both bodies of [`everything`], against each other and against the
/// ground; dampers among them, and a spring within one body.
pub fn mounted(attached: bool, damped: bool) -> Mechanism {
    let (damping, turning, along) = if damped { (0.4, 0.02, 1e-3) } else { (0.0, 0.0, 0.0) };
    let shift = if attached { 0.5 } else { 0.0 };
    let at = |x: f64| format!("[{}, 0.01, -0.02]", x + shift);
    let text = format!(
        r#"
[[bushing]]
name = "mount"
bodies = ["ground", "rod"]
points = [[0.2, 0, 0], {}]
axes = [[0.6, 0, 0.8], [1, 0, 0]]
stiffness = [50, 80, 30]
damping = {damping}
torsional_stiffness = [2, 3, 1]
torsional_damping = {turning}
[[bushing]]
name = "clamp"
bodies = ["rod", "frame"]
points = [{}, "a"]
stiffness = [40, 20, 30]
damping = [{damping}, 0, {damping}]
torsional_stiffness = [1, 2, 2]
torsional_damping = {turning}
[[spring]]
name = "tie"
bodies = ["rod", "rod"]
points = ["start", "end"]
stiffness = 30
damping = {along}
free_length = 0.8
[[beam_element]]
name = "brace"
bodies = ["frame", "rod"]
points = ["c", "end"]
EA = 60
GA = [40, 30]
GJ = 1.5
EI = [2, 1]
damping = {along}
[[beam_element]]
name = "stay"
bodies = ["frame", "ground"]
points = ["b", [1.5, 0.2, 0.4]]
EA = 50
GA = 30
GJ = 0.8
EI = 1
damping = {along}
"#,
        at(-0.3),
        at(0.4)
    );
    if attached { everything_attached(&text) } else { everything(&text) }
}

/// A point of the rod of [`everything`] on a curve of the ground, and a skate at a node of the
/// frame.
pub const CONTACTS: &str = r#"
[[contact]]
name = "track"
kind = "curve"
body = "rod"
point = "end"
y = "0.1*sin(2*x)"
[[contact]]
name = "skate"
kind = "knife_edge"
body = "frame"
point = "b"
direction = [0.6, 0, 0.8]
"#;
