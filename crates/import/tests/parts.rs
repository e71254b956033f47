//! Parts of files that MuJoCo does not judge: Drake's URDF, channels of sensors, and names on
//! export.

use std::fs;

use polhode::model::Model;
use polhode::study_file::{mechanism_of_text, read_study_text};
use polhode_import::{Feature, ImportOptions, Imported, export_mjcf, import};

/// Largest difference of lengths (m): roll, pitch and yaw of the files have 16 digits.
const LENGTH: f64 = 1e-14;

/// The text as a file of this name, imported.
fn imported(name: &str, text: &str) -> Result<Imported, String> {
    imported_from(name, text, None)
}

/// The text in the start of a keyframe.
fn imported_from(name: &str, text: &str, key: Option<&str>) -> Result<Imported, String> {
    let file = std::env::temp_dir().join(format!("polhode-parts-{}-{name}", std::process::id()));
    fs::write(&file, text).expect("a file");
    let key = key.map(str::to_string);
    let read = import(&file, &ImportOptions { key, ..ImportOptions::default() });
    fs::remove_file(&file).expect("it was written");
    read.map_err(|faults| faults.iter().map(|fault| format!("{fault}\n")).collect())
}

/// An arm on the ground, which no link stands for, and a hand that a joint fixes to it.
fn drake(frame_on: &str) -> String {
    format!(
        "<robot name=\"arm\" xmlns:drake=\"http://drake.mit.edu\">
<link name=\"arm\"><inertial><mass value=\"2\"/><inertia ixx=\".1\" iyy=\".2\" izz=\".25\"/></inertial></link>
<link name=\"hand\"/>
<joint name=\"pin\" type=\"revolute\">
<parent link=\"world\"/><child link=\"arm\"/><origin xyz=\"0 0 .5\"/><axis xyz=\"0 1 0\"/>
<limit lower=\"-3\" upper=\"3\" effort=\"7\"/>
</joint>
<joint name=\"wrist\" type=\"fixed\">
<parent link=\"arm\"/><child link=\"hand\"/><origin xyz=\"0 0 -1\" rpy=\"0 0 1.5707963267948966\"/>
</joint>
<frame name=\"tip\" link=\"{frame_on}\" xyz=\".1 0 0\" rpy=\"0 0 .3\"/>
<transmission name=\"drive\">
<type>SimpleTransmission</type><joint name=\"pin\"/>
<actuator name=\"m\"><drake:rotor_inertia value=\".002\"/><drake:gear_ratio value=\"10\"/></actuator>
</transmission>
</robot>"
    )
}

#[test]
fn drakes_urdf_has_its_ground_frames_and_rotors() {
    let made = imported("drake.urdf", &drake("hand")).unwrap_or_else(|error| panic!("{error}"));
    let mechanism = mechanism_of_text("drake", &made.mechanism).unwrap_or_else(|error| panic!("{error}"));
    // The ground is no body, and no root link that a user might want to let go.
    assert_eq!(mechanism.bodies.iter().map(|body| &*body.name).collect::<Vec<_>>(), ["arm"]);
    assert_eq!(mechanism.joints[0].points.map(|point| point.body), [None, Some(0)]);
    assert_eq!(mechanism.joints[0].points[0].at, [0.0, 0.0, 0.5]);
    assert!(!made.notes.iter().any(|line| line.contains("--base free")), "{:?}", made.notes);
    // The frame is .1 m along the hand's x axis, which the wrist turns to the arm's y axis.
    let tip = mechanism.points.iter().find(|point| point.name == "tip").expect("the frame");
    let off = tip.point.at.iter().zip([0.0, 0.1, -1.0]).fold(0.0f64, |most, (x, y)| most.max((x - y).abs()));
    assert!(tip.point.body == Some(0) && off < LENGTH, "{:?}", tip.point);
    // A rotor of .002 kg m^2 behind a gear of 10 is .2 kg m^2 at the joint.
    let rotor = mechanism.forces.iter().find(|force| force.card.table == "armature").expect("the rotor");
    assert!((rotor.number("inertia") - 0.2).abs() < 1e-15, "{:?}", rotor.numbers);
    // The motor's command has the limits of the joint's effort.
    assert!(made.mechanism.contains("-7, 7)"), "{}", made.mechanism);

    let message = imported("frame.urdf", &drake("hind")).expect_err("no such link");
    assert!(
        message.contains(":11:1: the frame `tip`: there is no link `hind`; did you mean `hand`?"),
        "{message}"
    );
}

