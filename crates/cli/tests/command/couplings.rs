//! Couplings of coordinates, and forces at the angles of joints that turn about several axes,
//! against closed forms.

use polhode::output::SavedTable;
use polhode::study_file::write::resolved_toml;
use polhode::study_file::{mechanism_of_text, read_study_text};
use polhode::{RunOptions, Study};
use tempfile::TempDir;

use crate::common::tolerances::CLOSED_FORM_OF_A_RUN;

const STUDY: &str = "[method]\nname = \"dop853\"\nstep = \"5 ms\"\nduration = \"1 s\"\n[accuracy]\n\
                     budget = 0\n[run]\nbackend = \"cpu\"\nprecision = \"f64\"\n";

fn study(mechanism: &str, more: &str) -> Study {
    read_study_text("coupled", &format!("{STUDY}{more}"), mechanism)
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// The values that columns of instance 0 have at the end.
fn finals(study: &Study, columns: &[&str]) -> Vec<f64> {
    let results = polhode::run(study, &RunOptions::new()).unwrap();
    let home = TempDir::new().unwrap();
    let folder = results.write_to(home.path().join("out"), false).unwrap();
    let table = SavedTable::open(&folder.join("instances.parquet")).unwrap();
    columns.iter().map(|column| table.floats(&format!("final.{column}")).unwrap()[0]).collect()
}

fn near(found: &[f64], exact: &[f64]) {
    for (found, exact) in found.iter().zip(exact) {
        assert!((found - exact).abs() < CLOSED_FORM_OF_A_RUN * exact.abs().max(1.0), "{found} {exact}");
    }
    assert_eq!(found.len(), exact.len());
}

/// Wheels on hinges about z, and a rack along x.
const SHAFTS: &str = "\
[[body]]\nname = \"one\"\nmass = 1\ninertia = [1, 1, 0.5]\n\
[[body]]\nname = \"two\"\nmass = 1\ninertia = [2, 2, 2]\ninitial.position = [1, 0, 0]\n\
[[body]]\nname = \"bar\"\nmass = 3\ninertia = [1, 1, 1]\ninitial.position = [0, 1, 0]\n\
[[joint]]\nname = \"a\"\nkind = \"revolute\"\nbodies = [\"ground\", \"one\"]\n\
points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\nangle = 0\n\
[[joint]]\nname = \"b\"\nkind = \"revolute\"\nbodies = [\"ground\", \"two\"]\n\
points = [[1, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\n\
[[joint]]\nname = \"r\"\nkind = \"translational\"\nbodies = [\"ground\", \"bar\"]\n\
points = [[0, 1, 0], [0, 0, 0]]\naxes = [1, 0, 0]\n\
[[load]]\nname = \"motor\"\nbody = \"one\"\nkind = \"torque\"\naxes = \"body\"\nvalue = [0, 0, 0.9]\n";

/// Gears of ratio n and a rack of radius r: (J1 + n² J2 + r² m) phi'' = M, and what the teeth bear.
#[test]
fn gears_and_racks_move_as_one_inertia() {
    let (n, r, m): (f64, f64, f64) = (-2.5, 0.3, 0.9);
    let whole = 0.5 + n * n * 2.0 + r * r * 3.0;
    let phi = m / whole / 2.0;
    let couplings = "\
[[coupling]]\nname = \"gears\"\njoint = \"b\"\nfollows = \"a\"\nratio = -2.5\n\
[[coupling]]\nname = \"rack\"\njoint = \"r\"\nfollows = \"a\"\nratio = 0.3\n";
    let columns = ["a.angle", "b.angle", "r.displacement", "gears.drive_torque", "rack.drive_force.x"];
    let observed = "[observe]\nchannels = [\"angle\", \"displacement\", \"drive_torque\", \"drive_force\"]\n";
    let geared = study(&format!("{SHAFTS}{couplings}"), observed);
    let exact = [phi, n * phi, r * phi, 2.0 * n * 2.0 * phi, 3.0 * r * 2.0 * phi];
    near(&finals(&geared, &columns), &exact);
    // A mechanism that is written is read again, and no work of a motor is missed.
    let text = resolved_toml(&geared);
    let table: toml::Table = text.parse().unwrap();
    assert_eq!(table["mechanism"]["coupling"].as_array().unwrap().len(), 2, "{text}");
    for treatment in ["exact", "partition", "baumgarte"] {
        let constrained = study(
            &format!("{SHAFTS}{couplings}"),
            &format!("{observed}[constraints]\ntreatment = \"{treatment}\"\n"),
        );
        near(&finals(&constrained, &columns[..3]), &exact[..3]);
    }
}

/// A gear that starts some turns away from its other one's start: the ratio says on which turn it
/// is.
#[test]
fn a_wheel_that_follows_starts_on_the_turn_that_the_ratio_says() {
    let turned =
        SHAFTS.replace("angle = 0", "angle = \"200 deg\"\nangular_velocity = 1").replace("0.9]", "0]");
    let gears =
        "[[coupling]]\nname = \"gears\"\njoint = \"b\"\nfollows = \"a\"\nratio = -3\noffset = \"10 deg\"\n";
    let observed = "[observe]\nchannels = [\"angle\", \"angle_rate\"]\n";
    let start = 200f64.to_radians();
    let exact = [start + 1.0, 10f64.to_radians() - 3.0 * (start + 1.0), -3.0];
    let columns = ["a.angle", "b.angle", "b.angle_rate"];
    near(&finals(&study(&format!("{turned}{gears}"), observed), &columns), &exact);
}

/// A ratio of a length and an angle has a unit; the coordinate that is given finds the other one,
/// some turns away: a screw of 2 mm/turn that starts at 50 mm, a gear whose input follows from its
/// output, and two gears in a row of which the last is given.
#[test]
fn a_coordinate_that_is_followed_starts_on_its_turn_too() {
    let nut = |more: &str| {
        format!(
            "[body]\nmass = 2\ninertia = [1, 1, 0.004]\n\
             [[joint]]\nname = \"nut\"\nkind = \"cylindrical\"\nbodies = [\"ground\", \"body\"]\n\
             points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\n{more}\
             [[coupling]]\nname = \"thread\"\njoint = \"nut\"\nfollows = \"nut\"\n"
        )
    };
    let down = "coordinate = \"displacement\"\nfollows_coordinate = \"angle\"\nratio = \"2 mm/turn\"\n";
    let round = "coordinate = \"angle\"\nfollows_coordinate = \"displacement\"\nratio = \"0.5 turn/mm\"\n";
    let observed = "[observe]\nchannels = [\"angle\", \"displacement\"]\n";
    let (turns, columns) = (25.0 * std::f64::consts::TAU, ["nut.angle", "nut.displacement"]);
    for (start, thread) in [
        ("displacement = \"50 mm\"\n", down),
        ("angle = \"25 turn\"\n", round),
        ("displacement = 0.05\n", round),
    ] {
        let screw = study(&(nut(start) + thread), observed);
        near(&finals(&screw, &columns), &[turns, 0.05]);
    }
    let wheel = |name: &str, angle: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [1, 1, 1]\n\
             [[joint]]\nname = \"{name}1\"\nkind = \"revolute\"\nbodies = [\"ground\", \"{name}\"]\n\
             points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\n{angle}"
        )
    };
    let gears = [
        wheel("a", ""),
        wheel("b", ""),
        wheel("c", "angle = 20\nangular_velocity = 3\n"),
        "[[coupling]]\nname = \"one\"\njoint = \"b1\"\nfollows = \"a1\"\nratio = -0.5\noffset = \"1 rad\"\n"
            .into(),
        "[[coupling]]\nname = \"two\"\njoint = \"c1\"\nfollows = \"b1\"\nvalue = \"x/(-0.25)\"\n".into(),
    ]
    .concat();
    let observed = "[observe]\nchannels = [\"angle\"]\n";
    near(
        &finals(&study(&gears, observed), &["a1.angle", "b1.angle", "c1.angle"]),
        &[(-23.0 / 4.0 - 1.0) / -0.5, -23.0 / 4.0, 23.0],
    );
}

