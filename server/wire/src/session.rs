//! Sessions: requests about them, and what they show.

mod created;
mod executed;
mod routed;
#[cfg(test)]
mod tests;

pub use crate::allocation::session::Followed;
pub use crate::heist::session::State as Heist;
pub use crate::narrative::session::State as Story;
pub use crate::patrol::session::State as Guards;
pub use crate::temporal::session::State as Network;
pub use created::{Created, created};
pub(crate) use executed::{Course, RefusedEvent, Settled, refuse_event, with_priority};
pub use executed::{Executed, Point};
pub use routed::{Question, Routed};

use crate::allocation::session as routes;
use crate::contract::{
    AllocateTasks, CheckControllability, GeneratePatrol, ScheduleNarrative, SimulateHeist,
};
use crate::method::{Method as _, Reading, Rpc as _};
use crate::mistakes::{Code, Mistakes};
use crate::values::rounded_micros;

use anytime::Path;
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
    /// Guards on patrol.
    Patrol(Guards),
    /// A heist that is played.
    Heist(Heist),
}

/// How a state is planned for.
pub enum Planning {
    /// Its plan is adapted, repaired and improved.
    Allocation(Box<Question<AllocateTasks>>),
    /// The same for patrols.
    Patrol(Box<Question<GeneratePatrol>>),
    /// A strategy is executed, see [`Executed`].
    Executed,
    /// It is part of the state, see [`State::played`].
    Played,
    /// Its plan goes on as before.
    Unchanged,
}

/// Time for the first plan of a session, unless another one is given.
const FIRST_DEFAULT: Duration = Duration::from_millis(100);
/// The same for a repair.
const REPAIR_DEFAULT: Duration = Duration::from_millis(5);
/// Time for the improvement of a plan, likewise.
pub(crate) const IMPROVE_DEFAULT: Duration = Duration::from_secs(1);

/// How to plan for a state. A search may use the whole time of an improvement.
///
/// # Errors
/// All mistakes.
pub fn read(
    state: &State,
    options: &pb::SolveOptions,
    with: &Reading<'_>,
) -> Result<Planning, Mistakes> {
    match state {
        State::Allocation(state) => {
            let mut request = AllocateTasks::read(state.request(options), with)?;
            request.options.budget.get_or_insert(IMPROVE_DEFAULT);
            let question = Question {
                request,
                setting: (),
            };
            Ok(Planning::Allocation(Box::new(question)))
        }
        State::Patrol(state) => state.read(options, with),
        State::Temporal(_) | State::Narrative(_) => Ok(Planning::Executed),
        State::Heist(_) => Ok(Planning::Played),
    }
}

