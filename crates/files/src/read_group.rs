//! Groups of bodies whose momenta channels tell.

use toml::Value;

use super::declared::section;
use super::document::Table;
use super::keys::NAME;
use super::partial_mechanism::PartialMechanism;
use super::read_forms::fresh_name;
use super::writer::{Writer, text};
use polhode_description::describe::{BodyGroup, Mechanism};

section! { pub static GROUP =
        "Bodies whose momentum is asked for: channels use NAME.linear_momentum and NAME.angular_momentum, \
         about their mass centre.";
    @NAME;
    bodies: List(&Text), Required, "The bodies, rigid, each once.";
}

pub(super) fn group(table: &Table<'_>, partial: &mut PartialMechanism<'_>) -> Option<BodyGroup> {
    let name = fresh_name(table, &mut partial.taken);
    let bodies = partial.bodies?;
    let node = table.get("bodies")?;
    let entries = node.list()?;
    if entries.is_empty() {
        node.report("a group has one body at least", |problem| problem.advise("name bodies"));
        return None;
    }
    let mut found = Vec::new();
    for entry in &entries {
        let named = entry.text()?;
        let Some(body) = bodies.iter().position(|body| body.name == named) else {
            entry.report(format!("there is no body {}", entry.source()), |problem| {
                problem.allow(named, bodies.iter().map(|body| body.name.as_str()))
            });
            return None;
        };
        if found.contains(&body) {
            entry.report(format!("the body {} is named twice", entry.source()), |problem| problem);
            return None;
        }
        if bodies[body].flexible.is_some() {
            entry.report(format!("the body {} deforms", entry.source()), |problem| {
                problem.advise("momenta are of groups of rigid bodies")
            });
            return None;
        }
        found.push(body);
    }
    Some(BodyGroup { name: name?, bodies: found })
}

pub(super) fn write_group(out: &mut Writer, group: &BodyGroup, mechanism: &Mechanism) {
    out.heading("[[mechanism.group]]");
    out.key("name", text(&group.name));
    let names = group.bodies.iter().map(|body| text(&mechanism.bodies[*body].name));
    out.key("bodies", Value::Array(names.collect()));
}
