//! Temporal networks: our own message, and two formats of others.
//!
//! Both are JSON documents with bare numbers, which are taken as seconds and rounded to the nearest
//! microsecond (many were made by programs and have all the digits of a binary fraction); keys that
//! are not of the format are skipped.
//!
//! * `stnit/1`, simple temporal networks for improvisational teamwork: `zero` (the id of the
//!   origin), `timepoints` (`id`, and `agent`: `C` is ours, `U` a teammate's), `constraints`
//!   (`from`, `to`, `lb`, `ub`; `null` is no bound).
//! * `stnu/1`, simple temporal networks with uncertainty: `vertices`, and `links` (`from`, `to`,
//!   `lb`, `ub`, and `kind`: `req` is a requirement, `ctg` a contingent link).

mod stnit;
mod stnu;

use super::{Format, Mistake, path_text, read as read_message, top_keys};
use serde::de::DeserializeOwned;
use serde_path_to_error::Track;
use stratagem_proto::v1::{TemporalNetwork, TemporalRequirementLink};
use stratagem_render::time::from_micros;

/// Keys that only documents with a temporal network have.
pub const KEYS: &[&str] = &[
    "events",
    "links",
    "contingent_links",
    "contingentLinks",
    "origin_id",
    "originId",
    "horizon_offset",
    "horizonOffset",
    "timepoints",
    "vertices",
];

/// The longest time that is read, either way: ten years, in seconds. The server's own limit.
const SECONDS_MAX: f64 = 315_360_000.0;

/// Reads a network in any of the formats.
///
/// # Errors
/// The first mistake.
pub fn read(text: &str, format: Format) -> Result<TemporalNetwork, Mistake> {
    let keys = top_keys(text, format);
    let has = |key: &str| keys.iter().any(|k| k == key);
    if format == Format::Json && has("timepoints") {
        stnit::network(document(text)?)
    } else if format == Format::Json && has("vertices") {
        stnu::network(document(text)?)
    } else {
        read_message(text, format)
    }
}

/// A document of another format, known by its fields.
pub(super) fn document<T: DeserializeOwned>(text: &str) -> Result<T, Mistake> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let mut track = Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut deserializer, &mut track);
    T::deserialize(tracked).map_err(|e| Mistake {
        path: path_text(&track.path()),
        ..super::json::mistake(&e)
    })
}

/// A mistake in an element, without its line.
pub(super) fn wrong(path: String, message: impl Into<String>) -> Mistake {
    Mistake {
        message: message.into(),
        at: None,
        path,
    }
}

/// Seconds as a duration of whole microseconds, the nearest; none is no bound.
pub(super) fn duration(
    seconds: Option<f64>,
    path: impl Fn() -> String,
) -> Result<Option<prost_types::Duration>, Mistake> {
    let Some(seconds) = seconds else {
        return Ok(None);
    };
    if !seconds.is_finite() || seconds.abs() > SECONDS_MAX {
        return Err(wrong(path(), format!("{seconds} s is beyond ten years")));
    }
    // At most 3.2e14.
    Ok(Some(from_micros((seconds * 1e6).round() as i64)))
}

/// A requirement between two events.
fn requirement(
    [from, to]: [String; 2],
    [lower, upper]: [Option<prost_types::Duration>; 2],
) -> TemporalRequirementLink {
    TemporalRequirementLink {
        id: String::new(),
        from_event_id: from,
        to_event_id: to,
        lower,
        upper,
    }
}
