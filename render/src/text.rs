//! How pictures for terminals are to look.

/// Fewest columns of a picture: narrower terminals wrap it.
const WIDTH_MIN: usize = 40;
/// Most columns of a picture: wider ones are hard to follow with the eye.
const WIDTH_MAX: usize = 400;

/// How a picture for a terminal is to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    /// Columns, 40 to 400; values outside are taken as the nearest inside.
    pub width: usize,
    /// Only ASCII characters for the drawing (names stay as they are).
    pub ascii: bool,
    /// With ANSI colours.
    pub colour: bool,
}

impl TextOptions {
    /// The columns to use.
    pub(crate) fn columns(&self) -> usize {
        self.width.clamp(WIDTH_MIN, WIDTH_MAX)
    }

    /// A text in an ANSI style, as in `31` for red, where there are colours.
    pub(crate) fn styled(&self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            width: 100,
            ascii: false,
            colour: false,
        }
    }
}
