//! Modal data: constants and shapes of beams and frames against those of the reference files, and
//! what is refused.

use crate::common::root;
use crate::common::tolerances::{MODAL_CONSTANTS, MODAL_SHAPES};
use nalgebra::{DMatrix, Matrix3, Vector3};
use polhode::describe::Mechanism;
use polhode::flexible::beam::{BeamAnchor, BeamDeflection, Boundary, ModalBeam, Pull, TransverseDirection};
use polhode::flexible::frame::{self, Frame, FrameNode, Member, StaticLoad};
use polhode::flexible::modal_file::ModalFile;
use polhode::flexible::{Constants, Modal, ModalError, Particle};
use polhode::study_file::read_mechanism;
use serde_json::Value;

fn reference_file(name: &str) -> Value {
    let path = root().join(format!("tests/reference/flexible_{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn matrices(value: &Value) -> Vec<Matrix3<f64>> {
    let matrix = |m: &Value| Matrix3::from_fn(|i, j| m[i][j].as_f64().unwrap());
    value.as_array().unwrap().iter().map(matrix).collect()
}

/// The largest difference from a file's constants, each relative to the size of its kind.
fn off(constants: &Constants, solution: &Value) -> f64 {
    let size = constants.inertia.amax();
    let mut worst = (constants.mass / solution["M"].as_f64().unwrap() - 1.0).abs();
    let j0 = Matrix3::from_fn(|i, j| solution["J0"][i][j].as_f64().unwrap());
    worst = worst.max((constants.inertia - j0).amax() / size);
    for (j1, want) in constants.j1.iter().zip(matrices(&solution["J1"])) {
        worst = worst.max((j1 - want).amax() / size.sqrt());
    }
    for (i, row) in constants.j2.iter().enumerate() {
        for (j2, want) in row.iter().zip(matrices(&solution["J2"][i])) {
            worst = worst.max((j2 - want).amax());
        }
        for (j, g) in constants.g[i].iter().enumerate() {
            worst = worst.max((g - Vector3::from_vec(numbers(&solution["G"][i][j]))).amax());
        }
        for j in 0..constants.j1.len() {
            let m = solution["modal_mass"][i][j].as_f64().unwrap();
            worst = worst.max((constants.modal_mass[(i, j)] - m).abs());
            let k = solution["modal_stiffness"][i][j].as_f64().unwrap();
            worst = worst.max((constants.stiffness[(i, j)] - k).abs() / constants.stiffness[(i, i)]);
        }
    }
    worst
}

fn plain(length: f64, mass: f64, stiffness: [f64; 2], modes: [usize; 4]) -> ModalBeam {
    ModalBeam {
        length,
        mass,
        polar_inertia: 2e-4,
        bending_stiffness: stiffness,
        axial_stiffness: 0.0,
        torsional_stiffness: 0.0,
        boundary: Boundary::Free,
        modes,
        deflections: Vec::new(),
        masses: None,
        centrifugal_stiffening: false,
        pull: Pull::NONE,
    }
}

#[test]
fn lumped_beam_is_that_of_the_pendulum() {
    let file = reference_file("pendulum3d_spherical");
    let beam = ModalBeam { masses: Some(11), ..plain(1.0, 0.54, [4.0, 6.0], [2, 2, 0, 0]) };
    let modal = beam.modal().unwrap();
    let worst = off(&modal.constants, &file["parameters"]["body_constants"]);
    println!("constants are off by {worst:e}");
    assert!(worst < MODAL_CONSTANTS, "{worst:e}");
    let body = &file["parameters"]["lumped_body"];
    for (at, side) in [(-0.5, "left"), (0.5, "right"), (0.0, "mid")] {
        let local = modal.local([at, 0.0, 0.0]).unwrap();
        let turns = local.turns.unwrap();
        for k in 0..4 {
            let phi = Vector3::from_vec(numbers(&body[format!("phi_{side}")][k]));
            assert!((local.shapes[k] - phi).amax() < MODAL_SHAPES, "{side} {k}");
            if side != "mid" {
                let theta = Vector3::from_vec(numbers(&body[format!("theta_{side}")][k]));
                assert!((turns[k] - theta).amax() < MODAL_SHAPES, "{side} {k} {} {theta}", turns[k]);
            }
        }
    }
    let mut frequencies = numbers(&body["freq_rad_s"]);
    frequencies.sort_by(f64::total_cmp);
    for (found, want) in modal.frequencies().iter().zip(frequencies) {
        assert!((found / want - 1.0).abs() < 1e-11);
    }
}

#[test]
fn free_beam_is_the_rod_of_the_slider_crank() {
    let file = reference_file("slider_crank_elastic_rod");
    let p = &file["parameters"];
    let number = |key: &str| p[key].as_f64().unwrap();
    let length = number("L");
    let ei = number("EI");
    let beam =
        ModalBeam { polar_inertia: 1e-6, ..plain(length, number("rhoA") * length, [ei, ei], [3, 0, 0, 0]) };
    let modal = beam.modal().unwrap();
    let worst = off(&modal.constants, &p["body_constants"]);
    println!("constants are off by {worst:e}");
    assert!(worst < MODAL_CONSTANTS, "{worst:e}");
    for (name, [x, ..]) in [("left", [-0.5]), ("right", [0.5]), ("mid", [0.0])] {
        let local = modal.local([x * length, 0.0, 0.0]).unwrap();
        for (shape, want) in local.shapes.iter().zip(numbers(&p["body"][format!("phi_{name}")])) {
            assert!((shape.y - want).abs() < MODAL_SHAPES, "{name} {shape} {want}");
        }
    }
}

/// The three masses of the triangle: shapes of unit displacement, which are orthogonal but not of
/// unit mass.
#[test]
fn triangle_has_the_reference_constants() {
    let file = reference_file("triangle_three_mass");
    let p = &file["parameters"];
    let nodes: Vec<Value> = (0..3)
        .map(|k| {
            let shapes: Vec<&Value> = (1..=3).map(|mode| &p["shapes"][format!("mode{mode}")][k]).collect();
            serde_json::json!({ "at": p["positions"][k], "mass": 1.0, "shapes": shapes })
        })
        .collect();
    let text =
        serde_json::json!({ "nodes": nodes, "stiffness": p["constants"]["modal_stiffness"] }).to_string();
    let constants = ModalFile::parse(&text).unwrap().modal().unwrap().constants;
    constants.check_orthogonal().unwrap();
    let solution = &p["constants"];
    let zz = |m: &Matrix3<f64>| m[(2, 2)];
    for i in 0..3 {
        assert!((zz(&constants.j1[i]) - solution["J1zz"][i].as_f64().unwrap()).abs() < 1e-14);
        for j in 0..3 {
            let expected = |name: &str| solution[name][i][j].as_f64().unwrap();
            assert!((zz(&constants.j2[i][j]) - expected("J2zz")).abs() < 1e-14);
            assert!((constants.g[i][j].z - expected("Gz")).abs() < 1e-14);
            assert!((constants.modal_mass[(i, j)] - expected("modal_mass")).abs() < 1e-14);
        }
    }
    // W84's sign: G_12 = +M.
    assert!((constants.g[0][1].z - 3.0).abs() < 1e-14);
}

/// A beam as a frame, along x, skew to nothing but away from the origin.
fn divided(members: usize, length: f64, mass: f64) -> Frame {
    let n = members as f64;
    let polar = |node: usize| if node == 0 || node == members { 0.5 } else { 1.0 } * 0.02 / n;
    Frame {
        nodes: (0..=members)
            .map(|node| FrameNode {
                name: format!("n{node}"),
                at: [length * node as f64 / n, 0.3, -0.2],
                mass: 0.0,
                inertia: [polar(node), 0.0, 0.0],
            })
            .collect(),
        members: (0..members)
            .map(|m| Member {
                nodes: [m, m + 1],
                mass: mass / n,
                axial_stiffness: 2e4,
                bending_stiffness: [50.0, 80.0],
                torsional_stiffness: 30.0,
                y: [0.0, 1.0, 0.0],
            })
            .collect(),
        modes: 8,
        held: Vec::new(),
        deflections: Vec::new(),
    }
}

/// Frequencies of a beam as a frame tend to those of the continuous beam, in all four kinds.
#[test]
fn a_frame_of_many_members_is_the_beam() {
    let members = 24;
    let (length, mass) = (2.0, 3.0);
    let beam = ModalBeam {
        polar_inertia: 0.02,
        axial_stiffness: 2e4,
        torsional_stiffness: 30.0,
        ..plain(length, mass, [50.0, 80.0], [2, 2, 1, 1])
    };
    let frame = divided(members, length, mass);
    let modal = frame.modal().unwrap();
    modal.constants.check_orthogonal().unwrap();
    let beam = beam.modal().unwrap();
    for of_beam in beam.frequencies() {
        let off = modal.frequencies().into_iter().map(|of_frame| (of_frame / of_beam - 1.0).abs());
        let off = off.fold(f64::INFINITY, f64::min);
        println!("{of_beam} rad/s is met within {off:.1e}");
        assert!(off < 0.01);
    }
    assert!((&modal.constants.modal_mass - DMatrix::identity(8, 8)).amax() < 1e-10);
    assert!((modal.constants.centre - Vector3::new(1.0, 0.3, -0.2)).amax() < 1e-12);
}

/// A triangle in space of stiff members, skew to all axes: no symmetry hides a wrong turn.
#[test]
fn modes_of_a_skew_frame_have_no_momentum() {
    let places = [[0.1, 0.0, 0.3], [1.0, 0.4, -0.2], [0.3, 0.9, 0.5], [-0.4, 0.5, 0.9]];
    let node = |(k, at): (usize, &[f64; 3])| FrameNode {
        name: format!("n{k}"),
        at: *at,
        mass: 0.5 + 0.3 * k as f64,
        inertia: [0.0; 3],
    };
    let pairs = [[0, 1], [1, 2], [2, 0], [0, 3], [2, 3]];
    let member = |nodes: [usize; 2]| Member {
        nodes,
        mass: 0.2,
        axial_stiffness: 1e4,
        bending_stiffness: [20.0, 30.0],
        torsional_stiffness: 10.0,
        y: [0.3, 0.8, 0.5],
    };
    let frame = Frame {
        nodes: places.iter().enumerate().map(node).collect(),
        members: pairs.map(member).to_vec(),
        modes: 6,
        held: Vec::new(),
        deflections: Vec::new(),
    };
    let constants = frame.modal().unwrap().constants;
    constants.check_orthogonal().unwrap();
    assert!((&constants.modal_mass - DMatrix::identity(6, 6)).amax() < 1e-10);
    let k = &constants.stiffness;
    let off_diagonal = DMatrix::from_fn(6, 6, |i, j| if i == j { 0.0 } else { k[(i, j)] });
    assert!(off_diagonal.amax() < 1e-9 * k.amax(), "{k}");
    assert!(constants.frequencies().iter().all(|w| *w > 1.0), "{:?}", constants.frequencies());
}

/// W84 table 7.1: with the modes of held ends, freed of rigid motion, the frequency of the held
/// beam is exact.
#[test]
fn held_shapes_have_the_reference_frequencies() {
    let file = reference_file("table7_1_beam_boundary_conditions");
    let p = &file["parameters"];
    let number = |key: &str| p[key].as_f64().unwrap();
    let (length, side) = (number("L_m"), number("side_m"));
    let ei = number("E_Pa") * side.powi(4) / 12.0;
    let mass = number("rho_kg_m3") * side * side * length;
    let cases = [
        ("SS", Boundary::SimplySupported),
        ("cantilever", Boundary::Cantilever),
        ("fixed-hinged", Boundary::FixedHinged),
        ("fixed-fixed", Boundary::FixedFixed),
    ];
    for (name, boundary) in cases {
        let load_at = if boundary == Boundary::Cantilever { length / 2.0 } else { 0.0 };
        let results = &file["results"][name]["gram_schmidt_bc_modes"];
        let shapes = [
            ("1 mode", 1e-9, ModalBeam { boundary, ..plain(length, mass, [ei, ei], [1, 0, 0, 0]) }),
            ("3 modes", 1e-9, ModalBeam { boundary, ..plain(length, mass, [ei, ei], [3, 0, 0, 0]) }),
            (
                "static shape",
                1e-4,
                ModalBeam {
                    boundary,
                    deflections: vec![BeamDeflection { at: load_at, direction: TransverseDirection::Y }],
                    ..plain(length, mass, [ei, ei], [0, 0, 0, 0])
                },
            ),
        ];
        for (which, tolerance, beam) in shapes {
            let modal = beam.modal().unwrap();
            modal.constants.check_orthogonal().unwrap();
            let found = held_frequency(&modal, boundary, length) / std::f64::consts::TAU;
            let want = results[which]["freq_Hz"].as_f64().unwrap();
            println!("{name}, {which}: {found} Hz, wanted {want} Hz");
            assert!((found / want - 1.0).abs() < tolerance);
        }
    }
}

/// The deflection of a node along y against its Buckens frame (m), under a force of 1 N there that
/// the inertia of the free body bears.
fn compliance(modal: &Modal, at: [f64; 3]) -> f64 {
    let local = modal.local(at).unwrap();
    let k = &modal.constants.stiffness;
    assert!((k - DMatrix::from_diagonal(&k.diagonal())).amax() < 1e-9 * k.amax(), "K is diagonal");
    local.shapes.iter().zip(k.diagonal().iter()).map(|(shape, k)| shape.y * shape.y / k).sum()
}

/// Shapes of a frame that is held, and static deflections: what they are made for they do alone as
/// well as all modes together.
#[test]
fn chosen_shapes_of_a_frame_do_what_they_are_made_for() {
    let (length, mass) = (2.0, 3.0);
    let free = divided(24, length, mass);
    let at_end = |load| vec![frame::FrameDeflection { node: 24, load }];
    let tip = free.nodes[24].at;

    // The first mode of the held frame, and three: the cantilever's own frequency. Free modes miss
    // it.
    let beam =
        ModalBeam { boundary: Boundary::Cantilever, ..plain(length, mass, [50.0, 80.0], [1, 0, 0, 0]) };
    let exact = held_frequency(&beam.modal().unwrap(), Boundary::Cantilever, length);
    let frequency = |frame: &Frame| {
        let modal = frame.modal().unwrap();
        modal.constants.check_orthogonal().unwrap();
        // Counted from the middle of a beam along x.
        let moved =
            |node: &FrameNode| FrameNode { at: [node.at[0] - length / 2.0, 0.0, 0.0], ..node.clone() };
        let about_middle = Frame { nodes: frame.nodes.iter().map(moved).collect(), ..frame.clone() };
        held_frequency(&about_middle.modal().unwrap(), Boundary::Cantilever, length)
    };
    let clamped = |modes| frequency(&Frame { modes, held: vec![0], ..free.clone() });
    let (one, three, of_free) = (clamped(1), clamped(3), frequency(&Frame { modes: 3, ..free.clone() }));
    println!("{exact} rad/s, of the frame held {one} and {three}, of three free modes {of_free}");
    assert!((one / exact - 1.0).abs() < 2e-3 && (three / one - 1.0).abs() < 1e-9);
    assert!(of_free / exact > 1.1);

    // The deflection of the free frame under a force that its inertia bears: as much as all modes
    // together.
    let alone = Frame { modes: 0, deflections: at_end(StaticLoad::Force([0.0, 1.0, 0.0])), ..free.clone() };
    let all = Frame { modes: 6 * 25 - 6 - 2 * 25, ..free.clone() };
    let [alone, all, some] = [alone, all, free.clone()].map(|frame| compliance(&frame.modal().unwrap(), tip));
    println!("{alone} m/N by one deflection, {all} by all modes, {some} by eight");
    assert!((alone / all - 1.0).abs() < 1e-9 && some < 0.999 * all);

    // A torque, and a load that nothing bears.
    let turned = Frame {
        modes: 1,
        held: vec![0],
        deflections: at_end(StaticLoad::Torque([0.0, 0.0, 1.0])),
        ..free.clone()
    };
    assert_eq!(turned.modal().unwrap().modes(), 2);
    let mut line = free.clone();
    line.nodes.iter_mut().for_each(|node| node.inertia = [0.0; 3]);
    line.members.iter_mut().for_each(|member| member.mass = 0.0);
    line.nodes.iter_mut().for_each(|node| node.mass = 0.1);
    line.deflections = at_end(StaticLoad::Torque([1.0, 0.0, 0.0]));
    line.modes = 0;
    assert_eq!(line.modal().unwrap_err(), ModalError::LoadWithoutInertia { deflection: 1 });
    let twice = [at_end(StaticLoad::Force([0.0, 1.0, 0.0])), at_end(StaticLoad::Force([0.0, 2.0, 0.0]))];
    let twice = Frame { modes: 0, deflections: twice.concat(), ..free };
    assert_eq!(twice.modal().unwrap_err(), ModalError::DependentFrameShape { shape: 2 });
}

/// The lowest frequency (rad/s) of a beam held at its ends: rigid motion in the plane and modes,
/// constraints removed by the null space of their rows.
fn held_frequency(modal: &Modal, boundary: Boundary, length: f64) -> f64 {
    let n = modal.modes();
    let row = |x: f64, turn: bool| {
        let local = modal.local([x, 0.0, 0.0]).unwrap();
        let turns = local.turns.unwrap();
        let rigid = if turn { [0.0, 1.0] } else { [1.0, x] };
        let elastic = (0..n).map(|k| if turn { turns[k].z } else { local.shapes[k].y });
        rigid.into_iter().chain(elastic).collect::<Vec<f64>>()
    };
    let (a, b) = (-length / 2.0, length / 2.0);
    let supports: &[(f64, bool)] = match boundary {
        Boundary::Free => &[],
        Boundary::SimplySupported => &[(a, false), (b, false)],
        Boundary::Cantilever => &[(a, false), (a, true)],
        Boundary::FixedHinged => &[(a, false), (a, true), (b, false)],
        Boundary::FixedFixed => &[(a, false), (a, true), (b, false), (b, true)],
    };
    let c = &modal.constants;
    let rows = DMatrix::from_fn(supports.len(), n + 2, |i, j| row(supports[i].0, supports[i].1)[j]);
    let mut m = DMatrix::identity(n + 2, n + 2);
    (m[(0, 0)], m[(1, 1)]) = (c.mass, c.inertia[(2, 2)]);
    let mut k = DMatrix::zeros(n + 2, n + 2);
    k.view_mut((2, 2), (n, n)).copy_from(&c.stiffness);
    m.view_mut((2, 2), (n, n)).copy_from(&c.modal_mass);
    // In coordinates of unit mass; rows that depend on each other leave small singular values.
    let root = DMatrix::from_diagonal(&m.diagonal().map(|x| 1.0 / x.sqrt()));
    let rows = rows * &root;
    let k = &root * k * &root;
    let eigen = (rows.transpose() * &rows).symmetric_eigen();
    let free: Vec<_> = (0..n + 2)
        .filter(|i| eigen.eigenvalues[*i] < 1e-12 * eigen.eigenvalues.amax())
        .map(|i| eigen.eigenvectors.column(i).into_owned())
        .collect();
    let basis = DMatrix::from_columns(&free);
    (basis.transpose() * k * &basis).symmetric_eigenvalues().min().sqrt()
}

/// A beam that turns about its middle: with centrifugal stiffening its frequency in the plane of
/// rotation grows with the speed, without it falls (Southwell: w² = w0² + a Om²).
#[test]
fn centrifugal_stiffening_overcomes_the_softening() {
    let beam = plain(1.0, 0.5, [4.0, 4.0], [1, 0, 0, 0]);
    let soft = beam.modal().unwrap().constants;
    let stiff = ModalBeam { centrifugal_stiffening: true, ..beam }.modal().unwrap().constants;
    assert!((soft.j2[0][0][(2, 2)] - 1.0).abs() < 1e-12);
    // Independent of the above: Kg by the trapezoidal rule from the shape itself.
    let b = 4.730_040_744_862_704_f64;
    let sigma = (b.cosh() - b.cos()) / (b.sinh() - b.sin());
    let slope = |x: f64| b * ((b * x).sinh() - (b * x).sin() - sigma * ((b * x).cosh() + (b * x).cos()));
    let n = 20_000;
    let work = |p: usize| {
        let x = p as f64 / f64::from(n);
        let share = if p == 0 || p == n as usize { 0.5 } else { 1.0 };
        share / f64::from(n) * 0.5 * (x - x * x) * slope(x).powi(2)
    };
    let kg: f64 = (0..=n as usize).map(work).sum();
    println!("Kg = {kg}");
    assert!((soft.j2[0][0][(2, 2)] - stiff.j2[0][0][(2, 2)] - kg).abs() < 1e-6, "{}", stiff.j2[0][0]);
    assert!(kg > 1.0);
}

/// Cantilevers on a hub that turns, first frequency across the plane of rotation,
/// `w L² sqrt(m/(L EI))`, by `Om L² sqrt(m/(L EI))` and the hub's radius in lengths: Wright, Smith,
/// Thresher and Wang, J. Appl. Mech. 49 (1982) 197. In the plane it is `w² - Om²`.
#[test]
fn blades_on_a_hub_have_the_published_frequencies() {
    for (hub, speed, published) in [
        (0.0, 0.0, 3.5160),
        (0.0, 2.0, 4.1373),
        (0.0, 6.0, 7.3604),
        (0.0, 12.0, 13.1702),
        (1.0, 2.0, 4.8337),
        (1.0, 6.0, 10.4439),
    ] {
        let beam = ModalBeam {
            boundary: Boundary::Cantilever,
            centrifugal_stiffening: true,
            pull: Pull { held: BeamAnchor::Start, about: -0.5 - hub },
            ..plain(1.0, 1.0, [1.0, 1.0], [12, 12, 0, 0])
        };
        let c = beam.modal().unwrap().attached([-0.5, 0.0, 0.0]).unwrap().constants;
        let n = c.j1.len();
        let turned = DMatrix::from_fn(n, n, |i, j| (c.j2[i][j] + c.j2[j][i])[(2, 2)] / 2.0);
        let turning = Constants { stiffness: &c.stiffness - speed * speed * turned, ..c };
        // In the plane, in which what turns softens, it is lower.
        let [in_plane, across] = [0, 1].map(|k| turning.frequencies()[k]);
        println!("hub {hub}, speed {speed}: {across:.4} {published:.4}, in the plane {in_plane:.4}");
        assert!((across - published).abs() < 1e-4 * published, "{across} {published}");
        let softened = (across.powi(2) - speed.powi(2)).sqrt();
        assert!((in_plane - softened).abs() < 1e-9 * across, "{in_plane} {softened}");
    }
}

/// The beam has one shape, which is the same seen from either end.
#[test]
fn a_beam_is_pulled_from_either_end_alike() {
    let kg = |anchor: BeamAnchor, about: f64| {
        let pull = Pull { held: anchor, about };
        let beam =
            ModalBeam { centrifugal_stiffening: true, pull, ..plain(1.0, 0.5, [4.0, 4.0], [1, 0, 0, 0]) };
        // Its mass is in J2 too.
        1.0 - beam.modal().unwrap().constants.j2[0][0][(2, 2)]
    };
    let floating = kg(BeamAnchor::Nowhere, 0.0);
    assert!((kg(BeamAnchor::Middle, 0.0) - floating).abs() < 1e-12 * floating);
    for about in [0.5, 0.8] {
        let [start, end] = [kg(BeamAnchor::Start, -about), kg(BeamAnchor::End, about)];
        assert!((start - end).abs() < 1e-12 * start && start > 2.0 * floating, "{start} {end} {floating}");
    }
    // A hub between: each half bears its own.
    assert!(kg(BeamAnchor::Middle, 0.1) != floating);
}

#[test]
fn what_is_no_body_is_refused() {
    let particle = |mass: f64, x: f64| Particle {
        mass,
        at: Vector3::new(x, 0.3 * x * x, 0.1),
        inertia: Matrix3::zeros(),
        shapes: vec![Vector3::new(0.0, x, 0.0)],
        turns: vec![Vector3::zeros()],
    };
    let body = |masses: [f64; 3], k: f64| {
        let particles: Vec<Particle> =
            masses.iter().enumerate().map(|(p, m)| particle(*m, p as f64)).collect();
        Constants::of(&particles, DMatrix::from_element(1, 1, k))
    };
    assert_eq!(body([1.0, -2.0, 1.0], 3.0), Err(ModalError::ParticleMass { particle: 1, mass: -2.0 }));
    assert_eq!(body([1.0, 2.0, 1.0], -3.0), Err(ModalError::Indefinite { smallest: -3.0 }));
    assert_eq!(body([1.0, 0.0, 0.0], 3.0), Err(ModalError::Inertia { smallest: 0.0 }));
    let moving = body([1.0, 2.0, 1.0], 3.0).unwrap();
    assert!(moving.check_orthogonal().unwrap_err().to_string().contains("mode 1 moves the mass centre"));
    let wrong = r#"{ "nodes": [{ "at": [0,0,0], "mass": 1, "shapes": [[0,0,0]] },
                               { "at": [1,0,0], "mass": 1, "shapes": [] }], "frequencies": [2] }"#;
    assert_eq!(
        ModalFile::parse(wrong).unwrap().modal().unwrap_err(),
        ModalError::NodeShapes { node: 1, shapes: 0, turns: 1, modes: 1 }
    );
}

