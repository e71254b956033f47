//! Attitudes in every form that a file may give, against rotations that nalgebra composes; and what
//! is told of few digits.

use nalgebra::{Matrix3, Rotation3, Unit, Vector3};
use polhode::study_file::{mechanism_of_text, read_study_text};

use crate::common::tolerances::CLOSED_FORM;

const STUDY: &str = "[method]\nstep = \"1 ms\"\nduration = \"10 ms\"\n";

fn text(attitude: &str) -> String {
    format!("[body]\nmass = 1\ninertia = [1, 2, 2.5]\ninitial.attitude = {attitude}\n")
}

fn quaternion(attitude: &str) -> [f64; 4] {
    let read = mechanism_of_text("attitude", &text(attitude));
    read.unwrap_or_else(|problems| panic!("{attitude}: {problems}")).bodies[0].initial.attitude
}

/// The matrix of a unit quaternion, written out.
fn matrix([w, x, y, z]: [f64; 4]) -> Matrix3<f64> {
    Matrix3::new(
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )
}

#[test]
fn euler_angles_are_three_turns_in_the_order_of_their_letters() {
    let angles = [0.7, -1.1, 2.3];
    let sequences = ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"];
    for sequence in sequences {
        let turn = |(letter, angle): (char, f64)| {
            let mut axis = Vector3::zeros();
            axis["xyz".find(letter).unwrap()] = 1.0;
            Rotation3::from_axis_angle(&Unit::new_unchecked(axis), angle).into_inner()
        };
        let turns: Vec<Matrix3<f64>> = sequence.chars().zip(angles).map(turn).collect();
        for (written, expected) in [
            (sequence.to_uppercase(), turns[0] * turns[1] * turns[2]),
            (sequence.to_string(), turns[2] * turns[1] * turns[0]),
        ] {
            let found = quaternion(&format!("{{ euler = \"{written}\", angles = [0.7, -1.1, 2.3] }}"));
            let off = (matrix(found) - expected).amax();
            assert!(off < CLOSED_FORM, "{written}: {off:e}");
        }
    }
    // The body of a symmetric top: precession, nutation, spin.
    let top = quaternion("{ euler = \"ZXZ\", angles = [\"30 deg\", \"20 deg\", \"-50 deg\"] }");
    let axis = matrix(top) * Vector3::z();
    assert!((axis.z - 20f64.to_radians().cos()).abs() < CLOSED_FORM);
    // Quarter and half turns keep the body in its plane to the last bit.
    assert_eq!(quaternion("{ euler = \"XYZ\", angles = [\"180 deg\", 0, 0] }"), [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(quaternion("{ euler = \"XYZ\", angles = [0, \"-180 deg\", 0] }"), [0.0, 0.0, -1.0, 0.0]);
}

#[test]
fn a_matrix_is_the_rotation_whose_columns_are_the_axes_of_the_body() {
    for angles in [[0.0, 0.0, 0.0], [0.3, 0.2, 0.1], [3.1, 0.0, 0.0], [0.0, 3.1, 0.1], [0.1, 0.2, 3.1]] {
        let r = Rotation3::from_euler_angles(angles[0], angles[1], angles[2]).into_inner();
        let rows: Vec<String> =
            (0..3).map(|i| format!("[{:?}, {:?}, {:?}]", r[(i, 0)], r[(i, 1)], r[(i, 2)])).collect();
        let found = quaternion(&format!("{{ matrix = [{}] }}", rows.join(", ")));
        assert!((matrix(found) - r).amax() < CLOSED_FORM, "{angles:?}");
    }
}

#[test]
fn few_digits_are_taken_and_told() {
    let notes = |attitude: &str| {
        let study = read_study_text("printed", STUDY, &text(attitude))
            .unwrap_or_else(|problems| panic!("{problems}"));
        let norm: f64 = study.mechanism.bodies[0].initial.attitude.iter().map(|x| x * x).sum();
        assert!((norm - 1.0).abs() < CLOSED_FORM);
        study.mechanism.notes.0
    };
    assert_eq!(notes("[0.5, 0.5, 0.5, 0.5]"), [""; 0]);
    let found = notes("[0.7071, 0, 0.7071, 0]");
    assert_eq!(found.len(), 1);
    assert!(
        found[0].contains("attitude: the quaternion's norm is 0.999990: polhode divided by it"),
        "{found:?}"
    );
    let found = notes("{ matrix = [[0.866, -0.5, 0], [0.5, 0.866, 0], [0, 0, 1]] }");
    assert!(found[0].contains("R^T R is off by 4.4e-5: polhode took the nearest rotation"), "{found:?}");
    // Beyond 1e-3 something else is wrong.
    for (attitude, found) in [
        ("[0.71, 0, 0.71, 0]", "is not a unit quaternion: its norm is 1.004092"),
        (
            "{ matrix = [[0.87, -0.5, 0], [0.5, 0.87, 0], [0, 0, 1]] }",
            "the matrix is not orthonormal: R^T R is off by 0.0069",
        ),
        ("{ matrix = [[1, 0, 0], [0, 1, 0], [0, 0, -1]] }", "the matrix is a mirror"),
        ("{ euler = \"ZXx\", angles = [0, 0, 0] }", "is not a sequence of three axes"),
        ("{ euler = \"ZZX\", angles = [0, 0, 0] }", "is not a sequence of three axes"),
        ("{ euler = \"ZX\", angles = [0, 0] }", "is not a sequence of three axes"),
        ("{ euler = \"ZXZ\", angles = [0, 0] }", "has 2 entries, not 3"),
        ("{ euler = \"ZXZ\" }", "angles: is missing"),
        ("{ euler = \"ZXZ\", matrix = [[1]] }", "euler and matrix are given together"),
        ("{ eulre = \"ZXZ\", angles = [0, 0, 0] }", "unknown key"),
    ] {
        let problems = mechanism_of_text("wrong", &text(attitude)).expect_err(attitude).to_string();
        assert!(problems.contains(found), "{attitude}: {problems}");
    }
}
