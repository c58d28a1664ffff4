//! A session as its log has it.

use super::super::present::{Seen, remember};
use super::super::session::Past;
use super::super::updates::content;
use super::writer::CONFIRM_INTERVAL;
use super::{Base, Entry, Logged, Update, What};
use prost::Message as _;
use std::collections::VecDeque;
use std::time::Duration;
use wire::method::Reading;
use wire::session::{Created, created, read};

/// Time after which a session without entries has expired: clocks differ, and those that are only
/// watched are written every [`CONFIRM_INTERVAL`].
const EXPIRE_SLACK: Duration = CONFIRM_INTERVAL.saturating_mul(2);

/// The session of a log, to be created again; `None`: there is none, or it has ended.
///
/// # Errors
/// What was written cannot be read: text for operators.
pub(crate) fn replayed(
    logged: &Logged,
    with: &Reading<'_>,
) -> Result<Option<(Created, Past)>, String> {
    let entries = logged.entries.iter();
    let entries = entries.map(|entry| Entry::decode(entry.clone()).map_err(text));
    let mut entries = entries.collect::<Result<Vec<_>, _>>()?;
    // A place that lost power may still have what came before a base, or an end.
    let first = entries.iter().rposition(|entry| entry.changes.is_empty());
    let mut entries = entries.drain(first.unwrap_or(0)..);
    let Some(base) = entries.next().and_then(|entry| entry.base) else {
        return Ok(None);
    };
    let mut replay = Replay::new(base, logged.position, with)?;
    for change in entries.flat_map(|entry| entry.changes) {
        replay.apply(change.what)?;
    }
    let (created, past) = replay.ended(with)?;
    // Its server was lost before it could note that.
    let has_expired = logged.age > created.expire + EXPIRE_SLACK;
    Ok((!has_expired).then_some((created, past)))
}

/// A session whose log is read.
struct Replay {
    created: Created,
    past: Past,
}

impl Replay {
    fn new(base: Base, position: u64, with: &Reading<'_>) -> Result<Self, String> {
        let request = base.session.unwrap_or_default();
        let mut created = created(request, with).map_err(text)?;
        created.state.complete(base.followed.unwrap_or_default());
        let past = Past {
            origin: base.origin,
            seen: VecDeque::from(base.seen),
            revision: base.revision,
            position: Some(position),
        };
        Ok(Self { created, past })
    }

    fn apply(&mut self, what: Option<What>) -> Result<(), String> {
        let Self { created, past } = self;
        match what {
            Some(What::Update(update)) => {
                let Update { update, refused } = *update;
                let update = update.unwrap_or_default();
                created.applied = update.sequence;
                let seen = Seen {
                    sequence: update.sequence,
                    content: content(&update),
                    refused,
                };
                if seen.refused.is_none() {
                    created.state = created.state.updated(update).map_err(text)?;
                }
                remember(&mut past.seen, [seen]);
            }
            Some(What::Plan(view)) => {
                past.revision = past.revision.max(view.plan_revision);
                created.state.follow_view(&view);
            }
            Some(What::UnderWay(())) => created.state = created.state.under_way(),
            Some(What::Confirm(())) => {}
            None => return Err("an entry has a change of an unknown kind".into()),
        }
        Ok(())
    }

    fn ended(self, with: &Reading<'_>) -> Result<(Created, Past), String> {
        let Self { mut created, past } = self;
        created.first = read(&created.state, &created.options, with).map_err(text)?;
        Ok((created, past))
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
