//! The way that every planning method goes: read, look into the cache, search, encode, record.

use super::answers::Answer;
use super::record::{Record, record};
use super::{Letter, Parts};
use crate::cache::{Key, Turn};
use crate::call::Call;
use crate::codec::{Encoded, Incoming};
use crate::run::{Budget, Due, Found, Job, Kind, Outcome, Reserve, Search};
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use crate::wire::request::Request;
use crate::wire::solve::{Timings, timings, validated};
use crate::wire::values::duration;
use crate::work::{Piece, Stage};
use anytime::{Conclusion, Stop};
use prost::Message;
use std::path::Path as Folder;
use std::sync::Arc;
use std::time::{Duration, Instant};
use stratagem_proto::v1 as pb;
use tonic::{Response, Status};
use tracing::Instrument as _;

/// A method of the contract, alone or with its stream.
pub(crate) trait Rpc: Sized + Send + Sync + 'static {
    /// Full name, as in `stratagem.v1.AllocationService/AllocateTasks`.
    const NAME: &'static str;
    /// What is asked.
    type Request: Incoming;
    /// The answer. Of a stream: one message.
    type Answer: Message + Default + 'static;
}

/// What distinguishes a method that searches from the others. `Parts::unary` does the rest; a
/// method that is streamed too is also a [`Streamed`](super::stream::Streamed).
pub(crate) trait Method: Rpc<Answer: Answer> {
    /// What searches.
    type Planner: Kind;
    /// How the caller calls things.
    type Names: Send + Sync + 'static;

    /// Strategies to choose from, the default first.
    fn strategies() -> Vec<pb::StrategyInfo>;

    /// Limits of problems.
    fn limits() -> Vec<pb::ServerLimit>;

    /// The checked request, or all mistakes.
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

/// What a request is read with besides its message.
pub(crate) struct Reading<'r> {
    /// The server's folder of books.
    pub books: Option<&'r Folder>,
    /// When the call ends; for methods that search while they read.
    pub until: Option<Instant>,
}

/// A checked request to a method.
pub(crate) type RequestOf<M> = Request<<M as Method>::Planner, <M as Method>::Names>;

/// What was found out about the best plan of a method after the search.
pub(crate) type ReasonsOf<M> = <<M as Method>::Planner as Kind>::Reasons;

/// A cost of plans of a method.
pub(crate) type CostOf<M> = <<M as Method>::Planner as anytime::Planner>::Cost;

/// A request, and what came with it.
pub(crate) struct Asked<M: Method> {
    /// Full name of the method.
    pub method: &'static str,
    pub call: Call,
    pub request: RequestOf<M>,
    pub budget: Budget,
    /// Decoding and validation.
    pub validate: Duration,
    /// What is learned from how long the answer takes.
    pub reserve: Arc<Reserve>,
}

impl<M: Method> Asked<M> {
    /// Making its answer, as a piece of work: however late, it is made.
    pub(super) fn writing(&self) -> Piece {
        Piece {
            method: self.method,
            stage: Stage::Write,
            size: M::Planner::elements(&self.request.problem),
            tenant: self.call.tenant.clone(),
            due: Some(self.budget.answer_by()),
            until: None,
        }
    }

    /// Since when its answer is due, where the deadline ended the search.
    pub(super) fn due(&self, outcome: &Outcome<M::Planner>) -> Option<Due> {
        let is_due = outcome.conclusion == Conclusion::Stopped(Stop::Deadline);
        let since = self.budget.answer_by().min(Instant::now());
        is_due.then(|| Due::new(since, Arc::clone(&self.reserve)))
    }
}

/// Reads a message as a method does, in a span of its own.
pub(super) fn validated_by<A, R>(
    decode: impl FnOnce(A) -> Result<R, Mistakes>,
) -> impl FnOnce(A) -> Result<R, Refusal> {
    |message| {
        let _span = tracing::debug_span!("validate").entered();
        decode(message).map_err(Refusal::Mistakes)
    }
}

/// What is known before the request is read.
pub(super) struct Given {
    pub method: &'static str,
    pub call: Call,
    /// Time budget of a request that asks for none.
    pub default: Duration,
}

