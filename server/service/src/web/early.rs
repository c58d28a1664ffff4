//! A layer that answers some requests itself, and hands on the others.

use http::{Request, Response};
use std::pin::Pin;
use std::task::{Context, Poll};
use tonic::body::Body;
use tower::{Layer, Service};

/// What is answered early.
pub(crate) trait Answers: Clone {
    /// The answer to a request. `None`: others answer it.
    fn answer(&self, request: &Request<Body>) -> Option<Response<Body>>;
}

/// The layer. Bodies of requests that it answers are not read by anybody else.
#[derive(Debug, Clone)]
pub(crate) struct Early<A>(pub A);

impl<S, A: Clone> Layer<S> for Early<A> {
    type Service = EarlyService<S, A>;

    fn layer(&self, inner: S) -> EarlyService<S, A> {
        EarlyService {
            inner,
            answers: self.0.clone(),
        }
    }
}

/// See [`Early`].
#[derive(Debug, Clone)]
pub(crate) struct EarlyService<S, A> {
    inner: S,
    answers: A,
}

impl<S, A: Answers> Service<Request<Body>> for EarlyService<S, A>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        match self.answers.answer(&request) {
            None => Box::pin(self.inner.call(request)),
            Some(response) => {
                crate::call::discard(request.into_body());
                Box::pin(async move { Ok(response) })
            }
        }
    }
}
