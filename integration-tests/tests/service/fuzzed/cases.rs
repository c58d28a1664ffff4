//! What is sent: calls of every method, whose messages, frames, heads or bytes are nearly right.

use super::mutate::{message, noise, text};
use anytime::SplitMix64;
use bytes::{BufMut as _, Bytes, BytesMut};
use prost::Message as _;
use prost_types::FileDescriptorSet;
use std::path::Path;
use stratagem_integration_tests::problems::{allocate, iterations, row};
use stratagem_integration_tests::raw::frame;
use stratagem_proto::v1 as pb;
use stratagem_proto::{DESCRIPTOR_SET, EXAMPLES};

/// How a case is sent, and what has to come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// A call by the rules of gRPC, whose message may be broken: it is answered.
    Call,
    /// A call with broken frames or heads: it is answered, or its stream ends.
    Frames,
    /// JSON over HTTP, gRPC-Web, pages.
    Web,
    /// A call that is left in its middle.
    Cut,
    /// Bytes that are no HTTP, or hardly.
    Bytes,
}

/// One case.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) way: Way,
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Bytes,
}

impl Case {
    /// Whether it is a call of ours with frames that can be read.
    pub(super) fn is_framed(&self) -> bool {
        // Whatever else it says it is, it is taken for gRPC.
        let json = header("content-type", "application/json");
        let is_json = self.way == Way::Web && self.headers.contains(&json);
        let is_ours = self.path.starts_with("/stratagem.");
        is_ours && (self.way == Way::Call || is_json)
    }
}

/// What cases are made of.
pub(super) struct Cases {
    /// Paths of all methods.
    paths: Vec<String>,
    /// Messages that are right somewhere, by the folder that they are from.
    seeds: Vec<(String, Vec<u8>)>,
}

/// Folders of seeds that are good for a service.
const GOOD_FOR: [(&str, &str); 9] = [
    ("AllocationService", "allocate"),
    ("CrewService", "crew"),
    ("HeistService", "heist"),
    ("NarrativeService", "narrative"),
    ("PatrolService", "patrol"),
    ("PuzzleService", "puzzle"),
    ("ScheduleService", "schedule"),
    ("StoryService", "story"),
    ("TemporalService", "temporal"),
];
/// Types of content: what belongs there, what is known, what is not.
const CONTENT: [&str; 9] = [
    "application/grpc",
    "application/grpc+proto",
    "application/grpc+json",
    "application/grpc-web",
    "application/grpc-web-text",
    "application/json",
    "application/x-protobuf",
    "text/html",
    "a/b; c=\"d",
];
const TIMEOUTS: [&str; 8] = [
    "0n",
    "1m",
    "99999999H",
    "999999999S",
    "-1S",
    "5",
    "S",
    "1.5S",
];
const ENCODINGS: [&str; 5] = ["gzip", "zstd", "br", "identity", ""];
/// How long searches may take: there are few slots.
const TIMEOUT: &str = "5m";

/// The beginning of HTTP/2, with settings that say nothing.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00";
const REQUEST: &[u8] = b"POST /stratagem.v1.ServerService/GetServerInfo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

impl Cases {
    pub(super) fn new() -> Self {
        let set = FileDescriptorSet::decode(DESCRIPTOR_SET).unwrap();
        let mut paths = Vec::new();
        for file in &set.file {
            for service in &file.service {
                let service_name = format!("{}.{}", file.package(), service.name());
                let methods = service.method.iter();
                paths.extend(methods.map(|it| format!("/{service_name}/{}", it.name())));
            }
        }
        paths.push("/grpc.health.v1.Health/Check".into());
        paths.push("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo".into());
        paths.push("/nobody.v1.Service/Method".into());
        Self {
            paths,
            seeds: seeds(),
        }
    }

