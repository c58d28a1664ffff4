//! Callers that send resets without end, or do not read their answers, while others play.

use crate::asking::outcomes;
use bytes::Bytes;
use h2::Reason;
use http::Request;
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::problems::{allocate, iterations, row};
use stratagem_integration_tests::{Server, plain, raw, server::WITHOUT_CACHE};
use tokio::net::TcpStream;

const EXAMPLES: &str = "/stratagem.v1.ServerService/ListExamples";

fn call(server: &Server, path: &str) -> Request<()> {
    let uri = format!("http://{}{path}", server.address);
    let request = Request::post(uri).header("content-type", "application/grpc");
    request
        .header("te", "trailers")
        .body(())
        .expect("it is well-formed")
}

/// Begins calls and takes them back at once, until the server has had enough; how often it did.
async fn storm(server: &Server, most: usize) -> (usize, Option<Reason>) {
    let tcp = TcpStream::connect(server.address)
        .await
        .expect("it listens");
    let (client, connection) = h2::client::handshake(tcp).await.expect("HTTP/2");
    let mut over = tokio::spawn(connection);
    let mut client = Some(client);
    for count in 0..most {
        let ready = match client.take() {
            Some(client) => client.ready().await,
            None => break,
        };
        let Ok(mut next) = ready else {
            let ended = wait_for("the end", &mut over).await.expect("no panic");
            return (count, ended.err().and_then(|error| error.reason()));
        };
        if let Ok((_, mut stream)) = next.send_request(call(server, raw::ALLOCATE), false) {
            stream.send_reset(Reason::CANCEL);
        }
        client = Some(next);
        tokio::task::yield_now().await;
    }
    (most, None)
}

#[tokio::test]
async fn storms_of_resets_are_cut_and_others_are_served() {
    let server = Server::start(WITHOUT_CACHE).await;
    let mut other = server.allocation().await;
    for _ in 0..5 {
        let (begun, reason) = storm(&server, 1_000_000).await;
        assert!(begun < 1_000_000, "it is never enough");
        if let Some(reason) = reason {
            assert_eq!(reason, Reason::ENHANCE_YOUR_CALM);
        }
        let asked = other.allocate_tasks(allocate(row(), iterations(100, 1)));
        wait_for("an answer", asked).await.unwrap();
    }
    server.counts("stratagem_busy_slots", 0.0).await;
}

#[tokio::test]
async fn who_does_not_read_his_answer_is_closed() {
    let server = Server::start(&["--send-timeout", "200ms"]).await;
    let tcp = TcpStream::connect(server.address)
        .await
        .expect("it listens");
    // Room for some bytes of an answer of many.
    let (mut client, connection) = h2::client::Builder::new()
        .initial_window_size(100)
        .handshake::<_, Bytes>(tcp)
        .await
        .expect("HTTP/2");
    let over = tokio::spawn(connection);
    let (response, mut stream) = client.send_request(call(&server, EXAMPLES), false).unwrap();
    stream.send_data(raw::frame(b""), true).unwrap();
    let answer = wait_for("the head", response)
        .await
        .expect("it is answered");
    // With a word or without.
    let _ = wait_for("the end", over).await.expect("no panic");
    drop(answer);
    eventually("it is counted", async || {
        (outcomes(&server, "slow_reader").await >= 1.0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn requests_that_would_fill_the_memory_are_refused_and_room_comes_back() {
    // The least there can be.
    let server = Server::start(&["--inflight-bytes-max", "1048576"]).await;
    let large = format!("{{\"problem\": \"{}\"}}", " ".repeat(1 << 20));
    let path = raw::ALLOCATE;
    let refused = plain::post(server.address, path, &[], &large).await;
    assert_eq!(refused.status, 503, "{refused:?}");
    assert_eq!(refused.json()["reason"], "MEMORY_FULL");
    let body = raw::frame(&vec![0; 1 << 20]);
    let refused = raw::call(server.address, path, &[], body).await.unwrap();
    assert_eq!(
        refused.status().code(),
        tonic::Code::Unavailable,
        "{refused:?}"
    );
    eventually("there is room again", async || {
        let body = raw::frame(b"");
        let path = "/stratagem.v1.ServerService/GetServerInfo";
        let answer = raw::call(server.address, path, &[], body).await.ok()?;
        (answer.status().code() == tonic::Code::Ok).then_some(())
    })
    .await;
}
