//! Messages of what is not taken, and files that are damaged.

use std::fs;
use std::path::{Path, PathBuf};

use polhode::Study;
use polhode::backend::Plan;
use polhode::ensemble::Sampler;
use polhode::study::plan::plan;
use polhode::study_file::{read_study_text, start_problems};
use polhode_import::{Feature, ImportOptions, Imported, import};

/// A file of its own for each text, in a folder of the test's own: a later run writes it anew.
fn file(name: &str, text: &str) -> PathBuf {
    let test = std::thread::current().name().unwrap_or_default().replace("::", "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("import").join(test);
    fs::create_dir_all(&folder).expect("a folder for files");
    let file = folder.join(name);
    fs::write(&file, text).expect("a file");
    file
}

/// All faults of a text, without the folder before them.
fn faults(name: &str, text: &str, drop: &[Feature]) -> Vec<String> {
    let file = file(name, text);
    let folder = format!("{}/", file.parent().expect("a folder").display());
    let found = import(&file, &ImportOptions { drop: drop.to_vec(), ..ImportOptions::default() });
    found.err().unwrap_or_default().iter().map(|fault| fault.to_string().replace(&folder, "")).collect()
}

/// A pendulum with something more.
fn pendulum(more: &str, in_body: &str) -> String {
    format!(
        "<mujoco>\n<worldbody>\n<body name=\"rod\">\n<joint name=\"pin\" axis=\"0 1 0\"/>\n\
         <geom name=\"bar\" size=\".1\" pos=\"0 0 -1\"/>\n{in_body}\n</body>\n</worldbody>\n{more}\n</mujoco>"
    )
}

/// A link on a revolute joint with these limits.
fn urdf_limits(limits: &str) -> String {
    format!(
        "<robot name=\"r\">\n<link name=\"a\"/>\n\
         <link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" \
         izz=\"1\"/></inertial></link>\n<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child \
         link=\"b\"/><limit effort=\"1\" {limits}/></joint>\n</robot>"
    )
}

#[test]
fn limits_of_no_length_are_told_as_none() {
    let file = file("locked.urdf", &urdf_limits("lower=\"0\" upper=\"0\""));
    let made = import(&file, &ImportOptions::default()).unwrap_or_else(|faults| panic!("{faults:?}"));
    let told = "the limits of the joint `j` begin and end at 0: it is taken to have none, as MuJoCo takes it";
    assert!(made.notes.iter().any(|line| line.ends_with(told)), "{:?}", made.notes);
    assert!(made.mechanism.contains("begin and end at 0"), "{}", made.mechanism);
}

#[test]
fn options_of_the_other_format_are_refused() {
    let [mjcf, urdf] =
        [("base.xml", pendulum("", "")), ("key.urdf", urdf_limits(""))].map(|(name, text)| file(name, &text));
    let free = ImportOptions { base: polhode_import::RootLink::Free, ..ImportOptions::default() };
    let key = ImportOptions { key: Some("home".to_string()), ..ImportOptions::default() };
    for (file, options, told) in [(mjcf, free, "`--base free` is for URDF"), (urdf, key, "`--key` is for")] {
        let faults = import(&file, &options).expect_err("an option that does nothing");
        assert!(faults.len() == 1 && faults[0].text.starts_with(told), "{faults:?}");
    }
}

#[test]
fn names_that_can_be_used_are_kept_and_changed_ones_are_told() {
    let arm = "<body name=\"arm-1\"><joint name=\"j-1\" axis=\"0 1 0\" damping=\"1\"/><geom \
               size=\".1\"/><body name=\"arm_1\"><joint name=\"j_1\" axis=\"0 1 0\"/><geom \
               size=\".1\"/></body></body>";
    let springs = "<actuator><motor name=\"j_1_joint_spring\" joint=\"j_1\"/></actuator>";
    let file =
        file("swap.xml", &pendulum(&format!("<option><flag contact=\"disable\"/></option>{springs}"), arm));
    let made = import(&file, &ImportOptions::default()).unwrap_or_else(|faults| panic!("{faults:?}"));
    let bodies: Vec<[&str; 2]> = made.bodies.iter().map(|[was, is]| [&**was, &**is]).collect();
    assert_eq!(bodies, [["rod", "rod"], ["arm-1", "arm_1_body"], ["arm_1", "arm_1"]]);
    let joint = |k: usize| made.coordinates[k].joint.as_ref().map(|[joint, _]| joint.as_str());
    assert_eq!([joint(1), joint(2)], [Some("j_1_joint"), Some("j_1")]);
    // The made name goes around that of the motor.
    assert!(made.mechanism.contains("name = \"j_1_joint_spring\"\njoint = \"j_1\"\n"), "{}", made.mechanism);
    let told = "Names that are not those of the source: `arm-1` is `arm_1_body`, `j-1` is `j_1_joint`.";
    assert!(made.notes.iter().any(|line| line == told), "{:?}", made.notes);
    assert!(made.mechanism.contains("# Names that are not those of the source: "), "{}", made.mechanism);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn what_is_not_taken_is_told_with_its_place() {
    let cases: [(&str, String, &str); 26] = [
        (
            "xml.xml",
            "<mujoco>\n  <worldbody>\n</mujoco>".into(),
            "xml.xml:3:1: this is no XML that can be read: ",
        ),
        (
            "root.xml",
            "<model/>".into(),
            "root.xml:1:1: the file begins with <model>, and should with <mujoco>",
        ),
        (
            "attribute.xml",
            pendulum("", "<geom siz=\".1\"/>"),
            "attribute.xml:6:7: attribute `siz` of <geom> is not known; did you mean `size`?; `--drop \
             unknown` leaves it out",
        ),
        (
            "number.xml",
            pendulum("", "<geom size=\"a\"/>"),
            "number.xml:6:7: `size` has \"a\", which is no number",
        ),
        (
            "infinite.xml",
            pendulum("", "<geom size=\"inf\"/>"),
            "infinite.xml:6:7: `size` has \"inf\", which is no number",
        ),
        (
            "tendon.xml",
            pendulum("<tendon><fixed name=\"rope\" stiffness=\"2\"/></tendon>", ""),
            "tendon.xml:9:9: the tendon `rope` pulls by itself; `--drop tendon` leaves it out",
        ),
        (
            "fluid.xml",
            pendulum("<option density=\"1.2\"/>", ""),
            "fluid.xml:9:1: the medium resists the bodies (`density`, `viscosity`); `--drop fluid` leaves it \
             out",
        ),
        (
            "muscle.xml",
            pendulum("<actuator><muscle name=\"m\" joint=\"pin\"/></actuator>", ""),
            "muscle.xml:9:11: the actuator `m` has dynamics of type `muscle`; `--drop actuator` leaves it \
             out",
        ),
        (
            "joint.xml",
            pendulum("<actuator><motor joint=\"pim\"/></actuator>", ""),
            "joint.xml:9:11: an actuator: there is no joint `pim`; did you mean `pin`?",
        ),
        (
            "contact.xml",
            pendulum("<worldbody><geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/></worldbody>", ""),
            "contact.xml:9:12: contact: `floor` and `bar` (line 5) may touch; bodies of polhode pass through \
             each other; `--drop contact` leaves it out",
        ),
        (
            "mesh.xml",
            pendulum("", "<geom name=\"shell\" type=\"mesh\" mesh=\"hull\"/>"),
            "mesh.xml:6:1: the mass of the geom `shell` follows from the mesh `hull`, which polhode does not \
             read",
        ),
        (
            "soft.xml",
            pendulum("<equality><joint joint1=\"pin\" solref=\"0.1 1\"/></equality>", ""),
            "soft.xml:9:31: the equality `joint` asks for a softness of its own (`solref`); polhode holds it \
             exactly; `--drop softness` leaves it out",
        ),
        (
            "joints.xml",
            pendulum("", "<joint name=\"other\" axis=\"0 1 0\" pos=\"0 0 1\"/>"),
            "joints.xml:3:1: the joints `pin`, `other` of the body `rod` are no joint that polhode has",
        ),
        (
            "massless.urdf",
            "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n\
             <joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>\n\
             </robot>"
                .into(),
            "massless.urdf:3:1: the body `b` moves and has no mass: give its link, or a link fixed to it, an \
             <inertial>",
        ),
        (
            "circle.urdf",
            "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n\
             <joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>\n\
             <joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>\n\
             </robot>"
                .into(),
            "circle.urdf:1:1: no link is the root: joints go in a circle",
        ),
        (
            "class.xml",
            pendulum("<default><joint frictionlos=\".1\"/></default>", ""),
            "class.xml:9:17: attribute `frictionlos` of <joint> is not known; did you mean `frictionloss`?; \
             `--drop unknown` leaves it out",
        ),
        (
            "plugin.xml",
            pendulum("", "<geom name=\"sdf\" size=\".1\"><plugin instance=\"bolt\"/></geom>"),
            "plugin.xml:6:28: <plugin> within <geom> is not known; `--drop plugin` leaves it out",
        ),
        (
            "bears.xml",
            pendulum(
                "",
                "<body name=\"b\" gravcomp=\"1\"><joint name=\"j\" actuatorgravcomp=\"true\"/><geom \
                 size=\".1\"/></body>",
            ),
            "bears.xml:6:45: the actuators of the joint `j` bear what gravity leaves out \
             (`actuatorgravcomp`); `--drop joint` leaves it out",
        ),
        (
            "copies.xml",
            pendulum("", "<replicate count=\"1e9\"><geom size=\".1\"/></replicate>"),
            "copies.xml:6:1: <replicate> makes more than 20000 elements",
        ),
        (
            "against.xml",
            pendulum(
                "<actuator><motor name=\"m\" site=\"a\" refsite=\"b\"/></actuator>",
                "<site name=\"a\"/><site name=\"b\"/>",
            ),
            "against.xml:9:11: the actuator `m` works against a site that moves (`refsite`); `--drop \
             actuator` leaves it out",
        ),
        (
            "servo.xml",
            pendulum(
                "<actuator><position name=\"m\" site=\"a\" kp=\"1\" kv=\"1\" gear=\"1\"/></actuator>",
                "<site name=\"a\"/>",
            ),
            "servo.xml:9:11: the actuator `m` measures at its site what polhode's laws do not",
        ),
        (
            "limited.xml",
            pendulum(
                "<actuator><motor name=\"m\" site=\"a\"/></actuator>",
                "<body><joint name=\"j\" actuatorfrcrange=\"-1 1\"/><geom size=\".1\"/><body><site \
                 name=\"a\"/></body></body>",
            ),
            "limited.xml:9:11: the actuator `m` acts at a site, outside the limits of all actuators of the \
             joint `j` (`actuatorfrcrange`); `--drop actuator` leaves it out",
        ),
        (
            "deadband.xml",
            pendulum(
                "<tendon><spatial name=\"rope\" stiffness=\"2\" springlength=\".1 .2\"><site \
                 site=\"a\"/><site site=\"b\"/></spatial></tendon>",
                "<site name=\"a\"/><site name=\"b\"/>",
            ),
            "deadband.xml:9:9: the tendon `rope` pulls by itself, and is slack between two lengths \
             (`springlength`), where a spring has one; `--drop tendon` leaves it out",
        ),
        (
            "reversed.urdf",
            urdf_limits("lower=\"2\" upper=\"-2\""),
            "reversed.urdf:4:68: the limits of the joint `j` end at -2, before they begin at 2",
        ),
        (
            "slides.xml",
            pendulum(
                "",
                "<body name=\"s\"><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/><joint name=\"y\" \
                 type=\"slide\" axis=\"0 1 0\" stiffness=\"3\"/><joint name=\"z\" type=\"slide\"/><geom \
                 size=\".1\"/></body>",
            ),
            "slides.xml:6:1: the joints `x`, `y`, `z` of the body `s` are no joint that polhode has",
        ),
        (
            "xacro.urdf",
            "<robot name=\"r\" xmlns:xacro=\"x\">\n<macro/>\n</robot>".into(),
            "xacro.urdf:2:1: this file is for xacro",
        ),
    ];
    for (name, text, told) in cases {
        let found = faults(name, &text, &[]);
        assert!(found.iter().any(|line| line.starts_with(told)), "{name}: {found:#?}");
        // A spring along a refused joint is no fault of its own.
        assert!(name != "slides.xml" || found.len() == 1, "{found:#?}");
    }
}

#[test]
fn what_is_dropped_is_a_comment_in_its_place_and_a_line() {
    let text = pendulum("<tendon><fixed name=\"rope\" stiffness=\"2\"/></tendon>", "<light/><camera/>");
    let file = file("dropped.xml", &text);
    let made = import(&file, &ImportOptions { drop: vec![Feature::Tendon], ..ImportOptions::default() })
        .unwrap_or_else(|faults| panic!("{faults:?}"));
    assert!(
        made.mechanism.contains("# Left out (dropped.xml:9): the tendon `rope` pulls by itself."),
        "{}",
        made.mechanism
    );
    assert!(
        made.notes
            .iter()
            .any(|line| line.ends_with("dropped.xml:9:9: left out: the tendon `rope` pulls by itself"))
    );
    let counted = "Without effect on the motion, and left out: 1 <light>, 1 <camera>.";
    assert!(made.notes.iter().any(|line| line == counted), "{:?}", made.notes);
    // The head names the source and what identifies it.
    let head = made.mechanism.lines().next().unwrap_or_default();
    assert!(
        head.starts_with("# Imported, imported from dropped.xml (MJCF, ") && head.contains("xxh3 "),
        "{head}"
    );
}

/// Numbers that are not random, from a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        // Knuth's multiplier; the upper half is good enough to damage files.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// The text with some damage that leaves UTF-8.
fn damaged(text: &str, chance: &mut Chance) -> String {
    let mut words: Vec<String> = text.split_inclusive(['"', ' ', '>', '\n']).map(str::to_string).collect();
    for _ in 0..=chance.below(3) {
        let at = chance.below(words.len());
        let other = words[chance.below(words.len())].clone();
        match chance.below(7) {
            0 => drop(words.remove(at)),
            1 => words[at] = other,
            2 => words.insert(at, other),
            3 => words.truncate(at + 1),
            kind => {
                // A number becomes another one.
                let numbers: Vec<usize> = (0..words.len())
                    .filter(|k| words[*k].trim_end_matches(['"', ' ']).parse::<f64>().is_ok())
                    .collect();
                let Some(at) = numbers.get(chance.below(numbers.len())) else { continue };
                let end = words[*at]
                    .chars()
                    .last()
                    .filter(|c| "\" ".contains(*c))
                    .map(String::from)
                    .unwrap_or_default();
                let values = ["0", "-1", "1e308", "1e-308", "-1e30", "nan", "", "1e9", "3"];
                let value = if kind == 4 { "0" } else { values[chance.below(values.len())] };
                words[*at] = format!("{value}{end}");
            }
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

/// The study that the command tries a mechanism with.
fn tried(imported: &Imported, file: &Path) -> Option<(Study, Plan)> {
    let chosen = imported.study.lines().find(|line| line.starts_with("accuracy = ")).expect("an accuracy");
    let text = imported.study.replace(chosen, "name = \"rk4\"\nstep = \"1 ms\"");
    let study = read_study_text("damaged", &text, &imported.mechanism).ok()?;
    if start_problems(&study, file).is_some() {
        return None;
    }
    let plan = plan(&study).ok()?;
    Some((study, plan))
}

/// Damaged files are refused or read, and what is made of them is read or refused, each without a
/// panic. What the command writes, `check` takes.
#[test]
fn damaged_files_are_refused_or_read() {
    let all =
        std::env::var("POLHODE_IMPORT_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(2000);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut texts: Vec<(String, String)> = fs::read_dir(folder)
        .expect("fixtures")
        .map(|entry| entry.expect("a fixture").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "xml" || kind == "urdf"))
        .map(|path| {
            let kind = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            (kind, fs::read_to_string(path).expect("a text"))
        })
        .collect();
    texts.sort();
    let mut chance = Chance(20_261_127);
    let [mut made, mut written] = [0; 2];
    for number in 0..all {
        let (kind, text) = &texts[number % texts.len()];
        let damaged = damaged(text, &mut chance);
        let file = file(&format!("damaged.{kind}"), &damaged);
        let drop = if chance.below(2) == 0 { Feature::ALL.to_vec() } else { Vec::new() };
        let begun = std::time::Instant::now();
        match import(&file, &ImportOptions { drop, ..ImportOptions::default() }) {
            Ok(imported) => {
                made += 1;
                if let Some((study, plan)) = tried(&imported, &file) {
                    written += 1;
                    let checked = polhode::study::check(&study, &plan).map_err(|error| error.to_string());
                    let drawn = Sampler::new(&study).map_err(|error| error.to_string());
                    assert!(checked.is_ok() && drawn.is_ok(), "{checked:?}, {:?}:\n{damaged}", drawn.err());
                }
            }
            Err(faults) => assert!(!faults.is_empty(), "refused without a word:\n{damaged}"),
        }
        assert!(begun.elapsed().as_secs() < 20, "it takes {:?}:\n{damaged}", begun.elapsed());
    }
    // Some damage leaves a model, and most of what is made of these is sound; numbers of others are
    // refused.
    assert!(made * 4 > all, "{made} of {all}");
    assert!(written * 4 > made * 3, "{written} of {made}");
}
