//! Files of jobs that no server has open.

use super::copy::{self, Contents};
use super::file::{Done, Fault};
use redb::ReadableDatabase as _;
use std::path::Path;

/// A copy of a file.
pub(crate) fn backup(file: &Path, to: &Path) -> Result<Contents, String> {
    copied(file, to).map_err(|fault| said(file, &fault))
}

/// What is in a file.
pub(crate) fn check(file: &Path) -> Result<Contents, String> {
    let checked = copy::open(file).and_then(|open| copy::contents(&open));
    checked.map_err(|fault| said(file, &fault))
}

/// A file from a copy.
pub(crate) fn restore(from: &Path, to: &Path) -> Result<Contents, String> {
    if to.exists() {
        return Err(format!(
            "{} is there already: move it away first",
            to.display()
        ));
    }
    copied(from, to).map_err(|fault| said(from, &fault))
}

fn copied(file: &Path, to: &Path) -> Done<Contents> {
    let open = copy::open(file)?;
    let contents = copy::contents(&open)?;
    copy::copy(&open.begin_read()?, to)?;
    Ok(contents)
}

/// In one sentence.
fn said(file: &Path, fault: &Fault) -> String {
    let file = file.display();
    match fault {
        Fault::Broken(redb::Error::DatabaseAlreadyOpen) => format!(
            "{file} is in use by a server: stop it, or let it write copies with --jobs-backup FILE"
        ),
        Fault::Broken(error) => format!("{file}: {error}"),
        fault => format!("{file}: {fault}"),
    }
}
