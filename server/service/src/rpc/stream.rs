//! The way of a streamed planning method: that of a unary one, step by step.

use super::method::{Given, Pending, checked, kept, replay};
use super::{Letter, Parts};
use crate::cache::Key;
use crate::codec::Encoded;
use crate::status::Refusal;
use anytime::{Mark, Outcome};
use futures_util::stream::unfold;
use runtime::Step;
use runtime::steps::Steps;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use stratagem_proto::v1 as pb;
use tokio_stream::Stream;
use tonic::{Response, Status};
use tracing::Span;
use wire::answers::{Answer as _, Stepped as _};
use wire::method::{Method, Rpc, Streamed};
use wire::report::{ended, event, progress};

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
        Ok(self.updates(self.pending::<M>(given, request)).await?)
    }

    /// The steps of a search, or a single one from the cache.
    async fn updates<M: Streamed>(
        &self,
        pending: Pending<M>,
    ) -> Result<Response<Updates<M>>, Refusal> {
        if pending.asked.request.options.validate_only {
            return Ok(single::<M>(checked(&pending.asked)));
        }
        let key = self.key(&pending);
        if let Some(kept) = self.cache.kept(key.as_ref()) {
            return Ok(single::<M>(replay(&pending.asked, &kept)?));
        }
        let search = self.search(&pending).await?;
        let span = search.span();
        let steps = search.steps(self.config.heartbeat_interval.get());
        let source = Arc::new(Source {
            parts: self.clone(),
            pending,
            span,
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
        Err(refusal) => return Some((Err(Refusal::from(refusal).into()), None)),
    };
    steps.mark_sent(&step);
    let goes_on = matches!(step, Step::Progress(_));
    let (desk, piece) = (source.parts.desk.clone(), source.pending.writing());
    let writer = Arc::clone(&source);
    let write = move || Encoded::encode(&writer.step(step));
    let message = desk.run(piece, write).await;
    let message = message.map_err(|refusal| Refusal::from(refusal).into());
    let rest = (goes_on && message.is_ok()).then_some((steps, source));
    Some((message, rest))
}

/// What the messages of a stream are made from.
struct Source<M: Method> {
    parts: Parts,
    pending: Pending<M>,
    /// Of the searching thread.
    span: Span,
    key: Option<Key>,
}

impl<M: Streamed> Source<M> {
    fn step(&self, step: Step<M::Planner>) -> M::Answer {
        match step {
            Step::Progress(now) => {
                let (event, answer) = progress(&self.pending.asked, &now);
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
        let mut answer = M::encode(&self.pending.asked, outcome);
        let report = answer.report_mut();
        let event = ended(event, report);
        self.parts
            .record(&self.pending, outcome, &self.span, report);
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
