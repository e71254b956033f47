//! `polhode import`: a mechanism and a study out of an MJCF or URDF file.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use polhode_import::{Feature, ImportOptions, RootLink};

use super::{ArgumentError, FAILED, Failure, print, wrong};
use crate::progress::tell;
use polhode::base::text::shell_word;
use polhode::model::Model;
use polhode::study::plan::plan;
use polhode::study_file::{KeySetting, read_study_with, start_problems};

/// Write a mechanism and a study from an MJCF (MuJoCo) or URDF file.
///
/// Some parts change the motion and have no twin in polhode. They are errors with their places,
/// unless --drop leaves them out (docs/import.md).
///
/// Next: polhode check DIR/study.toml
#[derive(Debug, clap::Args)]
pub struct ImportArguments {
    /// MJCF (.xml) or URDF file.
    file: PathBuf,
    /// Folder for mechanism.toml and study.toml; polhode makes it if it does not exist.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Leave out parts that polhode lacks: contact, tendon and so on; several with commas.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = parse_feature)]
    drop: Vec<Feature>,
    /// The keyframe of an MJCF file in which the mechanism starts, by name or number
    /// [default: none, the file's own start].
    #[arg(long, value_name = "NAME")]
    key: Option<String>,
    /// Whether the root link of a URDF file stands on the ground or moves.
    #[arg(long, value_enum, default_value_t = BaseArgument::Fixed)]
    base: BaseArgument,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BaseArgument {
    Fixed,
    Free,
}

fn parse_feature(text: &str) -> Result<Feature, ArgumentError> {
    let allowed = Feature::ALL.map(|feature| feature.name());
    Feature::ALL.into_iter().find(|feature| feature.name() == text).ok_or_else(|| ArgumentError::Feature {
        meant: polhode::base::meant(text, allowed),
        allowed: allowed.to_vec(),
    })
}

/// The mechanism's file and the study's.
const FILES: [&str; 2] = ["mechanism.toml", "study.toml"];

pub(super) fn run(arguments: ImportArguments) -> Result<u8, Failure> {
    let ImportArguments { file, out, drop, key, base } = arguments;
    let places = FILES.map(|name| out.join(name));
    if let Some(there) = places.iter().find(|place| place.exists()) {
        let message =
            format!("{}: exists already, and nothing is replaced; give another folder", there.display());
        return Err(wrong(message));
    }
    let base = match base {
        BaseArgument::Fixed => RootLink::Fixed,
        BaseArgument::Free => RootLink::Free,
    };
    let imported = polhode_import::import(&file, &ImportOptions { drop, key, base })
        .map_err(|faults| wrong(faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")))?;
    let texts = [&imported.mechanism, &imported.study];
    try_out(&file, &texts)?;
    let failed = |place: &Path, error: std::io::Error| Failure {
        code: FAILED,
        message: format!("{}: {error}", place.display()),
    };
    fs::create_dir_all(&out).map_err(|error| failed(&out, error))?;
    for (place, text) in places.iter().zip(texts) {
        fs::write(place, text).map_err(|error| failed(place, error))?;
    }
    imported.notes.iter().for_each(|line| tell(line));
    let mut text: String = places.iter().map(|place| format!("wrote {}\n", place.display())).collect();
    text.push_str(&format!("next: polhode run {}\n", shell_word(&places[1].to_string_lossy())));
    print(&text)
}

/// Reads what was made, as `check` would, before anything is written.
fn try_out(file: &Path, texts: &[&String; 2]) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure { code: FAILED, message: format!("a scratch folder: {error}") };
    let scratch = tempfile::Builder::new().prefix("polhode-").tempdir().map_err(failed)?;
    let [_, study] = [0, 1].map(|k| scratch.path().join(FILES[k]));
    for (name, text) in FILES.iter().zip(texts) {
        fs::write(scratch.path().join(name), text).map_err(failed)?;
    }
    let refused = |problems: String| {
        let message = problems.replace(&format!("{}/", scratch.path().display()), "");
        let lines =
            message.lines().map(|line| format!("{}: what it makes is refused: {line}", file.display()));
        wrong(lines.collect::<Vec<_>>().join("\n"))
    };
    // The choice of a method measures for seconds; any method shows whether there is a start.
    let settings: Result<Vec<KeySetting>, _> =
        ["method.name=rk4", "method.step=1 ms"].iter().map(|text| text.parse()).collect();
    let mut settings = settings.map_err(wrong)?;
    settings.insert(0, KeySetting::removal("method.accuracy").map_err(wrong)?);
    let read = read_study_with(&study, &settings).map_err(|problems| refused(problems.to_string()))?;
    if let Some(problems) = start_problems(&read, &study) {
        return Err(refused(problems.to_string()));
    }
    plan(&read).map(drop).map_err(|error| refused(Model::explain(&read.mechanism, error).to_string()))
}
