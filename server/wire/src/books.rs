//! Books in a folder of the operator that callers may name.
//!
//! Only files inside that folder are read, whatever the name and wherever links lead. A missing
//! file and a forbidden one get the same error.

use anytime::{Fault, Path, fault};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path as Folder, PathBuf};

/// Most bytes of a name.
pub(crate) const NAME_BYTES_MAX: usize = 1_000;

/// Reads a book.
///
/// # Errors
/// What is wrong with the name, or with the book.
pub(crate) fn read(folder: &Folder, name: &str, bytes_max: u64) -> Result<String, Fault> {
    let Some(below) = path(name) else {
        return Err(fault!(
            "UNKNOWN",
            Path::WHOLE,
            "is no name of a book: a path with / between its parts, none of which begins with a \
             dot, of at most {} bytes",
            NAME_BYTES_MAX
        ));
    };
    // No file of that name, or none that may be read.
    let none = || fault!("UNKNOWN", Path::WHOLE, "names no book of this server");
    let unknown = |_: std::io::Error| none();
    let too_long = || {
        fault!(
            "TOO_LONG",
            Path::WHOLE,
            "names a book of more than {} bytes",
            bytes_max
        )
    };
    let folder = folder.canonicalize().map_err(unknown)?;
    // Links are followed here and nowhere later, so that what is opened is what was looked at.
    let path = folder.join(below).canonicalize().map_err(unknown)?;
    let about = fs::metadata(&path).map_err(unknown)?;
    // Pipes and devices could keep us waiting.
    if !path.starts_with(&folder) || !about.is_file() {
        return Err(none());
    }
    if about.len() > bytes_max {
        return Err(too_long());
    }
    let file = File::open(&path).map_err(unknown)?;
    let mut bytes = Vec::new();
    // It may have grown.
    file.take(bytes_max + 1)
        .read_to_end(&mut bytes)
        .map_err(unknown)?;
    if bytes.len() as u64 > bytes_max {
        return Err(too_long());
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        fault!(
            "CHARACTER_UNKNOWN",
            Path::WHOLE,
            "names a book whose byte {} is no UTF-8 text",
            at
        )
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
    use super::read;
    use anytime::Unnamed;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::{Path, PathBuf};

    const UNKNOWN: &str = "UNKNOWN names no book of this server";

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

        fn read(&self, name: &str) -> Result<String, String> {
            let read = read(&self.books(), name, 20);
            read.map_err(|fault| format!("{} {}", fault.code, fault.text(&Unnamed)))
        }

        /// Code and text of the fault of a name.
        fn refused(&self, name: &str) -> String {
            self.read(name).expect_err(name)
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
        assert_eq!(shelf.refused("tales/queen.txt"), UNKNOWN);
        assert_eq!(shelf.refused("tales"), UNKNOWN, "a folder");
        let nowhere = Path::new("/nowhere/at/all");
        let fault = read(nowhere, "a", 20).unwrap_err();
        assert_eq!(fault.to_string(), "names no book of this server");
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let shelf = Shelf::new("out");
        let whole = shelf.0.join("secret.txt");
        let no_name = "UNKNOWN is no name of a book: a path with / between its parts, none of \
            which begins with a dot, of at most 1000 bytes";
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
            assert_eq!(shelf.refused(name), no_name, "{name:?}");
        }
        symlink("../secret.txt", shelf.books().join("leak.txt")).unwrap();
        symlink("/", shelf.books().join("root")).unwrap();
        symlink(&shelf.0, shelf.books().join("above")).unwrap();
        for name in ["leak.txt", "root/etc/passwd", "above/secret.txt"] {
            assert_eq!(shelf.refused(name), UNKNOWN, "{name}");
        }
        // A folder whose name begins alike is another one.
        fs::create_dir_all(shelf.0.join("books2")).unwrap();
        fs::write(shelf.0.join("books2/a.txt"), "other").unwrap();
        symlink("../books2/a.txt", shelf.books().join("near.txt")).unwrap();
        assert_eq!(shelf.refused("near.txt"), UNKNOWN);
    }

    #[test]
    fn what_is_too_large_no_text_or_no_file_is_not_read() {
        let shelf = Shelf::new("large");
        fs::write(shelf.books().join("long.txt"), "a".repeat(21)).unwrap();
        let wanted = "TOO_LONG names a book of more than 20 bytes";
        assert_eq!(shelf.refused("long.txt"), wanted);
        fs::write(shelf.books().join("latin.txt"), b"caf\xe9").unwrap();
        let wanted = "CHARACTER_UNKNOWN names a book whose byte 3 is no UTF-8 text";
        assert_eq!(shelf.refused("latin.txt"), wanted);
        symlink("/dev/zero", shelf.books().join("zero")).unwrap();
        assert_eq!(shelf.refused("zero"), UNKNOWN);
        symlink("loop", shelf.books().join("loop")).unwrap();
        assert_eq!(shelf.refused("loop"), UNKNOWN);
    }
}
