//! Around every call: when it arrived, how long it may take, its id, and how it ended.
//!
//! tonic by itself answers CANCELLED instead of DEADLINE_EXCEEDED when `grpc-timeout` passes,
//! watches only the response head, so that streams outlive their deadline, and does not give the
//! deadline to the handler. [`Calls`] takes the header away from it and does all three.

mod body;
mod discard;
#[cfg(test)]
mod tests;
mod timeout;

use crate::auth::Gate;
use crate::codec::Packing;
use crate::flight::Received;
use crate::metrics::Metrics;
use crate::status::{self, Refusal};
use crate::telemetry::{self, TraceContext};
use crate::tenant::Tenant;
use body::{CallBody, Ending};
pub(crate) use discard::discard;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue, Request, Response};
use runtime::Drain;
use runtime::Due;
use runtime::timer::{Alarm, sleep_until};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use stratagem_proto::code_name;
use tonic::body::Body;
use tower::{Layer, Service};
use tracing::Span;

/// Header with the id of a call, taken from the caller or made here, and sent back.
const ID_HEADER: &str = "x-request-id";
/// Header with the trace that a call belongs to.
const TRACE_HEADER: &str = "x-trace-id";
/// Longest id taken from a caller.
const ID_BYTES_MAX: usize = 100;

/// What a handler finds in its request's extensions.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// Names the call in logs.
    pub id: Arc<str>,
    /// When its headers were read.
    pub arrived: Instant,
    /// When the answer has to be made, by the call's own deadline.
    pub until: Option<Instant>,
    /// Whose it is.
    pub tenant: Tenant,
    /// Its place in a trace, for what it leads to.
    pub trace: Option<TraceContext>,
}

impl Call {
    /// A call without a deadline that arrives now.
    pub(crate) fn new(id: &str, tenant: Tenant) -> Self {
        Self {
            tenant,
            id: id.into(),
            arrived: Instant::now(),
            until: None,
            trace: None,
        }
    }
}

/// In the extensions of a call that came in another form: when that came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrived(pub Instant);

/// In the extensions of a call that was refused before it became one: it is only counted, and gets
/// its id.
#[derive(Debug, Clone)]
pub(crate) struct TurnedAway(pub tonic::Status);

/// Where a call's time ends, in two steps before the caller's own timer.
struct Ends {
    /// The answer is made.
    soft: Instant,
    /// What still runs is ended with DEADLINE_EXCEEDED: before the timers of caller and proxies,
    /// which would turn the trailers into a reset.
    hard: Instant,
}

impl Ends {
    fn new(arrived: Instant, timeout: Duration) -> Self {
        // Time for the transmission to the caller: a share of their timeout, which grows with their
        // distance.
        let least = WAY_LEAST.min(timeout / 8);
        let way = (timeout / 40).clamp(least, WAY_LONGEST);
        // Far beyond any clock: never.
        let at = |after| arrived.checked_add(after).unwrap_or(arrived + YEAR);
        Self {
            soft: at(timeout - 2 * way),
            hard: at(timeout - way),
        }
    }
}

/// Least and longest time reserved for the transmission of an answer, and again for ending calls
/// without one.
const WAY_LEAST: Duration = Duration::from_micros(600);
const WAY_LONGEST: Duration = Duration::from_millis(10);
const YEAR: Duration = Duration::from_secs(365 * 86_400);

/// Puts [`Call`] into requests and enforces deadlines.
#[derive(Clone)]
pub(crate) struct Calls {
    metrics: Metrics,
    drain: Drain,
    gate: Gate,
    ids: Arc<Ids>,
}

/// Makes ids: when the server started, and a count.
struct Ids {
    start: u64,
    next: AtomicU64,
}

impl Calls {
    pub(crate) fn new(metrics: Metrics, drain: Drain, gate: Gate) -> Self {
        let start = SystemTime::now().duration_since(UNIX_EPOCH);
        // Only has to differ between runs of the server.
        let start = start.map_or(0, |since| since.as_micros() as u64);
        let next = AtomicU64::new(0);
        Self {
            metrics,
            drain,
            gate,
            ids: Arc::new(Ids { start, next }),
        }
    }

