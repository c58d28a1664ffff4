//! The file of contexts: read whole, written whole, for its owner alone.

use super::{Context, named};
use crate::exit::{Exit, Failure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What stands in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Book {
    /// The name of the one that commands use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
    /// All of them.
    #[serde(default)]
    pub contexts: BTreeMap<String, Context>,
}

impl Book {
    /// The one of this name.
    ///
    /// # Errors
    /// There is none.
    pub fn get(&self, name: &str) -> Result<&Context, Failure> {
        self.contexts.get(name).ok_or_else(|| {
            let names: Vec<_> = self.contexts.keys().map(String::as_str).collect();
            let known = if names.is_empty() {
                "there are none yet: see `stratagem context add --help`".to_owned()
            } else {
                format!("there are {}", names.join(", "))
            };
            Failure::usage(format!("there is no context `{name}`; {known}"))
        })
    }

    /// The one that was chosen.
    ///
    /// # Errors
    /// It is not there.
    pub fn chosen(&self) -> Result<Option<&Context>, Failure> {
        self.current
            .as_deref()
            .map(|name| self.get(name))
            .transpose()
    }
}

/// Tokens as they are: the file is where they are kept.
pub(super) mod plain {
    use crate::args::Secret;
    use serde::{Deserialize as _, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(in super::super) fn serialize<S: Serializer>(
        token: &Option<Secret>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match token {
            Some(token) => to.serialize_some(&token.0),
            None => to.serialize_none(),
        }
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Secret>, D::Error> {
        Ok(Option::<String>::deserialize(from)?.map(Secret))
    }
}

/// Where contexts are kept.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// `$XDG_CONFIG_HOME/stratagem`, or `~/.config/stratagem`.
    ///
    /// # Errors
    /// Nobody says where that is.
    pub fn of_user() -> Result<Self, Failure> {
        let variable = |name| std::env::var_os(name).map(PathBuf::from);
        // The specification wants relative ones to be ignored.
        let whole = |path: &PathBuf| path.is_absolute();
        let home = || {
            variable("HOME")
                .filter(whole)
                .map(|home| home.join(".config"))
        };
        let folder = variable("XDG_CONFIG_HOME").filter(whole).or_else(home);
        let folder = folder.ok_or_else(|| {
            Failure::usage("contexts have no place: neither XDG_CONFIG_HOME nor HOME is set")
        })?;
        Ok(Self::in_folder(folder.join("stratagem")))
    }

    /// In this folder.
    #[must_use]
    pub fn in_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The file itself.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.join("contexts.toml")
    }

    /// All contexts; none where there is no file.
    ///
    /// # Errors
    /// It cannot be read, or is invalid.
    pub fn read(&self) -> Result<Book, Failure> {
        let path = self.path();
        let wrong = |why: &str| Failure::usage(format!("contexts: {}: {why}", path.display()));
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Book::default()),
            Err(error) => return Err(wrong(&error.to_string())),
        };
        // The whole text of an error shows the line, in which a token may stand.
        let book: Book = toml::from_str(&text).map_err(|error| {
            let before = error
                .span()
                .map_or("", |span| &text[..span.start.min(text.len())]);
            let line = before.matches('\n').count() + 1;
            wrong(&format!("line {line}: {}", error.message()))
        })?;
        for name in book.contexts.keys() {
            named(name).map_err(|failure| wrong(&failure.message))?;
        }
        let has_token = book
            .contexts
            .values()
            .any(|context| context.token.is_some());
        if has_token && readable_by_others(&path) {
            eprintln!(
                "warning: others can read the tokens in {0}: `chmod 600 {0}`",
                path.display()
            );
        }
        Ok(book)
    }

    /// Changes the contexts: nobody sees half of it, and nobody's change gets lost.
    ///
    /// # Errors
    /// What `change` says, or the file cannot be read or written.
    pub fn change(
        &self,
        change: impl FnOnce(&mut Book) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let wrong = |error: std::io::Error| {
            let path = self.path();
            Failure::new(Exit::IO, format!("contexts: {}: {error}", path.display()))
        };
        let mut folder = DirBuilder::new();
        folder.recursive(true).mode(0o700);
        folder.create(&self.folder).map_err(wrong)?;
        // Given back with the file, also by the end of the process.
        let _alone = self.lock().map_err(wrong)?;
        let mut book = self.read()?;
        change(&mut book)?;
        let text = toml::to_string(&book).map_err(|e| Failure::new(Exit::IO, e.to_string()))?;
        self.write(&text).map_err(wrong)
    }

    fn lock(&self) -> std::io::Result<File> {
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true).mode(0o600);
        let file = options.open(self.folder.join("contexts.lock"))?;
        file.lock()?;
        Ok(file)
    }

    /// Puts a whole file into the place of the old one. Only for the holder of the lock.
    fn write(&self, text: &str) -> std::io::Result<()> {
        let path = self.path();
        // Where it is a link, what it leads to is written.
        let path = fs::canonicalize(&path).unwrap_or(path);
        let folder = path.parent().unwrap_or(&self.folder);
        // For its owner alone.
        let mut file = NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&path)?;
        Ok(())
    }
}

fn readable_by_others(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.permissions().mode() & 0o077 != 0)
}
