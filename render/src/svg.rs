//! The few elements of SVG that pictures are made of, with everything escaped.

use std::fmt::{Display, Write as _};

/// Lines of a hatched rectangle, at most; a few more for its corners.
const HATCHES_MAX: f64 = 60.0;

/// An SVG document under construction.
pub(crate) struct Canvas {
    body: String,
}

impl Canvas {
    pub(crate) fn new() -> Self {
        Self {
            body: String::new(),
        }
    }

    /// A straight-edged line through points, open.
    pub(crate) fn polyline(&mut self, points: &[(f64, f64)], class: &str, colour: &str) {
        let points: Vec<_> = points
            .iter()
            .map(|(x, y)| format!("{},{}", Px(*x), Px(*y)))
            .collect();
        let points = points.join(" ");
        self.push(&format!(
            "<polyline class=\"{class}\" stroke=\"{colour}\" points=\"{points}\"/>"
        ));
    }

    /// A cubic curve from the first point to the last, with a class and a colour, and a tooltip.
    pub(crate) fn curve(&mut self, points: [(f64, f64); 4], class: &str, colour: &str, tip: &str) {
        let [start, a, b, end] = points.map(|(x, y)| format!("{},{}", Px(x), Px(y)));
        let tip = escape(tip);
        self.push(&format!(
            "<path class=\"{class}\" stroke=\"{colour}\" d=\"M{start} C{a} {b} {end}\">\
             <title>{tip}</title></path>"
        ));
    }

    /// A filled shape without an outline.
    pub(crate) fn polygon(&mut self, points: &[(f64, f64)], fill: &str) {
        let points: Vec<_> = points
            .iter()
            .map(|(x, y)| format!("{},{}", Px(*x), Px(*y)))
            .collect();
        let points = points.join(" ");
        self.push(&format!("<polygon fill=\"{fill}\" points=\"{points}\"/>"));
    }

