//! A mechanism as far as it is read.

use super::document::{Node, Table};
use super::expression_text::is_reserved;
use super::motions::Motions;
use super::read_forms::fresh_name;
use super::read_function::{FunctionRequirements, Variable, function};
use super::read_observe::is_of_the_whole;
use polhode_description::base::units::Dimension;
use polhode_description::describe::expression::{self, Expression};
use polhode_description::describe::{Body, Constant, Joint};

/// The parts of a mechanism that are read so far; `None` where a part is faulty.
pub(super) struct PartialMechanism<'m> {
    pub bodies: Option<&'m [Body]>,
    pub joints: Option<&'m [Joint]>,
    pub constants: Option<&'m [Constant]>,
    /// The numbers of the motion that expressions may use.
    pub motions: Motions<'m>,
    /// The tables that expressions may call.
    pub tables: Vec<expression::FunctionTable>,
    /// Names of all elements.
    pub taken: Vec<String>,
}

impl PartialMechanism<'_> {
    /// A function of time and motion of this dimension.
    pub fn function(&self, node: &Node<'_>, dimension: Dimension) -> Option<Expression> {
        function(node, self.functions(dimension))
    }

    pub(super) fn functions(&self, dimension: Dimension) -> FunctionRequirements<'_> {
        FunctionRequirements {
            variable: Variable::Time,
            dimension: Some(dimension),
            constants: self.constants,
            inputs: Some(&self.motions),
            tables: &self.tables,
            derivatives: None,
        }
    }
}

/// A name that expressions can use.
pub(super) fn usable_name(table: &Table<'_>, partial: &mut PartialMechanism<'_>) -> Option<String> {
    let name = fresh_name(table, &mut partial.taken);
    name.filter(|name| {
        let constants = partial.constants.unwrap_or_default();
        let taken = is_reserved(name)
            || is_of_the_whole(name)
            || constants.iter().any(|constant| constant.name == *name);
        let usable = !taken && !name.contains('-');
        if !usable && let Some(node) = table.get("name") {
            node.report(format!("{} cannot be used in expressions", node.source()), |problem| {
                problem
                    .advise("use letters, digits and _, and no name of a constant, a function or a channel")
            });
        }
        usable
    })
}
