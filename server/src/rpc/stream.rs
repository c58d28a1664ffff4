//! The way of a streamed planning method: that of a unary one, step by step.

use super::answers::{Answer as _, Stepped};
use super::method::{Asked, Given, Method, Rpc, checked, kept, replay};
use super::{Letter, Parts};
use crate::cache::Key;
use crate::codec::Encoded;
use crate::run::steps::{Mark, Steps};
use crate::run::{Outcome, Step};
use crate::status::Refusal;
use crate::wire::report::{ended, event, progress};
use futures_util::stream::unfold;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use stratagem_proto::v1 as pb;
use tokio_stream::Stream;
use tonic::{Response, Status};

/// The stream of a method.
pub(crate) trait StreamRpc: Rpc {
    /// Full name of the streaming method.
    const STREAM: &'static str;
}

/// A method that can also be streamed: better and better plans, then the answer of the unary
/// method.
pub(crate) trait Streamed: Method<Answer: Stepped> + StreamRpc {}

/// Declares that a method with steps is streamed.
macro_rules! streamed {
    ($method:ident, $step:expr) => {
        impl $crate::rpc::stream::Streamed for $crate::rpc::contract::$method {}
    };
}
pub(crate) use streamed;

/// A message of a stream.
type Sent<M> = Result<Encoded<<M as Rpc>::Answer>, Status>;

/// The messages of a stream.
pub(super) type Updates<M> = Pin<Box<dyn Stream<Item = Sent<M>> + Send>>;

impl Parts {
    /// A streaming call, from its message to its answers.
    pub(super) async fn stream<M: Streamed>(
        &self,
        request: tonic::Request<Encoded<M::Request>>,
    ) -> Result<Response<Updates<M>>, Status> {
        let letter = Letter::new(request)?;
        let until = letter.call.until;
        let given = Given {
            method: M::STREAM,
            call: letter.call.clone(),
            default: self.config.stream_budget_default.get(),
        };
        let request = self.judged(letter, self.reader::<M>(until)).await?;
        Ok(self.updates(self.asked::<M>(given, request)).await?)
    }

    /// The steps of a search, or a single one from the cache.
    async fn updates<M: Streamed>(&self, asked: Asked<M>) -> Result<Response<Updates<M>>, Refusal> {
        if asked.request.options.validate_only {
            return Ok(single::<M>(checked(&asked)));
        }
        let key = self.key(&asked);
        if let Some(kept) = self.cache.kept(key.as_ref()) {
            return Ok(single::<M>(replay(&asked, &kept)?));
        }
        let search = self.search(&asked).await?;
        let steps = search.steps(self.config.heartbeat_interval.get());
        let source = Arc::new(Source {
            parts: self.clone(),
            asked,
            key,
        });
        Ok(Response::new(Box::pin(unfold(
            Some((steps, source)),
            pull::<M>,
        ))))
    }
}

/// The steps to come, and what their messages are made from. Dropping it stops the search.
type Rest<M> = (Steps<<M as Method>::Planner>, Arc<Source<M>>);

/// Waits for a step and encodes it, off the threads of the network if that takes long. The message,
/// and what the next one is made from, if there is one.
async fn pull<M: Streamed>(rest: Option<Rest<M>>) -> Option<(Sent<M>, Option<Rest<M>>)> {
    let (mut steps, source) = rest?;
    let step = match steps.next().await? {
        Ok(step) => step,
        Err(refusal) => return Some((Err(refusal.into()), None)),
    };
    steps.mark_sent(&step);
    let goes_on = matches!(step, Step::Progress(_));
    let (desk, piece) = (source.parts.desk.clone(), source.asked.writing());
    let writer = Arc::clone(&source);
    let write = move || Encoded::encode(&writer.step(step));
    let message = desk.run(piece, write).await.map_err(Into::into);
    let rest = (goes_on && message.is_ok()).then_some((steps, source));
    Some((message, rest))
}

/// What the messages of a stream are made from.
struct Source<M: Method> {
    parts: Parts,
    asked: Asked<M>,
    key: Option<Key>,
}

impl<M: Streamed> Source<M> {
    fn step(&self, step: Step<M::Planner>) -> M::Answer {
        match step {
            Step::Progress(now) => {
                let (event, answer) = progress(&self.asked, &now);
                let mut answer = answer.unwrap_or_default();
                *answer.event_field() = Some(event);
                answer
            }
            Step::End {
                at,
                is_new,
                outcome,
            } => self.end(event(at, outcome.best.as_deref(), is_new), &outcome),
        }
    }

    /// The last message. It contains the answer of the unary method; it is reported and cached like
    /// it.
    fn end(&self, event: pb::SolveEvent, outcome: &Outcome<M::Planner>) -> M::Answer {
        let mut answer = M::encode(&self.asked, outcome);
        let report = answer.report_mut();
        let event = ended(event, report);
        self.parts.record(&self.asked, outcome, report);
        let reproducible = report.reproducible;
        if let Some(key) = self.key.as_ref().filter(|_| reproducible) {
            self.parts.cache.keep(key, kept::<M>(&answer));
        }
        *answer.event_field() = Some(event);
        answer
    }
}

/// An answer that took no search, as a stream.
fn single<M: Streamed>(mut answer: M::Answer) -> Response<Updates<M>> {
    let report = answer.report_mut();
    let at = Mark {
        sequence: 1,
        elapsed: Duration::ZERO,
    };
    // A plan that is streamed has an objective.
    let is_new = report.objective.is_some();
    let event = ended(event::<M::Planner>(at, None, is_new), report);
    *answer.event_field() = Some(event);
    let message = Encoded::encode(&answer);
    Response::new(Box::pin(tokio_stream::once(Ok(message))))
}