#[test]
fn sensors_are_channels_or_counted() {
    let text = "<mujoco><worldbody>
<body name=\"rod\"><joint name=\"pin\" axis=\"0 1 0\"/><geom size=\".1\" pos=\"0 0 -1\"/>
<site name=\"imu\" pos=\"0 0 -1\"/><site name=\"tilted\" euler=\"0 0 30\"/>
<body name=\"stub\" pos=\"0 0 -1\"/>
</body>
</worldbody><sensor>
<framequat objtype=\"xbody\" objname=\"rod\"/><gyro site=\"imu\"/><jointvel joint=\"pin\"/>
<gyro site=\"tilted\"/><framequat objtype=\"site\" objname=\"imu\"/>
<framequat objtype=\"xbody\" objname=\"stub\"/>
<framequat objtype=\"xbody\" objname=\"rod\" reftype=\"site\" refname=\"imu\"/><accelerometer site=\"imu\"/>
</sensor></mujoco>";
    let made = imported("sensors.xml", text).unwrap_or_else(|error| panic!("{error}"));
    let study = read_study_text("sensors", &made.study, &made.mechanism);
    study.unwrap_or_else(|error| panic!("{error}\n{}", made.study));
    let channels =
        "\"pin.angle\", \"rod.attitude\", \"rod.angular_velocity\", \"pin.angle_rate\", \"energy\"";
    assert!(made.study.contains(&format!("channels = [{channels}]")), "{}", made.study);
    let counted = "2 sensors <framequat>, 1 sensors <accelerometer>, 2 sensors without a channel";
    assert!(made.notes.iter().any(|line| line.contains(counted)), "{:?}", made.notes);
}

/// A ball joint with angles is three hinges, `hip`, `hip_y` and `hip_z`, and another joint has one
/// of these names; a body is called like MuJoCo's ground.
#[test]
fn names_that_meet_on_export_are_told_apart() {
    let text = "name = \"Names\"\ngravity = 9.81
[[body]]\nname = \"world\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]
centre_of_mass = [0, 0, -0.2]
[[body]]\nname = \"foot\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]
centre_of_mass = [0, 0, -0.2]
[[joint]]\nname = \"hip\"\nkind = \"spherical\"\nbodies = [\"ground\", \"world\"]
points = [[0, 0, 0], [0, 0, 0]]
angle_x = 0.1\nangle_y = 0.2\nangle_z = 0.3
[[joint]]\nname = \"hip_y\"\nkind = \"revolute\"\nbodies = [\"world\", \"foot\"]
points = [[0, 0, -1], [0, 0, 0]]
axes = [0, 1, 0]\nangle = 0.4
[[joint_spring]]\nname = \"of_hip\"\njoint = \"hip\"\ncoordinate = \"angle_y\"\nstiffness = 5
[[joint_spring]]\nname = \"of_hip_y\"\njoint = \"hip_y\"\nstiffness = 3\nactuator = \"2\"
";
    let mechanism = mechanism_of_text("names", text).unwrap_or_else(|error| panic!("{error}"));
    let starts = Model::described_start(&mechanism).unwrap_or_else(|_| panic!("a start"));
    let made = export_mjcf(&mechanism, &starts).unwrap_or_else(|faults| panic!("{faults:?}")).text;
    let line = |wanted: &str| {
        let lines: Vec<&str> = made.lines().filter(|line| line.contains(wanted)).collect();
        let [line] = lines[..] else { panic!("{wanted}: {lines:?} of\n{made}") };
        line
    };
    line("<body name=\"world_2\"");
    assert!(line("<joint name=\"hip_y\" type=\"hinge\"").contains("stiffness=\"5\""), "{made}");
    assert!(line("<joint name=\"hip_y_2\" type=\"hinge\"").contains("stiffness=\"3\""), "{made}");
    assert!(line("<motor name=\"of_hip_y\"").contains("joint=\"hip_y_2\""), "{made}");
}