/// The mechanism of a file in this folder.
fn mechanism_in(folder: &std::path::Path, text: &str) -> Mechanism {
    let path = folder.join("mechanism.toml");
    std::fs::write(&path, text).unwrap();
    read_mechanism(&path).unwrap_or_else(|problems| panic!("{problems}"))
}

/// All that is known of the first body's deformation, with every bit.
fn modal_of(mechanism: &Mechanism) -> String {
    format!("{:?}", mechanism.bodies[0].flexible.as_ref().unwrap().modal)
}

/// Returns the blocks in this language on the page of flexible bodies.
fn documented(language: &str) -> Vec<String> {
    let page = std::fs::read_to_string(root().join("docs/flexible-bodies.md")).unwrap();
    let fenced = page.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| Some(block.strip_prefix(language)?.strip_prefix('\n')?.to_string())).collect()
}

/// The structure of the documentation is a body with the modes that it asks for.
#[test]
fn the_documented_structure_is_read() {
    let text = documented("toml").into_iter().find(|block| block.contains("[body.flexible.structure]"));
    let folder = tempfile::tempdir().unwrap();
    let mechanism = mechanism_in(folder.path(), &text.expect("an example of a structure"));
    let flexible = mechanism.bodies[0].flexible.as_ref().unwrap();
    assert!(flexible.modes() > 2, "modes and static deflections");
    assert!(flexible.modal.named().iter().any(|(name, _)| name == "tip"));
}

