//! Calls without gRPC: JSON over HTTP/1.1, gRPC-Web, and which pages may.

use serde_json::{Value, json};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::pki::Folder;
use stratagem_integration_tests::plain::{post, request};
use stratagem_integration_tests::raw::{call, frame};
use stratagem_proto::EXAMPLES;

const INFO: &str = "/stratagem.v1.ServerService/GetServerInfo";
const ALLOCATE: &str = "/stratagem.v1.AllocationService/AllocateTasks";
const STREAM: &str = "/stratagem.v1.AllocationService/StreamAllocateTasks";

/// A request for the plan of an example.
fn wanted(options: &Value) -> Value {
    let example = EXAMPLES.iter().find(|it| it.planner == "allocation");
    let problem: Value = serde_json::from_str(example.unwrap().json).unwrap();
    json!({"problem": problem, "options": options})
}

#[tokio::test]
async fn plans_come_as_documents() {
    let server = Server::start(&[]).await;
    let asked = wanted(&json!({"max_iterations": 50, "seed": 1, "time_budget": "60s"}));
    let id = [("x-request-id", "from-a-shell")];
    let reply = post(server.address, ALLOCATE, &id, &asked.to_string()).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.header("x-request-id"), Some("from-a-shell"));
    let answer = reply.json();
    let status = answer["report"]["status"].as_str().unwrap();
    assert!(["SOLVE_STATUS_FEASIBLE", "SOLVE_STATUS_OPTIMAL"].contains(&status));
    assert!(answer["plan"]["agents"].is_array() || answer["plan"].is_object());
    // In the words of canonical JSON, too, and by the same search.
    let asked = wanted(&json!({"maxIterations": "50", "seed": "1", "timeBudget": "60s"}));
    let again = post(server.address, ALLOCATE, &[], &asked.to_string()).await;
    assert_eq!(again.json()["plan"], answer["plan"]);
    // A message without fields needs no body.
    let info = post(server.address, INFO, &[], "").await;
    assert_eq!(info.status, 200);
    assert!(info.json()["methods"].as_array().unwrap().len() > 10);
}

#[tokio::test]
async fn streams_come_as_lines_with_the_plan_on_the_last() {
    let server = Server::start(&[]).await;
    let asked = wanted(&json!({"max_iterations": 50, "time_budget": "60s"}));
    let reply = post(server.address, STREAM, &[], &asked.to_string()).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.header("content-type"), Some("application/x-ndjson"));
    let lines = reply.lines();
    assert!(lines.iter().all(|line| line["result"].is_object()));
    let last = &lines[lines.len() - 1]["result"];
    assert!(
        last["plan"].is_object() && last["report"].is_object(),
        "{last}"
    );
}

#[tokio::test]
async fn mistakes_come_with_their_fields() {
    let server = Server::start(&[]).await;
    let asked = json!({"problem": {"agents": [{"id": "a", "speed": -1.0}]}});
    let fields = |reply: &Value| {
        let violations = reply["violations"].as_array().unwrap();
        let fields = violations.iter().map(|it| it["field"].as_str().unwrap());
        fields.map(String::from).collect::<Vec<_>>()
    };
    let reply = post(server.address, ALLOCATE, &[], &asked.to_string()).await;
    assert_eq!(reply.status, 400);
    let error = reply.json();
    assert_eq!(error["code"], "INVALID_ARGUMENT");
    let count = fields(&error).len().to_string();
    assert_eq!(error["metadata"]["mistake_count"], count.as_str());
    assert!(
        fields(&error).contains(&"problem.agents[0].speed".to_owned()),
        "{error}"
    );
    // Before the first line there is a status still.
    let reply = post(server.address, STREAM, &[], &asked.to_string()).await;
    assert_eq!(reply.status, 400);
    assert!(!fields(&reply.json()).is_empty());
}

