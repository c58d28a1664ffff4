//! Requests to create sessions.

use super::{Guards, Heist, Network, Planning, State, Story, length, read};
use crate::allocation::session as routes;
use crate::method::Reading;
use crate::mistakes::{Code, Mistakes};
use crate::{narrative, temporal};
use anytime::Path;
use std::time::Duration;
use stratagem_proto::v1::{self as pb, create_session_request as create};

/// Time without calls after which a session is closed, unless another one is given.
const EXPIRE_DEFAULT: Duration = Duration::from_secs(60);

/// A session to be created.
pub struct Created {
    /// Its id.
    pub id: String,
    /// Where it begins.
    pub state: State,
    /// Options of each search.
    pub options: pb::SolveOptions,
    /// Time without calls after which it is closed.
    pub expire: Duration,
    /// Number of the last update in the state.
    pub applied: i64,
    /// How it is planned for.
    pub first: Planning,
}

/// A request to create a session.
///
/// # Errors
/// All mistakes.
pub fn created(
    mut message: pb::CreateSessionRequest,
    with: &Reading<'_>,
) -> Result<Created, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let pb::CreateSessionRequest {
        session_id: id,
        state,
        options,
        expire_duration,
        applied_sequence,
    } = message;
    let id_at = Path::root("session_id");
    if !id.bytes().all(|byte| byte.is_ascii_graphic()) {
        wrong.add(&id_at, Code::CharacterUnknown, "is not visible ASCII alone");
    }
    let options = options.unwrap_or_default();
    if options.validate_only {
        let at = Path::root("options");
        let why = "is set, but a session that plans nothing is none";
        wrong.add(&at.field("validate_only"), Code::Contradiction, why);
    }
    let Some(state) = state else {
        return Err(wrong);
    };
    let read = begun(state, &options, with);
    match read {
        Ok((state, first)) if wrong.is_empty() => Ok(Created {
            id,
            state,
            options,
            expire: expire_duration.as_ref().map_or(EXPIRE_DEFAULT, length),
            applied: applied_sequence,
            first,
        }),
        Ok(_) => Err(wrong),
        Err(others) => {
            for mistake in others.into_list() {
                wrong.add_unless_known(mistake);
            }
            Err(wrong)
        }
    }
}

/// Where a session begins, and how it is planned for.
fn begun(
    given: create::State,
    options: &pb::SolveOptions,
    with: &Reading<'_>,
) -> Result<(State, Planning), Mistakes> {
    match given {
        create::State::Allocation(state) => allocation(state, options, with),
        create::State::Patrol(state) => {
            let state = State::Patrol(Guards::new(state));
            let fields = [
                ("problem", "patrol.problem"),
                ("previous_plan", "patrol.plan"),
            ];
            routed(state, &fields, options, with)
        }
        create::State::Heist(state) => {
            let wrong = Mistakes::default();
            let read = Heist::new(state);
            let (state, _) = executed(read, "heist", wrong, State::Heist)?;
            let first = self::read(&state, options, with)?;
            Ok((state, first))
        }
        create::State::Temporal(state) => {
            let mut wrong = Mistakes::default();
            temporal::session::judge(options, &mut wrong);
            executed(Network::new(state), "temporal", wrong, State::Temporal)
        }
        create::State::Narrative(state) => {
            let mut wrong = Mistakes::default();
            narrative::session::judge(options, &mut wrong);
            executed(
                Story::new(state, with.until),
                "narrative",
                wrong,
                State::Narrative,
            )
        }
    }
}

/// A state of allocation and how it is planned for.
fn allocation(
    given: pb::AllocationSessionState,
    options: &pb::SolveOptions,
    with: &Reading<'_>,
) -> Result<(State, Planning), Mistakes> {
    let below = |others: Mistakes| {
        let mut wrong = Mistakes::default();
        wrong.add_below(others, "allocation");
        wrong
    };
    let state = State::Allocation(routes::State::new(given).map_err(below)?);
    routed(state, &[("problem", "allocation.problem")], options, with)
}

/// A state and how it is planned for. `fields` of the request for a search are those of the
/// state.
fn routed(
    state: State,
    fields: &[(&'static str, &'static str)],
    options: &pb::SolveOptions,
    with: &Reading<'_>,
) -> Result<(State, Planning), Mistakes> {
    match read(&state, options, with) {
        Ok(first) => Ok((state, first)),
        Err(others) => {
            let mut wrong = Mistakes::default();
            for mut mistake in others.into_list() {
                let mut fields = fields.iter();
                let found = fields.find(|(field, _)| mistake.field.starts_with(field));
                if let Some((field, own)) = found {
                    mistake.field.replace_range(..field.len(), own);
                }
                wrong.add_unless_known(mistake);
            }
            Err(wrong)
        }
    }
}

/// A state that executes a strategy, read from a field of the request.
fn executed<E>(
    read: Result<E, Mistakes>,
    field: &'static str,
    mut wrong: Mistakes,
    kind: impl FnOnce(E) -> State,
) -> Result<(State, Planning), Mistakes> {
    match read {
        Ok(state) if wrong.is_empty() => Ok((kind(state), Planning::Executed)),
        Ok(_) => Err(wrong),
        Err(others) => {
            wrong.add_below(others, field);
            Err(wrong)
        }
    }
}