/// The table, the file and the text of the documentation are one body, which is whole.
#[test]
fn the_documented_modal_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let [table, json] = ["csv", "json"].map(|language| documented(language).remove(0));
    std::fs::write(folder.path().join("panel.csv"), table).unwrap();
    std::fs::write(folder.path().join("panel.json"), &json).unwrap();
    let with_table = documented("toml").into_iter().find(|block| block.contains("panel.csv")).unwrap();
    let with_table = mechanism_in(folder.path(), &with_table);
    assert_eq!(with_table.bodies[0].name, "panel");
    let flexible = with_table.bodies[0].flexible.as_ref().unwrap();
    let names: Vec<String> = flexible.modal.named().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["left", "middle", "right"]);
    for (frequency, hz) in flexible.modal.frequencies().into_iter().zip([12.5, 40.1]) {
        assert!((frequency / (std::f64::consts::TAU * hz) - 1.0).abs() < 1e-14, "{frequency}");
    }
    for text in
        ["modal = \"panel.json\"", &format!("modal = '''{json}'''"), "modal = { file = \"panel.json\" }"]
    {
        let same = mechanism_in(folder.path(), &format!("[body]\n[body.flexible]\n{text}\n"));
        assert_eq!(modal_of(&same), modal_of(&with_table), "{text}");
    }
}