    fn id(&self, headers: &HeaderMap) -> Arc<str> {
        let given = headers.get(ID_HEADER).and_then(|id| id.to_str().ok());
        match given.filter(|id| !id.is_empty() && id.len() <= ID_BYTES_MAX) {
            Some(id) => id.into(),
            None => {
                let next = self.ids.next.fetch_add(1, Ordering::Relaxed);
                format!("{:x}-{next}", self.ids.start).into()
            }
        }
    }
}

impl Calls {
    /// What is noted about a call that begins.
    fn record(&self, request: &Request<Body>, arrived: Instant) -> Record {
        let method = request.uri().path().trim_start_matches('/').to_owned();
        let id = self.id(request.headers());
        // Probes ask every second: they are no traces that anybody wants.
        let span = if is_endless(request) {
            Span::none()
        } else {
            telemetry::call(self.metrics.known(&method), &id)
        };
        let trace = telemetry::begin(&span, &id, telemetry::trace_of(request.headers()));
        Record {
            metrics: self.metrics.clone(),
            method,
            id,
            arrived,
            code: None,
            tenant: None,
            received: None,
            _due: None,
            span,
            trace,
        }
    }
}

/// Watching health, reflection: they end when the client likes, and would hold up the drain.
fn is_endless(request: &Request<Body>) -> bool {
    request.uri().path().starts_with("/grpc.")
}

impl<S> Layer<S> for Calls {
    type Service = CallService<S>;

    fn layer(&self, inner: S) -> CallService<S> {
        CallService {
            inner,
            calls: self.clone(),
        }
    }
}

/// See [`Calls`].
#[derive(Clone)]
pub(crate) struct CallService<S> {
    inner: S,
    calls: Calls,
}

impl<S> Service<Request<Body>> for CallService<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = CallFuture<S::Future>;

    fn poll_ready(
        &mut self,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let arrived = request.extensions_mut().remove();
        let arrived = arrived.map_or_else(Instant::now, |Arrived(when)| when);
        let mut record = self.calls.record(&request, arrived);
        if let Some(TurnedAway(status)) = request.extensions_mut().remove() {
            return CallFuture::refused(record, status);
        }
        let entered = record.span.clone().entered();
        // Callers in JSON were authenticated before their document was read.
        let known = request.extensions_mut().remove::<Tenant>();
        let admit = || {
            self.calls
                .gate
                .admit(request.uri().path(), request.headers())
        };
        let tenant = match known.map_or_else(admit, Ok) {
            Ok(tenant) => tenant,
            Err(refusal) => {
                discard(request.into_body());
                return CallFuture::refused(record, refusal.into());
            }
        };
        // What comes after has no use for it.
        request.headers_mut().remove(AUTHORIZATION);
        record.tenant = Some(tenant.clone());
        record.received = request.extensions_mut().remove();
        let ends = match timeout::parse(request.headers()) {
            Ok(timeout) => timeout.map(|timeout| Ends::new(arrived, timeout)),
            Err(refusal) => {
                discard(request.into_body());
                return CallFuture::refused(record, refusal.into());
            }
        };
        // tonic's own timer must not race ours with its CANCELLED.
        request.headers_mut().remove(timeout::HEADER);
        let mut request = match Packing::detach(request) {
            Ok(request) => request,
            Err((refusal, body)) => {
                discard(body);
                return CallFuture::refused(record, refusal.into());
            }
        };
        request.extensions_mut().insert(Call {
            id: Arc::clone(&record.id),
            trace: record.trace.clone(),
            arrived,
            tenant,
            until: ends.as_ref().map(|ends| ends.soft),
        });
        let drain = is_endless(&request).then(|| self.calls.drain.clone());
        let running = Some(Box::pin(self.inner.call(request)));
        drop(entered);
        CallFuture {
            record: Some(record),
            refusal: None,
            running,
            alarm: ends.map(|ends| sleep_until(ends.hard)),
            drain,
        }
    }
}

