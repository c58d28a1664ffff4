//! The whole terminal, for what is painted over and over.

use crate::exit::Failure;
use console::{Key, Term};
use tokio::task::JoinHandle;

/// The other screen of the terminal, without a cursor, until it is dropped.
pub struct Screen;

impl Screen {
    /// Changes to it.
    ///
    /// # Errors
    /// Stdout does not take it.
    pub fn open() -> Result<Self, Failure> {
        super::print("\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J")?;
        Ok(Self)
    }

    /// Lines as they are painted from the top left; the rest of each line, and all below, is wiped.
    #[must_use]
    pub fn painted(lines: &[String]) -> String {
        let painted = lines.join("\u{1b}[K\r\n");
        format!("\u{1b}[H{painted}\u{1b}[K\u{1b}[J")
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Nothing is to be done where the terminal has gone.
        let _ = super::print("\u{1b}[?25h\u{1b}[?1049l");
    }
}

/// The next key.
#[must_use]
pub fn read_key() -> JoinHandle<std::io::Result<Key>> {
    tokio::task::spawn_blocking(|| Term::stdout().read_key_raw())
}
