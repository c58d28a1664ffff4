//! Calls as games make them: any unary method as bytes, with a deadline that the caller watches
//! itself.

use crate::Server;
use bytes::{Buf as _, BufMut as _, Bytes};
use http::uri::PathAndQuery;
use prost::Message as _;
use std::time::{Duration, Instant};
use stratagem_proto::v1::any_problem::Kind;
use stratagem_proto::v1::{GetExampleRequest, ListExamplesRequest, SolveOptions};
use tonic::codec::{Codec, CompressionEncoding, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::metadata::MetadataValue;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};

/// Shortest and longest deadline of the mix.
const DEADLINES: [f64; 2] = [0.005, 0.25];

/// A request to a unary method.
#[derive(Debug, Clone)]
pub struct Call {
    /// Name of the example, or the path.
    pub name: String,
    path: PathAndQuery,
    message: Bytes,
    is_compressed: bool,
}

impl Call {
    /// This message to this path.
    ///
    /// # Panics
    /// When the path is none.
    #[must_use]
    pub fn new(path: &'static str, message: Vec<u8>) -> Self {
        Self {
            name: path.into(),
            path: PathAndQuery::from_static(path),
            message: message.into(),
            is_compressed: false,
        }
    }

    /// A message of zeros that is small once compressed by zstd.
    #[must_use]
    pub fn bomb(path: &'static str, bytes: usize) -> Self {
        let mut message = Vec::with_capacity(bytes);
        // An unknown field of one long string.
        message.put_slice(&[0x82, 0x7d]);
        prost::encoding::encode_varint((bytes - 16) as u64, &mut message);
        message.resize(bytes - 16 + message.len(), 0);
        Self {
            is_compressed: true,
            ..Self::new(path, message)
        }
    }

    /// Bytes of the message before compression.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a message is never asked that")]
    pub fn len(&self) -> usize {
        self.message.len()
    }
}

/// How a call ended.
#[derive(Debug, Clone)]
pub struct Ended {
    /// Of the call.
    pub name: String,
    /// Until when its answer was wanted, from its beginning.
    pub deadline: Duration,
    /// Until the answer, of whatever kind.
    pub took: Duration,
    /// Whether it was answered with a message by its deadline.
    pub in_time: bool,
    /// The error that it was answered with.
    pub error: Option<Status>,
    /// Whether there was no room for it.
    pub refused: bool,
}

/// A connection; clones share it.
#[derive(Debug, Clone)]
pub struct Caller(Channel);

impl Caller {
    /// On this connection.
    #[must_use]
    pub fn new(channel: Channel) -> Self {
        Self(channel)
    }

    /// Sends a call with a deadline, and waits for its end however late that is.
    ///
    /// # Panics
    /// When the connection is closed.
    pub async fn send(&self, call: &Call, deadline: Duration) -> Ended {
        let mut client = tonic::client::Grpc::new(self.0.clone());
        if call.is_compressed {
            client = client.send_compressed(CompressionEncoding::Zstd);
        }
        let mut request = Request::new(call.message.clone());
        // Set by hand, so that the client does not end the call itself.
        let timeout = MetadataValue::try_from(format!("{}u", deadline.as_micros()));
        let timeout = timeout.expect("digits and a letter are a header");
        request.metadata_mut().insert("grpc-timeout", timeout);
        client.ready().await.expect("the server listens");
        let begin = Instant::now();
        let answer = client.unary(request, call.path.clone(), Raw).await;
        let took = begin.elapsed();
        let refused = answer.as_ref().is_err_and(|status| {
            matches!(status.code(), Code::Unavailable | Code::ResourceExhausted)
        });
        Ended {
            name: call.name.clone(),
            deadline,
            took,
            in_time: answer.is_ok() && took <= deadline,
            refused,
            error: answer.err(),
        }
    }
}

/// All examples of the server, as requests to their planner's method without options.
///
/// # Panics
/// When it does not answer.
pub async fn examples(server: &Server) -> Vec<Call> {
    let mut about = server.about().await;
    let list = about.list_examples(ListExamplesRequest::default()).await;
    let mut calls = Vec::new();
    for example in list.expect("a list").into_inner().examples {
        let name = example.name;
        let answer = about
            .get_example(GetExampleRequest { name: name.clone() })
            .await;
        let problem = answer.expect("an example").into_inner().problem;
        let kind = problem.and_then(|it| it.kind).expect("a problem");
        calls.push(Call {
            name,
            ..request(&kind)
        });
    }
    calls
}

/// Every planner's request has its problem in field 1 and its options in field 2.
fn request(problem: &Kind) -> Call {
    let (path, problem) = match problem {
        Kind::Temporal(it) => ("TemporalService/CheckControllability", it.encode_to_vec()),
        Kind::Narrative(it) => ("NarrativeService/ScheduleNarrative", it.encode_to_vec()),
        Kind::Allocation(it) => ("AllocationService/AllocateTasks", it.encode_to_vec()),
        Kind::Crew(it) => ("CrewService/AssignCrew", it.encode_to_vec()),
        Kind::Patrol(it) => ("PatrolService/GeneratePatrol", it.encode_to_vec()),
        Kind::Puzzle(it) => ("PuzzleService/GeneratePuzzle", it.encode_to_vec()),
        Kind::Heist(it) => ("HeistService/PlanBurglar", it.encode_to_vec()),
        Kind::Schedule(it) => ("ScheduleService/ScheduleProject", it.encode_to_vec()),
        Kind::Story(it) => ("StoryService/GenerateStory", it.encode_to_vec()),
    };
    let mut message = Vec::new();
    prost::encoding::bytes::encode(1, &problem, &mut message);
    prost::encoding::message::encode(2, &SolveOptions::default(), &mut message);
    let path = format!("/stratagem.v1.{path}");
    Call {
        name: path.clone(),
        path: path.parse().expect("names are paths"),
        message: message.into(),
        is_compressed: false,
    }
}

/// Random numbers of a run: SplitMix64.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The same seed gives the same numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Between 0, which may come, and 1, which may not.
    pub fn share(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Any number. The first one of a seed is a hash of it.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An index.
    pub fn below(&mut self, count: usize) -> usize {
        (self.share() * count as f64) as usize
    }

    /// One of these.
    pub fn pick<'c, T>(&mut self, all: &'c [T]) -> &'c T {
        &all[self.below(all.len())]
    }

    /// A deadline of the mix: each doubling is as frequent as the others.
    pub fn deadline(&mut self) -> Duration {
        let [least, most] = DEADLINES;
        Duration::from_secs_f64(least * (most / least).powf(self.share()))
    }

    /// Time to the next call, at this mean rate in calls a second, at moments that do not depend on
    /// each other.
    pub fn gap(&mut self, rate: f64) -> Duration {
        Duration::from_secs_f64(-(1.0 - self.share()).ln() / rate)
    }
}

/// Messages as bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, item: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(item);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(buffer.copy_to_bytes(buffer.remaining())))
    }
}