/// A body of random nodes has the same bits from JSON and from a table, however the table is
/// arranged.
#[test]
fn tables_and_json_give_the_same_constants() {
    // Numbers of all sizes and signs, of no round digits.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / 2.0f64.powi(53) - 0.5
    };
    let (nodes, modes) = (7, 3);
    let mut columns: Vec<(String, Vec<String>)> = Vec::new();
    let mut column = |name: String, cells: &[f64]| {
        columns.push((
            name,
            cells.iter().map(|x| if x.is_nan() { String::new() } else { format!("{x:?}") }).collect(),
        ));
    };
    let mut drawn = |scale: f64| -> Vec<f64> { (0..nodes).map(|_| scale * draw()).collect() };
    let at = [0; 3].map(|_| drawn(2.0));
    // The last node is a point.
    let mut mass: Vec<f64> = drawn(1.0).into_iter().map(f64::abs).collect();
    mass[nodes - 1] = 0.0;
    let mut moments = [0; 6].map(|_| drawn(1e-4));
    for moment in &mut moments[..3] {
        moment.iter_mut().for_each(|x| *x = 1e-3 + x.abs());
    }
    moments.iter_mut().for_each(|moment| moment[nodes - 1] = f64::NAN);
    // Each along an axis of its own, nearly: modes that have frequencies are orthogonal.
    let shapes: Vec<[Vec<f64>; 3]> =
        (0..modes).map(|mode| [0, 1, 2].map(|axis| drawn(if axis == mode { 1e2 } else { 1.0 }))).collect();
    let mut turns: Vec<[Vec<f64>; 3]> = (0..modes).map(|_| [0; 3].map(|_| drawn(1e-7))).collect();
    turns.iter_mut().flatten().for_each(|turn| turn[2] = f64::NAN);

    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        for mode in (0..modes).rev() {
            column(format!("mode{}_turn_{axis}", mode + 1), &turns[mode][k]);
            column(format!("mode{}_{axis}", mode + 1), &shapes[mode][k]);
        }
        column(axis.to_string(), &at[k]);
    }
    for (name, moment) in ["Jxx", "Jyy", "Jzz", "Jxy", "Jxz", "Jyz"].into_iter().zip(&moments) {
        column(name.to_string(), moment);
    }
    column("mass".to_string(), &mass);
    let at_node = |all: &[[Vec<f64>; 3]], node: usize| -> Vec<[f64; 3]> {
        all.iter().map(|mode| [0, 1, 2].map(|k| mode[k][node])).collect()
    };
    let json_nodes: Vec<Value> = (0..nodes)
        .map(|node| {
            let mut json = serde_json::json!({
                "at": at.each_ref().map(|x| x[node]), "mass": mass[node], "shapes": at_node(&shapes, node),
            });
            if node != nodes - 1 {
                let [xx, yy, zz, xy, xz, yz] = moments.each_ref().map(|moment| moment[node]);
                json["inertia"] = serde_json::json!([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
            }
            if node != 2 {
                json["turns"] = serde_json::json!(at_node(&turns, node));
            }
            json
        })
        .collect();

    let folder = tempfile::tempdir().unwrap();
    let header: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    // As a spreadsheet writes it: a byte order mark, line ends of two bytes, and rows of nothing at
    // the end.
    let mut table = format!("\u{feff}{}\r\n", header.join(","));
    for node in 0..nodes {
        let cells: Vec<&str> = columns.iter().map(|(_, cells)| cells[node].as_str()).collect();
        table += &format!("{}\r\n", cells.join(","));
    }
    table += &format!("{}\r\n", ",".repeat(columns.len() - 1));
    std::fs::write(folder.path().join("modes.csv"), table).unwrap();

    let stiffness = "[[9.1, 1.3, 0.7], [1.3, 7.9, 2.1], [0.7, 2.1, 5.3]]";
    for (keys, json_keys) in [
        ("frequencies = [3.7, \"11.3 Hz\", 0.1]", "\"frequencies\": [3.7, 11.3, 0.1]"),
        (&*format!("stiffness = {stiffness}"), &*format!("\"stiffness\": {stiffness}")),
    ] {
        let body = "[body]\n[body.flexible]\n";
        let table = format!("{body}modal = {{ file = \"modes.csv\", orthonormalise = true, {keys} }}\n");
        let json_nodes = serde_json::to_string(&json_nodes).unwrap();
        let json = format!("{{ \"nodes\": {json_nodes}, \"orthonormalise\": true, {json_keys} }}");
        let [of_table, of_json] = [table, format!("{body}modal = '''{json}'''\n")]
            .map(|text| modal_of(&mechanism_in(folder.path(), &text)));
        assert_eq!(of_table, of_json, "{keys}");
    }
}