/// The same for a search while the game goes on, see [`State::under_way`].
///
/// # Errors
/// All mistakes.
pub fn read_under_way(
    state: &State,
    options: &pb::SolveOptions,
    with: &Reading<'_>,
) -> Result<Planning, Mistakes> {
    match state {
        State::Patrol(state) => state.read_ahead(options, with),
        _ => read(state, options, with),
    }
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
        let is_unchanged = !self.is_replanned_for(&update);
        let next = self.updated(update)?;
        let planning = if is_unchanged {
            Planning::Unchanged
        } else {
            read(&next, options, with)?
        };
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
            Self::Patrol(state) => state.updated(update).map(Self::Patrol),
            Self::Heist(state) => state.updated(update).map(Self::Heist),
        }
    }

    /// Whether its plans are adapted to what has changed, see [`Routed`].
    #[must_use]
    pub fn is_adapted(&self) -> bool {
        matches!(self, Self::Allocation(_) | Self::Patrol(_))
    }

    /// Whether the plan does not just go on after an update.
    #[must_use]
    pub fn is_replanned_for(&self, update: &pb::SessionUpdate) -> bool {
        !matches!(self, Self::Patrol(_) | Self::Heist(_)) || update.change.is_some()
    }

    /// Whether what is searched for comes too late after an update.
    #[must_use]
    pub fn is_superseded_by(&self, update: &pb::SessionUpdate) -> bool {
        match self {
            Self::Allocation(_) => true,
            Self::Patrol(_) => self.is_replanned_for(update),
            // The search takes what happens meanwhile into account.
            Self::Temporal(_) | Self::Narrative(_) => false,
            // There is none.
            Self::Heist(_) => false,
        }
    }

    /// The method whose searches it repeats.
    #[must_use]
    pub fn method(&self) -> &'static str {
        match self {
            Self::Allocation(_) => AllocateTasks::NAME,
            Self::Temporal(_) => CheckControllability::NAME,
            Self::Narrative(_) => ScheduleNarrative::NAME,
            Self::Patrol(_) => GeneratePatrol::NAME,
            Self::Heist(_) => SimulateHeist::NAME,
        }
    }

    /// The current time.
    #[must_use]
    pub fn now_us(&self) -> i64 {
        match self {
            Self::Allocation(state) => state.now_us(),
            Self::Temporal(state) => state.now_us(),
            Self::Narrative(state) => state.now_us(),
            Self::Patrol(state) => state.now_us(),
            Self::Heist(state) => state.now_us(),
        }
    }

    /// Memory that it takes, near enough.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Allocation(state) => state.bytes(),
            Self::Temporal(state) => state.bytes(),
            Self::Narrative(state) => state.bytes(),
            Self::Patrol(state) => state.bytes(),
            Self::Heist(state) => state.bytes(),
        }
    }

    /// The state as it is created again.
    #[must_use]
    pub fn snapshot(&self) -> create::State {
        match self {
            Self::Allocation(state) => create::State::Allocation(state.snapshot()),
            Self::Temporal(state) => create::State::Temporal(state.snapshot()),
            Self::Narrative(state) => create::State::Narrative(state.snapshot()),
            Self::Patrol(state) => create::State::Patrol(state.snapshot()),
            Self::Heist(state) => create::State::Heist(state.snapshot()),
        }
    }

    /// What the snapshot lacks.
    #[must_use]
    pub fn beyond_snapshot(&self) -> Followed {
        match self {
            Self::Allocation(state) => state.beyond_snapshot(),
            Self::Patrol(state) => Followed::whether(state.is_followed()),
            Self::Temporal(_) | Self::Narrative(_) | Self::Heist(_) => Followed::default(),
        }
    }

    /// Completes a state that was created from its snapshot.
    pub fn complete(&mut self, followed: Followed) {
        match self {
            Self::Allocation(state) => state.complete(followed),
            Self::Patrol(state) if !followed.has_begun() => state.follow_nothing(),
            _ => {}
        }
    }

    /// The same state for a search while the game goes on.
    #[must_use]
    pub fn under_way(&self) -> Self {
        match self {
            Self::Allocation(state) => Self::Allocation(state.under_way()),
            _ => self.clone(),
        }
    }

    /// A game that is played in the session, in a view that is empty otherwise.
    #[must_use]
    pub fn played(&self) -> Option<pb::SessionView> {
        match self {
            Self::Heist(state) => Some(state.view()),
            _ => None,
        }
    }

    /// Lets agents follow the plan of a view.
    pub fn follow_view(&mut self, view: &pb::SessionView) {
        match (self, &view.plan) {
            (Self::Allocation(state), Some(session_view::Plan::Allocation(plan))) => {
                state.follow(plan);
            }
            (Self::Patrol(state), Some(session_view::Plan::Patrol(plan))) => state.follow(plan),
            _ => {}
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
        Change::Patrol(_) => ("patrol", matches!(state, State::Patrol(_))),
        Change::PatrolProblem(_) => ("patrol_problem", matches!(state, State::Patrol(_))),
        Change::Heist(_) => ("heist", matches!(state, State::Heist(_))),
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

/// A time that was checked.
pub(crate) fn length(given: &prost_types::Duration) -> Duration {
    Duration::from_micros(u64::try_from(rounded_micros(given)).unwrap_or(0))
}
