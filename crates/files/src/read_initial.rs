//! The motion with which a body starts.

use super::document::Table;
use super::read_attitude::attitude;
use polhode_description::describe::{Given, Initial, Support};

pub(super) fn initial(table: &Table<'_>, support: Option<Support>) -> Option<Initial> {
    let (position, velocity) = (table.read("position"), table.read::<[f64; 3]>("velocity"));
    let moves = velocity.is_some_and(|velocity| velocity != [0.0; 3]);
    if let (Some(Support::FixedPoint), true, Some(node)) = (support, moves, table.get("velocity")) {
        let advice = "leave it out, or set support = \"free\"";
        node.refuse("zero, but the body's origin is a fixed point", advice);
    }
    let attitude = table.get("attitude").and_then(|node| attitude(&node));
    let (angular_velocity, axes) = (table.read("angular_velocity"), table.read("angular_velocity_axes"));
    let approximate = table.read("approximate");
    let given = Given {
        position: table.has("position"),
        velocity: table.has("velocity"),
        attitude: table.has("attitude"),
        angular_velocity: table.has("angular_velocity"),
        approximate: approximate?,
    };
    Some(Initial {
        position: position?,
        velocity: velocity?,
        attitude: attitude?,
        angular_velocity: angular_velocity?,
        angular_velocity_axes: axes?,
        given,
    })
}
