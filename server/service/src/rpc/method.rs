//! The steps of every planning method: read, look into the cache, search, encode, record.

use super::record::{Record, record};
use super::{Letter, Parts};
use crate::cache::{Key, Turn};
use crate::call::Call;
use crate::codec::Encoded;
use crate::status::Refusal;
use anytime::{Conclusion, Outcome, Runnable as _, Stop, Timings};
use prost::Message as _;
use runtime::work::{Piece, Stage};
use runtime::{Budget, Class, Due, Job, Reserve, Search};
use std::sync::Arc;
use std::time::{Duration, Instant};
use stratagem_proto::v1 as pb;
use tonic::{Response, Status};
use tracing::{Instrument as _, Span};
use wire::answers::Answer as _;
use wire::method::{Asked, Method, Reading, RequestOf};
use wire::mistakes::Mistakes;
use wire::solve::{timings, validated};
use wire::values::duration;

/// A request that is being answered.
pub(crate) struct Pending<M: Method> {
    /// Full name of the method.
    pub method: &'static str,
    pub call: Call,
    pub asked: Asked<M>,
    pub budget: Budget,
    /// What is learned from how long the answer takes.
    pub reserve: Arc<Reserve>,
}

impl<M: Method> Pending<M> {
    /// Gives it another time, from now on, and a deadline.
    pub(super) fn limit(&mut self, until: Option<Instant>, time: Duration, cap: Duration) {
        let budget = Budget::new(Instant::now(), until, time, cap);
        self.asked.budget = budget.length();
        self.budget = budget.with_reserve(&self.reserve);
    }

    /// Making its answer, as a piece of work: however late, it is made.
    pub(super) fn writing(&self) -> Piece {
        Piece {
            method: self.method,
            stage: Stage::Write,
            size: M::Planner::elements(&self.asked.request.problem),
            tenant: self.call.tenant.payer(),
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
        Ok(self.best(self.pending::<M>(given, request)).await?)
    }

    /// A request that was read, and until when it is wanted.
    pub(super) fn pending<M: Method>(&self, given: Given, request: RequestOf<M>) -> Pending<M> {
        let Given {
            method,
            call,
            default,
        } = given;
        let asked = request.options.budget.unwrap_or(default);
        let size = M::Planner::elements(&request.problem);
        let reserve = self.runner.reserves.for_size(method, size);
        let budget = Budget::new(
            call.arrived,
            call.until,
            asked,
            self.config.budget_max.get(),
        );
        Pending {
            method,
            asked: Asked {
                request,
                validate: call.arrived.elapsed(),
                budget: budget.length(),
            },
            call,
            budget: budget.with_reserve(&reserve),
            reserve,
        }
    }

    /// The best answer by the deadline, from the cache, from an identical request in flight, or
    /// from a search.
    async fn best<M: Method>(
        &self,
        pending: Pending<M>,
    ) -> Result<Response<Encoded<M::Answer>>, Refusal> {
        let whole = |answer| Response::new(Encoded::encode(&answer));
        if pending.asked.request.options.validate_only {
            return Ok(whole(checked(&pending.asked)));
        }
        // A half of the time is kept for a search of our own.
        let patience = pending.budget.arrived() + pending.budget.length() / 2;
        let key = self.key(&pending);
        let turn = self.cache.turn(key.clone(), patience);
        let span = tracing::debug_span!("cache", outcome = tracing::field::Empty);
        let lead = match turn.instrument(span).await {
            Turn::Replay(kept) => return Ok(whole(replay(&pending.asked, &kept)?)),
            Turn::Search(lead) => lead,
        };
        let search = self.search(&pending).await?;
        let span = search.span();
        let outcome = search.end().await?;
        let (parts, piece, has_lead) = (self.clone(), pending.writing(), lead.is_some());
        // Where the call ends before it is written, that is learned, too.
        let due = pending.due(&outcome);
        let write = move || {
            let _span = tracing::debug_span!("encode").entered();
            let mut answer = M::encode(&pending.asked, &outcome);
            let is_shared = has_lead && answer.report_mut().reproducible;
            let kept = is_shared.then(|| kept::<M>(&answer));
            // Here, so that it is kept where the call ends meanwhile.
            if let (Some(key), Some(kept)) = (&key, &kept) {
                parts.cache.keep(key, kept.clone());
            }
            parts.record(&pending, &outcome, &span, answer.report_mut());
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
    pub(super) fn key<M: Method>(&self, pending: &Pending<M>) -> Option<Key> {
        let identity = pending.asked.request.identity.clone();
        let tenant = pending.call.tenant.name();
        identity
            .filter(|identity| self.cache.takes(tenant.len() + 1 + identity.len()))
            .map(|identity| Key::new(tenant, &identity))
    }

    /// Starts the search that a request asks for.
    pub(super) async fn search<M: Method>(
        &self,
        pending: &Pending<M>,
    ) -> Result<Search<M::Planner>, Refusal> {
        let request = &pending.asked.request;
        let job = Job {
            problem: Arc::clone(&request.problem),
            params: request.params.clone(),
            target: request.target,
            seed: request.options.seed,
            iterations_max: request.options.iterations_max,
            threads: request.options.threads,
            class: class(request.options.priority),
            budget: pending.budget,
            reserve: Arc::clone(&pending.reserve),
            bytes: request.bytes,
            tenant: pending.call.tenant.payer(),
        };
        Ok(self.runner.start(job).await?)
    }

    /// One line of log, and the metrics.
    pub(super) fn record<M: Method>(
        &self,
        pending: &Pending<M>,
        outcome: &Outcome<M::Planner>,
        span: &Span,
        report: &pb::SolveReport,
    ) {
        let late = Instant::now().saturating_duration_since(pending.budget.deadline());
        record(
            &self.metrics,
            &Record {
                method: pending.method,
                id: &pending.call.id,
                elements: M::Planner::elements(&pending.asked.request.problem),
                report,
                timings: &outcome.timings,
                overshoot: late,
                span,
            },
        );
    }
}

/// The class of a priority.
pub(super) fn class(priority: pb::Priority) -> Class {
    match priority {
        pb::Priority::Unspecified | pb::Priority::Normal => Class::Normal,
        pb::Priority::Low => Class::Low,
        pb::Priority::High => Class::High,
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
        ..validated(&asked.request.options, asked.budget, &times)
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
    report.time_budget = Some(duration(asked.budget));
    Ok(answer)
}
