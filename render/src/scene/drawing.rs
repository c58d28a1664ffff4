//! Shapes at places.

use super::Track;

/// A place: to the right and downwards, in pixels.
pub(crate) type Point = (f64, f64);

/// Shapes at places, the later ones above the earlier ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) shapes: Vec<Shape>,
}

/// A shape.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    pub(crate) form: Form,
    /// Class of its style.
    pub(crate) class: &'static str,
    /// Colours; empty: that of the class.
    pub(crate) fill: String,
    pub(crate) stroke: String,
    pub(crate) tip: String,
    /// An id for programs, as in `task`, `well`.
    pub(crate) id: Option<(&'static str, String)>,
    /// Where it is when, if it moves: its own places count from there.
    pub(crate) track: Option<Track>,
    /// When it is to be seen; empty: always.
    pub(crate) shown: Vec<[i64; 2]>,
}

/// What a shape looks like.
#[derive(Debug, Clone)]
pub(crate) enum Form {
    Line(Vec<Point>),
    Curve([Point; 4]),
    Area(Vec<Point>),
    /// Left, top, width, height, and radius of the corners.
    Rect([f64; 4], f64),
    /// Rectangles of one colour.
    Cells(Vec<[f64; 4]>),
    /// Middle and radius.
    Disc([f64; 3]),
    /// A text, and the pixels that there are for it.
    Text(Point, String, f64),
    /// From the middle of a circle, which is seen when it is pointed at.
    Rays([f64; 3], Vec<Point>),
    /// Shapes whose places count from a point.
    Group(Point, Vec<Shape>),
}

impl Shape {
    pub(crate) fn new(form: Form, class: &'static str) -> Self {
        Self {
            form,
            class,
            fill: String::new(),
            stroke: String::new(),
            tip: String::new(),
            id: None,
            track: None,
            shown: Vec::new(),
        }
    }

    pub(crate) fn fill(&mut self, fill: &str) -> &mut Self {
        fill.clone_into(&mut self.fill);
        self
    }

    pub(crate) fn stroke(&mut self, stroke: &str) -> &mut Self {
        stroke.clone_into(&mut self.stroke);
        self
    }

    pub(crate) fn tip(&mut self, tip: impl Into<String>) -> &mut Self {
        self.tip = tip.into();
        self
    }

    pub(crate) fn track(&mut self, track: Track) -> &mut Self {
        self.track = Some(track);
        self
    }
}

impl Drawing {
    pub(crate) fn add(&mut self, form: Form, class: &'static str) -> &mut Shape {
        let last = self.shapes.len();
        self.shapes.push(Shape::new(form, class));
        &mut self.shapes[last]
    }

    pub(crate) fn line(&mut self, points: &[Point], class: &'static str, stroke: &str) {
        self.add(Form::Line(points.to_vec()), class).stroke(stroke);
    }

    pub(crate) fn rect(&mut self, rect: [f64; 4], fill: &str) -> &mut Shape {
        self.add(Form::Rect(rect, 0.0), "").fill(fill)
    }

    /// A rectangle with round corners and an outline.
    pub(crate) fn card(&mut self, rect: [f64; 4], fill: &str, stroke: &str) -> &mut Shape {
        self.add(Form::Rect(rect, 5.0), "")
            .fill(fill)
            .stroke(stroke)
    }

    pub(crate) fn disc(&mut self, disc: [f64; 3], fill: &str, class: &'static str) -> &mut Shape {
        self.add(Form::Disc(disc), class).fill(fill)
    }

