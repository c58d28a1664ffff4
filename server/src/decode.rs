//! The whole way from bytes to a checked problem, in one function: for fuzzing, and for tools that
//! read requests.

mod others;
#[cfg(test)]
mod tests;

use crate::codec;
use crate::run::LearnPlanner;
use crate::status::Refusal;
use crate::wire::allocation::request;
use crate::wire::crew::request as assign;
use crate::wire::heist::request as burgle;
use crate::wire::narrative::{Called, request as schedule};
use crate::wire::patrol::request as generate;
use crate::wire::puzzle::{request as levels, to_solve};
use crate::wire::story::{request as tell, to_learn};
use crate::wire::temporal::strong;
use ::temporal::Network;
use allocation::Problem;
use std::sync::Arc;
use stratagem_proto::v1 as pb;

pub use crate::wire::mistakes::{Code, Mistake};

/// Why bytes are no request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejected {
    /// They hold more than a request may: which limit.
    TooLarge(String),
    /// They are no message of the type: why.
    Malformed(String),
    /// The request makes no sense: all mistakes, at most 100.
    Mistakes(Vec<Mistake>),
}

/// A problem, and how the caller calls the things in it.
#[derive(Debug)]
pub struct Allocation {
    /// The problem.
    pub problem: Problem,
    /// Ids of its agents, by index.
    pub agent_ids: Vec<String>,
    /// Ids of its tasks, by index.
    pub task_ids: Vec<String>,
}

/// Decodes an encoded `AllocateTasksRequest` as the server does: weighs the bytes, decodes them,
/// reads the options, and checks the problem.
///
/// Never panics, whatever the bytes; the fuzz target `decode_allocate` is about that.
///
/// # Errors
/// See [`Rejected`].
pub fn allocate(bytes: &[u8]) -> Result<Allocation, Rejected> {
    let message: pb::AllocateTasksRequest = codec::decode(bytes).map_err(rejected)?;
    let request = request(message, None);
    let request = request.map_err(|wrong| Rejected::Mistakes(wrong.into_list()))?;
    Ok(Allocation {
        agent_ids: request.names.agents.list().to_vec(),
        task_ids: request.names.tasks.list().to_vec(),
        problem: Arc::unwrap_or_clone(request.problem),
    })
}

/// A network, and how the caller calls the things in it.
#[derive(Debug)]
pub struct Temporal {
    /// The network.
    pub network: Network,
    /// Ids of its events, by index.
    pub event_ids: Vec<String>,
    /// Ids of its requirement links, by index.
    pub link_ids: Vec<String>,
    /// Ids of its contingent links, by index.
    pub contingent_link_ids: Vec<String>,
}

/// Decodes an encoded `CheckStrongControllabilityRequest` as the server does; like [`allocate`].
///
/// # Errors
/// See [`Rejected`].
pub fn temporal(bytes: &[u8]) -> Result<Temporal, Rejected> {
    let message: pb::CheckStrongControllabilityRequest = codec::decode(bytes).map_err(rejected)?;
    let request = strong(message);
    let request = request.map_err(|wrong| Rejected::Mistakes(wrong.into_list()))?;
    let names = &request.names;
    Ok(Temporal {
        event_ids: names.events.list().to_vec(),
        link_ids: names.links.clone(),
        contingent_link_ids: names.contingent.clone(),
        network: Arc::unwrap_or_clone(request.problem),
    })
}

/// A narrative, and how the caller calls the things in it.
#[derive(Debug)]
pub struct Narrative {
    /// The narrative, for all groups.
    pub narrative: ::narrative::Narrative,
    /// Ids of its events, by index.
    pub event_ids: Vec<String>,
    /// Ids of its requirement links, by index.
    pub link_ids: Vec<String>,
    /// Ids of its contingent links, by index.
    pub contingent_link_ids: Vec<String>,
    /// Ids of its activities, by index.
    pub activity_ids: Vec<String>,
}

