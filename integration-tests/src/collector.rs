//! A collector of OpenTelemetry that keeps the spans that it is sent.

use crate::patience::eventually;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::ResourceSpans;
pub use opentelemetry_proto::tonic::trace::v1::Span;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

/// What was received so far.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<ResourceSpans>>>);

#[tonic::async_trait]
impl TraceService for Kept {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let spans = request.into_inner().resource_spans;
        self.0.lock().expect("nobody panics with it").extend(spans);
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

/// A collector on a free port; gone when dropped.
pub struct Collector {
    address: SocketAddr,
    kept: Kept,
    serving: JoinHandle<()>,
}

impl Collector {
    /// Starts one.
    ///
    /// # Panics
    /// When no port is free.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let kept = Kept::default();
        let serving = tonic::transport::Server::builder()
            .add_service(TraceServiceServer::new(kept.clone()))
            .serve_with_incoming(TcpListenerStream::new(listener));
        let serving = tokio::spawn(async move { serving.await.expect("it serves") });
        Self {
            address,
            kept,
            serving,
        }
    }

    /// Its address as a server wants it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Who sent spans, once somebody did.
    pub async fn resource(&self) -> Vec<KeyValue> {
        eventually("spans come", async || {
            let kept = self.kept.0.lock().expect("nobody panics with it");
            Some(kept.first()?.resource.clone()?.attributes)
        })
        .await
    }

    /// All spans of a trace, in the order in which they came.
    ///
    /// # Panics
    /// When somebody did with the lock.
    #[must_use]
    pub fn spans(&self, trace_id: &str) -> Vec<Span> {
        let kept = self.kept.0.lock().expect("nobody panics with it");
        let scopes = kept.iter().flat_map(|one| &one.scope_spans);
        let spans = scopes.flat_map(|scope| &scope.spans);
        let of_trace = |span: &&Span| hex(&span.trace_id) == trace_id;
        spans.filter(of_trace).cloned().collect()
    }

    /// The spans of a trace, once one of this name is among them: a parent comes after its
    /// children.
    pub async fn trace(&self, trace_id: &str, last: &str) -> Vec<Span> {
        eventually("the whole trace", async || {
            let spans = self.spans(trace_id);
            let is_whole = spans.iter().any(|span| span.name == last);
            is_whole.then_some(spans)
        })
        .await
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Bytes as ids are written.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The only span of this name.
///
/// # Panics
/// When there is none, or more than one.
#[must_use]
pub fn named<'s>(spans: &'s [Span], name: &str) -> &'s Span {
    let mut found = spans.iter().filter(|span| span.name == name);
    let names: Vec<_> = spans.iter().map(|span| &span.name).collect();
    let one = found
        .next()
        .unwrap_or_else(|| panic!("{name} in {names:?}"));
    assert!(found.next().is_none(), "one {name} in {names:?}");
    one
}

/// An attribute as text; `None` when it is not there.
#[must_use]
pub fn attribute(attributes: &[KeyValue], key: &str) -> Option<String> {
    let found = attributes.iter().find(|attribute| attribute.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        any_value::Value::StringValue(text) => Some(text.clone()),
        any_value::Value::IntValue(number) => Some(number.to_string()),
        any_value::Value::DoubleValue(number) => Some(number.to_string()),
        other => Some(format!("{other:?}")),
    }
}
