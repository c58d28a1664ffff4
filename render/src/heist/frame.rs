//! From places to pixels: where rooms are, and ways between them.

use super::layout::Layout;
use super::scene::Scene;

/// A room in pixels, and the least room between two.
const ROOM: (f64, f64) = (112.0, 66.0);
const GAP: (f64, f64) = (52.0, 46.0);
/// From a room to a way that goes past it, in pixels.
const PASS: f64 = 7.0;
/// A map in pixels, at most; larger ones have smaller rooms.
const SIDE_MAX: f64 = 6_000.0;

/// Where on a canvas rooms are.
pub(super) struct Frame {
    /// The middle of each room.
    pub(super) middles: Vec<(f64, f64)>,
    /// Width and height of rooms.
    pub(super) room: (f64, f64),
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Frame {
    /// A map with its upper left corner at a point.
    pub(super) fn new(scene: &Scene<'_>, layout: &Layout, [left, top]: [f64; 2]) -> Self {
        let places = &layout.places;
        let least = |of: fn(&(f64, f64)) -> f64| places.iter().map(of).fold(f64::MAX, f64::min);
        let most = |of: fn(&(f64, f64)) -> f64| places.iter().map(of).fold(f64::MIN, f64::max);
        if places.is_empty() {
            return Self {
                middles: Vec::new(),
                room: ROOM,
                width: 0.0,
                height: 0.0,
            };
        }
        let low = (least(|p| p.0), least(|p| p.1));
        let high = (most(|p| p.0), most(|p| p.1));
        let own = scene
            .world
            .rooms
            .iter()
            .any(|r| r.x.is_none() || r.y.is_none());
        let step = (ROOM.0 + GAP.0, ROOM.1 + GAP.1);
        let scale = if own {
            step
        } else {
            let scale = scale_apart(places, step.0, step.1);
            (scale, scale)
        };
        let wide = (high.0 - low.0) * scale.0 + ROOM.0;
        let tall = (high.1 - low.1) * scale.1 + ROOM.1;
        let shrink = (SIDE_MAX / wide.max(tall)).min(1.0);
        let room = (ROOM.0 * shrink, ROOM.1 * shrink);
        let middle = |(x, y): &(f64, f64)| {
            (
                left + room.0 / 2.0 + (x - low.0) * scale.0 * shrink,
                top + room.1 / 2.0 + (y - low.1) * scale.1 * shrink,
            )
        };
        Self {
            middles: places.iter().map(middle).collect(),
            room,
            width: wide * shrink,
            height: tall * shrink,
        }
    }

    /// The ends of a straight line from the edge of one room to that of another, moved to its right
    /// by `aside` pixels so that it passes what lies between.
    pub(super) fn way(&self, [from, to]: [usize; 2], aside: f64) -> [(f64, f64); 2] {
        let (a, b) = (self.middles[from], self.middles[to]);
        let (x, y) = (b.0 - a.0, b.1 - a.1);
        let long = x.hypot(y).max(1e-6);
        let (x, y) = (x / long, y / long);
        let half = (self.room.0 / 2.0, self.room.1 / 2.0);
        let aside = if self.is_blocked([from, to]) {
            aside + PASS + half.0 * y.abs() + half.1 * x.abs()
        } else {
            aside
        };
        let out = |half: f64, part: f64| match part.abs() {
            part if part < 1e-9 => f64::MAX,
            part => half / part,
        };
        let edge = out(half.0, x).min(out(half.1, y)).min(long / 2.0);
        let beside = |px: f64, py: f64| (px - y * aside, py + x * aside);
        [
            beside(a.0 + x * edge, a.1 + y * edge),
            beside(b.0 - x * edge, b.1 - y * edge),
        ]
    }

    /// Whether a third room lies between the middles of two.
    fn is_blocked(&self, ends: [usize; 2]) -> bool {
        let [a, b] = ends.map(|room| self.middles[room]);
        let others = self.middles.iter().enumerate();
        let mut others = others.filter(|(room, _)| !ends.contains(room));
        others.any(|(_, middle)| crosses([a, b], *middle, self.room))
    }
}

/// Whether a straight line meets a rectangle, by its middle and size: it is clipped, side by side.
fn crosses([a, b]: [(f64, f64); 2], middle: (f64, f64), size: (f64, f64)) -> bool {
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (from, to, at, long) in [(a.0, b.0, middle.0, size.0), (a.1, b.1, middle.1, size.1)] {
        let (low, high, step) = (at - long / 2.0, at + long / 2.0, to - from);
        if step.abs() < 1e-9 {
            if from < low || from > high {
                return false;
            }
            continue;
        }
        let (one, other) = ((low - from) / step, (high - from) / step);
        first = first.max(one.min(other));
        last = last.min(one.max(other));
    }
    first < last
}

/// The least scale at which no two rooms lie on each other; those in one place do.
fn scale_apart(places: &[(f64, f64)], wide: f64, tall: f64) -> f64 {
    let mut scale: f64 = 0.0;
    for (n, one) in places.iter().enumerate() {
        for other in &places[n + 1..] {
            let (x, y) = ((one.0 - other.0).abs(), (one.1 - other.1).abs());
            if x > 1e-9 || y > 1e-9 {
                scale = scale.max((wide / x.max(1e-9)).min(tall / y.max(1e-9)));
            }
        }
    }
    // Whatever is far apart is drawn, if small.
    scale.clamp(1e-9, 1e9)
}
