//! Bodies with their masses and inertias.

use nalgebra::{Matrix3, Vector3};

use super::declared::named;
use super::document::Node;
use super::keys::{BODY, FLEXIBLE_BODY, INITIAL, Section};
use super::read_attitude::attitude;
use super::read_flexible::flexible_body;
use super::read_forms::{few, identifier};
use super::read_initial::initial;
use super::read_solid::{SHAPES, SOLID_BODY, solid_body};
use polhode_description::base::significant;
use polhode_description::base::units::Dimension;
use polhode_description::describe::{Body, Flexible, InertiaAbout, Support};
use polhode_description::math::inertia::{matrix, of_mass_at, rows};
use polhode_description::math::symmetric::{least_eigenvalue, symmetric_eigenvalues};

/// Largest relative asymmetry of an inertia matrix that is taken for rounding.
const ASYMMETRY: f64 = 1e-9;

named! {
    Support { Free = "free", FixedPoint = "fixed_point" }
    InertiaAbout { MassCentre = "mass_centre", Origin = "origin" }
}

/// One body, or several with names of their own.
pub(super) fn bodies(node: &Node<'_>) -> Option<Vec<Body>> {
    if !node.is_list() {
        return Some(vec![body(node, None)?]);
    }
    let nodes = few(node, node.list()?)?;
    if nodes.is_empty() {
        node.refuse("a mechanism", "give at least one body");
        return None;
    }
    let mut taken: Vec<String> = Vec::new();
    let read: Vec<Option<Body>> = nodes
        .iter()
        .map(|node| {
            let body = body(node, None)?;
            if taken.contains(&body.name) {
                node.report(format!("the name {:?} is taken", body.name), |problem| {
                    problem.advise("bodies need different names")
                });
                return None;
            }
            taken.push(body.name.clone());
            Some(body)
        })
        .collect();
    read.into_iter().collect()
}

/// The keys of a body, which say how it is given.
pub(super) fn body_section(node: &Node<'_>) -> &'static Section {
    if node.has_key("flexible") {
        &FLEXIBLE_BODY
    } else if node.has_key("solid") || SHAPES.iter().any(|shape| node.has_key(shape)) {
        &SOLID_BODY
    } else {
        &BODY
    }
}

/// A body; `known`: as it deforms with other constants, its modal data are the same.
pub(super) fn body(node: &Node<'_>, known: Option<&Flexible>) -> Option<Body> {
    let table = &node.table(body_section(node))?;
    if table.has("flexible") {
        return flexible_body(table, known);
    }
    if std::ptr::eq(body_section(node), &raw const SOLID_BODY) {
        return solid_body(table);
    }
    let name = table.get("name").and_then(|node| identifier(&node));
    let mass = table.read("mass");
    let inertia = table.get("inertia").and_then(|node| inertia(&node));
    let inertia_axes = table.get("inertia_axes").and_then(|node| attitude(&node));
    let (inertia_about, centre) = (table.read("inertia_about"), table.read("centre_of_mass"));
    let support = table.read("support");
    let initial = table.get("initial").and_then(|node| initial(&node.table(&INITIAL)?, support));
    let body = Body {
        name: name?,
        mass: mass?,
        inertia: inertia?,
        inertia_axes: inertia_axes?,
        inertia_about: inertia_about?,
        centre_of_mass: centre?,
        support: support?,
        initial: initial?,
        is_point: false,
        flexible: None,
    };
    if smallest_moment(&body) <= 0.0 {
        let node = table.get("inertia")?;
        let found = "is not positive definite about the mass centre, where m (|c|^2 I - c c^T) is taken off"
            .to_string();
        node.report(found, |problem| {
            problem.advise("check mass, centre_of_mass and inertia_about = \"origin\" against each other")
        });
        return None;
    }
    Some(body)
}

/// Smallest principal moment about the mass centre (kg m²): J_c = J_o - m (|c|² I - c cᵀ).
fn smallest_moment(body: &Body) -> f64 {
    let inertia = matrix(&body.inertia_in_body());
    let centre = Vector3::from(body.centre_of_mass);
    let shift = match body.inertia_about {
        InertiaAbout::MassCentre => Matrix3::zeros(),
        InertiaAbout::Origin => of_mass_at(body.mass, centre),
    };
    let about_centre = inertia - shift;
    // An overflow leaves infinities.
    symmetric_eigenvalues(about_centre).map_or(f64::NEG_INFINITY, |moments| moments.min())
}

/// Three moments, or a symmetric positive definite matrix.
fn inertia(node: &Node<'_>) -> Option<[[f64; 3]; 3]> {
    if !node.is_matrix() {
        let diagonal = node.vector3(Dimension::Inertia)?;
        if let Some(moment) = diagonal.iter().find(|moment| **moment <= 0.0) {
            let found = format!("the moment of inertia {moment} kg m^2 is not positive");
            node.report(found, |problem| problem.advise("give three positive moments"));
            return None;
        }
        return Some(std::array::from_fn(|row| {
            std::array::from_fn(|column| if row == column { diagonal[row] } else { 0.0 })
        }));
    }
    let given = node.matrix(Dimension::Inertia, 3)?;
    let matrix = Matrix3::from_fn(|row, column| given[row][column]);
    let scale = matrix.amax();
    for (row, column) in [(0, 1), (0, 2), (1, 2)] {
        let (upper, lower) = (matrix[(row, column)], matrix[(column, row)]);
        if (upper - lower).abs() > ASYMMETRY * scale {
            let found = format!(
                "the matrix is not symmetric: row {}, column {} is {upper}, row {}, column {} is {lower} (kg \
                 m^2)",
                row + 1,
                column + 1,
                column + 1,
                row + 1
            );
            node.report(found, |problem| problem);
            return None;
        }
    }
    let symmetric = matrix / 2.0 + matrix.transpose() / 2.0;
    let smallest = least_eigenvalue(symmetric);
    if smallest.is_nan() || smallest <= 0.0 {
        let found = format!(
            "the matrix is not positive definite: its smallest eigenvalue is {} kg m^2",
            significant(smallest, 6)
        );
        node.report(found, |problem| problem);
        return None;
    }
    Some(rows(&symmetric))
}
