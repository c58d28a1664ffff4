//! Updates of a session, applied in order.

use super::of_bytes;
use super::present::{Seen, remember};
use super::session::{Moment, Session};
use crate::status::Refusal;
use prost::Message as _;
use stratagem_proto::v1 as pb;
use wire::method::Reading;
use wire::session::{Planning, State, read, refused};

/// What is planned for after updates, unless that is planned already, and what is refused.
type Applied = (Option<Moment>, Vec<pb::SessionRefusal>);

/// A state to be updated.
struct Begun {
    state: State,
    /// Number of its last update.
    applied: i64,
    /// See [`Present::changes`].
    changes: u64,
    /// Whether there is a plan that can go on.
    is_planned: bool,
}

impl Session {
    /// Applies updates, in its turn. Those that are refused come back; without a moment the plan
    /// fits already.
    ///
    /// # Errors
    /// An update is missing, or a number is used twice; there is no room for more. Then nothing is
    /// applied.
    pub(crate) fn apply(
        &self,
        updates: &[pb::SessionUpdate],
        with: &Reading<'_>,
    ) -> Result<Applied, Refusal> {
        let contents = updates.iter().map(content).collect::<Vec<_>>();
        loop {
            if let Some(applied) = self.try_to_apply(updates, &contents, with)? {
                return Ok(applied);
            }
        }
    }

    /// The same; `None`: a search has changed the state meanwhile.
    fn try_to_apply(
        &self,
        updates: &[pb::SessionUpdate],
        contents: &[u64],
        with: &Reading<'_>,
    ) -> Result<Option<Applied>, Refusal> {
        let mut refusals = self.present().check(updates, contents)?;
        let last = updates.last().map_or(0, |last| last.sequence);
        let Some(Begun {
            mut state,
            applied,
            changes,
            mut is_planned,
        }) = self.begin(updates, last)
        else {
            return Ok(Some((self.unplanned(with)?, refusals)));
        };
        let (mut seen, mut planning) = (Vec::new(), None);
        for (update, &content) in updates.iter().zip(contents) {
            let sequence = update.sequence;
            if sequence <= applied {
                continue;
            }
            let after = state.after(update.clone(), &self.options, with);
            let wrong = after.map(|(next, how)| (state, planning) = (next, Some(how)));
            is_planned &= matches!(planning, Some(Planning::Unchanged));
            let refused = wrong.err().map(|wrong| refused(sequence, wrong));
            refusals.extend(refused.clone());
            seen.push(Seen {
                sequence,
                content,
                refused,
            });
        }
        // Where all are refused, it is planned for the state before.
        let planning = match planning {
            Some(Planning::Unchanged) if is_planned => Planning::Unchanged,
            Some(planning) if !matches!(planning, Planning::Unchanged) => planning,
            _ => read(&state, &self.options, with).map_err(Refusal::Mistakes)?,
        };
        let mut present = self.present();
        if present.changes != changes {
            return Ok(None);
        }
        let known = present.seen.iter().chain(&seen);
        let refused = known.filter_map(|seen| Some(seen.refused.as_ref()?.encoded_len()));
        let bytes = state.bytes() + refused.sum::<usize>();
        self.memory.count(present.bytes, bytes)?;
        present.bytes = bytes;
        present.applied = seen.last().map_or(applied, |last| last.sequence);
        present.note(|log| {
            let updates = updates.iter().filter(|update| update.sequence > applied);
            for (update, seen) in updates.zip(&seen) {
                log.update(update, seen.refused.clone());
            }
        });
        remember(&mut present.seen, seen);
        present.state = state;
        present.is_planned = false;
        if present.state.is_adapted() && !matches!(planning, Planning::Unchanged) {
            // Another search may have begun for it.
            self.supersede(&mut present);
        }
        let version = present.version;
        Ok(Some((Some(Moment { version, planning }), refusals)))
    }

    /// The state to be updated, unless the last update is known.
    fn begin(&self, updates: &[pb::SessionUpdate], last: i64) -> Option<Begun> {
        let mut present = self.present();
        (last > present.applied).then(|| {
            let mut new = updates.iter().filter(|it| it.sequence > present.applied);
            let is_superseded = new.any(|update| present.state.is_superseded_by(update));
            if is_superseded {
                self.supersede(&mut present);
            }
            Begun {
                state: present.state.clone(),
                applied: present.applied,
                changes: present.changes,
                is_planned: present.is_planned && !is_superseded && self.view().plan.is_some(),
            }
        })
    }
}

/// The content of an update, as a number.
pub(super) fn content(update: &pb::SessionUpdate) -> u64 {
    of_bytes(&update.encode_to_vec())
}
