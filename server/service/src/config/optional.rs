//! Files and folders that are named or not.

use super::values::as_text;
use std::fmt::{Display, Formatter, Result as FmtResult};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A file or a folder, or none: written as its path, or as `off`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OptionalFile(Option<PathBuf>);

impl OptionalFile {
    /// None.
    pub const OFF: Self = Self(None);

    /// Its path; `None` is off.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.0.as_deref()
    }
}

impl Display for OptionalFile {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        match &self.0 {
            Some(path) => path.display().fmt(f),
            None => f.write_str("off"),
        }
    }
}

impl FromStr for OptionalFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(Self::OFF),
            "" => Err("a path is wanted, or off".into()),
            path => Ok(Self(Some(path.into()))),
        }
    }
}

as_text!(OptionalFile);
