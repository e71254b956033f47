//! Spreads relative to the mechanism's own values: what is drawn is what the same numbers in SI
//! units say.

use polhode::describe::Study;
use polhode::ensemble::Sampler;
use polhode::study_file::{read_study_text, resolved_toml};

const MECHANISM: &str = "[[body]]\nname = \"a\"\nmass = \"2 kg\"\ninertia = [1, 2, 2.5]\n\
    [body.initial]\nvelocity = [1, -2, 4]\nangular_velocity = [0, 0, 3]\n\
    [[spring]]\nname = \"coil\"\nbodies = [\"ground\", \"a\"]\npoints = [[0, 0, 0], [1, 0, 0]]\n\
    stiffness = \"50 N/m\"\n";

fn varied(key: &str, spread: &str) -> String {
    format!(
        "method = {{ name = \"rk4\", step = 0.01, steps = 10 }}\n[ensemble]\nsize = 200\nseed = 4\n\
         [ensemble.vary]\n\"{key}\" = {spread}\n"
    )
}

fn read(key: &str, spread: &str) -> Result<Study, String> {
    read_study_text("study", &varied(key, spread), MECHANISM).map_err(|problems| problems.to_string())
}

/// The numbers that are drawn, by instance.
pub(crate) fn drawn(study: &Study) -> Vec<Vec<f64>> {
    let sampler = Sampler::new(study).unwrap();
    let mut row = vec![0.0; sampler.width()];
    let draw = |instance| {
        sampler.draw(instance, &mut row);
        row.clone()
    };
    (0..study.ensemble.size).map(draw).collect()
}

#[test]
fn relative_spreads_are_those_of_the_same_numbers() {
    for (key, relative, absolute) in [
        ("a.mass", "{ normal = { relative_std = 0.05 } }", "{ normal = { mean = 2, std = 0.1 } }"),
        ("a.mass", "{ normal = { relative_std = \"5 %\" } }", "{ normal = { mean = 2, std = 0.1 } }"),
        (
            "a.mass",
            "{ normal = { mean = \"4 kg\", relative_std = \"5 %\" } }",
            "{ normal = { mean = 4, std = 0.2 } }",
        ),
        (
            "a.velocity",
            "{ normal = { relative_std = 0.5 } }",
            "{ normal = { mean = [1, -2, 4], std = [0.5, 1, 2] } }",
        ),
        ("a.mass", "{ uniform = \"±25 %\" }", "{ uniform = { low = 1.5, high = 2.5 } }"),
        ("a.mass", "{ uniform = \"+-25%\" }", "{ uniform = { low = 1.5, high = 2.5 } }"),
        ("a.velocity.y", "{ uniform = \"+/- 50 %\" }", "{ uniform = { low = -3, high = -1 } }"),
        (
            "coil.stiffness",
            "{ triangular = \"±10 %\" }",
            "{ triangular = { low = 45, mode = 50, high = 55 } }",
        ),
        (
            "coil.stiffness",
            "{ truncated_normal = { relative_std = 0.2, low = 40 } }",
            "{ truncated_normal = { mean = 50, std = 10, low = 40 } }",
        ),
    ] {
        let [relative, absolute] = [relative, absolute]
            .map(|spread| read(key, spread).unwrap_or_else(|error| panic!("{spread}: {error}")));
        let rows = drawn(&relative);
        assert_eq!(rows, drawn(&absolute), "{key}");
        assert!(rows.windows(2).all(|pair| pair[0] != pair[1]));
        // The resolved study has the numbers.
        assert_eq!(resolved_toml(&relative), resolved_toml(&absolute));
    }
}

#[test]
fn shares_that_are_none_are_refused() {
    let mut said = String::new();
    for (key, spread) in [
        ("a.mass", "{ normal = { relative_std = -0.1 } }"),
        ("a.mass", "{ normal = { relative_std = \"10\" } }"),
        ("a.mass", "{ normal = { relative_std = \"10 kg\" } }"),
        ("a.mass", "{ normal = { relative_std = 0.1, std = 1 } }"),
        ("a.mass", "{ normal = { } }"),
        ("a.angular_velocity", "{ normal = { relative_std = 0.1 } }"),
        ("a.angular_velocity.x", "{ uniform = \"±10 %\" }"),
        ("a.mass", "{ uniform = \"10 %\" }"),
        ("a.mass", "{ uniform = \"±0 %\" }"),
        ("a.mass", "{ uniform = \"±ten %\" }"),
        ("a.mass", "{ uniform = \"±150 %\" }"),
        ("a.mass", "{ log_uniform = \"±10 %\" }"),
        ("coil.stiffness", "{ truncated_normal = { relative_std = 0, low = 1 } }"),
        ("a.attitude", "{ uniform = \"±10 %\" }"),
    ] {
        let error = read(key, spread).expect_err(spread);
        said += &format!("{spread}\n{error}\n\n");
    }
    insta::assert_snapshot!(said);
}
