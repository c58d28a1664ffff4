//! Bytes that nobody should send: refused with the right code, in little memory, and the server
//! lives on.

use crate::asking::{ask, reason, solved};
use bytes::Bytes;
use prost::Message as _;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::{allocate, iterations, row};
use stratagem_integration_tests::raw::{self, Answer, compressed_frame, frame};
use stratagem_integration_tests::{Process, Server};
use stratagem_proto::v1::AllocationProblem;
use tonic::Code;
use tonic::codec::CompressionEncoding;

/// The largest message that most clients send.
const MESSAGE_BYTES: usize = 4 << 20;

async fn send(server: &Server, path: &str, headers: &[(&str, &str)], body: Bytes) -> Answer {
    let call = raw::call(server.address, path, headers, body);
    wait_for("an answer", call).await.unwrap()
}

/// The server is there and has not slowed down to nothing.
async fn lives(server: &Server) {
    let (plan, _) = solved(ask(server, row(), iterations(1_000, 0)).await.unwrap());
    assert_eq!(plan.routes.len(), 1);
    assert_eq!(server.metrics().await.sum("stratagem_panics_total"), 0.0);
}

/// The server's peak memory is at most this much above what it was, where the system reports it.
fn check_memory(server: &Process, before_kib: Option<u64>, added_kib_max: u64) {
    if let (Some(before), Some(after)) = (before_kib, server.memory_peak_kib()) {
        let added = after - before;
        assert!(added <= added_kib_max, "{before} KiB and {added} more");
    }
}

/// A field of a message: tag with wire type 2, length, bytes.
fn field(number: u32, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    prost::encoding::encode_key(number, prost::encoding::WireType::LengthDelimited, &mut out);
    prost::encoding::encode_varint(bytes.len() as u64, &mut out);
    out.extend_from_slice(bytes);
    out
}

/// A request whose problem is filled up with `element` to almost four MiB.
fn filled(element: &[u8]) -> Bytes {
    frame(&field(
        1,
        &element.repeat((MESSAGE_BYTES - 64) / element.len()),
    ))
}

#[tokio::test]
async fn bytes_that_are_no_message_are_invalid() {
    let server = Server::start(&[]).await;
    let good = allocate(row(), iterations(100, 0)).encode_to_vec();
    let title = field(1, &[0xff, 0xfe]);
    let cases: [(&str, Vec<u8>); 7] = [
        ("noise", (0..=255).rev().collect()),
        ("cut short", good[..good.len() - 3].to_vec()),
        ("a varint without end", vec![0xff; 11]),
        ("field number 0", vec![0x02, 0x00]),
        (
            "a length beyond the end",
            vec![0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f],
        ),
        ("a wire type that is none", vec![0x0e]),
        // The title of a problem: of the request itself, and in the union that is verified.
        (
            "text that is not UTF-8",
            field(1, &[title.clone(), field(3, &title)].concat()),
        ),
    ];
    for (name, bytes) in cases {
        for path in [raw::ALLOCATE, raw::STREAM_ALLOCATE, raw::VERIFY] {
            let answer = send(&server, path, &[], frame(&bytes)).await;
            assert_eq!(
                answer.status().code(),
                Code::InvalidArgument,
                "{name} to {path}"
            );
            assert_eq!(
                reason(answer.status()),
                "MESSAGE_MALFORMED",
                "{name} to {path}"
            );
        }
    }
    lives(&server).await;
}

#[tokio::test]
async fn broken_frames_end_the_call_and_nothing_else() {
    let server = Server::start(&[]).await;
    let good = allocate(row(), iterations(100, 0)).encode_to_vec();
    let cases = [
        ("no message", Bytes::new()),
        ("half a frame's head", Bytes::from_static(&[0, 0, 0])),
        ("a frame cut short", frame(&good).slice(..good.len())),
        (
            "a flag that is none",
            [&[7_u8][..], &frame(&good)[1..]].concat().into(),
        ),
        ("compressed by nothing", compressed_frame(&good)),
    ];
    for (name, body) in cases {
        let answer = send(&server, raw::ALLOCATE, &[], body).await;
        let code = answer.status().code();
        assert_ne!(code, Code::Ok, "{name}");
        assert_ne!(code, Code::Unknown, "{name}: {:?}", answer.status);
    }
    lives(&server).await;
}

#[tokio::test]
async fn a_message_above_the_limit_is_refused_before_it_is_read() {
    let server = Server::start(&["--request-bytes-max", "65536"]).await;
    let problem = AllocationProblem {
        description: "x".repeat(65_536),
        ..row()
    };
    let body = frame(&allocate(problem, iterations(100, 0)).encode_to_vec());
    let answer = send(&server, raw::ALLOCATE, &[], body).await;
    assert_eq!(answer.status().code(), Code::ResourceExhausted);
    assert_eq!(reason(answer.status()), "MESSAGE_TOO_LARGE");
    // Nothing but the announcement of four GiB.
    let announced = Bytes::from_static(&[0, 0xff, 0xff, 0xff, 0xff]);
    let answer = send(&server, raw::ALLOCATE, &[], announced).await;
    assert_eq!(answer.status().code(), Code::ResourceExhausted);
    lives(&server).await;
}

