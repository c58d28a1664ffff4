//! Lines of a file that comes in pieces.

use super::{LINE_BYTES_MAX, LearnError, LearnReason};

/// Puts lines together; keeps no more than one.
#[derive(Debug, Default)]
pub(super) struct Lines {
    partial: Vec<u8>,
    bytes: u64,
    count: u64,
}

/// What a file may be like.
#[derive(Clone, Copy)]
pub(super) struct File {
    /// The field that it came in.
    pub(super) path: &'static str,
    /// Most bytes.
    pub(super) bytes_max: u64,
    /// What to say if there are more.
    pub(super) too_many: fn() -> LearnReason,
}

impl Lines {
    /// Looks at the lines that a piece of the file completes; `look` gets line number, from 1, and text.
    pub(super) fn push(
        &mut self,
        chunk: &[u8],
        file: File,
        mut look: impl FnMut(u64, &str) -> Result<(), LearnError>,
    ) -> Result<(), LearnError> {
        let before = self.bytes;
        self.bytes += chunk.len() as u64;
        if self.bytes > file.bytes_max {
            return Err(LearnError::new(file.path, (file.too_many)()));
        }
        let mut rest = chunk;
        while let Some(end) = rest.iter().position(|&b| b == b'\n') {
            self.partial.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            let at = before + (chunk.len() - rest.len()) as u64;
            self.line(file, at, &mut look)?;
        }
        self.partial.extend_from_slice(rest);
        self.is_short(file)
    }

    /// Looks at a last line without an end.
    pub(super) fn finish(
        &mut self,
        file: File,
        mut look: impl FnMut(u64, &str) -> Result<(), LearnError>,
    ) -> Result<(), LearnError> {
        if self.partial.is_empty() {
            return Ok(());
        }
        self.line(file, self.bytes, &mut look)
    }

    /// Lines so far.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    fn is_short(&self, file: File) -> Result<(), LearnError> {
        if self.partial.len() > LINE_BYTES_MAX {
            let line = self.count + 1;
            return Err(LearnError::new(file.path, LearnReason::LineBytes { line }));
        }
        Ok(())
    }

    /// Looks at the line that is complete; it ends before byte `end` of the file.
    fn line(
        &mut self,
        file: File,
        end: u64,
        look: &mut impl FnMut(u64, &str) -> Result<(), LearnError>,
    ) -> Result<(), LearnError> {
        self.is_short(file)?;
        self.count += 1;
        let start = end.saturating_sub(self.partial.len() as u64 + 1);
        let text = match std::str::from_utf8(&self.partial) {
            Ok(text) => text.trim_end_matches('\r'),
            Err(error) => {
                let at = start + error.valid_up_to() as u64;
                return Err(LearnError::new(file.path, LearnReason::NotText { at }));
            }
        };
        let result = look(self.count, text);
        self.partial.clear();
        result
    }
}
