//! Attributes of spans, for their trace alone: log lines do not print them.

use tracing::Span;

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Text.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A number.
    Real(f64),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Whole(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

/// Notes an attribute of a span.
#[cfg(feature = "otlp")]
pub fn set(span: &Span, key: &'static str, value: impl Into<Value>) {
    use tracing_opentelemetry::OpenTelemetrySpanExt as _;
    let value: opentelemetry::Value = match value.into() {
        Value::Text(text) => text.into(),
        Value::Whole(number) => number.into(),
        Value::Real(number) => number.into(),
    };
    span.set_attribute(key, value);
}

/// Notes nothing: without the feature `otlp` there are no traces.
#[cfg(not(feature = "otlp"))]
pub fn set(_: &Span, _: &'static str, _: impl Into<Value>) {}
