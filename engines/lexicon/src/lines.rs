//! Lines of a file that comes in pieces.

use crate::text::not_text;
use anytime::{Fault, Path, fault};

/// Most bytes of a line of relations or of WordNet.
pub const LINE_BYTES_MAX: usize = 64 << 10;

/// Assembles lines; buffers one at most.
#[derive(Debug)]
pub(crate) struct Lines {
    /// Which file it is, and the code of its faults.
    file: &'static str,
    code: &'static str,
    partial: Vec<u8>,
    bytes: u64,
    count: u64,
}

impl Lines {
    pub(crate) fn new(file: &'static str, code: &'static str) -> Self {
        Self {
            file,
            code,
            partial: Vec::new(),
            bytes: 0,
            count: 0,
        }
    }

    /// Looks at the lines that a piece of the file completes; `look` gets line number, from 1, and
    /// text.
    pub(crate) fn push(
        &mut self,
        chunk: &[u8],
        mut look: impl FnMut(u64, &str) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let before = self.bytes;
        self.bytes += chunk.len() as u64;
        let mut rest = chunk;
        while let Some(end) = rest.iter().position(|&b| b == b'\n') {
            self.partial.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            let at = before + (chunk.len() - rest.len()) as u64;
            self.line(at, &mut look)?;
        }
        self.partial.extend_from_slice(rest);
        self.is_short()
    }

    /// Looks at a last line without an end.
    pub(crate) fn finish(
        &mut self,
        mut look: impl FnMut(u64, &str) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.partial.is_empty() {
            return Ok(());
        }
        self.line(self.bytes, &mut look)
    }

    /// Lines so far.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    fn is_short(&self) -> Result<(), Fault> {
        if self.partial.len() > LINE_BYTES_MAX {
            let line = self.count + 1;
            return Err(fault!(
                self.code,
                Path::root(self.file),
                "line {} has more than {} bytes",
                line,
                LINE_BYTES_MAX
            ));
        }
        Ok(())
    }

    /// Looks at the line that is complete; it ends before byte `end` of the file.
    fn line(
        &mut self,
        end: u64,
        look: &mut impl FnMut(u64, &str) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.is_short()?;
        self.count += 1;
        let start = end.saturating_sub(self.partial.len() as u64 + 1);
        let text = match std::str::from_utf8(&self.partial) {
            Ok(text) => text.trim_end_matches('\r'),
            Err(error) => {
                let at = start + error.valid_up_to() as u64;
                return Err(not_text(self.file, at));
            }
        };
        let result = look(self.count, text);
        self.partial.clear();
        result
    }
}