/// A start may give the follower of a cam: the shaft then stands where the cam lifts the follower
/// by that much, at the angle next to where its joint stands.
#[test]
fn a_cam_whose_follower_is_given_turns_its_shaft() {
    let bodies = SHAFTS.split("[[joint]]").next().unwrap().replace("initial.position = [0, 1, 0]\n", "");
    let cam = |lift: f64| {
        format!(
            "{bodies}[[joint]]\nname = \"a\"\nkind = \"revolute\"\nbodies = [\"ground\", \"one\"]\n\
             points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\n\
             [[joint]]\nname = \"up\"\nkind = \"translational\"\nbodies = [\"ground\", \"bar\"]\n\
             points = [[0, 1, 0], [0, 0, 0]]\naxes = [1, 0, 0]\n\
             displacement = {lift:?}\n[[coupling]]\nname = \"cam\"\njoint = \"up\"\nfollows = \"a\"\n\
             value = \"0.02*x + 0.01*sin(x)\"\n"
        )
    };
    let observed = "[observe]\nchannels = [\"angle\", \"displacement\"]\n";
    // 40 rad are six turns and a part.
    let x: f64 = 40.0;
    let lift = 0.02 * x + 0.01 * x.sin();
    near(&finals(&study(&cam(lift), observed), &["a.angle", "up.displacement"]), &[x, lift]);
}

