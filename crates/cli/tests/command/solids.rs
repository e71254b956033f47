//! Bodies by their shape: sums over many small parts, cuts, and what is no solid.

use nalgebra::{Matrix3, Vector3};
use polhode::describe::Body;
use polhode::study_file::mechanism_of_text;

fn body(solid: &str) -> Body {
    let text = format!("[body]\nname = \"part\"\nsolid = {solid}\n");
    mechanism_of_text("solid", &text).unwrap_or_else(|problems| panic!("{solid}: {problems}")).bodies[0]
        .clone()
}

fn inertia(body: &Body) -> Matrix3<f64> {
    Matrix3::from_fn(|row, column| body.inertia[row][column])
}

/// Volume, middle, and inertia about it of density 1, of all small cubes whose middle is `inside`.
fn summed(reach: f64, inside: impl Fn(Vector3<f64>) -> bool) -> (f64, Vector3<f64>, Matrix3<f64>) {
    const PARTS: usize = 160;
    let side = 2.0 * reach / PARTS as f64;
    let at = |k: usize| -reach + (k as f64 + 0.5) * side;
    let (mut volume, mut moment, mut about_origin) = (0.0, Vector3::zeros(), Matrix3::zeros());
    for i in 0..PARTS {
        for j in 0..PARTS {
            for k in 0..PARTS {
                let x = Vector3::new(at(i), at(j), at(k));
                if inside(x) {
                    let part = side.powi(3);
                    volume += part;
                    moment += x * part;
                    about_origin += (Matrix3::identity() * x.norm_squared() - x * x.transpose()) * part;
                }
            }
        }
    }
    let centre = moment / volume;
    let shift = (Matrix3::identity() * centre.norm_squared() - centre * centre.transpose()) * volume;
    (volume, centre, about_origin - shift)
}

/// Mass, mass centre and inertia are those of many small cubes, to within the roughness of their
/// surface.
#[test]
fn solids_have_the_moments_of_their_parts() {
    const ROUGH: f64 = 5e-3;
    // Axis 3 of the solid in the body: no plane of it is one of the cubes.
    let along = Vector3::new(0.6_f64.sin(), 0.0, 0.6_f64.cos());
    let (size, density) = (0.5, 1000.0);
    type Inside = Box<dyn Fn(Vector3<f64>) -> bool>;
    let round = move |x: Vector3<f64>, long: f64| {
        let h = x.dot(&along);
        ((x - along * h).norm(), h.abs() < long / 2.0)
    };
    let turned = "attitude = { axis = [0, 1, 0], angle = 0.6 }, density = 1000";
    let middle = Vector3::new(0.1, 0.0, -0.05);
    let cases: [(String, Inside); 8] = [
        (
            "{ box = [0.4, 0.2, 0.6], density = 1000 }".to_string(),
            Box::new(|x| x.x.abs() < 0.2 && x.y.abs() < 0.1 && x.z.abs() < 0.3),
        ),
        (
            "{ sphere = \"30 cm\", centre = [0.1, 0, -0.05], density = \"1 g/cm^3\" }".to_string(),
            Box::new(move |x| (x - middle).norm() < 0.3),
        ),
        (
            format!("{{ cylinder = {{ radius = 0.2, length = 0.7 }}, {turned} }}"),
            Box::new(move |x| {
                let (r, within) = round(x, 0.7);
                r < 0.2 && within
            }),
        ),
        (
            format!("{{ tube = {{ outer = 0.3, inner = 0.15, length = 0.4 }}, {turned} }}"),
            Box::new(move |x| {
                let (r, within) = round(x, 0.4);
                r < 0.3 && r > 0.15 && within
            }),
        ),
        ("{ sphere = { radius = 0.3 }, density = 1000 }".to_string(), Box::new(|x| x.norm() < 0.3)),
        (
            format!("{{ capsule = {{ radius = 0.15, length = 0.4 }}, {turned} }}"),
            Box::new(move |x| {
                let beyond = (x.dot(&along).abs() - 0.2).max(0.0);
                let (r, _) = round(x, 1.0);
                r.hypot(beyond) < 0.15
            }),
        ),
        (
            "{ ellipsoid = [0.4, 0.2, 0.3], density = 1000 }".to_string(),
            Box::new(|x| Vector3::new(x.x / 0.4, x.y / 0.2, x.z / 0.3).norm() < 1.0),
        ),
        (
            "[{ box = [0.2, 0.2, 0.2], centre = [0.3, 0, 0], density = 1000 }, \
             { sphere = 0.15, centre = [-0.2, 0.1, 0], density = 1000 }]"
                .to_string(),
            Box::new(|x| {
                let of_box = (x - Vector3::new(0.3, 0.0, 0.0)).amax() < 0.1;
                of_box || (x - Vector3::new(-0.2, 0.1, 0.0)).norm() < 0.15
            }),
        ),
    ];
    for (solid, inside) in cases {
        let found = body(&solid);
        let (volume, centre, moments) = summed(size, inside);
        let scale = moments.amax() * density;
        let apart = (inertia(&found) - moments * density).amax() / scale;
        println!("{solid}: {apart:.1e}");
        assert!((found.mass / (volume * density) - 1.0).abs() < ROUGH, "{solid}: {} {volume}", found.mass);
        assert!((Vector3::from(found.centre_of_mass) - centre).amax() < ROUGH * size, "{solid}: {centre}");
        assert!(apart < ROUGH, "{solid}: {} {}", inertia(&found), moments * density);
    }
}

