//! `polhode methods`: lists the integration methods.

use super::{FAILED, Failure, print, wrong};
use polhode::base::nearest;
use polhode::methods::cards;
use polhode::study::method_page;

/// List the integration methods with their order, cost and source, or describe one.
///
/// Without `name` in [method] polhode chooses the method by itself.
#[derive(Debug, clap::Args)]
pub struct MethodsArguments {
    /// The method to describe: equations, settings, measured behaviour.
    name: Option<String>,
}

pub(super) fn run(arguments: MethodsArguments) -> Result<u8, Failure> {
    let MethodsArguments { name } = arguments;
    let text = match name.as_deref() {
        None => method_page::list(),
        Some(name) => match cards().iter().find(|card| card.name == name) {
            Some(card) => method_page::page(card),
            None => {
                let names: Vec<&str> = cards().iter().map(|card| card.name).collect();
                let advice = nearest(name, names.iter().copied())
                    .map_or_else(String::new, |near| format!("; did you mean {near}?"));
                return Err(wrong(format!(
                    "no method is named {name:?}{advice} (there are {})",
                    names.join(", ")
                )));
            }
        },
    };
    print(&text.map_err(|_| Failure { code: FAILED, message: "no operations could be counted".to_string() })?)
}
