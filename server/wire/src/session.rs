//! Sessions: requests about them, and what they show.
//!
//! Only allocation has sessions so far: [`Planned`] is the method whose searches they repeat.

#[cfg(test)]
mod tests;

pub use crate::allocation::session::{State, adapted};

use crate::contract::AllocateTasks;
use crate::method::{Asked, Method, Reading, RequestOf};
use crate::mistakes::{Code, Mistakes};
use crate::values::rounded_micros;
use ::allocation::Allocation;
use anytime::{Found, Path};
use std::collections::HashSet;
use std::time::Duration;
use stratagem_proto::v1::{self as pb, create_session_request, session_view};

/// The method that plans for sessions.
pub type Planned = AllocateTasks;

/// Time without calls after which a session is closed, unless another one is given.
const EXPIRE_DEFAULT: Duration = Duration::from_secs(60);
/// Time for a repair, unless another one is given.
const REPAIR_DEFAULT: Duration = Duration::from_millis(5);
/// Time for the improvement of a plan, likewise.
const IMPROVE_DEFAULT: Duration = Duration::from_secs(1);

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
    /// The request for its first plan.
    pub first: RequestOf<Planned>,
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
    let Some(create_session_request::State::Allocation(state)) = state else {
        return Err(wrong);
    };
    let state = match State::new(state) {
        Ok(state) => state,
        Err(others) => {
            wrong.add_below(others, "allocation");
            return Err(wrong);
        }
    };
    match read(&state, &options, with) {
        Ok(first) if wrong.is_empty() => Ok(Created {
            id,
            state,
            options,
            expire: expire_duration.as_ref().map_or(EXPIRE_DEFAULT, length),
            applied: applied_sequence,
            first,
        }),
        Ok(_) => Err(wrong),
        Err(others) => {
            for mut mistake in others.into_list() {
                if mistake.field.starts_with("problem") {
                    mistake.field.insert_str(0, "allocation.");
                }
                wrong.add_unless_known(mistake);
            }
            Err(wrong)
        }
    }
}

/// The checked request to plan for a state. It may use the whole time of an improvement.
///
/// # Errors
/// All mistakes.
pub fn read(
    state: &State,
    options: &pb::SolveOptions,
    with: &Reading<'_>,
) -> Result<RequestOf<Planned>, Mistakes> {
    let mut request = Planned::read(state.request(options), with)?;
    request.options.budget.get_or_insert(IMPROVE_DEFAULT);
    Ok(request)
}

/// A request to update a session, its rules checked.
///
/// # Errors
/// All mistakes.
pub fn to_update(
    mut message: pb::UpdateSessionRequest,
) -> Result<pb::UpdateSessionRequest, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let numbers = message.updates.iter().map(|update| update.sequence);
    let pairs = numbers.clone().zip(numbers.skip(1)).enumerate();
    for (index, (one, next)) in pairs {
        if one.checked_add(1) != Some(next) {
            let at = Path::root("updates");
            let why = format!("is {next} after {one}: numbers have to be consecutive");
            let at = at.index(index + 1);
            wrong.add(&at.field("sequence"), Code::Contradiction, why);
        }
    }
    if wrong.is_empty() {
        Ok(message)
    } else {
        Err(wrong)
    }
}

/// How long to search before the response to updates.
#[must_use]
pub fn patience(given: Option<&prost_types::Duration>, needs_repair: bool) -> Duration {
    let usual = if needs_repair {
        REPAIR_DEFAULT
    } else {
        Duration::ZERO
    };
    given.map_or(usual, length)
}

impl State {
    /// The state after an update, and the request to plan for it.
    ///
    /// # Errors
    /// All mistakes of the update, or of the problem that it leads to.
    pub fn after(
        &self,
        update: pb::SessionUpdate,
        options: &pb::SolveOptions,
        with: &Reading<'_>,
    ) -> Result<(Self, RequestOf<Planned>), Mistakes> {
        let next = self.updated(update)?;
        let request = read(&next, options, with)?;
        Ok((next, request))
    }
}

/// An update that was refused.
#[must_use]
pub fn refused(sequence: i64, wrong: Mistakes) -> pb::SessionRefusal {
    let mistakes = wrong.into_list().into_iter();
    let mistake = |mistake: crate::mistakes::Mistake| pb::SessionMistake {
        field: mistake.field,
        reason: mistake.code.name().to_owned(),
        description: mistake.description,
    };
    pb::SessionRefusal {
        sequence,
        mistakes: mistakes.map(mistake).collect(),
    }
}

/// A plan as a session shows it, in a view that is empty otherwise.
#[must_use]
pub fn shown(asked: &Asked<Planned>, found: &Found<Allocation>) -> pb::SessionView {
    let plan = Planned::step(asked, found).and_then(|answer| answer.plan);
    pb::SessionView {
        plan: plan.map(session_view::Plan::Allocation),
        objective: Planned::objective(asked, found, None),
        complete: !found.partial && asked.request.names.releases.is_empty(),
        ..pb::SessionView::default()
    }
}

impl State {
    /// Lets agents follow the plan of a view; whether it has one.
    pub fn follow_view(&mut self, view: &pb::SessionView) -> bool {
        let Some(session_view::Plan::Allocation(plan)) = &view.plan else {
            return false;
        };
        self.follow(plan);
        true
    }
}

/// Whether a plan leaves out tasks that the plan before did not leave out.
#[must_use]
pub fn leaves_out_more(before: &pb::SessionView, now: &pb::SessionView) -> bool {
    let known: HashSet<&String> = unserved(before).iter().collect();
    unserved(now).iter().any(|id| !known.contains(id))
}

fn unserved(view: &pb::SessionView) -> &[String] {
    match &view.plan {
        Some(session_view::Plan::Allocation(plan)) => &plan.unserved_task_ids,
        None => &[],
    }
}

/// A time that was checked.
fn length(given: &prost_types::Duration) -> Duration {
    Duration::from_micros(u64::try_from(rounded_micros(given)).unwrap_or(0))
}