/// Decodes an encoded `ScheduleNarrativeRequest` as the server does; like [`allocate`].
///
/// # Errors
/// See [`Rejected`].
pub fn narrative(bytes: &[u8]) -> Result<Narrative, Rejected> {
    let message: pb::ScheduleNarrativeRequest = codec::decode(bytes).map_err(rejected)?;
    let request = schedule(message);
    let request = request.map_err(|wrong| Rejected::Mistakes(wrong.into_list()))?;
    let names = &request.names;
    let ids = |links: Vec<&Called>| links.into_iter().map(|link| link.id.clone()).collect();
    Ok(Narrative {
        event_ids: names.events.clone(),
        link_ids: ids(names.links.iter().flatten().collect()),
        contingent_link_ids: ids(names.contingent.iter().collect()),
        activity_ids: names.activities.clone(),
        narrative: Arc::unwrap_or_clone(request.problem),
    })
}

/// A patrol problem, and how the caller calls the things in it.
#[derive(Debug)]
pub struct Patrol {
    /// The problem.
    pub problem: ::patrol::Problem,
    /// Ids of its vertices, by index.
    pub vertex_ids: Vec<String>,
    /// Ids of its guards, by index.
    pub guard_ids: Vec<String>,
}

/// Decodes an encoded `GeneratePatrolRequest` as the server does; like [`allocate`].
///
/// # Errors
/// See [`Rejected`].
pub fn patrol(bytes: &[u8]) -> Result<Patrol, Rejected> {
    let message: pb::GeneratePatrolRequest = codec::decode(bytes).map_err(rejected)?;
    let request = generate(message);
    let request = request.map_err(|wrong| Rejected::Mistakes(wrong.into_list()))?;
    Ok(Patrol {
        vertex_ids: request.names.vertices.list().to_vec(),
        guard_ids: request.names.guards.list().to_vec(),
        problem: Arc::unwrap_or_clone(request.problem),
    })
}

/// A ship, and how the caller calls the things in it.
#[derive(Debug)]
pub struct Crew {
    /// The problem.
    pub problem: ::crew::Problem,
    /// Ids of its nodes, by index.
    pub node_ids: Vec<String>,
    /// Ids of its players, by index.
    pub player_ids: Vec<String>,
    /// Ids of its tools, by index.
    pub tool_ids: Vec<String>,
    /// Ids of its events, by index.
    pub event_ids: Vec<String>,
}

/// Decodes an encoded `AssignCrewRequest` as the server does; like [`allocate`].
///
/// # Errors
/// See [`Rejected`].
pub fn crew(bytes: &[u8]) -> Result<Crew, Rejected> {
    let message: pb::AssignCrewRequest = codec::decode(bytes).map_err(rejected)?;
    let request = assign(message);
    let request = request.map_err(|wrong| Rejected::Mistakes(wrong.into_list()))?;
    let names = &request.names;
    Ok(Crew {
        node_ids: names.nodes.list().to_vec(),
        player_ids: names.players.list().to_vec(),
        tool_ids: names.tools.list().to_vec(),
        event_ids: names.events.list().to_vec(),
        problem: Arc::unwrap_or_clone(request.problem),
    })
}

/// What one agent of a heist has to plan, and how the caller calls the things in it.
#[derive(Debug)]
pub struct Heist {
    /// The problem.
    pub problem: ::heist::Problem,
    /// Ids of its rooms, by index.
    pub room_ids: Vec<String>,
    /// Ids of its keys and artifacts, by index.
    pub item_ids: Vec<String>,
    /// Ids of the burglar and the guards, by index.
    pub agent_ids: Vec<String>,
}