/// The third of three gears in a ring says what the other two say: it is left out by name, the
/// motion is that without it, all three share the load, and one that contradicts the others has no
/// start.
#[test]
fn a_coupling_that_others_imply_is_left_out() {
    let ring = |last: &str| {
        let gear = |name: &str, joint: &str, follows: &str, ratio: &str| {
            format!(
                "[[coupling]]\nname = \"{name}\"\njoint = \"{joint}\"\nfollows = \"{follows}\"\n\
                 ratio = {ratio}\n"
            )
        };
        let bar = SHAFTS
            .replace("kind = \"translational\"", "kind = \"revolute\"")
            .replace("axes = [1, 0, 0]", "axes = [0, 0, 1]");
        let both = gear("first", "b", "a", "-2.5") + &gear("second", "r", "b", "-2");
        format!("{bar}{both}{}", if last.is_empty() { String::new() } else { gear("third", "r", "a", last) })
    };
    let observed = "[observe]\nchannels = [\"angle\"]\n";
    let columns = ["a.angle", "b.angle", "r.angle"];
    let phi = 0.9 / (0.5 + 2.5 * 2.5 * 2.0 + 25.0) / 2.0;
    for (third, left_out) in [("", vec![]), ("5", vec!["coupling `third`"])] {
        let geared = study(&ring(third), observed);
        assert_eq!(polhode::study::plan::plan(&geared).unwrap().model.rows_left_out(), left_out);
        near(&finals(&geared, &columns), &[phi, -2.5 * phi, 5.0 * phi]);
    }
    let torn = study(&ring("4.9").replace("angle = 0", "angle = 1"), observed);
    let error = polhode::study::plan::plan(&torn)
        .err()
        .map(|error| polhode::model::Model::explain(&torn.mechanism, error));
    assert!(error.as_ref().is_some_and(|error| error.contains("cannot be assembled")), "{error:?}");
}

