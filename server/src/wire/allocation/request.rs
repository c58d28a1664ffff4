//! A request to allocate tasks, from the wire.

use super::problem::{Names, problem};
use super::{params, target};
use crate::wire::mistakes::Mistakes;
use crate::wire::path::Path;
use crate::wire::solve::{Options, options};
use allocation::problem::Problem;
use allocation::{Cost, Params, Strategy};
use bytes::{BufMut as _, Bytes};
use prost::Message as _;
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// A checked request.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub problem: Arc<Problem>,
    pub names: Arc<Names>,
    pub options: Options,
    pub params: Params,
    pub target: Option<Cost>,
    /// All that the answer depends on; absent without an iteration limit.
    pub identity: Option<Bytes>,
}

/// A request.
///
/// # Errors
/// All mistakes.
pub(crate) fn request(
    given: Option<pb::AllocationProblem>,
    how: Option<pb::SolveOptions>,
) -> Result<Request, Mistakes> {
    let mut wrong = Mistakes::default();
    let at = Path::root("options");
    let options = options(how, &at, &mut wrong);
    let params = params(&options.strategy, options.width, &at, &mut wrong);
    let problem_at = Path::root("problem");
    let given = wrong.required(&problem_at, given);
    let identity = options.iterations_max.is_some() && wrong.is_empty();
    let identity = given
        .as_ref()
        .filter(|_| identity)
        .map(|given| identify(given, &options, params.strategy));
    let decoded = given.and_then(|given| problem(given, &problem_at, &mut wrong));
    let Some(decoded) = decoded else {
        return Err(wrong);
    };
    let target = target(&decoded.problem, &options.target, &at, &mut wrong);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Request {
        problem: Arc::new(decoded.problem),
        names: Arc::new(decoded.names),
        options,
        params,
        target,
        identity,
    })
}

impl Request {
    /// Memory that the problem takes, near enough: the tables are nearly all of it.
    pub(crate) fn bytes(&self) -> usize {
        let travel = self.problem.travel();
        let costs = travel.costs_micro.as_ref().map_or(0, Vec::len);
        let per_element = 400 * (self.problem.tasks().len() + self.problem.agents().len());
        8 * (travel.durations_us.len() + costs) + per_element
    }
}

/// The bytes of everything that the plan is a function of. prost writes fields in the order of
/// their numbers, so that equal problems give equal bytes.
fn identify(problem: &pb::AllocationProblem, options: &Options, strategy: Strategy) -> Bytes {
    // Spelled out: a new option does not compile until someone decides whether plans depend on it.
    let Options {
        iterations_max,
        seed,
        target,
        width,
        // By its name, "" and "auto" would be two.
        strategy: _,
        // These change when an answer comes, not what it is.
        budget: _,
        threads: _,
        class: _,
        validate_only: _,
    } = options;
    let mut bytes = Vec::with_capacity(problem.encoded_len() + 128);
    bytes.put_slice(b"allocation\0");
    bytes.put_u64(iterations_max.unwrap_or(0));
    bytes.put_i64(*seed);
    bytes.put_u64(*width as u64);
    bytes.put_slice(strategy.name().as_bytes());
    bytes.put_u8(0);
    bytes.put_u64(target.len() as u64);
    for level in target {
        bytes.put_f64(*level);
    }
    problem
        .encode(&mut bytes)
        .expect("a vector grows as much as is needed");
    bytes.into()
}
