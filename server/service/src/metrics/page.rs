//! What is served on the port for metrics.

use super::Metrics;
use http::{Method, Request, Response, StatusCode, header};
use runtime::Drain;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::task::{Context, Poll};
use tonic::body::Body;

/// Serves the page at `/metrics`, and at `/ready` whether the server takes calls, over HTTP/1.1 and
/// 2.
#[derive(Clone)]
pub(crate) struct Page {
    /// What is on it.
    pub metrics: Metrics,
    /// Begins with the lame duck: no more calls should come.
    pub leaving: Drain,
}

impl tower::Service<Request<Body>> for Page {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let (status, text) = match (request.method(), request.uri().path()) {
            (&Method::GET, "/metrics") => (StatusCode::OK, self.metrics.page()),
            (&Method::GET, "/ready") if self.leaving.has_begun() => {
                (StatusCode::SERVICE_UNAVAILABLE, "leaving\n".into())
            }
            (&Method::GET, "/ready") => (StatusCode::OK, "ready\n".into()),
            _ => {
                let text = "only GET /metrics and /ready are here\n";
                (StatusCode::NOT_FOUND, text.into())
            }
        };
        let mut response = Response::new(Body::new(text));
        *response.status_mut() = status;
        let kind = header::HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        ready(Ok(response))
    }
}
