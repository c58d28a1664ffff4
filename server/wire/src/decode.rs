//! Bytes to a checked problem, in one function: for tests, fuzzing, and tools that read requests.
//!
//! Never panics, whatever the bytes.

#[cfg(test)]
mod tests;

use crate::contract::{self, each_method, each_planner};
use crate::job::{check_rules, checked, page};
use crate::method::{Game, Incoming, Method, Question, Reading, RequestOf};
use crate::mistakes::Mistakes;
use crate::weigh::{self, Unreadable};
use stratagem_proto::v1 as pb;

pub use crate::mistakes::{Code, Mistake};

/// Why bytes are no request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejected {
    /// They hold more than a request may: which limit.
    TooLarge(String),
    /// They are no message of the type: why.
    Malformed(String),
    /// The request is invalid: all mistakes, at most 100.
    Mistakes(Vec<Mistake>),
}

macro_rules! of_planners {
    ($($module:ident: $kind:ident, $name:literal;)*) => {
        $(pub use crate::$module::decode::*;)*
    };
}

each_planner!(of_planners);

/// The checked request to a method that searches.
pub(crate) fn request<M: Method>(bytes: &[u8]) -> Result<RequestOf<M>, Rejected> {
    read(bytes, |message| M::read(message, &Reading::ALONE))
}

/// Decodes an encoded request to a method as the server does. `bytes` is the method's name, a line
/// break, and the request. Returns the method's name.
///
/// # Errors
/// See [`Rejected`]; [`Rejected::Malformed`] when there is no such method.
pub fn any_request(bytes: &[u8]) -> Result<&'static str, Rejected> {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let (name, message) = bytes.split_at(end.unwrap_or(bytes.len()));
    let message = message.get(1..).unwrap_or_default();
    macro_rules! by_name {
        ($($method:ident: $way:ident;)*) => {
            match name {
                $(name if name == stringify!($method).as_bytes() => {
                    by_name!(@ $way contract::$method, message).map(|()| stringify!($method))
                })*
                b"CreateJob" => {
                    read(message, |it| checked(it, &Reading::ALONE).map(|_| "CreateJob"))
                }
                b"WatchJob" => read(message, |mut it: pb::WatchJobRequest| {
                    check_rules(&mut it).map(|_| "WatchJob")
                }),
                b"ListJobs" => read(message, |it| page(it).map(|_| "ListJobs")),
                _ => Err(Rejected::Malformed("no method".into())),
            }
        };
        (@ question $method:ty, $message:ident) => {
            read($message, |it| <$method as Question>::read(it).map(drop))
        };
        (@ game $method:ty, $message:ident) => {
            read($message, |it| <$method as Game>::read(it).map(drop))
        };
        (@ $search:ident $method:ty, $message:ident) => { request::<$method>($message).map(drop) };
    }
    each_method!(by_name)
}

fn read<M: Incoming, T>(
    bytes: &[u8],
    judge: impl FnOnce(M) -> Result<T, Mistakes>,
) -> Result<T, Rejected> {
    let message = weigh::decode(bytes).map_err(rejected)?;
    judge(message).map_err(|wrong| Rejected::Mistakes(wrong.into_list()))
}

fn rejected(unreadable: Unreadable) -> Rejected {
    match unreadable {
        Unreadable::TooLarge(why) => Rejected::TooLarge(why),
        Unreadable::Malformed(why) => Rejected::Malformed(why),
    }
}