    /// The case of this number.
    pub(super) fn case(&self, number: u64) -> Case {
        let mut rng = SplitMix64::new(number.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let path = rng.one_of(&self.paths).clone();
        let way = match rng.below(100) {
            0..60 => Way::Call,
            60..75 => Way::Web,
            75..90 => Way::Frames,
            90..96 => Way::Cut,
            _ => Way::Bytes,
        };
        match way {
            Way::Bytes => bytes(&mut rng),
            Way::Web => web(&mut rng, path),
            Way::Frames => self.frames(&mut rng, path),
            Way::Call | Way::Cut => Case {
                way,
                headers: vec![header("grpc-timeout", TIMEOUT)],
                body: frame(&self.message(&mut rng, &path)),
                path,
            },
        }
    }

    /// A message that is nearly one of this method.
    fn message(&self, rng: &mut SplitMix64, path: &str) -> Vec<u8> {
        let service = GOOD_FOR.iter().find(|(service, _)| path.contains(service));
        let folder = service.map_or("CreateJob", |(_, folder)| folder);
        let method = path.rsplit('/').next().unwrap_or_default();
        let method = method.trim_start_matches("Stream");
        let good: Vec<_> = self
            .seeds
            .iter()
            .filter(|(from, _)| from == folder || from == method)
            .collect();
        // Sometimes one that is right elsewhere.
        let (_, seed) = if rng.chance(10) {
            rng.one_of(&self.seeds)
        } else {
            *rng.one_of(&good)
        };
        let (_, other) = rng.one_of(&self.seeds);
        message(rng, seed, other)
    }

    /// A call that breaks the rules of gRPC.
    fn frames(&self, rng: &mut SplitMix64, path: String) -> Case {
        let whole = frame(&self.message(rng, &path));
        let mut headers = vec![header("grpc-timeout", TIMEOUT)];
        let mut body = BytesMut::from(&whole[..]);
        match rng.below(9) {
            0 => body.truncate(rng.below(whole.len() + 1)),
            1 => body[0] = rng.number() as u8,
            2 => body[1..5].copy_from_slice(&(rng.number() as u32).to_be_bytes()),
            3 => body.put_slice(&whole),
            4 => body.put_slice(&noise(rng, 64)),
            5 => {
                let encoding = *rng.one_of(&ENCODINGS);
                headers.push(header("grpc-encoding", encoding));
                body[0] = rng.below(2) as u8;
            }
            6 => {
                let kind = *rng.one_of(&CONTENT);
                headers.push(header("content-type", kind));
            }
            7 => {
                let timeout = *rng.one_of(&TIMEOUTS);
                headers[0] = header("grpc-timeout", timeout);
            }
            _ => {
                let long = "x".repeat(rng.below(4_000));
                headers.push(header("x-anything-bin", &long));
                headers.push(header("authorization", &format!("Bearer {long}")));
            }
        }
        Case {
            way: Way::Frames,
            path,
            headers,
            body: body.freeze(),
        }
    }
}

fn header(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// JSON, and what pages ask for.
fn web(rng: &mut SplitMix64, path: String) -> Case {
    let example = rng.one_of(EXAMPLES);
    let whole = format!("{{\"problem\": {}, \"options\": {{}}}}", example.json);
    let kind = if rng.chance(10) {
        *rng.one_of(&CONTENT)
    } else {
        "application/json"
    };
    let path = match rng.below(20) {
        0 => "/".into(),
        1 => format!("{path}/../x?y=%00"),
        _ => path,
    };
    Case {
        way: Way::Web,
        path,
        headers: vec![
            header("content-type", kind),
            header("connect-timeout-ms", "5"),
            header("grpc-timeout", TIMEOUT),
        ],
        body: text(rng, &whole).into(),
    }
}

/// Bytes on a connection of their own.
fn bytes(rng: &mut SplitMix64) -> Case {
    let mut body = match rng.below(3) {
        0 => PREFACE.to_vec(),
        1 => REQUEST.to_vec(),
        _ => Vec::new(),
    };
    for _ in 0..rng.below(4) {
        // Frames of HTTP/2 with lengths that are right: kind, flags and stream are anything.
        let payload = noise(rng, 64);
        body.put_uint(payload.len() as u64, 3);
        body.push(rng.below(12) as u8);
        body.push(rng.number() as u8);
        body.put_u32(rng.below(6) as u32);
        body.extend(payload);
    }
    let other = noise(rng, 64);
    Case {
        way: Way::Bytes,
        path: String::new(),
        headers: Vec::new(),
        body: message(rng, &body, &other).into(),
    }
}

/// All seeds of the fuzz targets, and a job, each with the planner or the method that it is for.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds");
    let mut seeds = Vec::new();
    for folder in sorted(&root) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let name = name.trim_start_matches("decode_").to_owned();
        for file in sorted(&folder) {
            let bytes = std::fs::read(file).unwrap();
            if name == "any_request" {
                // The first line of these is the name of a method.
                let end = bytes.iter().position(|byte| *byte == b'\n').unwrap();
                let method = str::from_utf8(&bytes[..end]).unwrap().to_owned();
                seeds.push((method, bytes[end + 1..].to_vec()));
            } else {
                seeds.push((name.clone(), bytes));
            }
        }
    }
    let request = allocate(row(), iterations(10, 0));
    let job = pb::CreateJobRequest {
        request: Some(pb::JobRequest {
            method: Some(pb::job_request::Method::AllocateTasks(request)),
        }),
        ..Default::default()
    };
    seeds.push(("CreateJob".into(), job.encode_to_vec()));
    seeds
}

fn sorted(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
