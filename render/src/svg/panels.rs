//! Pictures side by side where there is room, and one below the other.

use super::{MARGIN, WIDTH, chart, column_px};
use crate::label::columns;
use crate::scene::{Drawing, Form, Key, Panel, Picture, Point, Shape};

/// Pixels of a line of text.
const LINE: f64 = 17.0;

/// A document under construction.
pub(super) struct Sheet {
    shapes: Vec<Shape>,
    /// Where the next picture goes.
    at: Point,
    /// Where the next line of pictures begins, and the right end of all.
    below: f64,
    right: f64,
}

impl Sheet {
    pub(super) fn new() -> Self {
        Self {
            shapes: Vec::new(),
            at: (0.0, 0.0),
            below: 0.0,
            right: 0.0,
        }
    }

    pub(super) fn title(&mut self, text: &str) {
        self.line("title", text, 26.0);
    }

    pub(super) fn head(&mut self, text: &str) {
        self.line("head", text, 24.0);
    }

    /// A line across the document.
    fn line(&mut self, class: &'static str, text: &str, height: f64) {
        let y = self.below + height;
        let form = Form::Text((MARGIN, y), text.to_owned(), WIDTH - 2.0 * MARGIN);
        self.shapes.push(Shape::new(form, class));
        let wide = columns(text) as f64 * column_px(class);
        self.right = self.right.max((MARGIN + wide).min(WIDTH));
        self.below = y + 4.0;
        self.at = (0.0, self.below);
    }

    pub(super) fn picture(&mut self, picture: &Picture) {
        let drawing = stacked(&picture.panels);
        if self.at.0 + drawing.width > WIDTH {
            self.at = (0.0, self.below);
        }
        let (x, y) = self.at;
        self.below = self.below.max(y + drawing.height + 8.0);
        self.right = self.right.max(x + drawing.width);
        self.at.0 = x + drawing.width;
        let group = Form::Group((x, y), drawing.shapes);
        self.shapes.push(Shape::new(group, ""));
    }

    /// The shapes, and width and height.
    pub(super) fn finish(self) -> (Vec<Shape>, Point) {
        (self.shapes, (self.right.max(1.0), self.below.max(1.0)))
    }
}

/// Panels from top to bottom.
fn stacked(panels: &[Panel]) -> Drawing {
    let mut all = Drawing::default();
    let widths = panels.iter().map(|panel| match panel {
        Panel::Drawing(drawing) => drawing.width,
        Panel::Chart(_) | Panel::Legend(_) => WIDTH,
        Panel::Head(_) | Panel::Note(_) => 0.0,
    });
    all.width = widths.fold(0.0, f64::max);
    // Texts alone take what they need.
    let room = if all.width > 0.0 { all.width } else { WIDTH };
    for panel in panels {
        let part = match panel {
            Panel::Head(text) => written("head", text, room),
            Panel::Note(text) => written("note", text, room),
            Panel::Chart(chart) => chart::drawn(chart),
            Panel::Drawing(drawing) => drawing.clone(),
            Panel::Legend(keys) => legend(keys, room),
        };
        all.width = all.width.max(part.width);
        let group = Form::Group((0.0, all.height), part.shapes);
        all.shapes.push(Shape::new(group, ""));
        all.height += part.height;
    }
    all
}

/// A line of text, shortened to the room.
fn written(class: &'static str, text: &str, room: f64) -> Drawing {
    let mut line = Drawing {
        width: (columns(text) as f64 * column_px(class) + 2.0 * MARGIN).min(room),
        height: LINE + 3.0,
        ..Drawing::default()
    };
    line.fitted((MARGIN, LINE - 2.0), class, text, room - 2.0 * MARGIN);
    line
}

/// Colours and what they mean, in lines.
pub(super) fn legend(keys: &[Key], room: f64) -> Drawing {
    let mut all = Drawing::default();
    let (mut x, mut y) = (MARGIN, 4.0);
    let keys = keys.iter().filter(|key| !key.fill.is_empty());
    for key in keys {
        let wide = columns(&key.text) as f64 * column_px("note") + 38.0;
        if x > MARGIN && x + wide > room {
            (x, y) = (MARGIN, y + LINE);
        }
        all.rect([x, y, 14.0, 11.0], &key.fill).stroke("#888");
        let text_room = (room - x - 24.0).max(40.0);
        all.fitted((x + 20.0, y + 10.0), "note", &key.text, text_room);
        x += wide;
        all.width = all.width.max(x.min(room));
        all.height = y + LINE + 2.0;
    }
    all
}
