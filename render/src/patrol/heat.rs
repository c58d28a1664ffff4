//! How well vertices are watched, as colours.

use super::ground::Ground;
use crate::time::{micros, span_text};
use stratagem_proto::v1::{PatrolEvaluation, PatrolVertexCoverage};

/// Colour of what is not known.
pub(super) const UNKNOWN: &str = "#fff";
/// Colour of a vertex that nobody ever sees.
const NEVER: &str = "#333";
/// From what is watched badly to what is watched well.
const SCALE: [[i64; 3]; 3] = [[178, 24, 43], [253, 219, 199], [67, 147, 195]];

/// What is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heat {
    /// The probability that who enters is caught.
    Capture,
    /// The longest time out of sight.
    Idleness,
}

/// What is known of each vertex.
pub(super) struct Watch<'a> {
    heat: Heat,
    each: Vec<Option<&'a PatrolVertexCoverage>>,
    /// The longest time out of sight of all, in microseconds.
    longest_us: i64,
    /// The vertex that is worst for the guards.
    pub(super) worst: Option<usize>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        ground: &Ground<'_>,
        evaluation: Option<&'a PatrolEvaluation>,
        heat: Heat,
    ) -> Self {
        let mut each = vec![None; ground.places.len()];
        for watched in evaluation.iter().flat_map(|e| &e.vertices) {
            if let Some(vertex) = ground.find(&watched.vertex_id) {
                each[vertex] = Some(watched);
            }
        }
        let idle = each.iter().flatten().filter_map(|w| idle_us(w));
        let worst = evaluation.and_then(|e| e.best_response.as_ref());
        // Where all are caught there is none.
        let worst = worst.filter(|w| w.capture_probability < 1.0);
        Self {
            heat,
            longest_us: idle.max().unwrap_or(0).max(1),
            worst: worst.and_then(|w| ground.find(&w.vertex_id)),
            each,
        }
    }

    /// Whether anything is known.
    pub(super) fn is_known(&self) -> bool {
        self.each.iter().any(Option::is_some)
    }

    /// The probability of capture at a vertex.
    pub(super) fn capture(&self, vertex: usize) -> Option<f64> {
        self.each[vertex].map(|w| w.capture_probability)
    }

    /// The colour of a vertex.
    pub(super) fn colour(&self, vertex: usize) -> String {
        let Some(watched) = self.each[vertex] else {
            return UNKNOWN.into();
        };
        match (self.heat, idle_us(watched)) {
            (Heat::Capture, _) => shade(watched.capture_probability),
            (Heat::Idleness, None) => NEVER.into(),
            (Heat::Idleness, Some(us)) => shade(1.0 - us as f64 / self.longest_us as f64),
        }
    }

    /// A vertex in words.
    pub(super) fn words(&self, vertex: usize) -> String {
        let Some(watched) = self.each[vertex] else {
            return String::new();
        };
        let caught = percent(watched.capture_probability);
        match idle_us(watched) {
            Some(us) => format!(
                ": {caught} caught, out of sight for {} at most",
                span_text(us)
            ),
            // Of mixtures nothing is known of that.
            None if self.each.iter().flatten().all(|w| idle_us(w).is_none()) => {
                format!(": {caught} caught")
            }
            None => format!(": {caught} caught, never seen"),
        }
    }

    /// Colours and what they mean, from bad to good.
    pub(super) fn legend(&self) -> Vec<(String, String)> {
        let steps = [0.0, 0.25, 0.5, 0.75, 1.0];
        let text = |share: f64| match self.heat {
            Heat::Capture => percent(share),
            Heat::Idleness => span_text(((1.0 - share) * self.longest_us as f64).round() as i64),
        };
        let mut legend: Vec<_> = steps.iter().map(|s| (shade(*s), text(*s))).collect();
        if self.heat == Heat::Idleness && self.each.iter().flatten().any(|w| idle_us(w).is_none()) {
            legend.insert(0, (NEVER.into(), "never seen".into()));
        }
        legend
    }

    /// What the colours are about.
    pub(super) fn title(&self) -> &'static str {
        match self.heat {
            Heat::Capture => "capture by entry point",
            Heat::Idleness => "out of sight at most",
        }
    }
}

fn idle_us(watched: &PatrolVertexCoverage) -> Option<i64> {
    let idle = watched.worst_idleness_duration.as_ref();
    idle.map(|d| micros(Some(d)).max(0))
}

/// A share as a percentage with at most one decimal; 100% and 0% only where it is so.
pub(super) fn percent(share: f64) -> String {
    let tenths = (share * 1_000.0).round() / 10.0;
    if !tenths.is_finite() {
        return "?".into();
    }
    match tenths {
        t if t >= 100.0 && share < 1.0 => "99.9%".into(),
        t if t <= 0.0 && share > 0.0 => "0.1%".into(),
        t => format!("{t}%"),
    }
}

/// The colour of a share from 0, bad, to 1, good.
fn shade(share: f64) -> String {
    let share = if share.is_finite() { share } else { 0.0 };
    // Whole numbers, the same everywhere.
    let at = (share.clamp(0.0, 1.0) * 200.0).round() as i64;
    let (low, high, part) = if at < 100 {
        (SCALE[0], SCALE[1], at)
    } else {
        (SCALE[1], SCALE[2], at - 100)
    };
    let mixed = |n: usize| low[n] + (high[n] - low[n]) * part / 100;
    format!("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_go_from_red_to_blue() {
        let shades = [-1.0, 0.0, 0.5, 1.0, f64::NAN].map(shade);
        assert_eq!(
            shades,
            ["#b2182b", "#b2182b", "#fddbc7", "#4393c3", "#b2182b"]
        );
    }

    #[test]
    fn only_certainty_is_100_percent() {
        let texts = [0.0, 0.000_01, 0.123_45, 0.999_99, 1.0].map(percent);
        assert_eq!(texts, ["0%", "0.1%", "12.3%", "99.9%", "100%"]);
    }
}
