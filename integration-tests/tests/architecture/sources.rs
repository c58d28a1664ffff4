//! The files of the repository.

use std::{fs, path::Path, path::PathBuf};

/// Not ours, or not source.
const SKIPPED_FOLDERS: [&str; 6] = [
    ".git",
    ".tools",
    "target",
    "corpus",
    "artifacts",
    "__pycache__",
];

/// A file of Rust.
pub(crate) struct Source {
    /// From the root, with slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// Numbered lines that are not comments.
    pub(crate) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let numbered = self.text.lines().enumerate().map(|(i, line)| (i + 1, line));
        numbered.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }
}

pub(crate) fn sources_in(folder: &str) -> Vec<Source> {
    let rust = files(&root().join(folder)).into_iter();
    let rust = rust.filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let found: Vec<_> = rust
        .map(|path| Source {
            path: from_root(&path),
            text: fs::read_to_string(&path).unwrap(),
        })
        .collect();
    assert!(!found.is_empty(), "no sources in {folder}");
    found
}

/// All files below a folder, in a fixed order.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        let skipped = SKIPPED_FOLDERS.iter().any(|folder| name == *folder);
        let kind = entry.file_type().unwrap();
        if kind.is_dir() && !skipped {
            found.extend(files(&entry.path()));
        } else if kind.is_file() {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent()
        .expect("integration-tests is a folder of the workspace")
        .to_owned()
}

pub(crate) fn from_root(path: &Path) -> String {
    let relative = path.strip_prefix(root()).unwrap_or(path);
    relative.to_string_lossy().replace('\\', "/")
}
