//! Two arms in joints of every kind, held by every treatment, in the language of files.

use polhode::describe::Study;
use polhode::study_file::read_study;

const ARM: &str = "mass = 1\ninertia = [0.01, 0.09, 0.09]\n";

/// A study of a mechanism, in the language of files.
pub fn study_of(constraints: &str, vary: &str, mechanism: &str, h: f64, steps: u64) -> Study {
    let text = format!(
        "method = {{ name = \"staggered\", step = {h:?}, steps = {steps}, resynchronise = 20 }}\n\
         constraints = {{ {constraints} }}\nensemble.size = 60\n[ensemble.vary]\n{vary}\n\
         [observe]\nevery = {steps}\n[run]\nfused = false\n[mechanism]\ngravity = 9.81\n{mechanism}"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("study.toml");
    std::fs::write(&path, &text).expect("written");
    read_study(&path).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// Two arms along e1, hung on the ground by `first` and on each other by `second`.
pub fn two_arms(first: &str, second: &str) -> String {
    format!(
        "[[mechanism.body]]\nname = \"upper\"\n\
         {ARM}initial = {{ position = [0.5, 0, 0], approximate = true }}\n\
         [[mechanism.body]]\nname = \"lower\"\n\
         {ARM}initial = {{ position = [1.5, 0, 0], approximate = true }}\n\
         [[mechanism.joint]]\nname = \"shoulder\"\nbodies = [\"ground\", \"upper\"]\n\
         points = [[0, 0, 0], [-0.5, 0, 0]]\n{first}\n\
         [[mechanism.joint]]\nname = \"elbow\"\nbodies = [\"upper\", \"lower\"]\n\
         points = [[0.5, 0, 0], [-0.5, 0, 0]]\n{second}\n"
    )
}

pub const SPIN: &str = "\"upper.angular_velocity\" = { normal = { mean = [0, 0.4, 1], std = 0.3 } }\n\
                    \"lower.angular_velocity\" = { normal = { mean = [0, -0.2, 1], std = 0.3 } }";

pub const KINDS: [&str; 10] = [
    "kind = \"spherical\"",
    "kind = \"universal\"\naxes = [[0, 1, 0], [0, 0, 1]]",
    "kind = \"revolute\"\naxes = [0, 1, 0]",
    "kind = \"slot\"\naxes = [1, 0, 0]",
    "kind = \"cylindrical\"\naxes = [1, 0, 0]",
    "kind = \"translational\"\naxes = [1, 0, 0]",
    "kind = \"planar_point\"\naxes = [0, 1, 0]",
    "kind = \"planar\"\naxes = [0, 0, 1]",
    "kind = \"fixed\"",
    // On a rod of its own: the points of the others coincide.
    "kind = \"distance\"",
];

/// Both joints of this kind.
pub fn mechanism_of(kind: &str) -> String {
    let arms = two_arms(kind, kind);
    if kind.contains("distance") {
        // Rods of 0.2 m instead of coinciding points.
        arms.replace("[[0, 0, 0], [-0.5, 0, 0]]", "[[-0.2, 0, 0], [-0.5, 0, 0]]")
            .replace("[[0.5, 0, 0], [-0.5, 0, 0]]", "[[0.3, 0, 0], [-0.5, 0, 0]]")
    } else {
        arms
    }
}

pub const TREATMENTS: [&str; 7] = [
    "treatment = \"staggered\"",
    "treatment = \"exact\"",
    "treatment = \"baumgarte\"",
    "treatment = \"penalty\", eps = 1e-4",
    "treatment = \"staggered_as_printed\", eps = 1e-3",
    "treatment = \"staggered_as_printed\", eps = 1e-3, corrected = true",
    "treatment = \"staggered_once_integrated\"",
];
