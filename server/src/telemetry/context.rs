//! W3C Trace Context: which trace a call belongs to, and under which span.
//!
//! Source: W3C Recommendation "Trace Context", 23 November 2021, sections 3.2 (`traceparent`) and
//! 3.3 (`tracestate`).

use http::HeaderMap;
use std::fmt::{Display, Formatter, Result as FmtResult};
use std::str::FromStr;

/// Header with the ids.
const PARENT: &str = "traceparent";
/// Header with what tracing systems want to be carried on.
const STATE: &str = "tracestate";
/// Longest `tracestate` that is carried on, in bytes: as much as everybody has to.
const STATE_BYTES_MAX: usize = 512;

/// A place in a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TraceContext {
    /// The trace, not 0.
    pub trace_id: u128,
    /// The span, not 0.
    pub span_id: u64,
    /// Bit 0: the caller may have kept it.
    pub flags: u8,
    /// What tracing systems want to be carried on.
    pub state: String,
}

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

    /// From `traceparent` and `tracestate`; `None` when the first is no context.
    pub(crate) fn read(parent: &str, state: &str) -> Option<Self> {
        let context: Self = parent.parse().ok()?;
        let fits =
            state.len() <= STATE_BYTES_MAX && state.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        Some(Self {
            state: if fits {
                state.to_owned()
            } else {
                String::new()
            },
            ..context
        })
    }

    /// The trace as everybody writes it.
    pub(crate) fn trace(&self) -> String {
        format!("{:032x}", self.trace_id)
    }

    /// The span as everybody writes it.
    pub(crate) fn span(&self) -> String {
        format!("{:016x}", self.span_id)
    }
}

/// As `traceparent`.
impl Display for TraceContext {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        let Self {
            trace_id,
            span_id,
            flags,
            state: _,
        } = self;
        write!(f, "00-{trace_id:032x}-{span_id:016x}-{flags:02x}")
    }
}

/// From `traceparent`.
impl FromStr for TraceContext {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut parts = text.split('-');
        let mut part = |digits: usize| {
            let part = parts.next().filter(|part| part.len() == digits).ok_or(())?;
            let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            if part.bytes().all(is_hex) {
                u128::from_str_radix(part, 16).map_err(|_| ())
            } else {
                Err(())
            }
        };
        let (version, trace_id, span_id, flags) = (part(2)?, part(32)?, part(16)?, part(2)?);
        // Later versions may have more parts; this one has not, and 255 is none.
        let has_more = parts.next().is_some();
        if version == 0xff || (version == 0 && has_more) || trace_id == 0 || span_id == 0 {
            return Err(());
        }
        Ok(Self {
            trace_id,
            // Sixteen digits, and two: they fit.
            span_id: u64::try_from(span_id).map_err(|_| ())?,
            flags: u8::try_from(flags).map_err(|_| ())? & 1,
            state: String::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{STATE_BYTES_MAX, TraceContext};
    use http::{HeaderMap, HeaderValue};

    const GOOD: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_context_is_read_and_written_as_it_was() {
        let context: TraceContext = GOOD.parse().unwrap();
        assert_eq!(context.to_string(), GOOD);
        assert_eq!(context.trace(), "0af7651916cd43dd8448eb211c80319c");
        assert_eq!(context.span(), "b7ad6b7169203331");
        let later = GOOD.replacen("00", "cc", 1) + "-what-comes-later";
        assert_eq!(later.parse(), Ok(context));
        let flags: TraceContext = GOOD.replace("-01", "-fe").parse().unwrap();
        assert_eq!(flags.flags, 0, "flags that nobody knows are not carried on");
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
            assert_eq!(text.parse::<TraceContext>(), Err(()), "{text}");
        }
    }

    #[test]
    fn headers_carry_one_parent_and_any_number_of_states() {
        let mut headers = HeaderMap::new();
        assert_eq!(TraceContext::from_headers(&headers), None);
        headers.insert("traceparent", HeaderValue::from_static(GOOD));
        headers.append("tracestate", HeaderValue::from_static("a=1"));
        headers.append("tracestate", HeaderValue::from_static("b=2"));
        assert_eq!(
            TraceContext::from_headers(&headers).unwrap().state,
            "a=1,b=2"
        );
        let long = "c=".to_owned() + &"3".repeat(STATE_BYTES_MAX);
        headers.append("tracestate", long.parse().unwrap());
        assert_eq!(TraceContext::from_headers(&headers).unwrap().state, "");
        headers.append("traceparent", HeaderValue::from_static(GOOD));
        assert_eq!(TraceContext::from_headers(&headers), None);
    }
}
