//! `polhode list`: the shipped studies.

use std::fmt::Write as _;

use super::{Failure, print, wrong};
use polhode::shipped::{STUDIES, ShippedStudy, all};

/// List the shipped studies by subject.
///
/// `polhode init DIR --from NAME` writes one with its mechanism, to run and to change.
#[derive(Debug, clap::Args)]
pub struct ListArguments {
    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: ListArguments) -> Result<u8, Failure> {
    if arguments.json {
        let listed: Vec<serde_json::Value> = STUDIES
            .iter()
            .flat_map(|(subject, studies)| studies.iter().map(move |study| (subject, study)))
            .map(|(subject, study)| {
                serde_json::json!({ "subject": subject, "name": study.name, "title": title(study) })
            })
            .collect();
        return print(&(serde_json::to_string_pretty(&listed).map_err(wrong)? + "\n"));
    }
    let width = all().map(|study| study.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (subject, studies) in STUDIES {
        let _ = writeln!(text, "{subject}");
        for study in *studies {
            let _ = writeln!(text, "  {:width$}  {}", study.name, title(study));
        }
    }
    text.push_str("\nTo have one with its mechanism: polhode init DIR --from NAME\n");
    print(&text)
}

/// The question that a study asks.
fn title(study: &ShippedStudy) -> String {
    let table = study.text.parse::<toml::Table>().ok();
    table.and_then(|table| Some(table.get("title")?.as_str()?.to_owned())).unwrap_or_default()
}
