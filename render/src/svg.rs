//! Scenes as SVG: every shape is written here, and everything is escaped.

mod chart;
mod motion;
mod panels;

use crate::label::{columns, fit};
use crate::scene::{Clock, Content, Form, On, Part, Picture, Point, Scene, Shape};
pub(crate) use motion::Film;
use panels::Sheet;
use std::fmt::{Display, Write as _};

/// Pixels of a document, about; what is narrower is side by side.
const WIDTH: f64 = 1_080.0;
/// Pixels at the edges and between pictures.
const MARGIN: f64 = 16.0;

/// The rules of style of all pictures.
pub(crate) const STYLE: &str = "text{font:12px sans-serif;fill:#222}\
    .title{font-size:18px;font-weight:bold}.head{font-size:14px;font-weight:bold}\
    .note{font-size:11px;fill:#444}.tick{font-size:11px;fill:#666;text-anchor:middle}\
    .end{text-anchor:end}.middle{text-anchor:middle}.strong{font-weight:bold;text-anchor:middle}\
    .small{font-size:10px;fill:#555;text-anchor:middle}.inner{font-size:11px;fill:#fff}\
    .number{font-size:9px;font-weight:bold;fill:#fff;text-anchor:middle}\
    .letter{font-size:9px;text-anchor:middle}\
    .halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}\
    polyline,.curve,.ring{fill:none}.thin{stroke-width:.6}.line{stroke-width:1.4}\
    .bold{stroke-width:2.6;stroke-linejoin:round}.heavy{stroke-width:4;stroke-linejoin:round}\
    .pale{stroke-opacity:.6}.dash{stroke-dasharray:7 3}.dots{stroke-dasharray:2 4}\
    .faint{fill-opacity:.3}.disc{stroke:#666;stroke-width:1}.guard{stroke:#fff;stroke-width:1.5}\
    .ring{stroke:#d00;stroke-width:2.5}\
    .wrong{stroke:#c2185b;stroke-width:2.2}.through{pointer-events:none}.spot path{stroke:#e0a000;stroke-width:1.5;display:none;\
    pointer-events:none}.spot circle{fill-opacity:0}.spot:hover path{display:inline}";

/// All pictures of a scene in one document.
pub(crate) fn document(scene: &Scene, film: Film) -> String {
    let mut sheet = Sheet::new();
    if !scene.title.is_empty() {
        sheet.title(&scene.title);
    }
    stack(&mut sheet, &scene.parts);
    let clocks = pictures(&scene.parts).filter_map(|picture| picture.clock);
    let clock = clocks.reduce(Clock::joined);
    let (shapes, size) = sheet.finish();
    let mut writer = Writer {
        body: String::new(),
        film: clock.map(|clock| (clock, film)),
    };
    shapes.iter().for_each(|shape| writer.shape(shape));
    let style =
        format!("<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    let namespace = "xmlns=\"http://www.w3.org/2000/svg\"";
    root(namespace, size, &writer, &style)
}

/// The pictures of the parts of an SVG document, those to select included.
fn pictures(parts: &[Part]) -> Box<dyn Iterator<Item = &Picture> + '_> {
    let parts = parts.iter().filter(|part| part.on.is_svg());
    Box::new(parts.flat_map(|part| {
        let all: Box<dyn Iterator<Item = &Picture>> = match &part.content {
            Content::Picture(picture) => Box::new(std::iter::once(picture)),
            Content::Choice(choice) => {
                Box::new(choice.options.iter().flat_map(|it| pictures(&it.parts)))
            }
            _ => Box::new(std::iter::empty()),
        };
        all
    }))
}

fn stack(sheet: &mut Sheet, parts: &[Part]) {
    for part in parts.iter().filter(|part| part.on.is_svg()) {
        match &part.content {
            Content::Picture(picture) => sheet.picture(picture),
            Content::Heading(text) if part.on == On::Svg => sheet.head(text),
            Content::Choice(choice) => {
                for option in &choice.options {
                    stack(sheet, &option.parts);
                }
            }
            _ => {}
        }
    }
}

/// A picture as an element of a page, which has the rules of style.
pub(crate) fn element(picture: &Picture, caption: &str) -> String {
    let mut sheet = Sheet::new();
    sheet.picture(picture);
    let (shapes, size) = sheet.finish();
    let mut writer = Writer {
        body: String::new(),
        film: picture.clock.map(|clock| (clock, Film::Still)),
    };
    shapes.iter().for_each(|shape| writer.shape(shape));
    let label = format!("role=\"img\" aria-label=\"{}\"", escape(caption));
    root(&label, size, &writer, "")
}

fn root(attributes: &str, size: Point, writer: &Writer, head: &str) -> String {
    let (width, height) = (Px(size.0), Px(size.1));
    let clock = writer.film.map(|(clock, _)| motion::span(&clock));
    format!(
        "<svg {attributes} viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\"{}>\n{head}{}</svg>\n",
        clock.unwrap_or_default(),
        writer.body
    )
}

/// Writes shapes, one after the other.
struct Writer {
    body: String,
    /// Of pictures in which something moves.
    film: Option<(crate::scene::Clock, Film)>,
}