/// Drag and loads of a body that is fixed move nothing: they are left out with a note, and the file
/// can be imported.
#[test]
fn what_acts_on_a_fixed_body_is_left_out_on_export() {
    let body = |name: &str| format!("[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [1, 1, 1]\n");
    let load = |body: &str| {
        format!(
            "[[load]]\nname = \"on_{body}\"\nbody = \"{body}\"\nkind = \"force\"\naxes = \"space\"
value = [1, 0, 0]\n[[drag]]\nname = \"air_{body}\"\nbody = \"{body}\"\nlinear = 1\n"
        )
    };
    let text = format!(
        "{}{}{}{}[[joint]]\nname = \"seat\"\nkind = \"fixed\"\nbodies = [\"ground\", \"base\"]
points = [[0, 0, 0], [0, 0, 0]]
[[joint]]\nname = \"slide\"\nkind = \"translational\"\nbodies = [\"base\", \"arm\"]
points = [[0, 0, 0], [0, 0, 0]]\naxes = [1, 0, 0]\n",
        body("base"),
        body("arm"),
        load("base"),
        load("arm")
    );
    let mechanism = mechanism_of_text("fixed", &text).unwrap_or_else(|error| panic!("{error}"));
    let starts = Model::described_start(&mechanism).unwrap_or_else(|_| panic!("a start"));
    let made = export_mjcf(&mechanism, &starts).unwrap_or_else(|faults| panic!("{faults:?}"));
    let left_out = "without effect on the motion, and left out: its body is fixed";
    let expected = [("drag", "air_base"), ("load", "on_base")]
        .map(|(table, name)| format!("[[{table}]] `{name}`: {left_out}"));
    assert_eq!(made.notes, expected);
    let back = imported("fixed.xml", &made.text).unwrap_or_else(|faults| panic!("{faults}"));
    assert!(back.mechanism.contains("on_arm") && !back.mechanism.contains("on_base"), "{}", back.mechanism);
}

/// A joint of several freedoms has no one damping, friction or limit: none is lost without a word.
#[test]
fn dynamics_of_joints_with_several_freedoms_are_refused() {
    for kind in ["floating", "planar"] {
        let joint = |inside: &str| {
            format!(
                "<robot name=\"r\"><link name=\"base\"/>
<link name=\"b\"><inertial><mass value=\"2\"/><inertia ixx=\".1\" iyy=\".2\" izz=\".25\"/></inertial></link>
<joint name=\"j\" type=\"{kind}\"><parent link=\"base\"/><child link=\"b\"/>{inside}</joint></robot>"
            )
        };
        for inside in ["<dynamics damping=\"1\"/>", "<limit lower=\"-1\" upper=\"1\"/>"] {
            let message =
                imported("free.urdf", &joint(inside)).err().unwrap_or_else(|| panic!("{kind}: {inside}"));
            assert!(message.contains(&format!("joint `j`, which is {kind}, has no twin")), "{message}");
        }
        let free = imported("free.urdf", &joint("<limit effort=\"1\" velocity=\"1\"/>"));
        assert!(free.is_ok(), "{kind}: {:?}", free.err());
    }
}