/// A solid that is cut, or made of what is added and hollowed, is the solid; a quarter turn leaves
/// no rounding.
#[test]
fn cuts_change_nothing() {
    let same = |one: &str, other: &str| {
        let (one_body, other_body) = (body(one), body(other));
        let apart = (inertia(&one_body) - inertia(&other_body)).amax() / inertia(&one_body).amax();
        let moved =
            (Vector3::from(one_body.centre_of_mass) - Vector3::from(other_body.centre_of_mass)).amax();
        assert!(
            apart < 1e-14 && moved < 1e-15 && (one_body.mass / other_body.mass - 1.0).abs() < 1e-14,
            "{one} {other} {apart:e}"
        );
    };
    same(
        "{ box = [0.4, 0.2, 0.6], mass = 3 }",
        "[{ box = [0.4, 0.2, 0.2], centre = [0, 0, 0.2], mass = 1 }, \
         { box = [0.4, 0.2, 0.4], centre = [0, 0, -0.1], mass = 2 }]",
    );
    same(
        "{ box = [0.4, 0.2, 0.6], mass = 3 }",
        "{ box = [0.6, 0.2, 0.4], attitude = { axis = [0, 1, 0], angle = \"90 deg\" }, mass = 3 }",
    );
    same(
        "{ cylinder = { radius = 0.2, length = 1 }, density = 500 }",
        "[{ cylinder = { radius = 0.1, length = 1 }, density = 500 }, \
         { tube = { outer = 0.2, inner = 0.1, length = 1 }, density = 500 }]",
    );
    let quarter = body(
        "{ cylinder = { radius = \"1 cm\", length = \"1 m\" }, \
           attitude = { axis = [0, 1, 0], angle = \"90 deg\" }, mass = 1 }",
    );
    assert!((0..3).all(|i| (0..3).all(|j| i == j || quarter.inertia[i][j] == 0.0)), "{:?}", quarter.inertia);
    // Two points and a rod: 2 m a^2 across, and the rod's own along it.
    let dumbbell = body(
        "[{ point = true, mass = 2, centre = [0, 0, 1] }, { point = true, mass = 2, centre = [0, 0, -1] }, \
         { cylinder = { radius = 0.1, length = 1 }, mass = 1 }]",
    );
    assert!((dumbbell.inertia[0][0] - (4.0 + 0.0025 + 1.0 / 12.0)).abs() < 1e-14);
    assert!((dumbbell.inertia[2][2] - 0.005).abs() < 1e-16);
    // An inertia in axes of its own.
    let text = |more: &str| format!("[body]\nname = \"b\"\nmass = 1\ninertia = [1, 2, 2.5]\n{more}");
    let turned =
        mechanism_of_text("b", &text("inertia_axes = { axis = [0, 0, 1], angle = \"90 deg\" }")).unwrap();
    let expected = [[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.5]];
    for (row, wanted) in turned.bodies[0].inertia_in_body().iter().zip(expected) {
        assert!(
            row.iter().zip(wanted).all(|(x, wanted)| (x - wanted).abs() < 1e-14),
            "{:?}",
            turned.bodies[0].inertia_in_body()
        );
    }
}

#[test]
fn what_is_no_solid_is_refused() {
    let mut said = String::new();
    for solid in [
        "{ box = [1, 1, 1] }",
        "{ density = 1000 }",
        "{ box = [1, 1, 1], sphere = 1, mass = 1 }",
        "{ box = [1, 1, 1], mass = 1, density = 1 }",
        "{ box = [1, 0, 1], mass = 1 }",
        "{ box = [1, 1], mass = 1 }",
        "{ sphere = \"1 kg\", mass = 1 }",
        "{ cylinder = { radius = 1 }, mass = 1 }",
        "{ tube = { outer = 1, inner = 1, length = 1 }, mass = 1 }",
        "{ point = true, density = 1 }",
        "{ point = true, mass = 1, centre = [0, 0, 1] }",
        "{ point = false, mass = 1 }",
        "[{ point = true, mass = 1 }, { point = true, mass = 1, centre = [0, 0, 1] }]",
        "[]",
        "{ sphere = 1, densty = 1 }",
        "{ sphere = 1e-200, density = 1 }",
        "{ box = [1, 1, 1], mass = 1 }\nmass = 2",
    ] {
        let text = format!("[body]\nname = \"part\"\nsolid = {solid}\n");
        let error = mechanism_of_text("solid", &text).map(|_| ()).expect_err(solid);
        said += &format!("{solid}\n{error}\n\n");
    }
    insta::assert_snapshot!(said);
}
