//! Methods that answer without searching: they take no slot.

use super::letter::wanted;
use super::{Letter, Parts};
use crate::codec::Encoded;
use crate::status::Refusal;
use tonic::{Request, Response, Status};
use wire::method::Question;

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
            let answer = Q::answer(read, &wanted).map_err(Refusal::Mistakes)?;
            answer.ok_or(Refusal::Runtime(runtime::Refusal::Expired))
        };
        self.answer(letter, work).await
    }
}