/// Decodes an encoded `PlanBurglarRequest` as the server does; like [`allocate`].
///
/// # Errors
/// See [`Rejected`].
pub fn heist(bytes: &[u8]) -> Result<Heist, Rejected> {
    let message: pb::PlanBurglarRequest = codec::decode(bytes).map_err(rejected)?;
    let request = burgle(message);
    let request = request.map_err(|wrong| Rejected::Mistakes(wrong.into_list()))?;
    let names = &request.names;
    Ok(Heist {
        room_ids: names.rooms.clone(),
        item_ids: names.items.clone(),
        agent_ids: names.agents.clone(),
        problem: request.problem.problem.clone(),
    })
}

/// Decodes an encoded `GeneratePuzzleRequest` as the server does; like [`allocate`].
///
/// # Errors
/// See [`Rejected`].
pub fn puzzle(bytes: &[u8]) -> Result<puzzle::Problem, Rejected> {
    let message: pb::GeneratePuzzleRequest = codec::decode(bytes).map_err(rejected)?;
    let request = levels(message);
    let request = request.map_err(|wrong| Rejected::Mistakes(wrong.into_list()))?;
    Ok(Arc::unwrap_or_clone(request.problem))
}

/// Decodes an encoded `SolvePuzzleRequest` as the server does, like [`allocate`]: the board as it
/// is after what was played.
///
/// # Errors
/// See [`Rejected`].
pub fn board(bytes: &[u8]) -> Result<puzzle::Board, Rejected> {
    let message: pb::SolvePuzzleRequest = codec::decode(bytes).map_err(rejected)?;
    let request = to_solve(message);
    let request = request.map_err(|wrong| Rejected::Mistakes(wrong.into_list()))?;
    Ok(request.problem.board().clone())
}

/// Decodes an encoded `GenerateStoryRequest` as the server does; like [`allocate`]. The problem names its own entities.
///
/// # Errors
/// See [`Rejected`].
pub fn story(bytes: &[u8]) -> Result<::story::Problem, Rejected> {
    let message: pb::GenerateStoryRequest = codec::decode(bytes).map_err(rejected)?;
    let request = tell(message);
    let request = request.map_err(|wrong| Rejected::Mistakes(wrong.into_list()))?;
    Ok(Arc::unwrap_or_clone(request.problem))
}

/// Decodes an encoded `LearnStoryDomainRequest` as the server does, like [`allocate`], and reads its books: text, relations, WordNet. Returns what
/// is learned in a round; `None` when nothing can be.
///
/// # Errors
/// See [`Rejected`].
pub fn books(bytes: &[u8]) -> Result<Option<::story::learn::Lesson>, Rejected> {
    let message: pb::LearnStoryDomainRequest = codec::decode(bytes).map_err(rejected)?;
    let request = to_learn(message, None);
    let request = request.map_err(|wrong| Rejected::Mistakes(wrong.into_list()))?;
    let mut best = None;
    let mut sink = |lesson: &::story::learn::Lesson, _| best = Some(lesson.clone());
    let mut control = anytime::Control::new(anytime::Limits::iterations(1), 0, &mut sink);
    let learned =
        <LearnPlanner as anytime::Planner>::solve(&request.problem, &request.params, &mut control);
    Ok(learned
        .ok()
        .and(best)
        .filter(|lesson| lesson.spec.is_some()))
}

/// Decodes an encoded request to any other method as the server does, like [`allocate`]: the first
/// byte is the method's number, modulo how many there are. Returns the method's name.
///
/// # Errors
/// See [`Rejected`]; [`Rejected::Malformed`] when there is no first byte.
pub fn other(bytes: &[u8]) -> Result<&'static str, Rejected> {
    let Some((number, message)) = bytes.split_first() else {
        return Err(Rejected::Malformed("no method".into()));
    };
    let (name, read) = others::METHODS[usize::from(*number) % others::METHODS.len()];
    read(message).map(|()| name)
}

fn rejected(refusal: Refusal) -> Rejected {
    match refusal {
        Refusal::TooLarge(why) => Rejected::TooLarge(why),
        Refusal::Malformed(why) => Rejected::Malformed(why),
        // Decoding refuses for these two reasons only.
        other => Rejected::Malformed(other.reason().into()),
    }
}
