//! `polhode schema`: prints the JSON Schema of files.

use clap::ValueEnum;

use super::{FAILED, Failure, print};
use polhode::study_file::{mechanism_schema, study_schema};

/// Print the JSON Schema of study or mechanism files, for editors.
#[derive(Debug, clap::Args)]
pub struct SchemaArguments {
    #[arg(value_enum)]
    of: SchemaOf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SchemaOf {
    Study,
    Mechanism,
}

pub(super) fn run(arguments: SchemaArguments) -> Result<u8, Failure> {
    let SchemaArguments { of } = arguments;
    let schema = match of {
        SchemaOf::Study => study_schema(),
        SchemaOf::Mechanism => mechanism_schema(),
    };
    let text = serde_json::to_string_pretty(&schema)
        .map_err(|error| Failure { code: FAILED, message: error.to_string() })?;
    print(&(text + "\n"))
}