/// What is counted when a call ends, however it ends.
struct Record {
    metrics: Metrics,
    method: String,
    id: Arc<str>,
    arrived: Instant,
    code: Option<&'static str>,
    /// `None` where it is not known.
    tenant: Option<Tenant>,
    /// The bytes of the request count until the call has ended.
    received: Option<Received>,
    /// Its answer is due: dropped with the rest.
    _due: Option<Due>,
    /// All that happens in the call, and its place in a trace.
    span: Span,
    trace: Option<TraceContext>,
}

impl Record {
    /// Notes the gRPC code, if these headers or trailers carry one.
    fn note(&mut self, headers: &HeaderMap) {
        if let Some(code) = headers.get("grpc-status") {
            self.code = Some(code_name(tonic::Code::from_bytes(code.as_bytes())));
        }
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        // Without a code it never came to its end: the caller went away.
        let code = self.code.unwrap_or("CANCELLED");
        let took = self.arrived.elapsed();
        let _entered = self.span.enter();
        telemetry::called(&self.span, code, self.tenant.as_ref().map(Tenant::name));
        tracing::debug!(id = &*self.id, method = self.method, code, ?took, "called");
        self.metrics.called(&self.method, code, took);
        // Nobody's calls are all calls, or health.
        if let Some(tenant) = self.tenant.as_ref().filter(|it| !it.name().is_empty()) {
            self.metrics.tenant_called(tenant.label(), code);
        }
    }
}

/// A call until its response head.
pub(crate) struct CallFuture<F> {
    record: Option<Record>,
    refusal: Option<tonic::Status>,
    /// Dropped when the time is up: that cancels the work.
    running: Option<Pin<Box<F>>>,
    alarm: Option<Alarm>,
    drain: Option<Drain>,
}

impl<F> CallFuture<F> {
    fn refused(record: Record, refusal: tonic::Status) -> Self {
        Self {
            record: Some(record),
            refusal: Some(refusal),
            running: None,
            alarm: None,
            drain: None,
        }
    }

    /// The response with id, counted to its end.
    fn respond(&mut self, response: Response<Body>) -> Response<Body> {
        let mut record = self.record.take().expect("polled after its end");
        let (mut head, body) = response.into_parts();
        status::too_large_instead_of_out_of_range(&mut head.headers);
        record.note(&head.headers);
        record._due = head.extensions.remove();
        if let Ok(id) = HeaderValue::from_str(&record.id) {
            head.headers.insert(ID_HEADER, id);
        }
        let trace = record.trace.as_ref().map(TraceContext::trace);
        if let Some(trace) = trace.and_then(|trace| HeaderValue::from_str(&trace).ok()) {
            head.headers.insert(TRACE_HEADER, trace);
        }
        let drain = self.drain.take();
        let ending = Ending {
            alarm: self.alarm.take(),
            drain: drain.map(|drain| Box::pin(async move { drain.begun().await }) as _),
        };
        let body = CallBody::new(body, ending, record);
        Response::from_parts(head, Body::new(body))
    }
}

impl<F, E> Future for CallFuture<F>
where
    F: Future<Output = Result<Response<Body>, E>>,
{
    type Output = Result<Response<Body>, E>;

    fn poll(
        mut self: Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Self::Output> {
        use std::task::Poll;
        let this = &mut *self;
        if let Some(running) = &mut this.running {
            let span = this.record.as_ref().map(|record| record.span.enter());
            let polled = running.as_mut().poll(context);
            drop(span);
            if let Poll::Ready(response) = polled {
                this.running = None;
                return Poll::Ready(response.map(|response| this.respond(response)));
            }
        }
        let alarm = this.alarm.as_mut();
        if alarm.is_some_and(|alarm| Pin::new(alarm).poll(context).is_ready()) {
            this.running = None;
            this.alarm = None;
            this.refusal = Some(Refusal::Runtime(runtime::Refusal::Expired).into());
        }
        match this.refusal.take() {
            Some(refusal) => Poll::Ready(Ok(this.respond(refusal.into_http()))),
            None => Poll::Pending,
        }
    }
}
