//! Minimal conflicts: the deletion filter.
//!
//! A conflict is a set of members that cannot all be satisfied. The filter leaves out members, many
//! together and then fewer, as long as the rest is a conflict. A member is *needed* once the others
//! are known to be satisfiable without it, which holds in all smaller conflicts, too. A conflict of
//! needed members only is minimal.

use anytime::Stop;
use std::collections::BTreeSet;

/// What is known of some members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<T> {
    /// These of them are a conflict, in the same order.
    Conflict(Vec<T>),
    /// All of them can be satisfied.
    Satisfiable,
    /// Neither is known.
    Unknown,
}

/// A conflict that becomes smaller.
#[derive(Debug, Clone)]
pub struct DeletionFilter<T> {
    /// The members that are left.
    pub members: Vec<T>,
    /// Those of them that are known to be needed.
    pub needed: BTreeSet<T>,
}

impl<T: Clone + Ord> DeletionFilter<T> {
    /// A conflict, those members first that should rather be left out.
    #[must_use]
    pub fn new(members: Vec<T>) -> Self {
        Self {
            members,
            needed: BTreeSet::new(),
        }
    }

    /// Whether each member is known to be needed.
    #[must_use]
    pub fn is_minimal(&self) -> bool {
        self.members.iter().all(|it| self.needed.contains(it))
    }

    /// Makes the conflict minimal: passes with halves of the members first, and with single ones
    /// last.
    ///
    /// # Errors
    /// When `verdict` is stopped: the conflict may not be minimal then.
    pub fn minimize(
        &mut self,
        mut verdict: impl FnMut(&[T]) -> Result<Verdict<T>, Stop>,
    ) -> Result<(), Stop> {
        let mut size = self.members.len();
        loop {
            size = size.div_ceil(2);
            self.pass(size, &mut verdict)?;
            if size <= 1 {
                return Ok(());
            }
        }
    }

    /// Leaves out each part of `size` neighbours where the rest is a conflict; parts with a needed
    /// member stay.
    ///
    /// # Errors
    /// When `verdict` is stopped.
    pub fn pass(
        &mut self,
        size: usize,
        verdict: &mut impl FnMut(&[T]) -> Result<Verdict<T>, Stop>,
    ) -> Result<(), Stop> {
        let mut at = 0;
        while at < self.members.len() {
            let end = self.members.len().min(at + size);
            let (before, part) = (&self.members[..at], &self.members[at..end]);
            if part.iter().any(|member| self.needed.contains(member)) {
                at = end;
                continue;
            }
            match verdict(&[before, &self.members[end..]].concat())? {
                Verdict::Conflict(fewer) => {
                    at = before.iter().filter(|it| fewer.contains(it)).count();
                    self.members = fewer;
                }
                Verdict::Satisfiable if size == 1 => {
                    self.needed.insert(self.members[at].clone());
                    at = end;
                }
                Verdict::Satisfiable | Verdict::Unknown => at = end,
            }
        }
        Ok(())
    }
}