/// A keyframe places bodies that the outside moves; that of a body given by its principal axes is
/// refused.
#[test]
fn keyframes_place_what_the_outside_moves() {
    let text = |align: &str| {
        format!(
            "<mujoco><worldbody><body name=\"hand\" mocap=\"true\" pos=\"2 0 1\"/>
<body name=\"held\" pos=\"2 0 .5\"><freejoint align=\"{align}\"/><geom type=\"box\" size=\".1 .2 .3\" \
pos=\".1 0 0\"/></body>
</worldbody><equality><connect body1=\"hand\" body2=\"held\" anchor=\"0 0 -.5\"/></equality>
<keyframe><key name=\"up\" qpos=\"2 0 2 1 0 0 0\" mpos=\"2 0 2.5\" mquat=\"0 1 0 0\"/></keyframe></mujoco>"
        )
    };
    let made =
        imported_from("mocap.xml", &text("false"), Some("up")).unwrap_or_else(|error| panic!("{error}"));
    let mechanism = mechanism_of_text("mocap", &made.mechanism).unwrap_or_else(|error| panic!("{error}"));
    // The hand hangs half a metre above its anchor, upside down.
    assert_eq!(mechanism.joints[0].points[0].at, [2.0, 0.0, 3.0]);
    let message =
        imported_from("aligned.xml", &text("true"), Some("up")).expect_err("its frame is not known");
    assert!(
        message.contains(":4:11: the keyframe places the body `held` by its principal axes"),
        "{message}"
    );
    assert!(imported("aligned.xml", &text("true")).is_ok());
}