/// A screw of lead p in a cylindrical joint, driven by a force along it: (m + J/q²) s'' = F,
/// q = p/2 pi; and a cam, whose follower's speed is y'(x) x'.
#[test]
fn screws_and_cams_follow_their_functions() {
    let screw = "\
[body]\nmass = 2\ninertia = [1, 1, 0.004]\n\
[[joint]]\nname = \"nut\"\nkind = \"cylindrical\"\nbodies = [\"ground\", \"body\"]\n\
points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\n\
[[coupling]]\nname = \"thread\"\njoint = \"nut\"\ncoordinate = \"displacement\"\nfollows = \"nut\"\n\
follows_coordinate = \"angle\"\nvalue = \"lead/(2*pi)*x\"\n\
[[load]]\nname = \"pull\"\nkind = \"force\"\naxes = \"space\"\nvalue = [0, 0, 5]\n\
[constants]\nlead = \"0.1 m\"\n";
    let observed = "[observe]\nchannels = [\"angle\", \"displacement\", \"energy\"]\n";
    let q = 0.1 / std::f64::consts::TAU;
    let s = 5.0 / (2.0 + 0.004 / (q * q)) / 2.0;
    near(
        &finals(&study(screw, observed), &["nut.displacement", "nut.angle", "body.energy"]),
        &[s, s / q, 5.0 * s],
    );
    // The lead varies as constants do.
    let varied = study(
        screw,
        &format!("{observed}[ensemble]\nsize = 1\nvary.\"constants.lead\" = {{ list = [0.2] }}\n"),
    );
    let q = 2.0 * q;
    near(&finals(&varied, &["nut.displacement"]), &[5.0 / (2.0 + 0.004 / (q * q)) / 2.0]);

    // The bar stands where the cam puts it.
    let guessed = "initial = { position = [0, 1, 0], approximate = true }";
    let cam = SHAFTS
        .replace("initial.position = [0, 1, 0]", guessed)
        .replace("angle = 0", "angle = 0.4\nangular_velocity = 1")
        .replace("0.9]", "0]");
    let follower = "[[coupling]]\nname = \"cam\"\njoint = \"r\"\nfollows = \"a\"\n\
                    value = { polynomial = [0.1, 0, 0.5] }\n";
    let observed =
        "[observe]\nchannels = [\"angle\", \"angle_rate\", \"displacement\", \"displacement_rate\"]\n";
    let columns = ["a.angle", "a.angle_rate", "r.displacement", "r.displacement_rate"];
    let [x, rate, y, speed] = finals(&study(&format!("{cam}{follower}"), observed), &columns)[..] else {
        panic!()
    };
    // The energy stays: (J + m x²) x'² with y' = x.
    let energy = |x: f64, rate: f64| (0.5 + 3.0 * x * x) * rate * rate;
    near(&[y, speed, energy(x, rate)], &[0.1 + 0.5 * x * x, x * rate, energy(0.4, 1.0)]);
}

/// Springs at the turns of a ball joint and of a cross are those of their axes: small and large
/// oscillations about one of them.
#[test]
fn springs_act_at_each_turn_of_a_joint_of_several() {
    let observed = |channel: &str| format!("[observe]\nchannels = [\"{channel}\", \"{channel}_rate\"]\n");
    for (axis, moment, name) in
        [([1, 0, 0], 0.5, "angle_x"), ([0, 1, 0], 0.7, "angle_y"), ([0, 0, 1], 0.9, "angle_z")]
    {
        let ball = format!(
            "[body]\nmass = 1\ninertia = [0.5, 0.7, 0.9]\n\
             initial.attitude = {{ axis = {axis:?}, angle = \"60 deg\" }}\n\
             [[joint]]\nname = \"ball\"\nkind = \"spherical\"\nbodies = [\"ground\", \"body\"]\n\
             points = [[0, 0, 0], [0, 0, 0]]\n\
             [[joint_spring]]\nname = \"coil\"\njoint = \"ball\"\ncoordinate = \"{name}\"\n\
             stiffness = \"2 N m/rad\"\nrest = \"15 deg\"\n"
        );
        let omega = (2.0f64 / moment).sqrt();
        let (rest, start) = (15f64.to_radians(), 60f64.to_radians());
        let exact = [rest + (start - rest) * omega.cos(), -(start - rest) * omega * omega.sin()];
        let columns = [format!("ball.{name}"), format!("ball.{name}_rate")];
        near(&finals(&study(&ball, &observed(name)), &[&columns[0], &columns[1]]), &exact);
    }
    // A cross along x and y: the first turn carries the second along.
    for (side, axis, moment) in [("a", [1, 0, 0], 0.5), ("b", [0, 1, 0], 0.7)] {
        let cross = format!(
            "[body]\nmass = 1\ninertia = [0.5, 0.7, 0.9]\n\
             initial.attitude = {{ axis = {axis:?}, angle = \"40 deg\" }}\n\
             [[joint]]\nname = \"cross\"\nkind = \"universal\"\nbodies = [\"ground\", \"body\"]\n\
             points = [[0, 0, 0], [0, 0, 0]]\naxes = [[1, 0, 0], [0, 1, 0]]\n\
             [[joint_spring]]\nname = \"coil\"\njoint = \"cross\"\ncoordinate = \"angle_{side}\"\n\
             stiffness = 2\n"
        );
        let omega = (2.0f64 / moment).sqrt();
        let start = 40f64.to_radians();
        let columns = [format!("cross.angle_{side}"), format!("cross.angle_{side}_rate")];
        let exact = [start * omega.cos(), -start * omega * omega.sin()];
        let observing = observed(&format!("angle_{side}"));
        near(&finals(&study(&cross, &observing), &[&columns[0], &columns[1]]), &exact);
    }
}

