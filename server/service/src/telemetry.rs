//! Traces and log lines: what happened within one call, on whatever servers.
//!
//! The context of a trace (W3C Trace Context) comes with a call, goes on with what the call leads
//! to, and stands in every log line within it, whether this server exports traces or not. Where it
//! does, the spans of `tracing` are those of OpenTelemetry: what is named here is exported, and
//! nothing of the libraries below. Exporting is a thread and a bounded queue of its own: a
//! collector that is slow or gone costs spans, never time.

mod context;
mod counts;
mod lines;
#[cfg(not(feature = "otlp"))]
mod off;
#[cfg(feature = "otlp")]
mod otlp;

pub(crate) use context::TraceContext;
pub(crate) use counts::spans;
#[cfg(not(feature = "otlp"))]
use off as otlp;
pub(crate) use otlp::{context, fail};
pub(crate) use runtime::attributes::set;

use crate::config::{Config, LogFormat};
use http::HeaderMap;
use lines::Ids;
use std::sync::Arc;
use std::time::Duration;
use tracing::Span;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::prelude::*;

/// Makes a span part of a trace from elsewhere, if there is one, and notes the `id` and the trace
/// that every log line within it prints. Returns the context to pass on: the span's own, or the
/// caller's where no span is exported.
pub(crate) fn begin(
    span: &Span,
    id: &Arc<str>,
    from: Option<TraceContext>,
) -> Option<TraceContext> {
    if let Some(from) = &from {
        otlp::adopt(span, from);
    }
    let trace = context(span).or(from);
    lines::note(
        span,
        Ids {
            id: Arc::clone(id),
            trace: trace.clone(),
        },
    );
    trace
}

/// The span of a call of this method.
pub(crate) fn call(method: &str, id: &str) -> Span {
    // Errors are logged whatever else is not, and they have to say which call they are about.
    let span = tracing::error_span!("call", otel.name = method, otel.kind = "server", id);
    set(&span, "rpc.system.name", "grpc");
    set(&span, "rpc.method", method);
    span
}

/// A call has ended with this code; it belongs to a tenant, if that is known.
pub(crate) fn called(span: &Span, code: &'static str, tenant: Option<&str>) {
    set(span, "rpc.response.status_code", code);
    if let Some(tenant) = tenant.filter(|tenant| !tenant.is_empty()) {
        set(span, "stratagem.tenant", tenant);
    }
    if OURS.contains(&code) {
        fail(span, code);
    }
}

/// Codes that are no fault of the caller.
const OURS: [&str; 6] = [
    "DATA_LOSS",
    "DEADLINE_EXCEEDED",
    "INTERNAL",
    "UNAVAILABLE",
    "UNIMPLEMENTED",
    "UNKNOWN",
];

/// The trace that a call belongs to.
pub(crate) fn trace_of(headers: &HeaderMap) -> Option<TraceContext> {
    TraceContext::from_headers(headers)
}

/// The log and the traces of a process.
#[derive(Debug)]
pub struct Telemetry(otlp::Exporting);

impl Telemetry {
    /// Logs to stderr, panics too, in one line each; exports traces if the settings name a
    /// collector. Once in a process.
    ///
    /// # Errors
    /// A collector that cannot be one, or files about it that cannot be read.
    ///
    /// # Panics
    /// Outside of a tokio runtime, or the second time.
    pub fn start(config: &Config) -> Result<Self, String> {
        let (spans, exporting) = otlp::open(config)?;
        // `load` has checked it.
        let filter: Targets = config.log.parse().unwrap_or_default();
        let lines = tracing_subscriber::fmt::layer()
            .with_writer(std::io::stderr)
            .with_span_events(FmtSpan::NONE)
            .with_ansi(lines::has_colours());
        let lines = match config.log_format {
            LogFormat::Json => {
                let lines = lines.json().flatten_event(true).with_current_span(false);
                let lines = lines.with_span_list(false).map_event_format(lines::json);
                lines.with_filter(filter).boxed()
            }
            LogFormat::Text => {
                let lines = lines.map_event_format(lines::text);
                lines.with_filter(filter).boxed()
            }
        };
        tracing_subscriber::registry()
            .with(lines)
            .with(spans)
            .init();
        std::panic::set_hook(Box::new(|panic| {
            let place = panic.location().map(ToString::to_string);
            tracing::error!(place, "panic: {}", text(panic.payload()));
        }));
        Ok(Self(exporting))
    }

    /// Exports what is left, for no longer than this. What happens afterwards is not exported.
    pub fn finish(self, patience: Duration) {
        self.0.finish(patience);
    }
}

/// What a panic says.
fn text(payload: &(dyn std::any::Any + Send)) -> &str {
    let fixed = payload.downcast_ref::<&str>().copied();
    let made = payload.downcast_ref::<String>().map(String::as_str);
    fixed.or(made).unwrap_or_default()
}
