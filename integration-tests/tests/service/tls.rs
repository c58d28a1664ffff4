//! TLS: who is let in, who is not, and certificates that change while calls run.

use crate::asking::outcomes;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::pki::{Authority, Folder, NAME};
use stratagem_integration_tests::{Process, Server, command_line};
use stratagem_proto::v1::GetServerInfoRequest;
use stratagem_proto::v1::server_service_client::ServerServiceClient;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tonic::transport::{ClientTlsConfig, Endpoint};

/// An authority, and a folder with a certificate of its.
struct Stage {
    authority: Authority,
    folder: Folder,
}

impl Stage {
    fn new() -> Self {
        let stage = Self {
            authority: Authority::new(),
            folder: Folder::new(),
        };
        stage.renew();
        stage
    }

    /// A new certificate in the place of the old one.
    fn renew(&self) {
        let pair = self.authority.sign(NAME);
        self.folder.write("key.pem", &pair.key);
        self.folder.write("cert.pem", &pair.cert);
    }

    async fn server(&self, more: &[&str]) -> Server {
        let (cert, key) = (self.folder.path("cert.pem"), self.folder.path("key.pem"));
        let flags = ["--tls-cert", &cert, "--tls-key", &key];
        Server::start(&[&flags[..], more].concat()).await
    }

    async fn process(&self) -> Process {
        let (cert, key) = (self.folder.path("cert.pem"), self.folder.path("key.pem"));
        let flags = ["--tls-cert", &cert, "--tls-key", &key];
        Process::start(&[&flags[..], &["--reload-interval", "24h"]].concat()).await
    }
}

/// Asks on a new connection.
async fn ask(server: &Server, tls: ClientTlsConfig) -> Result<(), String> {
    let endpoint = Endpoint::from_shared(format!("https://{}", server.address)).expect("good");
    let endpoint = endpoint.tls_config(tls).expect("certificates are good");
    let failed = |error: &dyn std::error::Error| format!("{error:?}");
    let channel = wait_for("connecting", endpoint.connect()).await;
    let channel = channel.map_err(|error| failed(&error))?;
    let mut client = ServerServiceClient::new(channel);
    let call = client.get_server_info(GetServerInfoRequest::default());
    let answer = wait_for("an answer", call).await;
    answer.map(drop).map_err(|error| failed(&error))
}

/// The certificate that the server shows, and the protocol that it chose.
async fn shown(server: &Server, connector: &TlsConnector) -> (Vec<u8>, Option<Vec<u8>>) {
    let tcp = TcpStream::connect(server.address)
        .await
        .expect("it listens");
    let name = ServerName::try_from(NAME).expect("a good name");
    let stream = wait_for("a handshake", connector.connect(name, tcp)).await;
    let stream = stream.expect("it is trusted");
    let (_, session) = stream.get_ref();
    let chain = session.peer_certificates().expect("servers show one");
    (
        chain[0].to_vec(),
        session.alpn_protocol().map(<[u8]>::to_vec),
    )
}

#[tokio::test]
async fn whoever_trusts_the_authority_is_answered_and_nobody_else_calls() {
    let stage = Stage::new();
    let server = stage.server(&[]).await;
    ask(&server, stage.authority.client(None)).await.unwrap();
    let stranger = Authority::new();
    ask(&server, stranger.client(None)).await.unwrap_err();
    let wrong_name = stage.authority.client(None).domain_name("other.test");
    ask(&server, wrong_name).await.unwrap_err();
    let failed = eventually("failures are counted", async || {
        let failed = outcomes(&server, "handshake_failed").await;
        (failed >= 2.0).then_some(failed)
    });
    assert_eq!(failed.await, 2.0);
}

#[tokio::test]
async fn with_an_authority_for_callers_only_its_own_are_let_in() {
    let stage = Stage::new();
    let callers = Authority::new();
    let ca = stage.folder.write("callers.pem", &callers.pem());
    let server = stage.server(&["--tls-client-ca", &ca]).await;
    let good = callers.sign("game");
    let strange = Authority::new().sign("game");
    ask(&server, stage.authority.client(Some(&good)))
        .await
        .unwrap();
    ask(&server, stage.authority.client(None))
        .await
        .unwrap_err();
    ask(&server, stage.authority.client(Some(&strange)))
        .await
        .unwrap_err();
}

#[tokio::test]
async fn both_versions_of_http_are_offered() {
    let stage = Stage::new();
    let server = stage.server(&[]).await;
    for protocol in ["h2", "http/1.1"] {
        let connector = stage.authority.connector(&[protocol]);
        let (_, chosen) = shown(&server, &connector).await;
        assert_eq!(chosen.as_deref(), Some(protocol.as_bytes()));
    }
    let connector = stage.authority.connector(&["http/1.1"]);
    let name = ServerName::try_from(NAME).expect("a good name");
    let tcp = TcpStream::connect(server.address).await.unwrap();
    let mut stream = connector.connect(name, tcp).await.unwrap();
    let request = "POST /stratagem.v1.ServerService/GetServerInfo HTTP/1.1\r\nhost: localhost\r\n\
        content-type: application/json\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    wait_for("JSON", stream.read_to_end(&mut answer))
        .await
        .unwrap();
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}

