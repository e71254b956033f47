//! Packages have all that their code takes in: a published crate cannot see the folders beside it.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::common::root;

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = |path: PathBuf| match path.is_dir() {
        true => rust_files(&path),
        false => vec![path],
    };
    entries
        .flat_map(files)
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// A path without `..`, which need not exist: some end within a macro.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
        plain
    })
}

#[test]
fn texts_that_are_compiled_in_lie_in_their_package() {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let packages: Vec<PathBuf> = crates.chain([root().to_path_buf(), root().join("python")]).collect();
    let mut count = 0;
    for package in packages {
        for file in rust_files(&package.join("src")) {
            let code = fs::read_to_string(&file).unwrap();
            for taken in ["include_str!(", "include_bytes!("].iter().flat_map(|name| code.split(name).skip(1))
            {
                let path = taken.split('"').nth(1).unwrap();
                let place = plain(&file.parent().unwrap().join(path));
                assert!(place.starts_with(&package), "{}: {path} lies outside the package", file.display());
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}

/// Both licences ask that their texts go with every copy.
#[test]
fn every_package_has_the_texts_of_its_licences() {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let packages: Vec<PathBuf> = crates.chain([root().to_path_buf(), root().join("python")]).collect();
    assert!(packages.len() > 10);
    for package in packages {
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let text = fs::read(package.join(licence)).unwrap_or_default();
            assert_eq!(text, fs::read(root().join(licence)).unwrap(), "{}/{licence}", package.display());
        }
    }
}
