//! Forms that parts of a mechanism share: lists, names, vectors and directions.

use super::document::{Node, Table};
use polhode_description::base::grouped;
use polhode_description::base::units::Dimension;

/// Elements of a kind, or constants, that a mechanism has at most.
const MOST_ELEMENTS: usize = 1000;
/// The name of the ground in files.
pub const GROUND: &str = "ground";

/// Three components of a vector.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];
/// Components of a quaternion, as those of the channel `attitude`.
pub(super) const QUATERNION: [&str; 4] = ["q0", "q1", "q2", "q3"];

/// Refuses more elements of a kind than any computer would advance.
pub(super) fn few<T>(node: &Node<'_>, elements: Vec<T>) -> Option<Vec<T>> {
    let count = elements.len();
    if count <= MOST_ELEMENTS {
        return Some(elements);
    }
    node.report(format!("has {} entries", grouped(count as u64)), |problem| {
        problem.advise(format!("a mechanism has {} of a kind at most", grouped(MOST_ELEMENTS as u64)))
    });
    None
}

/// Every table of a list, all of them read before any fault ends it.
pub(super) fn each<T>(
    table: &Table<'_>,
    key: &str,
    read: impl FnMut(&Node<'_>) -> Option<T>,
) -> Option<Vec<T>> {
    let node = table.get(key)?;
    let nodes = few(&node, node.list()?)?;
    let read: Vec<Option<T>> = nodes.iter().map(read).collect();
    read.into_iter().collect()
}

/// A name that nothing else in the mechanism has.
pub(super) fn fresh_name(table: &Table<'_>, taken: &mut Vec<String>) -> Option<String> {
    let node = table.get("name")?;
    let name = identifier(&node)?;
    if taken.contains(&name) {
        node.report(format!("the name {} is taken", node.source()), |problem| {
            problem.advise("bodies, joints, forces and loads all need different names")
        });
        return None;
    }
    taken.push(name.clone());
    Some(name)
}

/// A name that varied quantities and channels can be built from.
pub(super) fn identifier(node: &Node<'_>) -> Option<String> {
    let name = node.text()?;
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if begins
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        && !["gravity", "constants", GROUND].contains(&name)
    {
        return Some(name.to_string());
    }
    let advice =
        "use letters, digits, _ and -, with a letter first; `gravity`, `constants` and `ground` are taken";
    node.refuse("a usable name", advice);
    None
}

/// Three entries, all of them read before any fault ends it.
pub(super) fn three<T>(node: &Node<'_>, read: impl Fn(&Node<'_>) -> Option<T>) -> Option<[T; 3]> {
    let nodes = node.list()?;
    let [x, y, z] = &nodes[..] else {
        let found = format!("has {} entries, not 3", nodes.len());
        node.report(found, |problem| problem.advise("give one for each of x, y and z"));
        return None;
    };
    let read = [read(x), read(y), read(z)];
    let [x, y, z] = read;
    Some([x?, y?, z?])
}

/// A direction: any vector but zero, as a unit vector.
pub(super) fn direction(node: &Node<'_>) -> Option<[f64; 3]> {
    let vector: [f64; 3] = node.vector3(Dimension::Number)?;
    let largest = vector.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    if largest == 0.0 {
        node.refuse("a direction", "give a vector that is not zero");
        return None;
    }
    // The division first keeps the squares of huge and tiny vectors in range.
    let in_range = if (1e-100..1e100).contains(&largest) { vector } else { vector.map(|x| x / largest) };
    Some(normalised(in_range))
}

/// The unit vector along `vector`. One that is a unit vector up to rounding comes back unchanged,
/// so that what was normalised, written and read again keeps its bits.
pub(super) fn normalised<const N: usize>(vector: [f64; N]) -> [f64; N] {
    let square: f64 = vector.iter().map(|x| x * x).sum();
    if (square - 1.0).abs() <= 8.0 * f64::EPSILON {
        return vector;
    }
    let norm = square.sqrt();
    vector.map(|x| x / norm)
}

/// One direction for both sides, or one for each.
pub(super) fn two_directions(node: &Node<'_>) -> Option<[[f64; 3]; 2]> {
    let nodes = node.list()?;
    if let [a, b] = &nodes[..] {
        return Some([direction(a)?, direction(b)?]);
    }
    let one = direction(node)?;
    Some([one, one])
}

/// The acceleration of gravity: a vector, or how much of it there is downwards.
pub(super) fn gravity(node: &Node<'_>) -> Option<[f64; 3]> {
    if node.is_list() || node.is_table() {
        return node.vector3(Dimension::Acceleration);
    }
    let down = node.quantity(Dimension::Acceleration)?;
    if down < 0.0 {
        let given = node.source();
        node.note(format!("{given} points upwards: a single number is downwards, [0, 0, -g]"));
    }
    // 0 - g, so that no gravity is 0, not -0.
    Some([0.0, 0.0, 0.0 - down])
}
