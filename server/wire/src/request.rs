//! A checked planning request, of any planner.

use super::info;
use super::mistakes::{Code, Mistakes};
use super::solve::{self, Options};
use super::values::shown;
use anytime::Runnable;
use anytime::{Path, StrategyInfo};
use bytes::{BufMut as _, Bytes};
use prost::Message;
use std::sync::Arc;
use stratagem_proto::v1 as pb;

/// A checked request to a planner `P`; `N` are the names in it.
pub struct Request<P: Runnable, N> {
    /// The problem.
    pub problem: Arc<P::Problem>,
    /// How the caller calls things.
    pub names: Arc<N>,
    /// How to search.
    pub options: Options,
    /// How to search, in the planner's terms.
    pub params: P::Params,
    /// The cost at which to stop.
    pub target: Option<P::Cost>,
    /// Name of the strategy, as in reports.
    pub strategy: &'static str,
    /// Searches side by side, as in reports.
    pub width: usize,
    /// All that the answer depends on; absent without an iteration limit.
    pub identity: Option<Bytes>,
    /// Memory that the problem takes, near enough.
    pub bytes: usize,
}

/// How to search, as asked for: options, and an entry of the planner's table of strategies.
pub(crate) struct How<S: 'static> {
    pub options: Options,
    pub strategy: &'static StrategyInfo<S>,
}

impl<S> How<S> {
    /// The field `options` of a request. `strategies` are those of the method, the default first.
    pub(crate) fn new(
        given: Option<pb::SolveOptions>,
        strategies: &'static [StrategyInfo<S>],
        wrong: &mut Mistakes,
    ) -> Self {
        let at = Path::root("options");
        let options = solve::options(given);
        let name = options.strategy.as_str();
        let found = strategies.iter().find(|one| one.name == name);
        if found.is_none() && !name.is_empty() {
            let why = format!("is {}, which is no strategy of this method", shown(name));
            wrong.add(&at.field("strategy"), Code::Unknown, why);
        } else if !info::is_built(name) {
            let why = format!(
                "is {}, which needs the solver HiGHS: this server was built without the feature milp",
                shown(name)
            );
            wrong.add(&at.field("strategy"), Code::Unknown, why);
        }
        Self {
            strategy: found.unwrap_or(&strategies[0]),
            options,
        }
    }

    /// Name of the strategy.
    pub(crate) fn name(&self) -> &'static str {
        self.strategy.name
    }

    /// The levels of the cost to stop at; notes those beyond the last that a cost has.
    pub(crate) fn target(&self, most: usize, wrong: &mut Mistakes) -> &[f64] {
        let levels = &self.options.target;
        let at = Path::root("options");
        let at = at.field("target");
        wrong.size(&at.field("levels"), levels.len(), most);
        levels
    }

    /// Notes a target for the cost, where answers have none.
    pub(crate) fn without_target(&self, wrong: &mut Mistakes) {
        self.target(0, wrong);
    }
}

/// The bytes of everything that an answer is a function of, when there is such: with an iteration
/// limit. `method` is part of them; prost writes the fields of `message` in the order of
/// their numbers, so that equal ones give equal bytes.
pub fn identity(
    method: &str,
    message: &impl Message,
    options: &Options,
    strategy: &str,
) -> Option<Bytes> {
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
        priority: _,
        validate_only: _,
    } = options;
    let iterations_max = (*iterations_max)?;
    let mut bytes = Vec::with_capacity(message.encoded_len() + 128);
    for text in [method, strategy] {
        bytes.put_slice(text.as_bytes());
        bytes.put_u8(0);
    }
    bytes.put_u64(iterations_max);
    bytes.put_i64(*seed);
    bytes.put_u64(*width as u64);
    bytes.put_u64(target.len() as u64);
    for level in target {
        bytes.put_f64(*level);
    }
    message
        .encode(&mut bytes)
        .expect("a vector grows as much as is needed");
    Some(bytes.into())
}
