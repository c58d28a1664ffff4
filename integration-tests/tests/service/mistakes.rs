//! Invalid requests: INVALID_ARGUMENT, every mistake in one answer, each with its field and
//! reason.

use crate::asking::ask;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::problems::{allocate, iterations, point, row, task, window};
use stratagem_proto::v1::{SolveEngineOptions, SolveOptions};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// Field and reason of every mistake, in their order.
pub(crate) fn mistakes(status: &Status) -> Vec<(String, String)> {
    assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
    let details = status.get_error_details();
    let info = details.error_info().expect("errors carry an ErrorInfo");
    assert_eq!(
        (info.reason.as_str(), info.domain.as_str()),
        ("INVALID_REQUEST", "stratagem.dev")
    );
    let violations = &details
        .bad_request()
        .expect("mistakes are listed")
        .field_violations;
    for violation in violations {
        assert!(!violation.description.is_empty(), "{violation:?}");
    }
    let pair = |v: &tonic_types::FieldViolation| (v.field.clone(), v.reason.clone());
    violations.iter().map(pair).collect()
}

#[tokio::test]
async fn everything_is_said_at_once_and_the_same_by_both_methods() {
    let server = Server::start(&[]).await;
    let mut problem = row();
    problem.agents[1].id = "ann".into();
    problem.tasks[0].place = Some(point(f64::NAN, 2e6));
    problem.tasks[2].windows = vec![window(5, 4)];
    let options = SolveOptions {
        engine: Some(SolveEngineOptions {
            threads: Some(-1),
            parallel_width: None,
        }),
        ..iterations(-1, 0)
    };
    let wanted = [
        ("problem.agents[1].id", "DUPLICATE"),
        ("problem.tasks[0].place.point.x", "NOT_FINITE"),
        ("problem.tasks[0].place.point.y", "OUT_OF_RANGE"),
        ("problem.tasks[2].windows[0].close_offset", "REVERSED"),
        ("options.max_iterations", "OUT_OF_RANGE"),
        ("options.engine.threads", "OUT_OF_RANGE"),
    ];
    let mut wanted: Vec<_> = wanted.map(|(f, r)| (f.to_owned(), r.to_owned())).into();
    wanted.sort();
    let mut client = server.allocation().await;
    let request = allocate(problem.clone(), options.clone());
    let mut unary = mistakes(&client.allocate_tasks(request).await.unwrap_err());
    let request = allocate(problem, options);
    let mut streamed = mistakes(&client.stream_allocate_tasks(request).await.unwrap_err());
    unary.sort();
    streamed.sort();
    assert_eq!(unary, wanted);
    assert_eq!(streamed, wanted);
}

#[tokio::test]
async fn a_hundred_mistakes_are_listed_and_all_are_counted() {
    let server = Server::start(&[]).await;
    let mut problem = row();
    problem.tasks = (0..150).map(|_| task("same", 0.0, 0.0)).collect();
    let status = ask(&server, problem, iterations(1, 0)).await.unwrap_err();
    let found = mistakes(&status);
    assert_eq!(found.len(), 100);
    assert_eq!(
        found[99],
        ("problem.tasks[100].id".into(), "DUPLICATE".into())
    );
    assert!(status.message().contains("149"), "{}", status.message());
}
