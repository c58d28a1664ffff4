//! Reading `.slc`: collections of levels in XML, as Sokoban for Windows and Sokoban YASC write
//! them.
//!
//! `<SokobanLevels>` has `<Title>`, `<Description>`, `<Email>`, `<Url>`, and a `<LevelCollection>`
//! with the attribute `Copyright`. It contains a `<Level>` for each board, with `Id`, `Width`,
//! `Height` and maybe `Copyright`, which contains an `<L>` for each row, in XSB. Width and height
//! are ignored: the rows count.

use super::read::Reader;
use super::{LEVELS_MAX, Mistake, SIDE_MAX, Set, lines};
use roxmltree::{Document, Node, ParsingOptions};

/// Most elements, texts and comments of a document: more than [`LEVELS_MAX`] levels need.
const NODES_MAX: u32 = 4_000_000;
/// The element that is the whole document.
const ROOT: &str = "SokobanLevels";

/// Whether a text is meant to be XML.
pub(super) fn is_xml(text: &str) -> bool {
    text.trim_start().starts_with('<')
}

/// Reads the levels of a document.
///
/// # Errors
/// As [`super::read()`], and for XML that is not well-formed, defines entities or is about
/// something else.
pub(super) fn read(text: &str) -> Result<Set, Vec<Mistake>> {
    // Definitions of entities are of no use in levels, and can make a document grow without end.
    if let Some(defined) = text.find("<!ENTITY") {
        let message = "entities cannot be defined in files of levels";
        let (line, column) = Lines::new(text).place(defined);
        return Err(vec![Mistake::new(message).placed(line, column)]);
    }
    let options = ParsingOptions {
        // The document type is named in most files; nothing is loaded.
        allow_dtd: true,
        nodes_limit: NODES_MAX,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let at = error.pos();
        let mistake = Mistake::new(format!("no well-formed XML: {error}"));
        vec![mistake.placed(at.row as usize, at.col as usize)]
    })?;
    let root = document.root_element();
    if root.tag_name().name() != ROOT {
        let name: String = root.tag_name().name().chars().take(80).collect();
        let message = format!("the document is `{}`, not `{ROOT}`", name.escape_default());
        return Err(vec![Mistake::new(message).placed(1, 1)]);
    }
    let mut lines = Lines::new(text);
    let mut reader = Reader::default();
    reader.set.title = said(root, "Title");
    let collections: Vec<_> = named(root, "LevelCollection").collect();
    let author = collections
        .iter()
        .find_map(|one| one.attribute("Copyright"));
    reader.set.author = in_a_line(author.unwrap_or_default());
    let levels = collections.iter().flat_map(|one| named(*one, "Level"));
    for level in levels.take(LEVELS_MAX + 1) {
        self::level(&mut reader, level, &mut lines);
    }
    if reader.set.levels.is_empty() && reader.mistakes.is_empty() {
        let message = "no level found: a level is an element `Level` of `LevelCollection`, with an `L` for each row";
        reader.mistake((1, 1), message.into());
    }
    reader.end()
}

fn level(reader: &mut Reader, level: Node<'_, '_>, lines: &mut Lines<'_>) {
    let begins = lines.place(level.range().start);
    reader.next.title = in_a_line(level.attribute("Id").unwrap_or_default());
    reader.next.author = in_a_line(level.attribute("Copyright").unwrap_or_default());
    let mut is_some = false;
    for row in named(level, "L") {
        is_some = true;
        let (number, column) = lines.place(row.range().start);
        // An element has the first of its texts, too.
        let texts = row.descendants().filter(Node::is_text);
        let text: String = texts.filter_map(|node| node.text()).collect();
        let text = text.trim_end();
        if let Some(unknown) = text.chars().find(|c| !lines::is_tile(*c)) {
            reader.mistake((number, column), lines::unknown(unknown));
        }
        if text.chars().count() > SIDE_MAX {
            reader.mistake((number, column), lines::too_wide());
        }
        reader.rows.push((number, text.to_owned()));
    }
    if is_some {
        reader.end_board();
    } else {
        reader.mistake(begins, "a level without rows (elements `L`)".into());
    }
}

fn named<'a, 'd>(parent: Node<'a, 'd>, name: &'static str) -> impl Iterator<Item = Node<'a, 'd>> {
    let is_it = move |node: &Node<'a, 'd>| node.is_element() && node.tag_name().name() == name;
    parent.children().filter(is_it)
}

/// The text of an element; empty without one.
fn said(parent: Node<'_, '_>, name: &'static str) -> String {
    let text = named(parent, name).next().and_then(|node| node.text());
    in_a_line(text.unwrap_or_default())
}

/// Words with single blanks between them.
fn in_a_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lines and columns of bytes that rise: each character is counted once.
struct Lines<'t> {
    text: &'t str,
    byte: usize,
    line: usize,
    column: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            byte: 0,
            line: 1,
            column: 1,
        }
    }

    /// Line and column of a byte, from 1; none before it is looked for again.
    fn place(&mut self, byte: usize) -> (usize, usize) {
        for character in self.text[self.byte..byte].chars() {
            (self.line, self.column) = match character {
                '\n' => (self.line + 1, 1),
                _ => (self.line, self.column + 1),
            };
        }
        self.byte = byte;
        (self.line, self.column)
    }
}