    /// A rounded rectangle with a fill, an outline and a tooltip.
    pub(crate) fn outlined(
        &mut self,
        [x, y, width, height]: [f64; 4],
        fill: &str,
        stroke: &str,
        tip: &str,
    ) {
        let (x, y, width, height, tip) = (Px(x), Px(y), Px(width), Px(height), escape(tip));
        self.push(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\" \
             fill=\"{fill}\" stroke=\"{stroke}\"><title>{tip}</title></rect>"
        ));
    }

    /// A small circle with a tooltip.
    pub(crate) fn circle(&mut self, x: f64, y: f64, fill: &str, tip: &str) {
        let (x, y, tip) = (Px(x), Px(y), escape(tip));
        self.push(&format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{fill}\" stroke=\"#333\">\
             <title>{tip}</title></circle>"
        ));
    }

    /// A circle of a radius with a fill, a class for its outline, and a tooltip.
    pub(crate) fn disc(&mut self, [x, y, radius]: [f64; 3], fill: &str, class: &str, tip: &str) {
        let (x, y, r, tip) = (Px(x), Px(y), Px(radius), escape(tip));
        self.push(&format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{fill}\" class=\"{class}\">\
             <title>{tip}</title></circle>"
        ));
    }

    /// Lines from a point to others, all of one class and colour, in a group with an invisible
    /// circle of a radius around the point, so that a style sheet can show them when somebody
    /// points at it; with a tooltip.
    pub(crate) fn rays(
        &mut self,
        [x, y, radius]: [f64; 3],
        ends: &[(f64, f64)],
        class: &str,
        colour: &str,
        tip: &str,
    ) {
        let tip = escape(tip);
        let from = format!("M{},{}", Px(x), Px(y));
        let each = ends
            .iter()
            .map(|(x, y)| format!("{from} {},{}", Px(*x), Px(*y)));
        let d = each.collect::<String>();
        let (x, y, r) = (Px(x), Px(y), Px(radius));
        self.push(&format!(
            "<g class=\"spot\"><circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"#fff\" fill-opacity=\"0\"/>\
             <path class=\"{class}\" stroke=\"{colour}\" d=\"{d}\"/><title>{tip}</title></g>"
        ));
    }

    /// A numbered circle that goes through points cyclically; each has its share of the time,
    /// rising from 0 to 1. It takes `seconds` and has begun `ahead` seconds ago.
    pub(crate) fn traveller(
        &mut self,
        stops: &[((f64, f64), f64)],
        [seconds, ahead]: [f64; 2],
        number: usize,
        fill: &str,
        tip: &str,
    ) {
        let Some(((x, y), _)) = stops.first() else {
            return;
        };
        let tip = escape(tip);
        let mut element = format!(
            "<g transform=\"translate({},{})\"><circle r=\"8\" fill=\"{fill}\" class=\"guard\"/>\
             <text y=\"4\" class=\"number\">{number}</text><title>{tip}</title>",
            Px(*x),
            Px(*y)
        );
        if stops.len() > 1 {
            let places = stops
                .iter()
                .map(|((x, y), _)| format!("{},{}", Px(*x), Px(*y)));
            let shares = stops.iter().map(|(_, share)| format!("{share:.5}"));
            let values = places.collect::<Vec<_>>().join(";");
            let times = shares.collect::<Vec<_>>().join(";");
            let _ = write!(
                element,
                "<animateTransform attributeName=\"transform\" type=\"translate\" \
                 dur=\"{seconds:.2}s\" begin=\"{:.2}s\" repeatCount=\"indefinite\" \
                 values=\"{values}\" keyTimes=\"{times}\"/>",
                // Not -0.
                0.0 - ahead
            );
        }
        self.push(&(element + "</g>"));
    }

    /// A filled rectangle with a tooltip.
    pub(crate) fn rect(&mut self, [x, y, width, height]: [f64; 4], fill: &str, tip: &str) {
        let (x, y, width, height, tip) = (Px(x), Px(y), Px(width), Px(height), escape(tip));
        self.push(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\">\
             <title>{tip}</title></rect>"
        ));
    }

    /// An outline without a fill.
    pub(crate) fn frame(&mut self, [x, y, width, height]: [f64; 4], stroke: &str) {
        let (x, y, width, height) = (Px(x), Px(y), Px(width), Px(height));
        self.push(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"none\" \
             stroke=\"{stroke}\"/>"
        ));
    }

    /// An outlined rectangle that shows what is below it, with a tooltip.
    pub(crate) fn translucent(
        &mut self,
        [x, y, width, height]: [f64; 4],
        fill: &str,
        stroke: &str,
        tip: &str,
    ) {
        let (x, y, width, height, tip) = (Px(x), Px(y), Px(width), Px(height), escape(tip));
        self.push(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\" \
             fill-opacity=\".28\" stroke=\"{stroke}\"><title>{tip}</title></rect>"
        ));
    }

    /// Slanted lines inside a rectangle, at most 60.
    pub(crate) fn hatch(&mut self, [x, y, width, height]: [f64; 4], stroke: &str) {
        let step = (width / HATCHES_MAX).max(6.0);
        let mut d = String::new();
        let mut at = step / 2.0;
        // From the bottom up to the right, cut at both ends of the rectangle.
        while at < width + height && at.is_finite() {
            let (low, high) = (at.min(width), (at - height).max(0.0));
            let start = (x + high, y + at - high);
            let end = (x + low, y + at - low);
            let (a, b) = (Px(start.0), Px(start.1));
            let _ = write!(d, "M{a},{b} {},{}", Px(end.0), Px(end.1));
            at += step;
        }
        self.push(&format!(
            "<path class=\"hatch\" stroke=\"{stroke}\" d=\"{d}\"/>"
        ));
    }

    /// A square on its corner, `half` from its centre to each corner, with a fill, an outline and a
    /// tooltip.
    pub(crate) fn diamond(&mut self, [x, y, half]: [f64; 3], fill: &str, stroke: &str, tip: &str) {
        let corners = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)];
        let points = corners
            .map(|(x, y)| format!("{},{}", Px(x), Px(y)))
            .join(" ");
        let tip = escape(tip);
        self.push(&format!(
            "<polygon fill=\"{fill}\" stroke=\"{stroke}\" points=\"{points}\">\
             <title>{tip}</title></polygon>"
        ));
    }

    /// Elements of a class of their own, for style sheets.
    pub(crate) fn group(&mut self, class: &str, draw: impl FnOnce(&mut Self)) {
        self.push(&format!("<g class=\"{class}\">"));
        draw(self);
        self.push("</g>");
    }

    /// A text; `class` decides size and anchor.
    pub(crate) fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let (x, y, text) = (Px(x), Px(y), escape(text));
        self.push(&format!(
            "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{text}</text>"
        ));
    }

    /// Elements of which a unit is `scale` pixels, from a point on. They are put in as they are:
    /// nothing of a caller's may be in them.
    pub(crate) fn scaled(&mut self, x: f64, y: f64, scale: f64, elements: &str) {
        let (x, y, scale) = (Px(x), Px(y), Px(scale));
        self.push(&format!(
            "<g transform=\"translate({x} {y}) scale({scale})\">\n{elements}</g>"
        ));
    }

    /// The document, with a style sheet inside and nothing outside.
    pub(crate) fn finish(self, width: f64, height: f64, style: &str) -> String {
        let (width, height) = (Px(width), Px(height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\">\n<style>{style}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
            self.body
        )
    }

    fn push(&mut self, element: &str) {
        let _ = writeln!(self.body, "{element}");
    }
}

/// A colour for the n-th of many: hues a golden angle apart, so that neighbours differ.
pub(crate) fn colour(n: usize) -> String {
    let hue = n.wrapping_mul(13_751) % 36_000 / 100;
    format!("hsl({hue},65%,42%)")
}

/// A length in pixels: one decimal, none where it is 0.
struct Px(f64);

impl Display for Px {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0 * 10.0).round() / 10.0;
        // Not -0, and nothing that is no number.
        let tenths = if tenths.is_finite() {
            tenths + 0.0
        } else {
            0.0
        };
        write!(f, "{tenths}")
    }
}

/// Text that is safe between tags and in attributes; control characters, which XML forbids, become
/// `?`.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' => safe.push('\n'),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('?'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out_of_the_document() {
        assert_eq!(
            escape("</title><script>\u{1b}'\"&"),
            "&lt;/title&gt;&lt;script&gt;?&#39;&quot;&amp;"
        );
    }

    #[test]
    fn lengths_are_short_and_finite() {
        let texts = [1.25, -0.01, f64::NAN, 100.0].map(|n| Px(n).to_string());
        assert_eq!(texts, ["1.3", "0", "0", "100"]);
    }

    #[test]
    fn the_first_dozen_colours_differ() {
        let colours: std::collections::BTreeSet<_> = (0..12).map(colour).collect();
        assert_eq!(colours.len(), 12);
    }
}