impl Writer {
    fn shape(&mut self, shape: &Shape) {
        let (tag, geometry) = geometry(&shape.form);
        let mut open = format!("<{tag}{geometry}");
        let class = match &shape.form {
            Form::Curve(_) => format!("curve {}", shape.class),
            Form::Rays(..) => "spot".into(),
            _ => shape.class.to_owned(),
        };
        for (name, value) in [
            ("class", class.trim_end()),
            ("fill", &shape.fill),
            ("stroke", &shape.stroke),
        ] {
            if !value.is_empty() {
                let _ = write!(open, " {name}=\"{value}\"");
            }
        }
        if let Some((name, id)) = &shape.id {
            let _ = write!(open, " data-{name}=\"{}\"", escape(id));
        }
        let mut inside = String::new();
        let mut tip = shape.tip.as_str();
        match &shape.form {
            Form::Text(_, text, room) => {
                let shown = shortened(text, shape.class, *room);
                if shown != text.trim_end() {
                    tip = text;
                }
                inside += &escape(&shown);
            }
            Form::Group(_, shapes) => {
                let before = std::mem::take(&mut self.body);
                shapes.iter().for_each(|shape| self.shape(shape));
                inside = format!("\n{}", std::mem::replace(&mut self.body, before));
            }
            Form::Rays(disc, ends) => inside += &rays(*disc, ends),
            _ => {}
        }
        if !tip.is_empty() {
            inside = format!("<title>{}</title>{inside}", escape(tip));
        }
        if let Some((clock, film)) = &self.film {
            let (attributes, elements) = motion::written(shape, clock, *film);
            open += &attributes;
            inside += &elements;
        }
        let end = if inside.is_empty() {
            "/>".to_owned()
        } else {
            format!(">{inside}</{tag}>")
        };
        let _ = writeln!(self.body, "{open}{end}");
    }
}

/// Tag and attributes of a form.
fn geometry(form: &Form) -> (&'static str, String) {
    match form {
        Form::Line(points) => ("polyline", format!(" points=\"{}\"", listed(points))),
        Form::Area(points) => ("polygon", format!(" points=\"{}\"", listed(points))),
        Form::Curve(points) => {
            let [start, a, b, end] = points.map(|(x, y)| format!("{},{}", Px(x), Px(y)));
            ("path", format!(" d=\"M{start} C{a} {b} {end}\""))
        }
        Form::Rect([x, y, width, height], radius) => {
            let [x, y, width, height] = [x, y, width, height].map(|it| Px(*it));
            let round = match radius {
                0.0 => String::new(),
                radius => format!(" rx=\"{}\"", Px(*radius)),
            };
            let place = format!(" x=\"{x}\" y=\"{y}\"");
            let size = format!(" width=\"{width}\" height=\"{height}\"");
            ("rect", place + &size + &round)
        }
        Form::Cells(cells) => {
            let each = cells.iter().map(|[x, y, width, height]| {
                let [x, y, width, height] = [x, y, width, height].map(|it| Px(*it));
                format!("M{x} {y}h{width}v{height}h-{width}z")
            });
            ("path", format!(" d=\"{}\"", each.collect::<String>()))
        }
        Form::Disc([x, y, radius]) => {
            let [x, y, radius] = [x, y, radius].map(|it| Px(*it));
            ("circle", format!(" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\""))
        }
        Form::Text(at, ..) => ("text", format!(" x=\"{}\" y=\"{}\"", Px(at.0), Px(at.1))),
        Form::Group(at, _) if at.0 == 0.0 && at.1 == 0.0 => ("g", String::new()),
        Form::Group(at, _) => {
            let place = format!(" transform=\"translate({} {})\"", Px(at.0), Px(at.1));
            ("g", place)
        }
        Form::Rays(..) => ("g", String::new()),
    }
}

fn listed(points: &[Point]) -> String {
    let points = points.iter();
    let points = points.map(|(x, y)| format!("{},{}", Px(*x), Px(*y)));
    points.collect::<Vec<_>>().join(" ")
}

/// An invisible disc, and lines from its middle.
fn rays([x, y, radius]: [f64; 3], ends: &[Point]) -> String {
    let [x, y, radius] = [x, y, radius].map(Px);
    let each = ends.iter();
    let d = each.map(|end| format!("M{x},{y} {},{}", Px(end.0), Px(end.1)));
    let d = d.collect::<String>();
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/><path d=\"{d}\"/>")
}

/// Pixels of a column of text, about: what letters really take is not known here.
pub(crate) fn column_px(class: &str) -> f64 {
    match class.split(' ').next().unwrap_or_default() {
        "title" => 10.5,
        "head" => 8.0,
        "note" | "tick" | "inner" => 6.2,
        "small" => 5.6,
        "number" | "letter" => 5.2,
        "strong" => 7.0,
        _ => 6.6,
    }
}

/// A text that fits into some pixels.
fn shortened(text: &str, class: &str, room: f64) -> String {
    let wide = columns(text);
    // At most the columns of the text.
    let room = (room / column_px(class)).clamp(1.0, wide.max(1) as f64) as usize;
    fit(text, room.min(wide), "…").trim_end().to_owned()
}

/// A length in pixels: one decimal, none where it is 0.
pub(crate) struct Px(pub(crate) f64);

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
    fn texts_are_shortened_to_their_room() {
        assert_eq!(shortened("a long name", "", 40.0), "a lon…");
        assert_eq!(shortened("short", "", f64::INFINITY), "short");
    }
}
