//! Loads on bodies.

use super::declared::named;
use super::document::{Node, Table};
use super::keys::PIECE;
use super::partial_mechanism::PartialMechanism;
use super::read_forms::fresh_name;
use super::read_function::three_functions;
use super::read_points::{acted_on, place_acted_on};
use polhode_description::base::units::Dimension;
use polhode_description::describe::{Axes, Body, Load, LoadKind, LoadPiece};

named! {
    Axes { Body = "body", Space = "space" }
    LoadKind { Force = "force", Torque = "torque" }
}

pub(super) fn load(table: &Table<'_>, partial: &mut PartialMechanism<'_>) -> Option<Load> {
    let name = fresh_name(table, &mut partial.taken);
    let body = acted_on(table, partial.bodies, "a load");
    let (kind, axes): (Option<LoadKind>, Option<Axes>) = (table.read("kind"), table.read("axes"));
    let on = body.and_then(|b| partial.bodies?.get(b));
    let point = match table.get("point") {
        Some(node) if kind == Some(LoadKind::Torque) && on.is_some_and(|body| body.flexible.is_none()) => {
            node.report("a torque has no point of action", |problem| problem.advise("leave it out"));
            None
        }
        _ => place_acted_on(table, on),
    };
    // A kind that could not be read is reported already; the value is then not worth a second
    // message.
    let dimension = dimension_of(kind?);
    let mut function = None;
    let pieces = match table.exactly_one(&["value", "pieces", "function"])? {
        "function" => {
            let node = table.get("function")?;
            function = Some(three_functions(&node, partial.functions(dimension))?);
            Vec::new()
        }
        key => pieces_of(table, key, dimension)?,
    };
    Some(Load { name: name?, body: body?, kind: kind?, axes: axes?, point: point?, pieces, function })
}

/// The dimension of a load's value.
fn dimension_of(kind: LoadKind) -> Dimension {
    match kind {
        LoadKind::Force => Dimension::Force,
        LoadKind::Torque => Dimension::Torque,
    }
}

/// The pieces of a load whose values stand under this key.
fn pieces_of(table: &Table<'_>, key: &str, dimension: Dimension) -> Option<Vec<LoadPiece>> {
    let node = table.get(key)?;
    if key == "pieces" {
        return pieces(&node, dimension);
    }
    Some(vec![LoadPiece { from: 0.0, until: f64::INFINITY, value: node.vector3(dimension)? }])
}

/// Takes the numbers of a load as they are with other constants; `on`: the body on which it acts.
pub(super) fn follow_load(table: &Table<'_>, load: &mut Load, on: &Body) -> Option<()> {
    load.point = place_acted_on(table, Some(on))?;
    if let Some(key) = ["value", "pieces"].into_iter().find(|key| table.has(key)) {
        load.pieces = pieces_of(table, key, dimension_of(load.kind))?;
    }
    Some(())
}

fn pieces(node: &Node<'_>, dimension: Dimension) -> Option<Vec<LoadPiece>> {
    let nodes = node.list()?;
    if nodes.is_empty() {
        node.refuse("a load", "give at least one piece, or `value`");
        return None;
    }
    let read: Vec<Option<LoadPiece>> = nodes.iter().map(|node| piece(node, dimension)).collect();
    let pieces: Vec<LoadPiece> = read.into_iter().collect::<Option<_>>()?;
    for (index, pair) in pieces.windows(2).enumerate() {
        if pair[1].from < pair[0].until {
            let found = format!(
                "starts at {} s, before the piece ahead of it ends at {} s",
                pair[1].from, pair[0].until
            );
            nodes[index + 1]
                .report(found, |problem| problem.advise("pieces are in time order and do not overlap"));
            return None;
        }
    }
    Some(pieces)
}

fn piece(node: &Node<'_>, dimension: Dimension) -> Option<LoadPiece> {
    let table = node.table(&PIECE)?;
    let from: Option<f64> = table.read("from");
    let until = match table.get("until") {
        None => Some(f64::INFINITY),
        Some(node) if node.is_infinite() => Some(f64::INFINITY),
        Some(node) => node.quantity(Dimension::Time).filter(|until| {
            let after = from.is_none_or(|from| *until > from);
            if !after {
                node.refuse("after `from`", "a piece acts while from <= t < until");
            }
            after
        }),
    };
    let value = table.get("value").and_then(|node| node.vector3(dimension));
    Some(LoadPiece { from: from?, until: until?, value: value? })
}
