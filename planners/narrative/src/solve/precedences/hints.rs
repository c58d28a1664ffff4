//! Orders to be tried before others.

/// Names of orders, one after the other.
#[derive(Debug, Default)]
pub(super) struct Hints {
    names: Vec<u32>,
    /// How many of them are decided for sure.
    decided: usize,
}

impl Hints {
    pub(super) fn new(names: Vec<u32>) -> Self {
        Self { names, decided: 0 }
    }

    /// The first that is open.
    pub(super) fn next(&mut self, is_open: impl Fn(u32) -> bool) -> Option<u32> {
        while let Some(&name) = self.names.get(self.decided) {
            if is_open(name) {
                return Some(name);
            }
            self.decided += 1;
        }
        None
    }

    /// Decisions were taken back.
    pub(super) fn rewind(&mut self) {
        self.decided = 0;
    }
}
