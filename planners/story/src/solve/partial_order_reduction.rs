//! Partial-order reduction: of stories that differ in the order of commuting actions only, one
//! canonical order is searched.
//!
//! The canonical order is a post-order: the actions that an action builds on come right before it.
//! First, by number, come those that themselves build on a pending action; then, by number, the
//! others, *leaves*. So a leaf is done only together with the first action that needs it.
//!
//! *Pending* are actions on which nothing builds yet, in the order in which they were done. An
//! action builds on the pending ones with which it does not commute. As these are done right before
//! it, they are the last ones. Leaves are the last ones of all that are pending, and one action
//! builds on all of them.

use super::scope::Scope;

/// Actions on which nothing builds yet, by their places in a list; the last `leaves` are leaves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PendingActions {
    all: Box<[u32]>,
    leaves: u8,
}

impl PendingActions {
    /// After another action. None: another order is canonical, or the action is useless.
    pub(super) fn after(&self, action: u32, scope: &Scope) -> Option<Self> {
        let conflicts = &scope.order.conflicts;
        let with = |other: &u32| conflicts.contains(action as usize, *other as usize);
        let mut all = self.all.iter().rev();
        let used = all.by_ref().take_while(|other| with(other)).count();
        let (rest, built_on) = self.all.split_at(self.all.len() - used);
        if rest.iter().any(with) {
            return None;
        }
        let leaves = usize::from(self.leaves);
        if used == 0 {
            let group = &self.all[self.all.len() - leaves..];
            if group.last().is_some_and(|last| *last >= action) {
                return None;
            }
            let mut all = self.all.to_vec();
            all.push(action);
            // Somebody has to build on all of them.
            let group = &all[all.len() - leaves - 1..];
            return scope.have_use(group).then(|| Self {
                leaves: self.leaves + 1,
                all: all.into(),
            });
        }
        if used < leaves {
            return None;
        }
        let grown = &built_on[..used - leaves];
        grown.is_sorted_by(|a, b| a < b).then(|| Self {
            all: rest.iter().copied().chain([action]).collect(),
            leaves: 0,
        })
    }

    /// Whether whatever may follow on the other may follow on this, in the same state.
    ///
    /// It may if this lacks some of the other's pending actions, has the same leaves, and makes no
    /// action a leaf that is not a leaf there.
    pub(super) fn allows_all_of(&self, other: &Self) -> bool {
        let (mine, leaves) = self.all.split_at(self.all.len() - usize::from(self.leaves));
        let (theirs, their_leaves) = other
            .all
            .split_at(other.all.len() - usize::from(other.leaves));
        if leaves != their_leaves {
            return false;
        }
        if leaves.is_empty() && mine.last() != theirs.last() {
            return false;
        }
        let mut theirs = theirs.iter();
        mine.iter()
            .all(|action| theirs.any(|other| other == action))
    }
}