#[test]
fn couplings_and_turns_that_cannot_be_are_refused() {
    let ball = "[[joint]]\nname = \"ball\"\nkind = \"spherical\"\nbodies = [\"ground\", \"one\"]\n\
                points = [[0, 0, 0], [0, 0, 0]]\n";
    let coupling = |rest: &str| format!("[[coupling]]\nname = \"c\"\n{rest}\n");
    for (rest, found) in [
        (coupling("joint = \"b\"\nfollows = \"a\""), "coupling[0]: `ratio` and `value` are both missing"),
        (
            coupling("joint = \"b\"\nfollows = \"a\"\nratio = 1\nvalue = \"x\""),
            "`ratio` and `value` are given together",
        ),
        (coupling("joint = \"b\"\nfollows = \"b\"\nratio = 1"), "a coordinate cannot follow itself"),
        (
            coupling("joint = \"b\"\nfollows = \"aa\"\nratio = 1"),
            "follows: there is no joint \"aa\"; did you mean",
        ),
        (
            coupling("joint = \"b\"\nfollow = \"a\"\nratio = 1"),
            "follow: unknown key; did you mean `follows`?",
        ),
        (
            coupling("joint = \"b\"\nfollows = \"a\"\nvalue = \"abs(x)\""),
            "and a coupling needs two derivatives",
        ),
        (coupling("joint = \"b\"\nfollows = \"a\"\nvalue = \"2*t\""), "value"),
        (
            coupling("joint = \"b\"\nfollows = \"a\"\nvalue = \"2*x\"\noffset = 1"),
            "`offset` goes with `ratio`",
        ),
        (
            coupling("joint = \"r\"\nfollows = \"a\"\nratio = 1\noffset = \"1 deg\""),
            "offset: \"1 deg\" is an angle, not a length",
        ),
        (
            coupling("joint = \"b\"\ncoordinate = \"displacement\"\nfollows = \"a\"\nratio = 1"),
            "is of kind revolute and has no displacement",
        ),
        (
            format!("{ball}[[joint_spring]]\nname = \"s\"\njoint = \"ball\"\nstiffness = 1\n"),
            "`coordinate` is missing: the joint `ball` has 3; name one of angle_x, angle_y, angle_z",
        ),
        (
            format!(
                "{ball}[[stop]]\nname = \"s\"\njoint = \"ball\"\ncoordinate = \"angle_a\"\nlow = 0\n\
                 stiffness = 1\n"
            ),
            "is of kind spherical and has no angle_a; did you mean `angle_x`?",
        ),
    ] {
        let problems = mechanism_of_text("wrong", &format!("{SHAFTS}{rest}")).expect_err(&rest).to_string();
        assert!(problems.contains(found), "{rest}: {problems}");
    }
}
