//! Sessions: requests about them, and what they show.

mod created;
mod executed;
#[cfg(test)]
mod tests;

pub use crate::allocation::session::{Followed, adapted};
pub use crate::narrative::session::State as Story;
pub use crate::temporal::session::State as Network;
pub use created::{Created, created};
pub(crate) use executed::{Course, RefusedEvent, Settled, refuse_event, with_priority};
pub use executed::{Executed, Point};

use crate::allocation::session as routes;
use crate::contract::{AllocateTasks, CheckControllability, ScheduleNarrative};
use crate::method::{Asked, Method, Reading, RequestOf, Rpc as _};
use crate::mistakes::{Code, Mistakes};
use crate::values::rounded_micros;

use ::allocation::Allocation;
use anytime::{Found, Path};
use std::collections::HashSet;
use std::time::Duration;
use stratagem_proto::v1::{
    self as pb, create_session_request as create, session_update::Change, session_view,
};

/// The state of a session. Clones share what is large.
#[derive(Debug, Clone)]
pub enum State {
    /// Agents that serve tasks.
    Allocation(routes::State),
    /// A network that is executed.
    Temporal(Network),
    /// A story that is played.
    Narrative(Story),
}

/// How a state is planned for.
pub enum Planning {
    /// Its plan is adapted, repaired and improved.
    Allocation(Box<RequestOf<AllocateTasks>>),
    /// A strategy is executed, see [`Executed`].
    Executed,
}

/// Time for the first plan of a session, unless another one is given.
const FIRST_DEFAULT: Duration = Duration::from_millis(100);
/// The same for a repair.
const REPAIR_DEFAULT: Duration = Duration::from_millis(5);
/// Time for the improvement of a plan, likewise.
const IMPROVE_DEFAULT: Duration = Duration::from_secs(1);

/// How to plan for a state. A search may use the whole time of an improvement.
///
/// # Errors
/// All mistakes.
pub fn read(
    state: &State,
    options: &pb::SolveOptions,
    with: &Reading<'_>,
) -> Result<Planning, Mistakes> {
    let State::Allocation(state) = state else {
        return Ok(Planning::Executed);
    };
    let mut request = AllocateTasks::read(state.request(options), with)?;
    request.options.budget.get_or_insert(IMPROVE_DEFAULT);
    Ok(Planning::Allocation(Box::new(request)))
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

/// How long to search before the response, after the view `before`.
#[must_use]
pub fn patience(
    given: Option<&prost_types::Duration>,
    before: &pb::SessionView,
    needs_repair: bool,
) -> Duration {
    let usual = match before.plan_revision {
        0 => FIRST_DEFAULT,
        _ if needs_repair => REPAIR_DEFAULT,
        _ => Duration::ZERO,
    };
    given.map_or(usual, length)
}

impl State {
    /// The state after an update, and how to plan for it.
    ///
    /// # Errors
    /// All mistakes of the update, or of the problem that it leads to.
    pub fn after(
        &self,
        update: pb::SessionUpdate,
        options: &pb::SolveOptions,
        with: &Reading<'_>,
    ) -> Result<(Self, Planning), Mistakes> {
        let next = self.updated(update)?;
        let planning = read(&next, options, with)?;
        Ok((next, planning))
    }

    /// The state after an update, whatever problem it leads to.
    ///
    /// # Errors
    /// All mistakes of the update.
    pub fn updated(&self, update: pb::SessionUpdate) -> Result<Self, Mistakes> {
        if let Some(field) = other_kind(self, update.change.as_ref()) {
            let mut wrong = Mistakes::default();
            let why = "is for a session of another kind";
            wrong.add(&Path::root(field), Code::WrongKind, why);
            return Err(wrong);
        }
        match self {
            Self::Allocation(state) => state.updated(update).map(Self::Allocation),
            Self::Temporal(state) => state.updated(update).map(Self::Temporal),
            Self::Narrative(state) => state.updated(update).map(Self::Narrative),
        }
    }

    /// The method whose searches it repeats.
    #[must_use]
    pub fn method(&self) -> &'static str {
        match self {
            Self::Allocation(_) => AllocateTasks::NAME,
            Self::Temporal(_) => CheckControllability::NAME,
            Self::Narrative(_) => ScheduleNarrative::NAME,
        }
    }

    /// The current time.
    #[must_use]
    pub fn now_us(&self) -> i64 {
        match self {
            Self::Allocation(state) => state.now_us(),
            Self::Temporal(state) => state.now_us(),
            Self::Narrative(state) => state.now_us(),
        }
    }

    /// Memory that it takes, near enough.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Allocation(state) => state.bytes(),
            Self::Temporal(state) => state.bytes(),
            Self::Narrative(state) => state.bytes(),
        }
    }

    /// The state as it is created again.
    #[must_use]
    pub fn snapshot(&self) -> create::State {
        match self {
            Self::Allocation(state) => create::State::Allocation(state.snapshot()),
            Self::Temporal(state) => create::State::Temporal(state.snapshot()),
            Self::Narrative(state) => create::State::Narrative(state.snapshot()),
        }
    }

    /// What the snapshot lacks.
    #[must_use]
    pub fn beyond_snapshot(&self) -> Followed {
        match self {
            Self::Allocation(state) => state.beyond_snapshot(),
            Self::Temporal(_) | Self::Narrative(_) => Followed::default(),
        }
    }

    /// Completes a state that was created from its snapshot.
    pub fn complete(&mut self, followed: Followed) {
        if let Self::Allocation(state) = self {
            state.complete(followed);
        }
    }

    /// The same state for a search while the game goes on.
    #[must_use]
    pub fn under_way(&self) -> Self {
        match self {
            Self::Allocation(state) => Self::Allocation(state.under_way()),
            Self::Temporal(_) | Self::Narrative(_) => self.clone(),
        }
    }

    /// Lets agents follow the plan of a view.
    pub fn follow_view(&mut self, view: &pb::SessionView) {
        if let (Self::Allocation(state), Some(session_view::Plan::Allocation(plan))) =
            (self, &view.plan)
        {
            state.follow(plan);
        }
    }
}

