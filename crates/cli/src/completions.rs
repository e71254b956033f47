//! `polhode completions`: prints completions for a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Failure, print};

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
pub struct CompletionsArguments {
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(arguments: CompletionsArguments) -> Result<u8, Failure> {
    let CompletionsArguments { shell } = arguments;
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut super::CommandLine::command(), "polhode", &mut script);
    print(&String::from_utf8_lossy(&script))
}