    /// A square on its corner.
    pub(crate) fn diamond(&mut self, [x, y, half]: [f64; 3], fill: &str) -> &mut Shape {
        let corners = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)];
        self.add(Form::Area(corners.to_vec()), "").fill(fill)
    }

    /// A text; its class decides size and anchor.
    pub(crate) fn text(&mut self, at: Point, class: &'static str, text: &str) {
        self.fitted(at, class, text, f64::INFINITY);
    }

    /// A text that is shortened to this number of pixels.
    pub(crate) fn fitted(&mut self, at: Point, class: &'static str, text: &str, room: f64) {
        self.add(Form::Text(at, text.to_owned(), room), class);
    }

    /// The head of an arrow that ends in a point, coming from another.
    pub(crate) fn head(&mut self, from: Point, to: Point, fill: &str) {
        let (x, y) = (to.0 - from.0, to.1 - from.1);
        let long = x.hypot(y).max(1e-6);
        let (x, y) = (x / long * 7.0, y / long * 7.0);
        let left = (to.0 - x - y / 2.0, to.1 - y + x / 2.0);
        let right = (to.0 - x + y / 2.0, to.1 - y - x / 2.0);
        self.add(Form::Area(vec![to, left, right]), "").fill(fill);
    }

    /// A numbered disc that moves.
    pub(crate) fn traveller(&mut self, track: Track, number: &str, fill: &str) -> &mut Shape {
        let mut disc = Shape::new(Form::Disc([0.0, 0.0, 8.0]), "guard");
        disc.fill(fill);
        let text = Form::Text((0.0, 4.0), number.to_owned(), f64::INFINITY);
        let parts = vec![disc, Shape::new(text, "number")];
        self.add(Form::Group((0.0, 0.0), parts), "").track(track)
    }
}

/// A line moved to its right by some pixels.
pub(crate) fn moved([from, to]: [Point; 2], aside: f64) -> [Point; 2] {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let long = x.hypot(y).max(1e-6);
    [from, to].map(|(px, py)| (px - y / long * aside, py + x / long * aside))
}

/// A colour for the n-th of many: hues a golden angle apart, so that neighbours differ.
pub(crate) fn colour(n: usize) -> String {
    let hue = n.wrapping_mul(13_751) % 36_000 / 100;
    format!("hsl({hue},65%,42%)")
}

/// From places of a problem to pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fit {
    origin: Point,
    pub(crate) scale: f64,
    corner: Point,
    /// Pixels that all places take, with margins.
    pub(crate) size: Point,
}

impl Fit {
    /// All places within a width and a height, `margin` pixels around them, each unit at most
    /// `scale_max` pixels.
    pub(crate) fn new(places: &[Point], room: Point, margin: f64, scale_max: f64) -> Self {
        let least = |of: fn(&Point) -> f64| places.iter().map(of).reduce(f64::min).unwrap_or(0.0);
        let most = |of: fn(&Point) -> f64| places.iter().map(of).reduce(f64::max).unwrap_or(0.0);
        let origin = (least(|p| p.0), least(|p| p.1));
        let (wide, tall) = (most(|p| p.0) - origin.0, most(|p| p.1) - origin.1);
        let inner = (room.0 - 2.0 * margin, room.1 - 2.0 * margin);
        // A single place has no extent; any scale will do.
        let scale = (inner.0 / wide.max(1e-6))
            .min(inner.1 / tall.max(1e-6))
            .min(scale_max);
        Self {
            origin,
            scale,
            corner: (margin, margin),
            size: (wide * scale + 2.0 * margin, tall * scale + 2.0 * margin),
        }
    }

    /// Where a place is.
    pub(crate) fn place(&self, place: Point) -> Point {
        (
            self.corner.0 + (place.0 - self.origin.0) * self.scale,
            self.corner.1 + (place.1 - self.origin.1) * self.scale,
        )
    }

    /// The same in the middle of a width.
    pub(crate) fn centred(mut self, width: f64) -> Self {
        self.corner.0 += ((width - self.size.0) / 2.0).max(0.0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_dozen_colours_differ() {
        let colours: std::collections::BTreeSet<_> = (0..12).map(colour).collect();
        assert_eq!(colours.len(), 12);
    }

    #[test]
    fn places_fit_into_the_room() {
        let fit = Fit::new(&[(0.0, 0.0), (10.0, 5.0)], (120.0, 500.0), 10.0, 99.0);
        assert_eq!(fit.place((10.0, 5.0)), (110.0, 60.0));
        assert_eq!(fit.size, (120.0, 70.0));
    }
}
