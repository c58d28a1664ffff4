//! A server within the test, over a real socket: what `serve` guarantees.

use stratagem_proto::v1 as pb;
use stratagem_proto::v1::allocation_service_client::AllocationServiceClient;
use stratagem_server::config::{MetricsListen, Span};
use stratagem_server::{Config, Running, serve};

async fn server() -> Running {
    let config = Config {
        listen: ([127, 0, 0, 1], 0).into(),
        metrics_listen: MetricsListen(Some(([127, 0, 0, 1], 0).into())),
        slots: 2,
        lame_duck: Span::from_millis(0),
        ..Config::default()
    };
    serve(config).await.expect("free ports can be listened on")
}

fn place(x: f64) -> Option<pb::AllocationPlace> {
    let at = pb::allocation_place::At::Point(pb::AllocationPoint { x, y: 0.0 });
    Some(pb::AllocationPlace { at: Some(at) })
}

fn request() -> pb::AllocateTasksRequest {
    let agent = pb::AllocationAgent {
        id: "a".into(),
        start: place(0.0),
        ..Default::default()
    };
    let task = |id: &str, x| pb::AllocationTask {
        id: id.into(),
        place: place(x),
        ..Default::default()
    };
    pb::AllocateTasksRequest {
        problem: Some(pb::AllocationProblem {
            agents: vec![agent],
            tasks: vec![task("near", 1.0), task("far", 2.0)],
            ..Default::default()
        }),
        options: Some(pb::SolveOptions {
            max_iterations: Some(1_000),
            ..Default::default()
        }),
    }
}

#[tokio::test]
async fn a_server_answers_and_stops_with_grace() {
    let server = server().await;
    let url = format!("http://{}", server.address());
    let mut client = AllocationServiceClient::connect(url).await.unwrap();
    let answer = client.allocate_tasks(request()).await.unwrap().into_inner();
    let routes = answer.plan.unwrap().routes;
    assert_eq!(routes.len(), 1);
    assert_eq!(routes[0].travel_cost, 2.0);
    assert!(server.metrics().contains("stratagem_solve_total"));
    drop(client);
    assert!(server.shut_down().await);
}

#[tokio::test]
async fn servers_in_one_process_count_for_themselves() {
    let (one, other) = (server().await, server().await);
    let url = format!("http://{}", one.address());
    let mut client = AllocationServiceClient::connect(url).await.unwrap();
    client.allocate_tasks(request()).await.unwrap();
    assert!(one.metrics().contains("stratagem_solve_total{"));
    assert!(!other.metrics().contains("stratagem_solve_total{"));
}
