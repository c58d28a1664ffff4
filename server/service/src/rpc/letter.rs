//! A message that has come and is not read yet.

use super::Parts;
use crate::call::Call;
use crate::codec::{Encoded, Packing};
use crate::status::Refusal;
use anytime::{CancelGuard, CancelToken, Pulse};
use bytes::Bytes;
use prost::Message;
use runtime::Budget;
use runtime::work::{Piece, Stage};
use std::marker::PhantomData;
use std::time::Duration;
use tonic::{Request, Response};
use wire::method::Incoming;

/// A message of type `M`, and the call that brought it.
pub(crate) struct Letter<M> {
    pub call: Call,
    bytes: Bytes,
    packing: Option<Packing>,
    kind: PhantomData<fn() -> M>,
}

impl<M: Incoming> Letter<M> {
    /// The message of a request, with what is known about its caller.
    ///
    /// # Errors
    /// The call did not come through the layer around all calls, so that nothing is known about its
    /// caller.
    pub(super) fn new(request: Request<Encoded<M>>) -> Result<Self, Refusal> {
        let (_, mut extensions, message) = request.into_parts();
        let call = extensions.remove::<Call>();
        Ok(Self {
            call: call.ok_or(Refusal::CallerLost)?,
            bytes: message.into_bytes(),
            packing: extensions.remove(),
            kind: PhantomData,
        })
    }

    /// Bytes of the message, once it is decompressed: an estimate where they are not known.
    pub(super) fn size(&self) -> usize {
        let packing = self.packing.as_ref();
        packing.map_or(self.bytes.len(), |packing| packing.size(&self.bytes))
    }

    /// What is done with it, as a piece of work.
    fn piece(&self, stage: Stage) -> Piece {
        Piece {
            method: M::NAME,
            stage,
            size: self.size(),
            tenant: self.call.tenant.payer(),
            due: self.call.until,
            until: self.call.until,
        }
    }

    /// The message, of at most this number of bytes.
    ///
    /// # Errors
    /// It is too large, or cannot be decompressed or decoded.
    pub(super) fn open(self, bytes_max: usize) -> Result<M, Refusal> {
        let _span = tracing::debug_span!("decode", bytes = self.bytes.len()).entered();
        let bytes = match self.packing {
            Some(packing) => packing.open(self.bytes, bytes_max)?,
            None => self.bytes,
        };
        Ok(wire::weigh::decode(&bytes)?)
    }
}

impl Parts {
    /// Reads a message and judges it, off the threads of the network.
    ///
    /// # Errors
    /// Those of reading and of judging; its turn would come too late.
    pub(super) async fn judged<M: Incoming, T: Send + 'static>(
        &self,
        letter: Letter<M>,
        judge: impl FnOnce(M) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.staged(Stage::Read, letter, judge).await
    }

    /// The same as another stage of a call.
    pub(super) async fn staged<M: Incoming, T: Send + 'static>(
        &self,
        stage: Stage,
        letter: Letter<M>,
        work: impl FnOnce(M) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let bytes_max = self.config.request_bytes_max;
        let piece = letter.piece(stage);
        let work = move || work(letter.open(bytes_max)?);
        self.desk.run(piece, work).await?
    }

    /// Reads a message and answers it, likewise. For work that needs no slot.
    pub(super) async fn answer<M: Incoming, A: Message + 'static>(
        &self,
        letter: Letter<M>,
        work: impl FnOnce(M) -> Result<A, Refusal> + Send + 'static,
    ) -> Result<Response<Encoded<A>>, tonic::Status> {
        let work = |message| Ok(Encoded::encode(&work(message)?));
        let answer = self.staged(Stage::Answer, letter, work).await?;
        Ok(Response::new(answer))
    }

    /// A response, encoded off the threads of the network if it is large.
    pub(super) async fn written<A: Message + 'static>(
        &self,
        call: &Call,
        message: A,
    ) -> Result<Response<Encoded<A>>, tonic::Status> {
        let piece = Piece {
            method: "response",
            stage: Stage::Write,
            size: message.encoded_len(),
            tenant: call.tenant.payer(),
            due: call.until,
            until: None,
        };
        let work = move || Encoded::encode(&message);
        let answer = self.desk.run(piece, work).await.map_err(Refusal::from)?;
        Ok(Response::new(answer))
    }

    /// A message, read.
    pub(super) async fn read<M: Incoming>(
        &self,
        request: Request<Encoded<M>>,
    ) -> Result<(Call, M), Refusal> {
        let letter = Letter::new(request)?;
        let call = letter.call.clone();
        Ok((call, self.judged(letter, Ok).await?))
    }
}

/// Until when work for a call is wanted: until its deadline, for no longer than `cap`, and until
/// the guard is dropped.
pub(super) fn wanted(call: &Call, cap: Duration) -> (Pulse, CancelGuard) {
    let deadline = Budget::new(call.arrived, call.until, cap, cap).deadline();
    let gone = CancelToken::new();
    (Pulse::new(Some(deadline), gone.clone()), gone.guard())
}

#[cfg(test)]
mod tests {
    use super::wanted;
    use crate::call::Call;
    use std::time::Duration;

    #[test]
    fn work_is_wanted_until_nobody_waits_or_the_time_is_over() {
        let call = Call::new("test", crate::tenant::Tenant::alone());
        let (pulse, guard) = wanted(&call, Duration::from_secs(600));
        assert!(pulse.beats());
        drop(guard);
        assert!(!pulse.beats());
        let (pulse, _guard) = wanted(&call, Duration::ZERO);
        assert!(!pulse.beats());
    }
}
