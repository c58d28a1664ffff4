//! The layer around handlers that never end, bodies that never end, and headers of all kinds.

use super::{Call, Calls, Ends};
use crate::auth::Gate;
use crate::config::Config;
use crate::metrics::Metrics;
use crate::status;
use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body::{Body as HttpBody, Frame};
use runtime::Drain;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer as _, Service};

/// What the handler does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Handler {
    Answers,
    NeverAnswers,
    NeverEnds,
    SaysOutOfRange,
}

/// A service that notes the requests that it gets. Whatever it holds while it works is dropped when
/// it is stopped.
#[derive(Clone)]
struct Inner {
    handler: Handler,
    seen: Arc<Mutex<Vec<Request<()>>>>,
    work: Arc<()>,
}

/// A body that has nothing to say and does not end.
struct Silence(#[expect(dead_code, reason = "held to see it dropped")] Arc<()>);

impl HttpBody for Silence {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        Poll::Pending
    }
}

impl Service<Request<Body>> for Inner {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.seen.lock().unwrap().push(request.map(|_| ()));
        let (handler, work) = (self.handler, Arc::clone(&self.work));
        Box::pin(async move {
            match handler {
                Handler::Answers => Ok(Response::new(Body::empty())),
                Handler::NeverAnswers => {
                    std::future::pending::<()>().await;
                    drop(work);
                    Ok(Response::new(Body::empty()))
                }
                Handler::NeverEnds => Ok(Response::new(Body::new(Silence(work)))),
                Handler::SaysOutOfRange => {
                    let response = Response::builder().header("grpc-status", "11");
                    Ok(response.body(Body::empty()).unwrap())
                }
            }
        })
    }
}

struct Stage {
    inner: Inner,
    drain: Drain,
    metrics: Metrics,
}

impl Stage {
    fn new(handler: Handler) -> Self {
        Self {
            inner: Inner {
                handler,
                seen: Arc::default(),
                work: Arc::new(()),
            },
            drain: Drain::default(),
            metrics: Metrics::new(),
        }
    }

    async fn call(&self, path: &str, headers: &[(&str, &str)]) -> Response<Body> {
        let gate = Gate::open(&Config::default(), &self.metrics).unwrap();
        let layer = Calls::new(self.metrics.clone(), self.drain.clone(), gate);
        let mut request = Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).unwrap();
        layer.layer(self.inner.clone()).call(request).await.unwrap()
    }

    /// Requests that reached the handler.
    fn seen(&self) -> Vec<Request<()>> {
        std::mem::take(&mut self.inner.seen.lock().unwrap())
    }

    /// Handlers and bodies that are still at work.
    fn at_work(&self) -> usize {
        Arc::strong_count(&self.inner.work) - 1
    }
}

const METHOD: &str = "/stratagem.v1.AllocationService/AllocateTasks";
const WATCH: &str = "/grpc.health.v1.Health/Watch";

fn code(headers: &HeaderMap) -> Option<Code> {
    status::read(headers).map(|status| status.code())
}

/// The trailers that a body ends with.
async fn trailers(response: Response<Body>) -> HeaderMap {
    let mut body = response.into_body();
    let mut frame = async || poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
    loop {
        let next = frame().await.expect("the body ends with trailers");
        if let Ok(trailers) = next.expect("bodies here do not fail").into_trailers() {
            return trailers;
        }
    }
}

#[tokio::test]
async fn a_handler_learns_when_to_answer_and_tonic_does_not() {
    let stage = Stage::new(Handler::Answers);
    let before = Instant::now();
    stage.call(METHOD, &[("grpc-timeout", "10S")]).await;
    stage.call(METHOD, &[]).await;
    let seen = stage.seen();
    assert!(
        seen.iter()
            .all(|request| !request.headers().contains_key("grpc-timeout"))
    );
    let calls: Vec<&Call> = seen.iter().map(|r| r.extensions().get().unwrap()).collect();
    let until = calls[0].until.unwrap().duration_since(calls[0].arrived);
    assert_eq!(
        until,
        Duration::from_millis(9_980),
        "less the margin, twice"
    );
    assert!(calls[0].arrived >= before);
    assert_eq!(calls[1].until, None);
}

