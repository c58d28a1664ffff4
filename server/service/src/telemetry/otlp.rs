//! Spans over OTLP (gRPC) to a collector of OpenTelemetry.

use super::TraceContext;
use super::counts::{EXPORTED, FAILED};
use crate::config::Config;
use opentelemetry::trace::{Status as SpanStatus, TraceContextExt as _, TracerProvider as _};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{SpanExporter, WithTonicConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::resource::EnvResourceDetector;
use opentelemetry_sdk::trace::{
    Sampler, SdkTracerProvider, SpanData, SpanExporter as ExportsSpans,
};
use std::sync::atomic::Ordering;
use std::time::Duration;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint};
use tracing::level_filters::LevelFilter;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

/// How long a connection to the collector may take, and how long a batch.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);
/// Most events of one span: plans that a search found. What comes after is counted, not kept.
const EVENTS_MAX: u32 = 128;

/// What exports.
#[derive(Debug)]
pub(super) struct Exporting(Option<SdkTracerProvider>);

impl Exporting {
    pub(super) fn finish(self, patience: Duration) {
        if let Some(Err(error)) = self.0.map(|it| it.shutdown_with_timeout(patience)) {
            tracing::warn!("the last spans: {error}");
        }
    }
}

/// The layer that exports the spans of this server and not those of its libraries: an exporter that
/// traced its own calls would never end.
pub(super) fn open<S>(
    config: &Config,
) -> Result<(Option<impl Layer<S> + use<S>>, Exporting), String>
where
    S: Subscriber + for<'s> LookupSpan<'s>,
{
    let Some(url) = config.otlp_endpoint.url() else {
        return Ok((None, Exporting(None)));
    };
    let provider = provider(config, url)?;
    let tracer = provider.tracer("stratagem");
    let spans = tracing_opentelemetry::layer()
        .with_tracer(tracer)
        .with_context_activation(false)
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_tracked_inactivity(false);
    let ours = ["runtime", "stratagem_server", "wire"].map(|name| (name, LevelFilter::TRACE));
    let ours = Targets::new().with_targets(ours);
    Ok((Some(spans.with_filter(ours)), Exporting(Some(provider))))
}

fn provider(config: &Config, url: &str) -> Result<SdkTracerProvider, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("otlp_endpoint is {url}: {error}");
    // Headers for the collector, such as its token, are OTEL_EXPORTER_OTLP_HEADERS.
    let exporter = SpanExporter::builder()
        .with_tonic()
        .with_channel(channel(config, url)?)
        .build()
        .map_err(|error| wrong(&error))?;
    let share = Sampler::TraceIdRatioBased(config.trace_ratio.get());
    Ok(SdkTracerProvider::builder()
        .with_batch_exporter(Counted(exporter))
        .with_sampler(Sampler::ParentBased(Box::new(share)))
        .with_max_events_per_span(EVENTS_MAX)
        .with_resource(resource(config))
        .build())
}

/// Counts what became of spans. What found no room in the queue is logged by OpenTelemetry itself.
#[derive(Debug)]
struct Counted(SpanExporter);

impl ExportsSpans for Counted {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        // Far below 2^64.
        let spans = batch.len() as u64;
        let result = self.0.export(batch).await;
        let count = if result.is_ok() { &EXPORTED } else { &FAILED };
        count.fetch_add(spans, Ordering::Relaxed);
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

/// Connects when there is something to be sent, and again when the connection is gone.
fn channel(config: &Config, url: &str) -> Result<Channel, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("otlp_endpoint is {url}: {error}");
    let endpoint = Endpoint::from_shared(url.to_owned()).map_err(|error| wrong(&error))?;
    let endpoint = endpoint
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(EXPORT_TIMEOUT);
    let endpoint = match config.otlp_ca.path() {
        None => endpoint,
        Some(path) => {
            let pem = std::fs::read(path);
            let pem = pem.map_err(|error| format!("otlp_ca is {}: {error}", path.display()))?;
            let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem));
            endpoint.tls_config(tls).map_err(|error| wrong(&error))?
        }
    };
    Ok(endpoint.connect_lazy())
}

/// Who exports. What OTEL_RESOURCE_ATTRIBUTES says goes before what is known here.
fn resource(config: &Config) -> Resource {
    let ours = [
        ("service.name", config.service_name.clone()),
        ("service.version", env!("CARGO_PKG_VERSION").to_owned()),
        ("service.instance.id", crate::jobs::worker::server()),
    ];
    Resource::builder_empty()
        .with_attributes(ours.map(|(key, value)| KeyValue::new(key, value)))
        .with_detector(Box::new(EnvResourceDetector::new()))
        .build()
}

/// Lets a span that has not begun belong to a trace from elsewhere.
pub(super) fn adopt(span: &Span, parent: &TraceContext) {
    // Fails where no spans are exported.
    let _ = span.set_parent(Context::new().with_remote_span_context(parent.0.clone()));
}

/// The place of a span in its trace; `None` where no spans are exported.
pub(crate) fn context(span: &Span) -> Option<TraceContext> {
    let context = span.context().span().span_context().clone();
    context.is_valid().then_some(TraceContext(context))
}

/// Notes that what a span is about failed by a fault of ours.
pub(crate) fn fail(span: &Span, why: &'static str) {
    span.set_status(SpanStatus::error(why));
}
