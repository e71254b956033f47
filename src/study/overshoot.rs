//! Tables whose cubics go beyond the values that they join: a motor whose thrust is never negative, in the
//! file, may push backwards.

use crate::describe::Mechanism;
use crate::describe::expression::{Expression, FunctionTable};

/// A sentence for each table that overshoots, with the largest overshoot of it.
pub fn warnings(mechanism: &Mechanism) -> Vec<String> {
    let own = mechanism.tables.iter().map(|table| {
        let name = table.name.as_deref().unwrap_or_default();
        (format!("the table `{name}`"), table)
    });
    let of_elements = mechanism.named_functions().into_iter().flat_map(|(owner, function)| {
        let tables = tables(function).into_iter().filter(|table| table.name.is_none());
        tables.map(move |table| (format!("the table of {owner}"), table)).collect::<Vec<_>>()
    });
    let told = |(owner, table): (String, &FunctionTable)| {
        let of_columns = table.by_column();
        let all = of_columns.iter().filter_map(|table| table.overshoot());
        let most = all.max_by(|a, b| a.by().total_cmp(&b.by()))?;
        let [from, to] = most.between;
        Some(format!(
            "{owner} goes to {:.4e} between {from} and {to} (SI units), beyond {:.4e} at the end of that \
             interval: its cubics overshoot; interpolation = \"monotone\" or \"linear\" does not",
            most.value, most.beyond
        ))
    };
    own.chain(of_elements).filter_map(told).collect()
}

/// The tables in an expression.
fn tables(expression: &Expression) -> Vec<&FunctionTable> {
    let own = match expression {
        Expression::Lookup(table, _) => Some(&**table),
        _ => None,
    };
    own.into_iter().chain(expression.parts().into_iter().flat_map(tables)).collect()
}
