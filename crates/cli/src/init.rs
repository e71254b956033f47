//! `polhode init`: a study and a mechanism to start from.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::{FAILED, Failure, WRONG_INPUT, print, wrong};
use polhode::base::meant;
use polhode::base::text::shell_word;
use polhode::shipped::all;

/// Write a study and a mechanism to start from, with comments on their keys.
///
/// With --from polhode writes a shipped study with all that it reads (`polhode list` names them).
/// It replaces no file.
///
/// Next: polhode run DIR/study.toml
#[derive(Debug, clap::Args)]
pub struct InitArguments {
    /// Folder for the files; polhode makes it if it does not exist.
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// A shipped study, by its name.
    #[arg(long, value_name = "NAME")]
    from: Option<String>,
}

pub(super) fn run(arguments: InitArguments) -> Result<u8, Failure> {
    let InitArguments { dir, from } = arguments;
    let files = match &from {
        None => vec![
            (dir.join("study.toml"), include_str!("templates/study.toml")),
            (dir.join("mechanism.toml"), include_str!("templates/mechanism.toml")),
        ],
        Some(name) => shipped(&dir, name)?,
    };
    // All of them or none.
    if let Some((there, _)) = files.iter().find(|(file, _)| file.exists()) {
        return Err(wrong(format!(
            "{}: exists already, and nothing is replaced; give another folder",
            there.display()
        )));
    }
    for (file, text) in &files {
        write(file, text).map_err(|error| {
            let code = if error.kind() == ErrorKind::AlreadyExists { WRONG_INPUT } else { FAILED };
            Failure { code, message: format!("{}: {error}", file.display()) }
        })?;
    }
    let mut text: String = files.iter().map(|(file, _)| format!("wrote {}\n", file.display())).collect();
    text.push_str(&format!("next: polhode run {}\n", shell_word(&files[0].0.to_string_lossy())));
    print(&text)
}

/// A shipped study and what it reads, in two folders side by side as its names say.
fn shipped(dir: &Path, name: &str) -> Result<Vec<(PathBuf, &'static str)>, Failure> {
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let Some(study) = all().find(|study| study.name == name) else {
        let meant = meant(name, all().map(|study| study.name));
        return Err(wrong(format!("there is no shipped study {name:?}{meant}; polhode list shows all")));
    };
    let mut files = vec![(dir.join("studies").join(format!("{name}.toml")), study.text)];
    files.extend(study.parts().into_iter().map(|(name, text)| (dir.join("mechanisms").join(name), text)));
    Ok(files)
}

fn write(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::File::create_new(file)?.write_all(text.as_bytes())
}