#[tokio::test]
async fn what_is_no_call_is_refused_and_the_server_goes_on() {
    let server = Server::start(&["--request-bytes-max", "100000"]).await;
    let deep = "[".repeat(200);
    let many = format!("{{\"problem\":{{\"tasks\":[{}]}}}}", "{},".repeat(30_000));
    let packed = [("content-encoding", "gzip")];
    for (path, headers, body, status) in [
        (INFO, &[][..], "{", 400),
        (INFO, &[], "[]", 400),
        (INFO, &[], "{} {}", 400),
        (INFO, &[], "{\"nonsense\": 1}", 400),
        (INFO, &[], "\u{feff}{}", 400),
        (INFO, &[], &deep, 413),
        (ALLOCATE, &[], &"x".repeat(100_001), 413),
        (ALLOCATE, &[], &many, 400),
        (INFO, &packed, "{}", 415),
        (INFO, &[("connect-timeout-ms", "soon")], "{}", 400),
        (INFO, &[("grpc-timeout", "soon")], "{}", 400),
        ("/stratagem.v1.ServerService/Nothing", &[], "{}", 404),
        ("/", &[], "{}", 404),
    ] {
        let reply = post(server.address, path, headers, body).await;
        let shown: String = body.chars().take(40).collect();
        assert_eq!(
            reply.status, status,
            "{path} {headers:?} {shown}: {reply:?}"
        );
        assert!(reply.json()["message"].is_string());
    }
    let json = [("content-type", "application/json")];
    let reply = request(server.address, "GET", INFO, &json, b"").await;
    assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")));
    assert_eq!(post(server.address, INFO, &[], "{}").await.status, 200);
}

#[tokio::test]
async fn what_is_refused_is_counted_and_has_a_name() {
    let server = Server::start(&[]).await;
    let id = [("x-request-id", "broken")];
    let reply = post(server.address, INFO, &id, "{").await;
    assert_eq!(reply.status, 400);
    assert_eq!(reply.header("x-request-id"), Some("broken"));
    let timeout = [("connect-timeout-ms", "soon")];
    let reply = post(server.address, ALLOCATE, &timeout, "{}").await;
    assert_eq!(reply.status, 400);
    assert!(reply.header("x-request-id").is_some());
    // What is no method has no number.
    let nothing = "/stratagem.v1.ServerService/Nothing";
    assert_eq!(post(server.address, nothing, &[], "{}").await.status, 404);
    let metrics = server.metrics().await;
    let refused = [("code", "INVALID_ARGUMENT")];
    assert_eq!(metrics.sum_where("stratagem_rpc_total", &refused), 2.0);
    assert_eq!(metrics.sum("stratagem_rpc_total"), 2.0);
}

#[tokio::test]
async fn deadlines_hold_for_callers_in_json() {
    let server = Server::start(&[]).await;
    let asked = wanted(&json!({"time_budget": "60s"})).to_string();
    let timeout = [("connect-timeout-ms", "200")];
    let reply = post(server.address, ALLOCATE, &timeout, &asked).await;
    // A plan in time, or the end of the time: never a minute.
    assert!([200, 504].contains(&reply.status), "{reply:?}");
}

#[tokio::test]
async fn grpc_web_is_spoken() {
    let server = Server::start(&[]).await;
    let kind = [
        ("content-type", "application/grpc-web+proto"),
        ("x-grpc-web", "1"),
    ];
    let reply = request(server.address, "POST", INFO, &kind, &frame(&[])).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(
        reply.header("content-type"),
        Some("application/grpc-web+proto")
    );
    assert_eq!(reply.body[0], 0, "a message first");
    let trailers = String::from_utf8_lossy(&reply.body);
    assert!(trailers.contains("grpc-status:0"), "{trailers:?}");
}