/// The field of a change that is for another kind of session.
fn other_kind(state: &State, change: Option<&Change>) -> Option<&'static str> {
    let (field, fits) = match change? {
        Change::Allocation(_) => ("allocation", matches!(state, State::Allocation(_))),
        Change::AllocationProblem(_) => {
            ("allocation_problem", matches!(state, State::Allocation(_)))
        }
        Change::Temporal(_) => ("temporal", matches!(state, State::Temporal(_))),
        Change::TemporalNetwork(_) => ("temporal_network", matches!(state, State::Temporal(_))),
        Change::Narrative(_) => ("narrative", matches!(state, State::Narrative(_))),
        Change::NarrativeProblem(_) => ("narrative_problem", matches!(state, State::Narrative(_))),
    };
    (!fits).then_some(field)
}

/// The current time after an update.
///
/// # Errors
/// It is before that of the previous update.
pub(crate) fn now_after(was_us: i64, update: &pb::SessionUpdate) -> Result<i64, Mistakes> {
    let now_us = update.now_offset.as_ref().map_or(was_us, rounded_micros);
    if now_us < was_us {
        let mut wrong = Mistakes::default();
        let why = format!("is {now_us} us, before {was_us} us of the previous update");
        wrong.add(&Path::root("now_offset"), Code::OutOfRange, why);
        return Err(wrong);
    }
    Ok(now_us)
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
pub fn shown(asked: &Asked<AllocateTasks>, found: &Found<Allocation>) -> pb::SessionView {
    let plan = AllocateTasks::step(asked, found).and_then(|answer| answer.plan);
    pb::SessionView {
        plan: plan.map(session_view::Plan::Allocation),
        objective: AllocateTasks::objective(asked, found, None),
        complete: !found.partial && asked.request.names.releases.is_empty(),
        ..pb::SessionView::default()
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
        _ => &[],
    }
}

/// A time that was checked.
fn length(given: &prost_types::Duration) -> Duration {
    Duration::from_micros(u64::try_from(rounded_micros(given)).unwrap_or(0))
}
