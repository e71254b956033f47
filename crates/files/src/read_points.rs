//! Points of bodies and of the ground.

use super::document::{Node, Table};
use super::read_forms::GROUND;
use polhode_description::base::units::Dimension;
use polhode_description::describe::{Body, Point};
use polhode_description::flexible::Modal;

/// The body of this name, `None` inside for the ground.
pub(super) fn body_or_ground(node: &Node<'_>, bodies: &[Body]) -> Option<Option<usize>> {
    let name = node.text()?;
    if name == GROUND {
        return Some(None);
    }
    let found = bodies.iter().position(|body| body.name == name);
    if found.is_none() {
        node.report(format!("there is no body {}", node.source()), |problem| {
            problem.allow(name, std::iter::once(GROUND).chain(bodies.iter().map(|body| body.name.as_str())))
        });
    }
    found.map(Some)
}

/// The body that `body` names, or the only one.
pub(super) fn acted_on(table: &Table<'_>, bodies: Option<&[Body]>, what: &str) -> Option<usize> {
    match (table.get("body"), bodies?) {
        (Some(node), bodies) => {
            let body = body_or_ground(&node, bodies)?;
            if body.is_none() {
                node.report(format!("{what} on the ground moves nothing"), |problem| {
                    problem.advise("name a body")
                });
            }
            body
        }
        (None, [_]) => Some(0),
        (None, bodies) => {
            table.report("`body` is missing", |problem| {
                let names: Vec<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
                problem.advise(format!("name the body on which it acts: {}", names.join(", ")))
            });
            None
        }
    }
}

/// The two points, of different bodies, that a joint or a bushing holds.
pub(super) fn two_points(table: &Table<'_>, bodies: Option<&[Body]>) -> Option<[Point; 2]> {
    points_of_two(table, bodies, &|_| false)
}

/// The two points that a spring joins: of different bodies, or different points of one that
/// deforms.
pub(super) fn ends_of_spring(table: &Table<'_>, bodies: Option<&[Body]>) -> Option<[Point; 2]> {
    let points = points_of_two(table, bodies, &|body| body.flexible.is_some())?;
    if points[0] == points[1] {
        table.report("both ends are the same point", |problem| problem.advise("give two different points"));
        return None;
    }
    Some(points)
}

/// Two points; both on one body only where `may_be` allows it.
fn points_of_two(
    table: &Table<'_>,
    bodies: Option<&[Body]>,
    may_be: &dyn Fn(&Body) -> bool,
) -> Option<[Point; 2]> {
    let sides = table.get("bodies").and_then(|node| {
        let nodes = node.list()?;
        let [a, b] = &nodes[..] else {
            node.refuse("two bodies", "give two names, such as [\"ground\", \"arm\"]");
            return None;
        };
        let bodies = bodies?;
        let sides = [body_or_ground(a, bodies)?, body_or_ground(b, bodies)?];
        if sides[0] == sides[1] && !sides[0].is_some_and(|b| may_be(&bodies[b])) {
            node.report(format!("both sides are {}", a.source()), |problem| {
                problem.advise("name two different bodies, or \"ground\" for one of them")
            });
            return None;
        }
        Some(sides)
    });
    let points = table.get("points").and_then(|node| {
        let nodes = node.list()?;
        let [a, b] = &nodes[..] else {
            node.refuse("two points", "give one on each body, such as [[0, 0, 0], [0, 0, 0.5]]");
            return None;
        };
        let (sides, bodies) = (sides?, bodies?);
        let on = |side: usize| sides[side].map(|b: usize| &bodies[b]);
        let (a, b) = (place(a, on(0)), place(b, on(1)));
        Some([a?, b?])
    });
    let (sides, points) = (sides?, points?);
    Some([0, 1].map(|side| Point { body: sides[side], at: points[side] }))
}

/// A point of a body: by its place, or of a flexible one by its name. `None` for the body: the
/// ground.
pub(super) fn place(node: &Node<'_>, body: Option<&Body>) -> Option<[f64; 3]> {
    match body.and_then(|body| body.flexible.as_ref()) {
        Some(flexible) => place_on(node, &flexible.modal),
        None if node.is_text() && body.is_some() => {
            node.report("only points of a flexible body have names", |problem| {
                problem.advise("give the point from the body's origin, such as [0, 0, 0.5]")
            });
            None
        }
        None => node.vector3(Dimension::Length),
    }
}

/// The point of `table` on one body; of a body that could not be read none is known. Absent: the
/// origin of a rigid body, while where that of a flexible one is, its deflection may not be known.
pub(super) fn place_acted_on(table: &Table<'_>, on: Option<&Body>) -> Option<[f64; 3]> {
    let on = on?;
    match table.get("point") {
        Some(node) => place(&node, Some(on)),
        None if on.flexible.is_some() => {
            table.report("`point` is missing", |problem| {
                problem.advise("name the point of the flexible body on which it acts")
            });
            None
        }
        None => Some([0.0; 3]),
    }
}

pub(super) fn place_on(node: &Node<'_>, modal: &Modal) -> Option<[f64; 3]> {
    if !node.is_text() {
        let at = node.vector3(Dimension::Length)?;
        return match modal.local(at) {
            Ok(_) => Some(at),
            Err(found) => {
                node.report(found.to_string(), |problem| problem);
                None
            }
        };
    }
    let name = node.text()?;
    let named = modal.named();
    let found = named.iter().find(|(known, _)| known == name);
    if found.is_none() {
        node.report(format!("the body has no point {}", node.source()), |problem| {
            problem.allow(name, named.iter().map(|(known, _)| known.as_str()))
        });
    }
    found.map(|(_, at)| *at)
}
