//! Log lines that say which call, and which trace, they belong to.

use super::TraceContext;
use std::fmt::Result as FmtResult;
use std::io::IsTerminal as _;
use std::sync::Arc;
use tracing::{Event, Span, Subscriber};
use tracing_subscriber::Registry;
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::registry::LookupSpan;

/// What lines within a span say.
#[derive(Debug, Clone)]
pub(super) struct Ids {
    /// Id of the call, or of the job.
    pub id: Arc<str>,
    /// Its trace, and its span there.
    pub trace: Option<TraceContext>,
}

/// Notes in a span what lines within it say.
pub(super) fn note(span: &Span, ids: Ids) {
    span.with_subscriber(|(id, subscriber)| {
        let registry = subscriber.downcast_ref::<Registry>();
        if let Some(span) = registry.and_then(|registry| registry.span(id)) {
            span.extensions_mut().replace(ids);
        }
    });
}

/// Whether lines for people are coloured.
pub(super) fn has_colours() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stderr().is_terminal() && !unwanted
}

/// Adds the ids to lines that are objects.
pub(super) fn json<F>(inner: F) -> Lines<F> {
    Lines {
        inner,
        add: |line, key, value| {
            let end = line.trim_end().len().saturating_sub(1);
            line.truncate(end);
            // A text is always JSON.
            let value = serde_json::to_string(value).unwrap_or_default();
            line.push_str(&format!(",\"{key}\":{value}}}\n"));
        },
    }
}

/// Adds the ids at the end of lines for people.
pub(super) fn text<F>(inner: F) -> Lines<F> {
    Lines {
        inner,
        add: |line, key, value| {
            line.truncate(line.trim_end().len());
            line.push_str(&format!(" {key}={value}\n"));
        },
    }
}

/// See [`json`] and [`text`].
pub(super) struct Lines<F> {
    inner: F,
    /// Adds a key and its value to a whole line.
    add: fn(&mut String, &str, &str),
}

impl<S, N, F> FormatEvent<S, N> for Lines<F>
where
    S: Subscriber + for<'s> LookupSpan<'s>,
    N: for<'w> FormatFields<'w> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> FmtResult {
        let mut spans = context.event_scope().into_iter().flatten();
        let Some(ids) = spans.find_map(|span| span.extensions().get::<Ids>().cloned()) else {
            return self.inner.format_event(context, writer, event);
        };
        let mut line = String::new();
        self.inner
            .format_event(context, Writer::new(&mut line), event)?;
        // Some lines say so themselves.
        if event.metadata().fields().field("id").is_none() {
            (self.add)(&mut line, "id", &ids.id);
        }
        if let Some(trace) = &ids.trace {
            (self.add)(&mut line, "trace_id", &trace.trace());
            (self.add)(&mut line, "span_id", &trace.span());
        }
        writer.write_str(&line)
    }
}

#[cfg(test)]
mod tests {
    use super::{json, text};

    #[test]
    fn what_is_added_is_part_of_the_line() {
        let mut line = "{\"message\":\"solved\"}\n".to_owned();
        (json(()).add)(&mut line, "id", "a \"b\"");
        let read: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(
            read,
            serde_json::json!({"message": "solved", "id": "a \"b\""})
        );
        assert!(line.ends_with("}\n"));
        let mut line = "INFO solved\n".to_owned();
        (text(()).add)(&mut line, "id", "7");
        assert_eq!(line, "INFO solved id=7\n");
    }
}
