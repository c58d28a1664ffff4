//! The whole way from bytes to a checked problem, in one function: for fuzzing, and for tools that read requests.

use crate::codec;
use crate::status::Refusal;
use crate::wire::allocation::{Names, problem};
use crate::wire::mistakes::Mistakes;
use crate::wire::path::Path;
use crate::wire::solve::options;
use allocation::Problem;
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

/// Decodes an encoded `AllocateTasksRequest` as the server does: weighs the bytes, decodes them, reads the options, and
/// checks the problem.
///
/// Never panics, whatever the bytes; the fuzz target `decode_allocate` is about that.
///
/// # Errors
/// See [`Rejected`].
pub fn allocate(bytes: &[u8]) -> Result<Allocation, Rejected> {
    let message: pb::AllocateTasksRequest = codec::decode(bytes).map_err(rejected)?;
    let mut wrong = Mistakes::default();
    let given = message.problem;
    options(message.options, &Path::root("options"), &mut wrong);
    let at = Path::root("problem");
    let decoded = wrong
        .required(&at, given)
        .and_then(|given| problem(given, &at, &mut wrong));
    match decoded {
        Some(decoded) if wrong.is_empty() => {
            let Names { agents, tasks, .. } = decoded.names;
            Ok(Allocation {
                problem: decoded.problem,
                agent_ids: agents,
                task_ids: tasks,
            })
        }
        _ => Err(Rejected::Mistakes(wrong.into_list())),
    }
}

fn rejected(refusal: Refusal) -> Rejected {
    match refusal {
        Refusal::TooLarge(why) => Rejected::TooLarge(why),
        Refusal::Malformed(why) => Rejected::Malformed(why),
        // Decoding refuses for these two reasons only.
        other => Rejected::Malformed(other.reason().into()),
    }
}