impl Parts {
    /// Reads a message as a method does.
    pub(super) fn reader<M: Method>(
        &self,
        until: Option<Instant>,
    ) -> impl FnOnce(M::Request) -> Result<RequestOf<M>, Refusal> + Send + 'static {
        let config = Arc::clone(&self.config);
        validated_by(move |message| {
            let books = config.books.path();
            M::read(message, &Reading { books, until })
        })
    }

    /// A unary call, from its message to its answer.
    pub(super) async fn unary<M: Method>(
        &self,
        request: tonic::Request<Encoded<M::Request>>,
    ) -> Result<Response<Encoded<M::Answer>>, Status> {
        let letter = Letter::new(request)?;
        let given = Given {
            method: M::NAME,
            call: letter.call.clone(),
            default: self.config.budget_default.get(),
        };
        let until = letter.call.until;
        let request = self.judged(letter, self.reader::<M>(until)).await?;
        Ok(self.best(self.asked::<M>(given, request)).await?)
    }

    /// A request that was read, and until when it is wanted.
    pub(super) fn asked<M: Method>(&self, given: Given, request: RequestOf<M>) -> Asked<M> {
        let Given {
            method,
            call,
            default,
        } = given;
        let asked = request.options.budget.unwrap_or(default);
        let size = M::Planner::elements(&request.problem);
        let reserve = self.runner.reserves.for_size(method, size);
        let budget = Budget::new(&call, asked, self.config.budget_max.get());
        Asked {
            method,
            validate: call.arrived.elapsed(),
            call,
            request,
            budget: budget.with_reserve(&reserve),
            reserve,
        }
    }

    /// The best answer by the deadline, from the cache, from an identical request in flight, or
    /// from a search.
    async fn best<M: Method>(
        &self,
        asked: Asked<M>,
    ) -> Result<Response<Encoded<M::Answer>>, Refusal> {
        let whole = |answer| Response::new(Encoded::encode(&answer));
        if asked.request.options.validate_only {
            return Ok(whole(checked(&asked)));
        }
        // A half of the time is kept for a search of our own.
        let patience = asked.budget.arrived() + asked.budget.length() / 2;
        let turn = self.cache.turn(self.key(&asked), patience);
        let span = tracing::debug_span!("cache", outcome = tracing::field::Empty);
        let lead = match turn.instrument(span).await {
            Turn::Replay(kept) => return Ok(whole(replay(&asked, &kept)?)),
            Turn::Search(lead) => lead,
        };
        let search = self.search(&asked).await?;
        let outcome = search.end().await?;
        let (parts, piece, has_lead) = (self.clone(), asked.writing(), lead.is_some());
        // Where the call ends before it is written, that is learned, too.
        let due = asked.due(&outcome);
        let write = move || {
            let _span = tracing::debug_span!("encode").entered();
            let mut answer = M::encode(&asked, &outcome);
            let is_shared = has_lead && answer.report_mut().reproducible;
            let kept = is_shared.then(|| kept::<M>(&answer));
            parts.record(&asked, &outcome, answer.report_mut());
            (Encoded::encode(&answer), kept)
        };
        let (answer, kept) = self.desk.run(piece, write).await?;
        if let Some(lead) = lead {
            lead.land(kept);
        }
        let mut response = Response::new(answer);
        if let Some(due) = due {
            response.extensions_mut().insert(due);
        }
        Ok(response)
    }

    /// What the answer is kept under; `None` for requests that take no part.
    pub(super) fn key<M: Method>(&self, asked: &Asked<M>) -> Option<Key> {
        let identity = asked.request.identity.clone();
        let tenant = asked.call.tenant.name();
        identity
            .filter(|identity| self.cache.takes(tenant.len() + 1 + identity.len()))
            .map(|identity| Key::new(tenant, &identity))
    }

    /// Starts the search that a request asks for.
    pub(super) async fn search<M: Method>(
        &self,
        asked: &Asked<M>,
    ) -> Result<Search<M::Planner>, Refusal> {
        let request = &asked.request;
        let job = Job {
            problem: Arc::clone(&request.problem),
            params: request.params.clone(),
            target: request.target,
            seed: request.options.seed,
            iterations_max: request.options.iterations_max,
            threads: request.options.threads,
            class: request.options.class,
            budget: asked.budget,
            reserve: Arc::clone(&asked.reserve),
            bytes: request.bytes,
            tenant: asked.call.tenant.clone(),
        };
        self.runner.start(job).await
    }

    /// One line of log, and the metrics.
    pub(super) fn record<M: Method>(
        &self,
        asked: &Asked<M>,
        outcome: &Outcome<M::Planner>,
        report: &pb::SolveReport,
    ) {
        let late = Instant::now().saturating_duration_since(asked.budget.deadline());
        record(
            &self.runner.metrics,
            &Record {
                method: asked.method,
                id: &asked.call.id,
                elements: M::Planner::elements(&asked.request.problem),
                report,
                timings: &outcome.timings,
                overshoot: late,
                span: &outcome.span,
            },
        );
    }
}

/// The answer to a request that was only to be checked.
pub(super) fn checked<M: Method>(asked: &Asked<M>) -> M::Answer {
    let times = Timings {
        validate: asked.validate,
        ..Timings::default()
    };
    let mut answer = M::Answer::default();
    *answer.report_field() = Some(pb::SolveReport {
        strategy: asked.request.strategy.into(),
        ..validated(&asked.request.options, asked.budget.length(), &times)
    });
    answer
}

/// An answer as it is kept.
pub(super) fn kept<M: Method>(answer: &M::Answer) -> bytes::Bytes {
    answer.encode_to_vec().into()
}

/// A kept answer, for this request.
pub(super) fn replay<M: Method>(asked: &Asked<M>, kept: &[u8]) -> Result<M::Answer, Refusal> {
    let mut answer = M::Answer::decode(kept).map_err(|_| Refusal::Unkept)?;
    let times = Timings {
        validate: asked.validate,
        ..Timings::default()
    };
    let report = answer.report_mut();
    report.shared = true;
    report.timings = Some(timings(&times));
    report.time_budget = Some(duration(asked.budget.length()));
    Ok(answer)
}
