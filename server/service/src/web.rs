//! JSON over HTTP, for callers without gRPC: `POST /stratagem.v1.Service/Method` with a message in
//! JSON, by HTTP/1.1 or HTTP/2.
//!
//! A request whose content type is `application/json` becomes the gRPC call that it stands for, is
//! handled like all calls, and comes back as JSON: one document, or, from methods that stream, one
//! line for each message, `{"result": ...}`, and `{"error": ...}` last if it ends badly. Errors are
//! documents with the code, the message and its details; see [`error`]. Field names are those of
//! the contract; requests may use those of canonical JSON, too.
//!
//! gRPC-Web (`application/grpc-web`) is tonic-web's matter, further in.

mod answer;
mod contract;
mod cors;
mod doors;
mod early;
mod error;
mod files;
mod frame;
mod lines;
mod openapi;
mod read;
mod writer;

pub(crate) use cors::pages;
pub(crate) use doors::Doors;
pub(crate) use early::Early;
pub(crate) use files::Files;

use crate::auth::Gate;
use crate::call::{Arrived, TurnedAway};
use formats::messages::{POOL, full_name};
use http::{Request, Response};
use prost_reflect::MethodDescriptor;
use runtime::work::Desk;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;
use tonic::body::Body;
use tower::{Layer, Service};

/// The content type of requests and answers.
const JSON: &str = "application/json";

/// Methods by their paths.
#[derive(Debug)]
struct Methods(BTreeMap<String, MethodDescriptor>);

impl Methods {
    /// All methods of the contract.
    fn new() -> Self {
        let methods = POOL
            .services()
            .flat_map(|service| service.methods().collect::<Vec<_>>());
        let methods = methods.map(|method| (format!("/{}", full_name(&method)), method));
        Self(methods.collect())
    }
}

/// Lets callers speak JSON.
#[derive(Clone)]
pub(crate) struct Web {
    methods: Arc<Methods>,
    desk: Desk,
    gate: Gate,
    bytes_max: usize,
}

impl Web {
    /// Bodies have a limit of bytes; callers that may not call are refused before they are read.
    pub(crate) fn new(desk: Desk, gate: Gate, bytes_max: usize) -> Self {
        Self {
            methods: Arc::new(Methods::new()),
            desk,
            gate,
            bytes_max,
        }
    }
}

impl<S> Layer<S> for Web {
    type Service = WebService<S>;

    fn layer(&self, inner: S) -> WebService<S> {
        WebService {
            inner,
            web: self.clone(),
        }
    }
}

/// See [`Web`].
#[derive(Clone)]
pub(crate) struct WebService<S> {
    inner: S,
    web: Web,
}

impl<S> Service<Request<Body>> for WebService<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if !read::is_json(&request) {
            return Box::pin(self.inner.call(request));
        }
        // The one that was asked whether it is ready.
        let next = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, next);
        let web = self.web.clone();
        let arrived = Arrived(Instant::now());
        let mut empty = read::empty(&web, &request);
        Box::pin(async move {
            match read::call(&web, request).await {
                Ok((method, writer, mut call)) => {
                    call.extensions_mut().insert(arrived);
                    let response = inner.call(call).await?;
                    Ok(answer::json_answer(writer, method, response).await)
                }
                Err(refused) => {
                    let mut response = refused.response();
                    // What stands for no method is no call.
                    if let Some(mut call) = empty.take() {
                        call.extensions_mut().insert(arrived);
                        let turned_away = TurnedAway(refused.status().clone());
                        call.extensions_mut().insert(turned_away);
                        let counted = inner.call(call).await?;
                        answer::named(counted.headers(), response.headers_mut());
                    }
                    Ok(response)
                }
            }
        })
    }
}
