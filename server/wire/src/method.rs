//! What a method of the contract is: what it takes and gives, and how it is answered.

use crate::answers::{Answer, Stepped};
use crate::mistakes::Mistakes;
use crate::request::Request;
use crate::solve::Options;
use anytime::{Found, Outcome, Planner, Pulse, Runnable};
use prost::{Message, Name};
use std::path::Path as Folder;
use std::time::{Duration, Instant};
use stratagem_proto::v1 as pb;

/// A message that callers send.
pub trait Incoming: Message + Name + Default + Send + 'static {}

impl<M: Message + Name + Default + Send + 'static> Incoming for M {}

/// A method of the contract, alone or with its stream.
pub trait Rpc: Sized + Send + Sync + 'static {
    /// Full name, as in `stratagem.v1.AllocationService/AllocateTasks`.
    const NAME: &'static str;
    /// Its request.
    type Request: Incoming;
    /// Its response. Of a stream: one message.
    type Answer: Message + Default + 'static;
}

/// What distinguishes a method that searches from the others. A method that is streamed too is also
/// a [`Streamed`].
pub trait Method: Rpc<Answer: Answer> {
    /// What searches.
    type Planner: Runnable;
    /// How the caller calls things.
    type Names: Send + Sync + 'static;

    /// Strategies to choose from, the default first.
    fn strategies() -> Vec<pb::StrategyInfo>;

    /// Limits of problems.
    fn limits() -> Vec<pb::ServerLimit>;

    /// The checked request.
    ///
    /// # Errors
    /// All mistakes.
    fn read(message: Self::Request, with: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes>;

    /// The answer that an outcome is.
    fn encode(asked: &Asked<Self>, outcome: &Outcome<Self::Planner>) -> Self::Answer;

    /// The answer so far, when a better plan was found; `None` if what was found is no plan. Empty
    /// for methods that are not streamed.
    fn step(_: &Asked<Self>, _: &Found<Self::Planner>) -> Option<Self::Answer> {
        Some(Self::Answer::default())
    }

    /// The objective of what was found, if it has one; with what was found out about it after the
    /// search.
    fn objective(
        _: &Asked<Self>,
        _: &Found<Self::Planner>,
        _: Option<&ReasonsOf<Self>>,
    ) -> Option<pb::Objective> {
        None
    }

    /// The levels of a cost, as in `Objective.levels`; `None` where it has none.
    fn levels(_: &Asked<Self>, _: &CostOf<Self>) -> Option<Vec<f64>> {
        None
    }

    /// What a bound says of terms of the objective.
    fn bound_terms(_: &CostOf<Self>) -> Vec<pb::ObjectiveTerm> {
        Vec::new()
    }

    /// Lets a request begin with what was found for it before; false where it starts from scratch.
    /// Requests with a `previous_plan` that has the form of a plan need no implementation.
    fn continue_from(_: &mut Self::Request, _: Self::Answer) -> bool {
        false
    }
}

/// The stream of a method.
pub trait StreamRpc: Rpc {
    /// Full name of the streaming method.
    const STREAM: &'static str;
}

/// A method that can also be streamed: better and better plans, then the answer of the unary
/// method.
pub trait Streamed: Method<Answer: Stepped> + StreamRpc {}

/// A method that answers without searching: it takes no slot.
pub trait Question: Rpc {
    /// A checked request.
    type Read;

    /// The checked request.
    ///
    /// # Errors
    /// All mistakes.
    fn read(message: Self::Request) -> Result<Self::Read, Mistakes>;

    /// The answer; `None` when it was not wanted any more before it was found.
    ///
    /// # Errors
    /// Mistakes that are found on the way.
    fn answer(read: Self::Read, wanted: &Pulse) -> Result<Option<Self::Answer>, Mistakes>;
}

/// A method that is streamed and searches nothing.
pub trait Game: Rpc {
    /// A checked request.
    type Read: Send + Sync + 'static;
    /// Whose rules it is played by.
    type Planner: Runnable;

    /// The checked request.
    ///
    /// # Errors
    /// All mistakes.
    fn read(message: Self::Request) -> Result<Self::Read, Mistakes>;

    /// Budget and class.
    fn options(read: &Self::Read) -> &Options;

    /// Memory that the game takes, of a request of `size` bytes.
    fn bytes(read: &Self::Read, size: usize) -> usize;

    /// Size of the problem, in logs.
    fn elements(read: &Self::Read) -> usize;

    /// How the game ended and how many ticks it took, in logs.
    fn ending(last: &Self::Answer) -> Option<(&'static str, i32)>;

    /// Plays to the end. Sends all messages but the last one, which is returned; `None` when the
    /// client does not read any more.
    fn play(read: &Self::Read, stage: &dyn Stage<Self::Answer>) -> Option<Self::Answer>;
}

/// Where a game reports to.
pub trait Stage<T> {
    /// Whether there is time left and somebody reads.
    fn is_wanted(&self) -> bool;

    /// Sends a message; waits while the reader has enough to read.
    ///
    /// # Errors
    /// When the game has to end. There is room for a last message.
    fn send(&self, message: T) -> Result<(), Off<T>>;
}

/// Why a game has to end before it is over.
#[derive(Debug)]
pub enum Off<T> {
    /// Nobody reads any more.
    Unread,
    /// The deadline has come, or the server is shutting down, before this could be sent.
    Stopped(T),
}

/// What a request is read with besides its message.
pub struct Reading<'r> {
    /// The server's folder of books.
    pub books: Option<&'r Folder>,
    /// When the call ends; for methods that search while they read.
    pub until: Option<Instant>,
}

impl Reading<'static> {
    /// Nothing but the message.
    pub const ALONE: Self = Self {
        books: None,
        until: None,
    };
}

/// A checked request to a method.
pub type RequestOf<M> = Request<<M as Method>::Planner, <M as Method>::Names>;

/// What was found out about the best plan of a method after the search.
pub type ReasonsOf<M> = <<M as Method>::Planner as Runnable>::Reasons;

/// A cost of plans of a method.
pub type CostOf<M> = <<M as Method>::Planner as Planner>::Cost;

/// A checked request, and times that its report names.
pub struct Asked<M: Method> {
    /// The request.
    pub request: RequestOf<M>,
    /// Decoding and validation.
    pub validate: Duration,
    /// The time budget that it has.
    pub budget: Duration,
}
