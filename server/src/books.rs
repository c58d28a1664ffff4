//! Books in a folder of the operator that callers may name.
//!
//! Only files inside that folder are read, whatever the name and wherever links lead. A missing
//! file and a forbidden one get the same error.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Most bytes of a name.
pub(crate) const NAME_BYTES_MAX: usize = 1_000;

/// Why a book is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BookError {
    /// A name that is no path below a folder.
    #[error(
        "is no name of a book: a path with / between its parts, none of which begins with a dot, of at most {NAME_BYTES_MAX} bytes"
    )]
    Name,
    /// No file of that name, or none that may be read.
    #[error("names no book of this server")]
    Unknown,
    /// More than is read.
    #[error("names a book of more than {bytes_max} bytes")]
    TooLarge {
        /// Bytes that are read at most.
        bytes_max: u64,
    },
    /// A file in another encoding.
    #[error("names a book whose byte {at} is no UTF-8 text")]
    NotText {
        /// Its first such byte.
        at: usize,
    },
}

/// Reads a book.
///
/// # Errors
/// See [`BookError`].
pub(crate) fn read(folder: &Path, name: &str, bytes_max: u64) -> Result<String, BookError> {
    let below = path(name).ok_or(BookError::Name)?;
    let unknown = |_: std::io::Error| BookError::Unknown;
    let folder = folder.canonicalize().map_err(unknown)?;
    // Links are followed here and nowhere later, so that what is opened is what was looked at.
    let path = folder.join(below).canonicalize().map_err(unknown)?;
    let about = fs::metadata(&path).map_err(unknown)?;
    // Pipes and devices could keep us waiting.
    if !path.starts_with(&folder) || !about.is_file() {
        return Err(BookError::Unknown);
    }
    if about.len() > bytes_max {
        return Err(BookError::TooLarge { bytes_max });
    }
    let file = File::open(&path).map_err(unknown)?;
    let mut bytes = Vec::new();
    // It may have grown.
    file.take(bytes_max + 1)
        .read_to_end(&mut bytes)
        .map_err(unknown)?;
    if bytes.len() as u64 > bytes_max {
        return Err(BookError::TooLarge { bytes_max });
    }
    String::from_utf8(bytes).map_err(|error| BookError::NotText {
        at: error.utf8_error().valid_up_to(),
    })
}

/// A name as a path that leads down only.
fn path(name: &str) -> Option<PathBuf> {
    let is_plain = |part: &str| {
        let odd = |c: char| c.is_control() || matches!(c, '\\' | ':');
        !part.is_empty() && !part.starts_with('.') && !part.contains(odd)
    };
    let fits = name.len() <= NAME_BYTES_MAX && name.split('/').all(is_plain);
    fits.then(|| name.split('/').collect())
}

#[cfg(test)]
mod tests {
    use super::{BookError, read};
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::{Path, PathBuf};

    /// A folder of books beside something that is nobody's business; it goes away with the test.
    struct Shelf(PathBuf);

    impl Shelf {
        fn new(name: &str) -> Self {
            let name = format!("stratagem-books-{}-{name}", std::process::id());
            let root = std::env::temp_dir().join(name);
            fs::create_dir_all(root.join("books/tales")).unwrap();
            fs::write(root.join("secret.txt"), "nobody's business").unwrap();
            fs::write(root.join("books/tales/king.txt"), "The king.").unwrap();
            fs::write(root.join("books/.hidden"), "not for callers").unwrap();
            Self(root)
        }

        fn books(&self) -> PathBuf {
            self.0.join("books")
        }

        fn read(&self, name: &str) -> Result<String, BookError> {
            read(&self.books(), name, 20)
        }
    }

    impl Drop for Shelf {
        fn drop(&mut self) {
            // What is left in a folder for such things does no harm.
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn books_are_read_by_their_names() {
        let shelf = Shelf::new("read");
        assert_eq!(shelf.read("tales/king.txt").unwrap(), "The king.");
        // Links within the folder are as good as files, as where a cluster mounts them.
        symlink("tales/king.txt", shelf.books().join("link.txt")).unwrap();
        assert_eq!(shelf.read("link.txt").unwrap(), "The king.");
        assert_eq!(shelf.read("tales/queen.txt"), Err(BookError::Unknown));
        assert_eq!(shelf.read("tales"), Err(BookError::Unknown), "a folder");
        let nowhere = Path::new("/nowhere/at/all");
        assert_eq!(read(nowhere, "a", 20), Err(BookError::Unknown));
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let shelf = Shelf::new("out");
        let whole = shelf.0.join("secret.txt");
        for name in [
            "../secret.txt",
            "tales/../../secret.txt",
            "tales/./king.txt",
            "tales//king.txt",
            whole.to_str().unwrap(),
            "/etc/passwd",
            ".hidden",
            "",
            "/",
            "tales/",
            "tales\\king.txt",
            "C:king.txt",
            "king\0.txt",
            &"a".repeat(1_001),
        ] {
            assert_eq!(shelf.read(name), Err(BookError::Name), "{name:?}");
        }
        symlink("../secret.txt", shelf.books().join("leak.txt")).unwrap();
        symlink("/", shelf.books().join("root")).unwrap();
        symlink(&shelf.0, shelf.books().join("above")).unwrap();
        for name in ["leak.txt", "root/etc/passwd", "above/secret.txt"] {
            assert_eq!(shelf.read(name), Err(BookError::Unknown), "{name}");
        }
        // A folder whose name begins alike is another one.
        fs::create_dir_all(shelf.0.join("books2")).unwrap();
        fs::write(shelf.0.join("books2/a.txt"), "other").unwrap();
        symlink("../books2/a.txt", shelf.books().join("near.txt")).unwrap();
        assert_eq!(shelf.read("near.txt"), Err(BookError::Unknown));
    }

    #[test]
    fn what_is_too_large_no_text_or_no_file_is_not_read() {
        let shelf = Shelf::new("large");
        fs::write(shelf.books().join("long.txt"), "a".repeat(21)).unwrap();
        let wanted = Err(BookError::TooLarge { bytes_max: 20 });
        assert_eq!(shelf.read("long.txt"), wanted);
        fs::write(shelf.books().join("latin.txt"), b"caf\xe9").unwrap();
        assert_eq!(shelf.read("latin.txt"), Err(BookError::NotText { at: 3 }));
        symlink("/dev/zero", shelf.books().join("zero")).unwrap();
        assert_eq!(shelf.read("zero"), Err(BookError::Unknown));
        symlink("loop", shelf.books().join("loop")).unwrap();
        assert_eq!(shelf.read("loop"), Err(BookError::Unknown));
    }
}