#[tokio::test]
async fn pages_from_elsewhere_may_call_when_they_are_named() {
    let asks = [
        ("origin", "https://play.example"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type"),
    ];
    let allowed = "access-control-allow-origin";
    let origins = ["--web", "https://play.example,https://other.example"];
    let server = Server::start(&origins).await;
    let reply = request(server.address, "OPTIONS", INFO, &asks, b"").await;
    assert_eq!(reply.header(allowed), Some("https://play.example"));
    let reply = post(server.address, INFO, &asks[..1], "{}").await;
    assert_eq!(
        (reply.status, reply.header(allowed)),
        (200, Some("https://play.example"))
    );
    let stranger = [("origin", "https://evil.example")];
    let reply = post(server.address, INFO, &stranger, "{}").await;
    assert_eq!((reply.status, reply.header(allowed)), (403, None));
    assert_eq!(reply.json()["reason"], "ORIGIN_NOT_ALLOWED");
    let server = Server::start(&[]).await;
    let reply = request(server.address, "OPTIONS", INFO, &asks, b"").await;
    assert_eq!((reply.status, reply.header(allowed)), (403, None));
}

#[tokio::test]
async fn names_that_are_not_the_servers_lead_browsers_nowhere() {
    let server = Server::start(&["--playground", "on"]).await;
    let port = server.address.port();
    let rebound = format!("evil.example:{port}");
    let own = format!("localhost:{port}");
    let origin = format!("http://{rebound}");
    let web = ("content-type", "application/grpc-web+proto");
    let json = ("content-type", "application/json");
    for (method, path, kind, body) in [
        ("GET", "/playground/", ("accept", "text/html"), &b""[..]),
        ("POST", INFO, json, b"{}"),
        ("POST", INFO, web, &frame(&[])),
    ] {
        for (host, status) in [(&rebound, 421), (&own, 200)] {
            let headers = [kind, ("host", &**host)];
            let reply = request(server.address, method, path, &headers, body).await;
            assert_eq!(reply.status, status, "{method} {path} {host}: {reply:?}");
        }
        // As a page does after its name was made to lead here.
        let headers = [kind, ("host", &rebound), ("origin", &origin)];
        let reply = request(server.address, method, path, &headers, body).await;
        assert_eq!(reply.status, 421, "{method} {path}: {reply:?}");
        assert_eq!(reply.json()["reason"], "HOST_NOT_ALLOWED");
        // And from a page of its own name.
        let headers = [kind, ("host", &own), ("origin", "https://evil.example")];
        let reply = request(server.address, method, path, &headers, body).await;
        assert_eq!(reply.status, 403, "{method} {path}: {reply:?}");
    }
    let named = Server::start(&["--web-hosts", "play.example"]).await;
    let host = [("host", "play.example")];
    assert_eq!(post(named.address, INFO, &host, "{}").await.status, 200);
    let host = [("host", "evil.example")];
    assert_eq!(post(named.address, INFO, &host, "{}").await.status, 421);
}

#[tokio::test]
async fn programs_speak_grpc_under_any_name_and_pages_do_not() {
    let server = Server::start(&["--listen", "0.0.0.0:0"]).await;
    let local = std::net::SocketAddr::from(([127, 0, 0, 1], server.address.port()));
    let name = format!("http://stratagem.games.svc:{}", local.port());
    let endpoint = tonic::transport::Endpoint::from_shared(format!("http://{local}")).unwrap();
    let endpoint = endpoint.origin(name.parse().unwrap());
    let channel = endpoint.connect().await.unwrap();
    let mut about = stratagem_proto::v1::server_service_client::ServerServiceClient::new(channel);
    let info = stratagem_proto::v1::GetServerInfoRequest {};
    assert!(about.get_server_info(info).await.is_ok());
    // The same bytes with the origin that a browser adds.
    let page = [("origin", "https://evil.example")];
    let refused = call(local, INFO, &page, frame(&[])).await.unwrap();
    assert_eq!(refused.http_status, 403);
}

#[tokio::test]
async fn where_it_is_off_there_is_grpc_only() {
    let server = Server::start(&["--web", "off"]).await;
    let reply = post(server.address, INFO, &[], "{}").await;
    assert_ne!(reply.status, 200, "{reply:?}");
    let mut about = server.about().await;
    let info = stratagem_proto::v1::GetServerInfoRequest {};
    assert!(about.get_server_info(info).await.is_ok());
}

#[tokio::test]
async fn a_shell_creates_jobs_and_watches_them() {
    let folder = Folder::new();
    let server = Server::start(&["--jobs", &folder.path("jobs")]).await;
    let example = EXAMPLES.iter().find(|it| it.planner == "crew").unwrap();
    let problem: Value = serde_json::from_str(example.json).unwrap();
    let asked = json!({"request": {"assign_crew": {"problem": problem}}}).to_string();
    let path = |method: &str| format!("/stratagem.v1.JobService/{method}");
    let reply = post(server.address, &path("CreateJob"), &[], &asked).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    let asked = json!({"job_id": reply.json()["job"]["job_id"]}).to_string();
    let reply = post(server.address, &path("WatchJob"), &[], &asked).await;
    let lines = reply.lines();
    let last = &lines[lines.len() - 1]["result"]["event"];
    assert_eq!(last["state"], "JOB_STATE_SUCCEEDED");
    assert!(
        last["response"]["assign_crew"]["plan"].is_object(),
        "{last}"
    );
}