#[tokio::test]
async fn certificates_change_under_load_and_no_call_fails() {
    let stage = Stage::new();
    let server = Arc::new(stage.process().await);
    let (over, asked) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicU32::new(0)),
    );
    let callers: Vec<_> = (0..4)
        .map(|_| {
            let (server, over, asked) = (server.clone(), over.clone(), asked.clone());
            let tls = stage.authority.client(None);
            tokio::spawn(async move {
                while !over.load(Ordering::Relaxed) {
                    ask(&server, tls.clone()).await?;
                    asked.fetch_add(1, Ordering::Relaxed);
                }
                Ok::<(), String>(())
            })
        })
        .collect();
    let connector = stage.authority.connector(&["h2"]);
    for _ in 0..5 {
        let (old, _) = shown(&server, &connector).await;
        let before = asked.load(Ordering::Relaxed);
        stage.renew();
        server.hang_up();
        eventually("the new certificate is shown", async || {
            (shown(&server, &connector).await.0 != old).then_some(())
        })
        .await;
        eventually("calls go on", async || {
            (asked.load(Ordering::Relaxed) > before).then_some(())
        })
        .await;
    }
    over.store(true, Ordering::Relaxed);
    for caller in callers {
        caller.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_changed_file_is_found_without_being_told() {
    let stage = Stage::new();
    let server = stage.server(&["--reload-interval", "100ms"]).await;
    let connector = stage.authority.connector(&["h2"]);
    let (old, _) = shown(&server, &connector).await;
    stage.renew();
    eventually("the new certificate is shown", async || {
        (shown(&server, &connector).await.0 != old).then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_makes_no_sense_leaves_the_old_certificate_and_is_counted() {
    let stage = Stage::new();
    let server = stage.process().await;
    let connector = stage.authority.connector(&["h2"]);
    let (old, _) = shown(&server, &connector).await;
    let other = stage.authority.sign(NAME);
    for (number, nonsense) in ["no certificate", &other.cert].into_iter().enumerate() {
        stage.folder.write("cert.pem", nonsense);
        server.hang_up();
        eventually("it is counted", async || {
            let metrics = server.metrics().await;
            let failed = [("outcome", "failed")];
            let failed = metrics.sum_where("stratagem_reload_total", &failed);
            (failed >= (number + 1) as f64).then_some(())
        })
        .await;
        assert_eq!(shown(&server, &connector).await.0, old);
    }
    assert!(server.log().contains("kept what was there"));
    ask(&server, stage.authority.client(None)).await.unwrap();
}

#[tokio::test]
async fn plain_http_to_a_port_with_tls_is_told_so() {
    let stage = Stage::new();
    let server = stage.server(&[]).await;
    let mut tcp = TcpStream::connect(server.address).await.unwrap();
    tcp.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
        .await
        .unwrap();
    let mut answer = Vec::new();
    wait_for("an answer", tcp.read_to_end(&mut answer))
        .await
        .unwrap();
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert!(answer.ends_with("use https:// there\n"), "{answer}");
}

#[tokio::test]
async fn a_handshake_that_does_not_go_on_is_ended() {
    let stage = Stage::new();
    let server = stage.server(&["--handshake-timeout", "100ms"]).await;
    for begun in [&b""[..], b"\x16\x03\x01"] {
        let mut tcp = TcpStream::connect(server.address).await.unwrap();
        tcp.write_all(begun).await.unwrap();
        let mut rest = Vec::new();
        // A reset is an end, too.
        let _ = wait_for("the end", tcp.read_to_end(&mut rest)).await;
    }
    eventually("both are counted", async || {
        (outcomes(&server, "handshake_slow").await >= 2.0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_command_line_speaks_tls_with_and_without_a_certificate() {
    let stage = Stage::new();
    let callers = Authority::new();
    let callers_ca = stage.folder.write("callers.pem", &callers.pem());
    let server = stage.server(&["--tls-client-ca", &callers_ca]).await;
    let own = callers.sign("designer");
    let cert = stage.folder.write("own.pem", &own.cert);
    let key = stage.folder.write("own-key.pem", &own.key);
    let ca = stage.folder.write("ca.pem", &stage.authority.pem());
    let address = format!("https://{}", server.address);
    let line = ["server", "check", "--address", &address, "--ca", &ca];
    let line = [&line[..], &["--domain", NAME]].concat();
    let known = [&line[..], &["--cert", &cert, "--key", &key]].concat();
    command_line::run(&known).with_code(0);
    // As when nobody is there.
    let unknown = command_line::run(&line).with_code(34);
    assert!(unknown.stderr.contains("--cert"), "{unknown:?}");
}

#[test]
fn certificates_that_cannot_be_read_are_told_before_it_starts() {
    let folder = Folder::new();
    let cert = folder.write("cert.pem", "nothing");
    let mut command = Process::command();
    let key = folder.path("missing.pem");
    command.args(["--listen", "127.0.0.1:0", "--metrics-listen", "off"]);
    let output = command
        .args(["--tls-cert", &cert, "--tls-key", &key])
        .output();
    let output = output.expect("the server starts");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("cert.pem"), "{errors}");
}
