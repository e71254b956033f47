//! The shipped studies, kept in the library: by subject, with the files that they read.

/// A shipped study.
pub struct ShippedStudy {
    /// The name of its file, without `.toml`.
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! studies {
    ($($subject:literal: $($name:literal),+;)+) => {
        /// By subject.
        pub const STUDIES: &[(&str, &[ShippedStudy])] = &[$(($subject, &[$(ShippedStudy {
            name: $name,
            text: include_str!(concat!("../studies/", $name, ".toml")),
        }),+])),+];
    };
}

macro_rules! parts {
    ($($name:literal),+ $(,)?) => {
        /// The files that they read, in the folder `mechanisms` beside theirs.
        pub const PARTS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../mechanisms/", $name)))),+];
    };
}

studies! {
    "Free bodies and tops": "tumbling", "hulbert_51", "hulbert_52", "hulbert_fig1", "hulbert_fig2",
        "hulbert_fig3", "hulbert_fig4", "kasti_fig1", "spacecraft";
    "Linkages": "double_pendulum", "furuta_pendulum", "four_bar", "four_bar_spatial", "bricard",
        "slider_crank";
    "Driven, rolling, locking": "crane", "crane_driven", "manipulator", "solar_panels", "rolling_ball",
        "rolling_ball_offset";
    "Linked parameters": "pendulum_clock";
    "Laws with feedback, outcomes": "cart_pole", "arm", "cubesat", "reaction_wheels", "map_cart_pole",
        "map_cart_pole_sampled";
    "Flexible bodies": "pendulum_flexible", "pendulum_rigid", "flexible_pendulum", "slider_crank_elastic",
        "crane_joints_rigid", "crane_joints_modal", "crane_joints_beams", "crane_modal", "crane_flexible",
        "boom", "spinning_beam", "vibration", "triangle", "triangle_levels";
    "Stiff mechanisms": "rubber_hinge", "stiffness_decades";
    "Equilibria and modes": "static_governor", "static_toggle", "modes_vibration", "modes_boom",
        "campbell_blade";
    "Sensitivity and chaos": "furuta_sensitivity", "furuta_chaos";
    "Stability maps of methods": "map_oscillator", "map_torsion", "map_free_body", "map_multipliers",
        "map_slider_crank";
    "Speed and accuracy": "work_precision";
}

parts!(
    "arm.toml",
    "bob_on_spring.toml",
    "boom.toml",
    "bricard.toml",
    "cart_pole.toml",
    "cart_pole_sampled.toml",
    "crane.toml",
    "crane_driven.toml",
    "crane_flexible.toml",
    "crane_joints_beams.toml",
    "crane_joints_modal.toml",
    "crane_joints_rigid.toml",
    "crane_modal.toml",
    "cubesat.toml",
    "double_pendulum.toml",
    "flexible_pendulum.toml",
    "four_bar.toml",
    "four_bar_spatial.toml",
    "free_body.toml",
    "furuta_pendulum.toml",
    "governor.toml",
    "heavy_top.toml",
    "hulbert_51.toml",
    "hulbert_51_1ms.toml",
    "manipulator.toml",
    "pendulum_clock.toml",
    "pendulum_flexible.toml",
    "pendulum_rigid.toml",
    "reaction_wheels.toml",
    "rolling_ball.toml",
    "rolling_ball_offset.toml",
    "rotating_blade.toml",
    "rubber_hinge.toml",
    "slider_crank.toml",
    "slider_crank_elastic.toml",
    "solar_panels.toml",
    "spacecraft.toml",
    "spinning_beam.json",
    "spinning_beam.toml",
    "toggle.toml",
    "triangle.json",
    "triangle.toml",
    "triangle_levels.toml",
    "triangle_masses.csv",
    "vibration.json",
    "vibration.toml",
);

impl ShippedStudy {
    /// The files that it reads, and those that these read.
    pub fn parts(&self) -> Vec<(&'static str, &'static str)> {
        let mut found: Vec<(&str, &str)> = Vec::new();
        let mut texts = vec![self.text];
        while let Some(text) = texts.pop() {
            for part in PARTS {
                let is_named =
                    ["/", "\""].iter().any(|before| text.contains(&format!("{before}{}\"", part.0)));
                if is_named && !found.contains(part) {
                    found.push(*part);
                    texts.push(part.1);
                }
            }
        }
        found
    }
}

/// The text of a file in `mechanisms`. In a constant the compiler finds a name that there is not.
///
/// # Panics
///
/// If no file has this name.
pub const fn part(name: &str) -> &'static str {
    let mut at = 0;
    while at < PARTS.len() {
        if is_same(PARTS[at].0.as_bytes(), name.as_bytes()) {
            return PARTS[at].1;
        }
        at += 1;
    }
    panic!("no shipped file has this name")
}

/// `a == b`, which constants cannot say of slices.
const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// All of them.
pub fn all() -> impl Iterator<Item = &'static ShippedStudy> {
    STUDIES.iter().flat_map(|(_, studies)| *studies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_the_folders_is_kept() {
        let names = |folder: &str| -> BTreeSet<String> {
            let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            std::fs::read_dir(root)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect()
        };
        assert_eq!(
            all().map(|study| format!("{}.toml", study.name)).collect::<BTreeSet<_>>(),
            names("studies")
        );
        assert_eq!(PARTS.iter().map(|part| part.0.to_string()).collect::<BTreeSet<_>>(), names("mechanisms"));
        let read: BTreeSet<&str> = all().flat_map(ShippedStudy::parts).map(|part| part.0).collect();
        assert_eq!(read.len(), PARTS.len(), "{read:?}");
    }
}
