//! The `polhode` command.

fn main() -> std::process::ExitCode {
    polhode::cli::main()
}