#[test]
fn the_margins_leave_most_of_the_time() {
    let now = Instant::now();
    for (timeout_us, soft_us, hard_us) in [
        (0, 0, 0),
        (1_600, 1_200, 1_400),
        (10_000, 8_800, 9_400),
        (100_000, 95_000, 97_500),
        (60_000_000, 59_980_000, 59_990_000),
    ] {
        let ends = Ends::new(now, Duration::from_micros(timeout_us));
        let after = |moment: Instant| moment.duration_since(now).as_micros();
        assert_eq!(
            (after(ends.soft), after(ends.hard)),
            (soft_us, hard_us),
            "{timeout_us}"
        );
    }
    // The longest that the header can say.
    let ends = Ends::new(now, Duration::from_secs(99_999_999 * 3_600));
    assert!(ends.soft > now && ends.hard >= ends.soft);
}

#[tokio::test]
async fn a_handler_that_does_not_answer_is_stopped_with_deadline_exceeded() {
    let stage = Stage::new(Handler::NeverAnswers);
    let response = stage.call(METHOD, &[("grpc-timeout", "5m")]).await;
    assert_eq!(code(response.headers()), Some(Code::DeadlineExceeded));
    assert_eq!(stage.at_work(), 0);
}

#[tokio::test]
async fn a_body_that_does_not_end_is_ended_with_deadline_exceeded() {
    let stage = Stage::new(Handler::NeverEnds);
    let response = stage.call(METHOD, &[("grpc-timeout", "5m")]).await;
    assert_eq!((code(response.headers()), stage.at_work()), (None, 1));
    assert_eq!(
        code(&trailers(response).await),
        Some(Code::DeadlineExceeded)
    );
    assert_eq!(stage.at_work(), 0);
}

#[tokio::test]
async fn a_caller_that_goes_away_stops_the_work() {
    let stage = Stage::new(Handler::NeverEnds);
    let response = stage.call(METHOD, &[]).await;
    assert_eq!(stage.at_work(), 1);
    drop(response);
    assert_eq!(stage.at_work(), 0);
    let page = stage.metrics.page();
    let line = page
        .lines()
        .find(|line| line.starts_with("stratagem_rpc_total"));
    assert!(
        line.is_some_and(|line| line.contains(r#"code="CANCELLED""#)),
        "{line:?}"
    );
}

#[tokio::test]
async fn a_timeout_that_cannot_be_read_is_refused_unheard() {
    let stage = Stage::new(Handler::Answers);
    let response = stage.call(METHOD, &[("grpc-timeout", "123456789m")]).await;
    assert_eq!(code(response.headers()), Some(Code::InvalidArgument));
    assert!(stage.seen().is_empty());
}

#[tokio::test]
async fn ids_are_taken_from_the_caller_or_made_and_always_sent_back() {
    let stage = Stage::new(Handler::Answers);
    let long = "x".repeat(101);
    let mut ids = Vec::new();
    for given in ["mine", "", long.as_str(), "spoilt\u{e9}"] {
        let response = stage.call(METHOD, &[("x-request-id", given)]).await;
        let id = response.headers()["x-request-id"]
            .to_str()
            .unwrap()
            .to_owned();
        let seen = stage.seen();
        assert_eq!(&*seen[0].extensions().get::<Call>().unwrap().id, id);
        ids.push(id);
    }
    assert_eq!(ids[0], "mine");
    assert!(ids[1..].iter().all(|id| !id.is_empty() && id.len() <= 100));
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 4, "{ids:?}");
}

#[tokio::test]
async fn what_is_too_large_is_resource_exhausted() {
    let stage = Stage::new(Handler::SaysOutOfRange);
    let response = stage.call(METHOD, &[]).await;
    assert_eq!(code(response.headers()), Some(Code::ResourceExhausted));
}

#[tokio::test]
async fn streams_that_would_never_end_end_with_the_server() {
    let stage = Stage::new(Handler::NeverEnds);
    let watch = stage.call(WATCH, &[]).await;
    let search = stage.call(METHOD, &[]).await;
    stage.drain.begin();
    assert_eq!(code(&trailers(watch).await), Some(Code::Unavailable));
    // Searches end by themselves, with the best so far.
    let mut body = search.into_body();
    let frame = poll_fn(|context| Poll::Ready(Pin::new(&mut body).poll_frame(context))).await;
    assert!(frame.is_pending());
}

#[tokio::test]
async fn methods_that_do_not_exist_are_counted_as_one() {
    let stage = Stage::new(Handler::Answers);
    for path in ["/a.B/C", "/d.E/F", METHOD] {
        drop(stage.call(path, &[]).await);
    }
    let page = stage.metrics.page();
    let lines = page
        .lines()
        .filter(|line| line.starts_with("stratagem_rpc_total"));
    assert_eq!(lines.count(), 2, "{page}");
}