/// MuJoCo has no passive force, and none of `gravcomp`, where springs and dampers are off.
#[test]
fn weight_comes_back_where_passive_forces_are_off() {
    let text = |flags: &str| {
        format!(
            "<mujoco><option><flag {flags}/></option><worldbody><body name=\"b\" gravcomp=\".5\"><joint \
             name=\"j\" axis=\"0 1 0\"/><geom size=\".1\" pos=\"0 0 1\"/></body></worldbody></mujoco>"
        )
    };
    for (flags, lifts) in [("spring=\"disable\"", 1), ("spring=\"disable\" damper=\"disable\"", 0)] {
        let made = imported("passive.xml", &text(flags)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(made.mechanism.matches("[[load]]").count(), lifts, "{}", made.mechanism);
    }
}

/// Angles of three hinges at a point are those of an attitude, which are others beyond a right
/// angle of the second.
#[test]
fn three_hinges_that_may_turn_over_are_told() {
    for (range, is_told) in [("", true), ("range=\"-80 80\"", false), ("range=\"-100 20\"", true)] {
        let text = format!(
            "<mujoco><worldbody><body name=\"b\"><joint name=\"x\" axis=\"1 0 0\"/><joint name=\"y\" \
             axis=\"0 1 0\" {range}/>\n<joint name=\"z\" axis=\"0 0 1\"/><geom size=\".1\" pos=\"0 0 \
             1\"/></body></worldbody></mujoco>"
        );
        let made = imported("hinges.xml", &text).unwrap_or_else(|error| panic!("{error}"));
        let note = "`y` is the second of three hinges at a point";
        assert_eq!(made.notes.iter().any(|line| line.contains(note)), is_told, "{range}: {:?}", made.notes);
        assert_eq!(made.mechanism.contains("# `y` is the second"), is_told, "{range}");
    }
}

/// A file with an arm on a hinge `j` and a hand on a hinge `k`, in the start of its keyframe.
fn arm(head: &str, actuators: &str, key: &str) -> Result<Imported, String> {
    let text = format!(
        "<mujoco><compiler angle=\"radian\"/>{head}<worldbody>
<body name=\"arm\"><joint name=\"j\" axis=\"0 1 0\" range=\"-1 3\"/><geom size=\".1\" pos=\"0 0 -1\"/>
<body name=\"hand\" pos=\"0 0 -2\"><joint name=\"k\" axis=\"0 1 0\" stiffness=\"5\"/>
<geom size=\".1\" pos=\"0 0 -1\"/><site name=\"tip\"/></body></body></worldbody>
<actuator>{actuators}</actuator><keyframe><key name=\"k\" {key}/></keyframe></mujoco>"
    );
    imported_from("arm.xml", &text, Some("k"))
}

/// The universal joint and the sliders of a file keep the axes of their bodies, so that these have
/// the channels of their sensors. Up to 0.2.0 their axes were laid along the parent's, and
/// `framequat` and `gyro` were dropped.
#[test]
fn bodies_turned_at_their_joints_keep_their_axes() {
    let joints = [
        ("<joint name=\"a\" axis=\"1 0 0\"/><joint name=\"b\" axis=\"0 1 0\"/>", "universal"),
        ("<joint name=\"a\" type=\"slide\" axis=\"1 0 0\"/>", "translational"),
    ];
    for (joints, kind) in joints {
        let text = format!(
            "<mujoco><worldbody><body name=\"b1\" euler=\"0 0 60\">{joints}<geom size=\".1\" pos=\"0 0 \
             1\"/><site name=\"imu\"/></body></worldbody><sensor><framequat objtype=\"xbody\" \
             objname=\"b1\"/><gyro site=\"imu\"/></sensor></mujoco>"
        );
        let made = imported("turned.xml", &text).unwrap_or_else(|error| panic!("{error}"));
        assert!(made.study.contains("\"b1.attitude\", \"b1.angular_velocity\""), "{}", made.study);
        let mechanism =
            mechanism_of_text("turned", &made.mechanism).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(mechanism.joints[0].kind.name, kind);
        let starts = Model::described_start(&mechanism).unwrap_or_else(|_| panic!("a start"));
        let [w, x, y, z] = starts[0].attitude;
        let off = [w - 0.75f64.sqrt(), x, y, z - 0.5].into_iter().fold(0.0f64, |most, x| most.max(x.abs()));
        assert!(off < LENGTH, "{kind}: {:?}", starts[0].attitude);
    }
}

/// Actuators that are switched off have commands and activations in a keyframe, and do nothing.
/// `act` was refused, and `--drop actuator` wrote the actuators of a group that is off.
#[test]
fn actuators_that_are_off_are_left_out_and_counted() {
    let actuators = "<motor name=\"m\" joint=\"k\" gear=\"3\" group=\"1\"/>\
                     <general name=\"g\" joint=\"j\" dyntype=\"filterexact\" dynprm=\"0.1\"/>\
                     <motor name=\"last\" joint=\"j\"/>";
    let key = "ctrl=\"0.2 0.5 0.7\" act=\"0.3\"";
    let written = |head: &str, actuators: &str, key: &str| {
        let made = arm(head, actuators, key).unwrap_or_else(|error| panic!("{head}: {error}"));
        let has = |name: &str| made.mechanism.contains(&format!("{name}_command = "));
        (["m", "g", "last"].map(has), made)
    };
    let (has, made) = written("<option><flag actuation=\"disable\"/></option>", actuators, key);
    assert_eq!(has, [false; 3], "{}", made.mechanism);
    let (has, made) = written("<option actuatorgroupdisable=\"1 2\"/>", actuators, key);
    assert_eq!(has, [false, true, true], "{}", made.mechanism);
    let off = "1 actuators that <flag> or `actuatorgroupdisable` switches off";
    assert!(made.notes.iter().any(|line| line.contains(off)), "{:?}", made.notes);
    for line in ["g_command = 0.5", "last_command = 0.7", "initial = 0.3"] {
        assert!(made.mechanism.contains(line), "{line}: {}", made.mechanism);
    }
    // A class has a group, too, and options add up.
    let head = "<option actuatorgroupdisable=\"0\"/><option actuatorgroupdisable=\"4\"/><default><motor \
                group=\"4\"/></default>";
    let (has, made) = written(head, &actuators.replace("group=\"1\"", ""), key);
    assert_eq!(has, [false; 3], "{}", made.mechanism);
    // An actuator that is off keeps its inertia.
    let message =
        arm("<option actuatorgroupdisable=\"1\"/>", &actuators.replace("gear=\"3\"", "armature=\"2\""), key);
    assert!(message.expect_err("an armature").contains("the actuator `m` has an armature of its own"));
    let message = arm("", actuators, "act=\"0.3 0.2\"").expect_err("two activations");
    assert!(message.contains("`act` has 2 numbers, and should have 1"), "{message}");
}

/// Actuators that are left out have numbers in a keyframe, which are those of no other. `act` was
/// refused for its count, and `ki` as unknown besides.
#[test]
fn numbers_of_dropped_actuators_are_passed_over() {
    let text =
        "<mujoco><worldbody><body name=\"b\"><joint name=\"j\" axis=\"0 1 0\"/><geom size=\".1\" pos=\"0 0 \
                -1\"/></body></worldbody><actuator><pid name=\"p\" joint=\"j\" ki=\"1\"/><muscle name=\"m\" \
                joint=\"j\" force=\"2\"/><general name=\"g\" joint=\"j\" dyntype=\"filter\"/></actuator>
<keyframe><key name=\"k\" ctrl=\"0.1 0.2 0.3 0.4\" act=\"0.5 0.6 0.7\"/></keyframe></mujoco>";
    let file = std::env::temp_dir().join(format!("polhode-parts-{}-dropped.xml", std::process::id()));
    fs::write(&file, text).expect("a file");
    let options =
        ImportOptions { key: Some("k".into()), drop: vec![Feature::Actuator], ..ImportOptions::default() };
    let made = import(&file, &options).unwrap_or_else(|faults| panic!("{faults:?}"));
    fs::remove_file(&file).expect("it was written");
    for line in ["g_command = 0.4", "initial = 0.7"] {
        assert!(made.mechanism.contains(line), "{line}: {}", made.mechanism);
    }
}

/// Defaults are those of MuJoCo 4.0.0, which says of these: kp = 1 and kv = 0; [-1, 1]; [-1, 3];
/// a gear of (7, 0, 1, 4); a mass by 1000 kg/m³ though the root has 2000 further on.
#[test]
fn classes_hand_down_what_mujoco_hands_down() {
    let text = |head: &str, actuator: &str| {
        arm(head, actuator, "").unwrap_or_else(|error| panic!("{head}: {error}")).mechanism
    };
    // It was kp = 10 and kv = 10.
    let made = text(
        "<default><position kp=\"100\"/><velocity kv=\"10\"/></default>",
        "<position name=\"p\" joint=\"j\"/>",
    );
    assert!(made.contains("p_kp = 1\n") && !made.contains("p_kv"), "{made}");
    let inherits = "<default><position inheritrange=\"1\"/></default>";
    for (own, range) in [("ctrlrange=\"-1 1\"", "-1, 1"), ("", "-1, 3")] {
        let made = text(inherits, &format!("<position name=\"p\" joint=\"j\" {own}/>"));
        assert!(made.contains(&format!("clamp(p_command, {range})")), "{made}");
    }
    let made = text(
        "<default><general gear=\"0 0 1 4\"/></default>",
        "<general name=\"g\" site=\"tip\" gear=\"7\"/>",
    );
    for list in ["\"7*(g_command)\", 0, \"g_command\"", "\"4*(g_command)\", 0, 0"] {
        assert!(made.contains(list), "{list}: {made}");
    }
    let message = arm("<default><joint stiffness=\"3 4\"/></default>", "", "").expect_err("a polynomial");
    assert!(message.contains("`stiffness` of the joint `k` is a polynomial"), "{message}");
    let text = "<mujoco><default><geom density=\"1000\"/><default class=\"a\"/></default><default><geom \
                density=\"2000\"/></default><worldbody><body><joint axis=\"0 1 0\"/><geom class=\"a\" \
                size=\".1\" pos=\"0 0 1\"/></body></worldbody></mujoco>";
    let made = imported("sections.xml", text).unwrap_or_else(|error| panic!("{error}"));
    assert!(made.mechanism.contains("density = \"1000 kg/m^3\""), "{}", made.mechanism);
}
