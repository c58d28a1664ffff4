//! Methods that answer without searching: they take no slot.

use super::letter::wanted;
use super::method::Rpc;
use super::{Letter, Parts};
use crate::codec::Encoded;
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use anytime::Pulse;
use tonic::{Request, Response, Status};

/// A method that answers without searching.
pub(crate) trait Question: Rpc {
    /// A checked request.
    type Read;

    /// The checked request, or all mistakes.
    fn read(message: Self::Request) -> Result<Self::Read, Mistakes>;

    /// The answer, for as long as it is wanted.
    fn answer(read: Self::Read, wanted: &Pulse) -> Result<Self::Answer, Refusal>;
}

impl Parts {
    /// A question, from its message to its answer.
    pub(super) async fn question<Q: Question>(
        &self,
        request: Request<Encoded<Q::Request>>,
    ) -> Result<Response<Encoded<Q::Answer>>, Status> {
        let letter = Letter::new(request)?;
        let (wanted, _guard) = wanted(&letter.call, self.config.budget_max.get());
        let work = move |message| {
            let read = Q::read(message).map_err(Refusal::Mistakes)?;
            Q::answer(read, &wanted)
        };
        self.answer(letter, work).await
    }
}
