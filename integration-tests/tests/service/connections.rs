//! Connections: how many, how long, and what becomes of those that say nothing.

use crate::asking::{outcomes, unbounded};
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::problems::{allocate, budget};
use stratagem_integration_tests::{Server, plain, raw, server::WITHOUT_CACHE};
use stratagem_proto::v1::{GetServerInfoRequest, StopReason};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Waits until this number of connections have ended in this way.
async fn until(server: &Server, outcome: &str, count: f64) {
    eventually(outcome, async || {
        (outcomes(server, outcome).await >= count).then_some(())
    })
    .await;
}

/// Reads until the server has closed.
async fn closed(tcp: &mut TcpStream) {
    let mut rest = Vec::new();
    // A reset is an end, too.
    let _ = wait_for("the end", tcp.read_to_end(&mut rest)).await;
}

#[tokio::test]
async fn who_is_one_too_many_is_closed_and_the_others_are_served() {
    let server = Server::start(&["--connections-max", "2"]).await;
    let mut first = server.about().await;
    let _second = server.about().await;
    let mut third = TcpStream::connect(server.address).await.unwrap();
    closed(&mut third).await;
    until(&server, "refused", 1.0).await;
    assert_eq!(server.metrics().await.sum("stratagem_connections"), 2.0);
    let asked = first.get_server_info(GetServerInfoRequest::default());
    wait_for("an answer", asked).await.unwrap();
    drop(first);
    // Its place is free again.
    eventually("a place", async || {
        let tcp = TcpStream::connect(server.address).await.ok()?;
        let body = raw::frame(b"");
        let path = "/stratagem.v1.ServerService/GetServerInfo";
        raw::call_on(tcp, path, &[], body).await.ok()
    })
    .await;
}

#[tokio::test]
async fn who_says_nothing_or_says_it_slowly_is_closed() {
    let server = Server::start(&["--header-timeout", "1s"]).await;
    // Who has begun HTTP/2 properly may be silent for as long as it likes: longer than those below.
    let mut client = server.about().await;
    let mut silent = Vec::new();
    for begun in [
        "",
        "PRI * HTTP/2",
        "POST /x HTTP/1.1\r\nhost: x\r\nx-slow: ",
    ] {
        let mut tcp = TcpStream::connect(server.address).await.unwrap();
        tcp.write_all(begun.as_bytes()).await.unwrap();
        silent.push(tcp);
    }
    for tcp in &mut silent {
        closed(tcp).await;
    }
    until(&server, "silent", 2.0).await;
    let asked = client.get_server_info(GetServerInfoRequest::default());
    wait_for("an answer", asked).await.unwrap();
    assert_eq!(outcomes(&server, "silent").await, 2.0);
}

#[tokio::test]
async fn an_old_connection_is_asked_to_go_and_its_calls_end_well() {
    let flags = [&["--connection-age", "200ms"], WITHOUT_CACHE].concat();
    let server = Server::start(&flags).await;
    let mut client = server.allocation().await;
    let call = client.stream_allocate_tasks(allocate(unbounded(), budget(1_500)));
    let mut steps = wait_for("a stream", call).await.unwrap().into_inner();
    let mut report = None;
    while let Some(step) = wait_for("a step", steps.message()).await.unwrap() {
        report = step.report.or(report);
    }
    let report = report.expect("the last step has one");
    assert_eq!(report.stop_reason(), StopReason::Deadline);
    until(&server, "aged", 1.0).await;
    assert_eq!(outcomes(&server, "cut").await, 0.0);
}

#[tokio::test]
async fn whether_calls_are_taken_is_told_to_who_speaks_no_grpc() {
    let mut server = Server::start(&["--lame-duck", "60s"]).await;
    let ready = async |address| {
        plain::request(address, "GET", "/ready", &[], b"")
            .await
            .status
    };
    assert_eq!(ready(server.metrics_address).await, 200);
    let address = server.metrics_address;
    let _leaving = server.shut_down();
    eventually("it leaves", async || {
        (ready(address).await == 503).then_some(())
    })
    .await;
}

#[tokio::test]
async fn who_stays_beyond_its_age_and_the_grace_is_cut() {
    let flags = [
        "--connection-age",
        "100ms",
        "--connection-age-grace",
        "100ms",
    ];
    let server = Server::start(&[&flags[..], WITHOUT_CACHE].concat()).await;
    let mut client = server.allocation().await;
    let call = client.allocate_tasks(allocate(unbounded(), budget(60_000)));
    wait_for("the end", call).await.unwrap_err();
    until(&server, "cut", 1.0).await;
    server.counts("stratagem_busy_slots", 0.0).await;
}

/// What a client hears that begins HTTP/2 and is not let in.
async fn goaway(server: &Server) -> Vec<u8> {
    let mut tcp = TcpStream::connect(server.address).await.unwrap();
    tcp.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .await
        .unwrap();
    let mut heard = Vec::new();
    let _ = wait_for("the end", tcp.read_to_end(&mut heard)).await;
    heard
}

fn says(heard: &[u8], text: &str) -> bool {
    heard.windows(text.len()).any(|it| it == text.as_bytes())
}

#[tokio::test]
async fn one_peer_does_not_get_all_connections_and_hears_why() {
    let server = Server::start(&["--peer-connections-max", "1"]).await;
    let mut first = server.about().await;
    let heard = goaway(&server).await;
    assert!(says(&heard, "too_many_connections_of_peer"), "{heard:?}");
    let info = "/stratagem.v1.ServerService/GetServerInfo";
    let reply = plain::post(server.address, info, &[], "{}").await;
    assert_eq!(
        (reply.status, reply.header("retry-after")),
        (503, Some("1"))
    );
    until(&server, "refused_peer", 2.0).await;
    let asked = first.get_server_info(GetServerInfoRequest::default());
    wait_for("an answer", asked).await.unwrap();
    drop(first);
    eventually("a place", async || {
        let reply = plain::post(server.address, info, &[], "{}").await;
        (reply.status == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn who_is_one_too_many_hears_goaway_with_the_reason() {
    let server = Server::start(&["--connections-max", "1"]).await;
    let _first = server.about().await;
    let heard = goaway(&server).await;
    // Settings, then GOAWAY: no stream was begun, REFUSED_STREAM.
    assert_eq!(heard[..9], [0, 0, 0, 4, 0, 0, 0, 0, 0]);
    let frame = [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7];
    assert_eq!(heard[12..26], frame, "{heard:?}");
    assert_eq!(&heard[26..], b"too_many_connections");
}

#[tokio::test]
async fn a_connection_without_calls_is_asked_to_go_and_one_with_a_call_is_not() {
    let flags = [&["--connection-idle", "200ms"], WITHOUT_CACHE].concat();
    let server = Server::start(&flags).await;
    let tcp = TcpStream::connect(server.address).await.unwrap();
    let (client, connection) = h2::client::handshake(tcp).await.unwrap();
    let ended = wait_for("GOAWAY", connection).await;
    // A graceful end: GOAWAY with NO_ERROR is none.
    assert!(ended.is_ok(), "{ended:?}");
    drop(client);
    until(&server, "idle", 1.0).await;
    let mut busy = server.allocation().await;
    let call = busy.allocate_tasks(allocate(unbounded(), budget(1_000)));
    wait_for("an answer", call).await.unwrap();
    assert_eq!(outcomes(&server, "cut").await, 0.0);
}
