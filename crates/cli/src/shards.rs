//! `polhode shards`: what has become of the parts of an ensemble.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::{FAILED, Failure, SUCCESS, print, wrong};
use polhode::{Stage, Surveyed};

/// Show which shards of a study are done, running, interrupted, damaged or missing, and the command
/// for each that is not done.
///
/// Exit codes: 0, all are done; 1, some are not.
///
/// Next: polhode merge DIR... --out RESULT
#[derive(Debug, clap::Args)]
pub struct ShardsArguments {
    /// Folders of shards, or folders that hold them.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: ShardsArguments) -> Result<u8, Failure> {
    let ShardsArguments { folders, json } = arguments;
    let shards = polhode::shards(&folders).map_err(wrong)?;
    let text = match json {
        true => {
            serde_json::to_string_pretty(&shards)
                .map_err(|error| Failure { code: FAILED, message: error.to_string() })?
                + "\n"
        }
        false => summary(&shards),
    };
    print(&text)?;
    let done = !shards.is_empty() && shards.iter().all(|shard| shard.stage == Stage::Done);
    Ok(if done { SUCCESS } else { FAILED })
}

fn summary(shards: &[Surveyed]) -> String {
    let mut text = String::new();
    for shard in shards {
        let stage = match shard.stage {
            Stage::Done => "done",
            Stage::Running => "running",
            Stage::Interrupted => "interrupted",
            Stage::Damaged => "damaged",
            Stage::Foreign => "foreign",
            Stage::Missing => "missing",
        };
        let share = shard.share.map_or_else(String::new, |share| format!(", {:.0} % kept", 100.0 * share));
        let folder =
            shard.folder.as_ref().map_or_else(String::new, |folder| format!("  {}", folder.display()));
        let name = shard.shard.as_deref().unwrap_or("?");
        let _ = writeln!(text, "{name:<8} {stage}{share}{folder}");
        for line in [&shard.why, &shard.command].into_iter().flatten() {
            let _ = writeln!(text, "         {line}");
        }
    }
    let count = |stage: Stage| shards.iter().filter(|shard| shard.stage == stage).count();
    let is_part = |shard: &&Surveyed| match shard.stage {
        Stage::Foreign => false,
        // It is not known whose folder a run left that was killed at its beginning.
        Stage::Interrupted => shard.shard.is_some(),
        _ => true,
    };
    let parts = shards.iter().filter(is_part).count();
    let _ = writeln!(text, "{} of {parts} done", count(Stage::Done));
    text
}