#[tokio::test]
async fn four_mebibytes_of_nothing_are_refused_in_little_memory() {
    let server = Process::start(&[]).await;
    lives(&server).await;
    let before = server.memory_peak_kib();
    // Two bytes each on the wire, hundreds as structs.
    let agent = field(3, &[]);
    let task = field(4, &[]);
    let windows = field(4, &field(4, &[]).repeat(1_000));
    let skills = field(3, &field(7, &[]).repeat(1_000));
    let demands = field(4, &field(5, &[1; 1_000]));
    let levels = field(6, &field(1, &[]).repeat(1_000));
    let terms = field(6, &field(1, &field(1, &[]).repeat(1_000)));
    let routes = field(7, &field(1, &[]).repeat(1_000));
    let names = field(5, &field(2, &field(1, &[]).repeat(1_000)));
    let elements = [
        agent, task, windows, skills, demands, levels, terms, routes, names,
    ];
    for (i, element) in elements.iter().enumerate() {
        for path in [raw::ALLOCATE, raw::STREAM_ALLOCATE] {
            let answer = send(&server, path, &[], filled(element)).await;
            let code = answer.status().code();
            let refused = matches!(code, Code::InvalidArgument | Code::ResourceExhausted);
            assert!(refused, "shape {i} to {path}: {:?}", answer.status);
        }
    }
    // The bytes a few times over, not hundreds of MiB.
    check_memory(&server, before, 32 << 10);
    lives(&server).await;
}

#[tokio::test]
async fn networks_of_nothing_are_refused_in_little_memory() {
    let server = Process::start(&[]).await;
    lives(&server).await;
    let before = server.memory_peak_kib();
    // Agents, events, links and contingent links, two million of each.
    for number in [4, 5, 6, 7] {
        let answer = send(&server, raw::CHECK_STRONG, &[], filled(&field(number, &[]))).await;
        assert_eq!(answer.status().code(), Code::ResourceExhausted);
        assert_eq!(reason(answer.status()), "MESSAGE_TOO_LARGE");
    }
    check_memory(&server, before, 32 << 10);
    // A tenth of it is read, and refused for its length.
    let some = frame(&field(1, &field(6, &[]).repeat(150_000)));
    let answer = send(&server, raw::CHECK_STRONG, &[], some).await;
    assert_eq!(answer.status().code(), Code::InvalidArgument);
    check_memory(&server, before, 96 << 10);
    lives(&server).await;
}

#[tokio::test]
async fn unknown_fields_are_skipped_in_little_memory() {
    let server = Server::start(&[]).await;
    let mut bytes = allocate(row(), iterations(1_000, 0)).encode_to_vec();
    bytes.extend(field(1_000, &[]).repeat(1_000_000));
    let answer = send(&server, raw::ALLOCATE, &[], frame(&bytes)).await;
    // A newer client may know fields that this server does not.
    assert_eq!(answer.status().code(), Code::Ok, "{:?}", answer.status);
    lives(&server).await;
}

#[tokio::test]
async fn a_bomb_does_not_unfold() {
    let server = Process::start(&["--request-bytes-max", "1048576"]).await;
    lives(&server).await;
    let before = server.memory_peak_kib();
    // 48 MiB of the same letter are 48 KiB by gzip, 2 KiB by zstd.
    let problem = AllocationProblem {
        description: "x".repeat(48 << 20),
        ..row()
    };
    let request = allocate(problem, iterations(100, 0));
    for encoding in [CompressionEncoding::Gzip, CompressionEncoding::Zstd] {
        let mut client = server.allocation().await.send_compressed(encoding);
        let call = client.allocate_tasks(request.clone());
        let status = wait_for("an answer", call).await.unwrap_err();
        assert_eq!(
            status.code(),
            Code::ResourceExhausted,
            "{encoding}: {status:?}"
        );
    }
    check_memory(&server, before, 12 << 10);
    lives(&server).await;
}

#[tokio::test]
async fn compressed_requests_are_taken_and_other_encodings_refused() {
    let server = Server::start(&[]).await;
    for encoding in [CompressionEncoding::Gzip, CompressionEncoding::Zstd] {
        let client = server.allocation().await.send_compressed(encoding);
        let mut client = client.accept_compressed(encoding);
        let request = allocate(row(), iterations(1_000, 0));
        let answer = wait_for("an answer", client.allocate_tasks(request))
            .await
            .unwrap();
        let (plan, _) = solved(answer.into_inner());
        assert_eq!(plan.routes.len(), 1, "{encoding}");
    }
    let good = allocate(row(), iterations(1_000, 0)).encode_to_vec();
    let headers = [("grpc-encoding", "snappy")];
    let answer = send(&server, raw::ALLOCATE, &headers, compressed_frame(&good)).await;
    assert_eq!(answer.status().code(), Code::Unimplemented);
    let accepted = answer
        .headers
        .get("grpc-accept-encoding")
        .expect("says what it takes");
    assert!(accepted.to_str().unwrap().contains("gzip"), "{accepted:?}");
    let headers = [("grpc-encoding", "gzip")];
    let answer = send(
        &server,
        raw::ALLOCATE,
        &headers,
        compressed_frame(b"no gzip at all"),
    )
    .await;
    let code = answer.status().code();
    assert!(
        !matches!(code, Code::Ok | Code::Unknown),
        "{:?}",
        answer.status
    );
    lives(&server).await;
}

#[tokio::test]
async fn methods_that_do_not_exist_are_unimplemented_and_leave_no_trace() {
    let server = Server::start(&[]).await;
    for path in [
        "/stratagem.v1.AllocationService/Nothing",
        "/nobody.v1.Service/Method",
        "/",
    ] {
        let answer = send(&server, path, &[], frame(&[])).await;
        assert_eq!(answer.status().code(), Code::Unimplemented, "{path}");
    }
    let headers = [("content-type", "application/json")];
    let answer = send(&server, raw::ALLOCATE, &headers, Bytes::from_static(b"{}")).await;
    // That is JSON, and says no problem.
    assert_eq!(answer.http_status, 400, "{answer:?}");
    // A name that anybody can make up must not become a series of its own.
    assert!(!server.metrics().await.mentions("nobody"));
    lives(&server).await;
}
