//! W3C Trace Context: which trace a call belongs to, and under which span.
//!
//! Source: W3C Recommendation "Trace Context", 23 November 2021, sections 3.2 (`traceparent`) and
//! 3.3 (`tracestate`).

use http::HeaderMap;
use opentelemetry::trace::{SpanContext, SpanId, TraceFlags, TraceId};
use std::fmt::{Display, Formatter, Result as FmtResult};

/// Header with the ids.
const PARENT: &str = "traceparent";
/// Header with what tracing systems want to be carried on.
const STATE: &str = "tracestate";
/// Longest `tracestate` that is carried on, in bytes: as much as everybody has to.
const STATE_BYTES_MAX: usize = 512;

/// A valid place in a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TraceContext(pub(super) SpanContext);

impl TraceContext {
    /// From the headers of a call. What is no context is passed over: nobody is refused for the
    /// mistakes of proxies.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let mut given = headers.get_all(PARENT).into_iter();
        let parent = given.next()?.to_str().ok()?;
        // More than one is none.
        if given.next().is_some() {
            return None;
        }
        let states = headers.get_all(STATE).into_iter();
        let states: Vec<_> = states.filter_map(|state| state.to_str().ok()).collect();
        Self::read(parent, &states.join(","))
    }

    /// From `traceparent` and `tracestate`; `None` when the first is no context. The propagator of
    /// OpenTelemetry takes ids of fewer digits, and with signs.
    pub(crate) fn read(parent: &str, state: &str) -> Option<Self> {
        let parts: Vec<&str> = parent.split('-').collect();
        let [version, trace, span, flags, later @ ..] = &*parts else {
            return None;
        };
        let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let has = |part: &str, digits| part.len() == digits && part.bytes().all(is_hex);
        let is_read = has(version, 2) && has(trace, 32) && has(span, 16) && has(flags, 2);
        // Later versions may have more parts; this one has not, and 255 is none.
        if !is_read || *version == "ff" || (*version == "00" && !later.is_empty()) {
            return None;
        }
        let state = Some(state).filter(|state| state.len() <= STATE_BYTES_MAX);
        let context = SpanContext::new(
            TraceId::from_hex(trace).ok()?,
            SpanId::from_hex(span).ok()?,
            TraceFlags::new(u8::from_str_radix(flags, 16).ok()?) & TraceFlags::SAMPLED,
            true,
            state
                .and_then(|state| state.parse().ok())
                .unwrap_or_default(),
        );
        context.is_valid().then_some(Self(context))
    }

    /// The trace as everybody writes it.
    pub(crate) fn trace(&self) -> String {
        self.0.trace_id().to_string()
    }

    /// The span as everybody writes it.
    pub(crate) fn span(&self) -> String {
        self.0.span_id().to_string()
    }

    /// As `tracestate`.
    pub(crate) fn state(&self) -> String {
        self.0.trace_state().header()
    }
}

/// As `traceparent`.
impl Display for TraceContext {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let (trace, span) = (self.trace(), self.span());
        write!(f, "00-{trace}-{span}-{:02x}", self.0.trace_flags())
    }
}

#[cfg(test)]
mod tests {
    use super::{STATE_BYTES_MAX, TraceContext};
    use http::{HeaderMap, HeaderValue};

    const GOOD: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_context_is_read_and_written_as_it_was() {
        let context = TraceContext::read(GOOD, "").unwrap();
        assert_eq!(context.to_string(), GOOD);
        assert_eq!(context.trace(), "0af7651916cd43dd8448eb211c80319c");
        assert_eq!(context.span(), "b7ad6b7169203331");
        let later = GOOD.replacen("00", "cc", 1) + "-what-comes-later";
        assert_eq!(TraceContext::read(&later, ""), Some(context));
        let flags = TraceContext::read(&GOOD.replace("-01", "-fe"), "").unwrap();
        let none = GOOD.replace("-01", "-00");
        assert_eq!(
            flags.to_string(),
            none,
            "flags that nobody knows are not carried on"
        );
    }

    #[test]
    fn what_is_no_context_is_none() {
        let zeros = "0".repeat(32);
        for text in [
            "",
            "00",
            &GOOD[..54],
            &GOOD.to_uppercase(),
            &GOOD.replacen("00", "ff", 1),
            &format!("{GOOD}-more"),
            &GOOD.replace("0af7651916cd43dd8448eb211c80319c", &zeros),
            &GOOD.replace("b7ad6b7169203331", &zeros[..16]),
            &GOOD.replace("b7ad", "+7ad"),
            &GOOD.replace('-', "_"),
        ] {
            assert_eq!(TraceContext::read(text, ""), None, "{text}");
        }
    }

    #[test]
    fn headers_carry_one_parent_and_any_number_of_states() {
        let mut headers = HeaderMap::new();
        assert_eq!(TraceContext::from_headers(&headers), None);
        headers.insert("traceparent", HeaderValue::from_static(GOOD));
        headers.append("tracestate", HeaderValue::from_static("a=1"));
        headers.append("tracestate", HeaderValue::from_static("b=2"));
        let state = |headers: &HeaderMap| TraceContext::from_headers(headers).unwrap().state();
        assert_eq!(state(&headers), "a=1,b=2");
        let long = "c=".to_owned() + &"3".repeat(STATE_BYTES_MAX);
        headers.append("tracestate", long.parse().unwrap());
        assert_eq!(state(&headers), "");
        headers.append("traceparent", HeaderValue::from_static(GOOD));
        assert_eq!(TraceContext::from_headers(&headers), None);
    }
}
