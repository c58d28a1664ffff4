//! Spans that wait to be exported: no more than there is room for, and all that are lost are
//! counted.

use super::counts::{DROPPED, EXPORTED, FAILED};
use opentelemetry::Context;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Span, SpanData, SpanExporter, SpanProcessor,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Spans that wait, or are on their way, at most; some KiB each.
const WAITING_MAX: usize = 4_096;
/// Spans of one message to the collector.
const BATCH_MAX: usize = 512;
/// Spans wait at most so long for others to go with them.
const DELAY: Duration = Duration::from_secs(1);

/// Spans that wait, or are on their way.
type Waiting = Arc<AtomicUsize>;

/// An exporter that counts what became of spans.
#[derive(Debug)]
pub(super) struct Counted<E> {
    exporter: E,
    waiting: Waiting,
    /// Whether the last batch was lost: that is logged once, not with every batch.
    failing: AtomicBool,
}

impl<E> Counted<E> {
    pub(super) fn new(exporter: E) -> (Self, Waiting) {
        let waiting = Waiting::default();
        let counted = Self {
            exporter,
            waiting: Arc::clone(&waiting),
            failing: AtomicBool::new(false),
        };
        (counted, waiting)
    }

    fn count(&self, spans: usize, result: &OTelSdkResult) {
        self.waiting.fetch_sub(spans, Ordering::Relaxed);
        let count = if result.is_ok() { &EXPORTED } else { &FAILED };
        // Far below 2^64.
        count.fetch_add(spans as u64, Ordering::Relaxed);
        let failed = self.failing.swap(result.is_err(), Ordering::Relaxed);
        match result {
            Err(error) if !failed => tracing::warn!("spans are lost: {error}"),
            Ok(()) if failed => tracing::info!("spans are exported again"),
            _ => {}
        }
    }
}

impl<E: SpanExporter> SpanExporter for Counted<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let result = self.exporter.export(batch).await;
        self.count(spans, &result);
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

/// Takes spans for batches as long as there is room for them.
#[derive(Debug)]
pub(super) struct Bounded {
    batches: BatchSpanProcessor,
    waiting: Waiting,
}

impl Bounded {
    pub(super) fn new<E: SpanExporter + 'static>(exporter: Counted<E>, waiting: Waiting) -> Self {
        // All that waits counts here, so that there is always room there.
        let config = BatchConfigBuilder::default()
            .with_max_queue_size(WAITING_MAX)
            .with_max_export_batch_size(BATCH_MAX)
            .with_scheduled_delay(DELAY)
            .build();
        Self {
            batches: BatchSpanProcessor::new(exporter, config),
            waiting,
        }
    }
}

impl SpanProcessor for Bounded {
    fn on_start(&self, span: &mut Span, context: &Context) {
        self.batches.on_start(span, context);
    }

    fn on_end(&self, span: SpanData) {
        if !span.span_context.is_sampled() {
            return;
        }
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= WAITING_MAX {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            DROPPED.fetch_add(1, Ordering::Relaxed);
            return;
        }
        self.batches.on_end(span);
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.batches.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.batches.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.batches.set_resource(resource);
    }
}
