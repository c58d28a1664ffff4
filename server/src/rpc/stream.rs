//! The way of a streamed planning method: that of a unary one, step by step.

use super::method::{Asked, Given, Method, checked, kept, replay, report};
use super::{Parts, take};
use crate::cache::Key;
use crate::run::steps::Mark;
use crate::run::{Bound, Found, Outcome, Step};
use crate::status::Refusal;
use crate::wire::report::{ended, event};
use prost::Message as _;
use std::pin::Pin;
use std::time::Duration;
use stratagem_proto::v1 as pb;
use tokio_stream::Stream;
use tonic::{Response, Status};

/// A method that can also be streamed: better and better plans, then the answer of the unary method.
pub(crate) trait Streamed: Method {
    /// Full name of the streaming method.
    const STREAM: &'static str;
    /// What the streaming method is asked.
    type StreamRequest: prost::Message + 'static;
    /// A message of the stream.
    type Update: Send + 'static;

    /// The unary request for the same.
    fn unary(message: Self::StreamRequest) -> Self::Request;

    /// A step before the last. `event` says what all planners say alike; objective, bound and gap
    /// are still to be told.
    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Update;

    /// The last message; `event` is complete.
    fn last(event: pb::SolveEvent, answer: Self::Answer) -> Self::Update;
}

/// What is known at a step.
pub(crate) struct Now<'n, M: Method> {
    /// Best plan so far.
    pub best: Option<&'n Found<M::Planner>>,
    /// Whether it was not told before.
    pub is_new: bool,
    /// Proved bound.
    pub bound: Option<Bound<M::Planner>>,
}

/// The messages of a stream.
pub(super) type Updates<M> =
    Pin<Box<dyn Stream<Item = Result<<M as Streamed>::Update, Status>> + Send>>;

impl Parts {
    /// A streaming call, from its message to its answers.
    pub(super) async fn stream<M: Streamed>(
        &self,
        request: tonic::Request<M::StreamRequest>,
    ) -> Result<Response<Updates<M>>, Status> {
        let (call, message) = take(request)?;
        let given = Given {
            method: M::STREAM,
            call,
            size: message.encoded_len(),
            default: self.config.stream_budget_default.get(),
        };
        let read = || M::decode(M::unary(message));
        let asked = self.asked::<M>(given, read).await?;
        Ok(Response::new(self.updates(asked).await?))
    }

    /// The steps of a search, or a single one from the cache.
    async fn updates<M: Streamed>(&self, asked: Asked<M>) -> Result<Updates<M>, Refusal> {
        if asked.request.options.validate_only {
            return Ok(single::<M>(checked(&asked)));
        }
        let key = self.key(&asked);
        if let Some(kept) = self.cache.kept(key.as_ref()) {
            return Ok(single::<M>(replay(&asked, &kept)?));
        }
        let search = self.search(&asked).await?;
        let steps = search.steps(self.config.heartbeat_interval.get());
        // Boxed, so that the stream can be moved.
        let told = Box::new(Told {
            parts: self.clone(),
            asked,
            key,
        });
        Ok(Box::pin(steps.messages(move |step| told.step(step))))
    }
}

/// What the messages of a stream are made from.
struct Told<M: Method> {
    parts: Parts,
    asked: Asked<M>,
    key: Option<Key>,
}

impl<M: Streamed> Told<M> {
    fn step(&self, step: Step<M::Planner>) -> M::Update {
        match step {
            Step::Progress {
                at,
                best,
                is_new,
                bound,
                iterations,
            } => {
                let best = best.as_deref();
                let event = pb::SolveEvent {
                    iterations: i64::try_from(iterations).unwrap_or(i64::MAX),
                    ..event(at, best, is_new)
                };
                let now = Now {
                    best,
                    is_new,
                    bound,
                };
                M::update(&self.asked, event, &now)
            }
            Step::End {
                at,
                is_new,
                outcome,
            } => self.end(event(at, outcome.best.as_deref(), is_new), &outcome),
        }
    }

    /// The last message. It is told and kept like the answer of the unary method, which it has in it.
    fn end(&self, event: pb::SolveEvent, outcome: &Outcome<M::Planner>) -> M::Update {
        let mut answer = M::encode(&self.asked, outcome);
        let report = report::<M>(&mut answer);
        let event = ended(event, report);
        self.parts.tell(&self.asked, outcome, report);
        let reproducible = report.reproducible;
        if let Some(key) = self.key.as_ref().filter(|_| reproducible) {
            self.parts.cache.keep(key, kept::<M>(&answer));
        }
        M::last(event, answer)
    }
}

/// An answer that took no search, as a stream.
fn single<M: Streamed>(mut answer: M::Answer) -> Updates<M> {
    let report = report::<M>(&mut answer);
    let at = Mark {
        sequence: 1,
        elapsed: Duration::ZERO,
    };
    // A plan that is streamed has an objective.
    let is_new = report.objective.is_some();
    let event = ended(event::<M::Planner>(at, None, is_new), report);
    Box::pin(tokio_stream::once(Ok(M::last(event, answer))))
}
