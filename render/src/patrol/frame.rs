//! From places to pixels.

use super::ground::Ground;

/// Pixels between the outermost vertices and the edge of the map.
const MARGIN: f64 = 28.0;
/// Largest and smallest radius of a vertex.
const RADIUS: [f64; 2] = [2.5, 15.0];

/// Where on a canvas the map is.
pub(super) struct Frame {
    left: f64,
    top: f64,
    scale: f64,
    origin: (f64, f64),
    /// Radius of a vertex in pixels.
    pub(super) radius: f64,
    /// How far apart neighbours are, in pixels.
    pub(super) spacing: f64,
    /// Height of the map in pixels.
    pub(super) height: f64,
}

impl Frame {
    /// A map at `left` and `top`, `width` pixels wide and at most `height` high.
    pub(super) fn new(ground: &Ground<'_>, [left, top, width, height]: [f64; 4]) -> Self {
        let mut low = (f64::INFINITY, f64::INFINITY);
        let mut high = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (x, y) in &ground.places {
            low = (low.0.min(*x), low.1.min(*y));
            high = (high.0.max(*x), high.1.max(*y));
        }
        if ground.places.is_empty() {
            (low, high) = ((0.0, 0.0), (0.0, 0.0));
        }
        let (wide, tall) = (high.0 - low.0, high.1 - low.1);
        let room = (width - 2.0 * MARGIN, height - 2.0 * MARGIN);
        let spacing = ground.spacing();
        // Neighbours are at most 130 pixels apart.
        let scale = (room.0 / wide.max(1e-9))
            .min(room.1 / tall.max(1e-9))
            .min(130.0 / spacing.max(1e-9));
        Self {
            left: left + MARGIN + (room.0 - wide * scale) / 2.0,
            top: top + MARGIN,
            scale,
            origin: low,
            spacing: spacing * scale,
            radius: (0.26 * spacing * scale).clamp(RADIUS[0], RADIUS[1]),
            height: tall * scale + 2.0 * MARGIN,
        }
    }

    /// Where a place is.
    pub(super) fn scaled(&self, place: (f64, f64)) -> (f64, f64) {
        let (x, y) = place;
        (
            self.left + (x - self.origin.0) * self.scale,
            self.top + (y - self.origin.1) * self.scale,
        )
    }
}
