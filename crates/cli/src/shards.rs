//! `polhode shards`: what has become of the parts of an ensemble.

use std::collections::BTreeSet;
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
    // Damaged folders, or those of runs killed at their beginning, may not say their part.
    let own = || shards.iter().filter(|shard| shard.stage != Stage::Foreign);
    let parts = own().find_map(|shard| Some(shard.shard.as_deref()?.split_once('/')?.1)).unwrap_or("?");
    let done = shards.iter().filter(|shard| shard.stage == Stage::Done);
    let done: BTreeSet<_> = done.map(|shard| &shard.shard).collect();
    let _ = writeln!(text, "{} of {parts} done", done.len());
    text
}
