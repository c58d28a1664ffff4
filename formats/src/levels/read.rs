//! Reading levels.

use super::lines::{self, Key};
use super::{LEVELS_MAX, Level, MISTAKES_MAX, Mistake, SIDE_MAX, STEPS_MAX, Set, rle, slc};
use crate::unless_wrong;
use crate::words::unmarked;
use stratagem_render::puzzle::Board;

/// Reads all levels of a text, whatever formats are in it.
///
/// # Errors
/// All mistakes, up to 100: unknown characters; boards that are too large or have no boxes, not
/// exactly one player, or different numbers of boxes and goals within reach; invalid letters in
/// solutions; no board. The server checks whether boards are closed and within reach.
pub fn read(text: &str) -> Result<Set, Vec<Mistake>> {
    let text = unmarked(text);
    if slc::is_xml(text) {
        return slc::read(text);
    }
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        reader.line(index + 1, line);
        if reader.mistakes.len() >= MISTAKES_MAX {
            break;
        }
    }
    reader.end_board();
    reader.end_comment();
    if reader.set.levels.is_empty() && reader.mistakes.is_empty() {
        let message =
            "no board found: a board is a block of lines of # (wall), $ (box), . (goal) and so on";
        reader.mistake((1, 1), message.into());
    }
    reader.end()
}

/// What comes after is part of this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Inside {
    #[default]
    Nothing,
    Board,
    Comment,
    Solution,
}

/// Where a row of a board stands in the file.
pub(super) type Row = (usize, String);

#[derive(Default)]
pub(super) struct Reader {
    pub(super) set: Set,
    /// What was said since the last board and is not about it.
    pub(super) next: Level,
    pub(super) rows: Vec<Row>,
    comment: Vec<String>,
    inside: Inside,
    /// There are more levels than supported.
    is_full: bool,
    pub(super) mistakes: Vec<Mistake>,
}

impl Reader {
    /// All levels, or all mistakes.
    pub(super) fn end(self) -> Result<Set, Vec<Mistake>> {
        unless_wrong(self.set, self.mistakes)
    }

    fn line(&mut self, number: usize, line: &str) {
        let line = line.trim_end();
        if self.inside == Inside::Comment {
            match lines::entry(line) {
                Some((Key::CommentEnd, _)) => self.end_comment(),
                _ => self.comment.push(line.trim().to_owned()),
            }
            return;
        }
        let in_board = self.inside == Inside::Board;
        let is_bad = lines::is_bad_row(line) || in_board && line.contains('#');
        if lines::is_row(line) || in_board && lines::is_open_row(line) {
            self.inside = Inside::Board;
            self.row(number, line);
        } else if is_bad && !line.starts_with("::") {
            self.inside = Inside::Board;
            self.bad_row(number, line);
        } else {
            self.end_board();
            self.text(number, line);
        }
    }

    fn row(&mut self, number: usize, line: &str) {
        let is_run = |c: char| c.is_ascii_digit() || c == '|';
        if !line.contains(is_run) {
            if line.chars().count() > SIDE_MAX {
                self.mistake((number, SIDE_MAX + 1), lines::too_wide());
            }
            self.rows.push((number, line.to_owned()));
            return;
        }
        match rle::expand(line, SIDE_MAX) {
            Ok(rows) => {
                let rows = rows.into_iter().map(|row| (number, row));
                self.rows.extend(rows);
            }
            Err((column, message)) => self.mistake((number, column + 1), message),
        }
    }

    fn bad_row(&mut self, number: usize, line: &str) {
        let is_fine = |c: char| lines::is_tile(c) || c.is_ascii_digit() || c == '|';
        for (column, character) in line.chars().enumerate() {
            if !is_fine(character) {
                self.mistake((number, column + 1), lines::unknown(character));
            }
        }
        self.rows.push((number, line.to_owned()));
    }

    fn text(&mut self, number: usize, line: &str) {
        let solution = self.inside == Inside::Solution;
        if line.is_empty() {
            // What is said of the file is apart from its first board.
            if self.set.levels.is_empty() && !solution {
                let Level { title, author, .. } = std::mem::take(&mut self.next);
                self.set.title = pick(std::mem::take(&mut self.set.title), title);
                self.set.author = pick(std::mem::take(&mut self.set.author), author);
            }
            self.inside = Inside::Nothing;
            return;
        }
        if line.starts_with("::") {
            return;
        }
        if let Some((key, value)) = lines::entry(line) {
            self.entry(number, key, value);
        } else if solution {
            self.steps(number, line);
        } else {
            let title = line.trim_start_matches(';').trim();
            self.next.title = title.to_owned();
        }
    }

    fn entry(&mut self, number: usize, key: Key, value: &str) {
        self.inside = Inside::Nothing;
        match key {
            Key::Title => self.about(|level| &mut level.title, value),
            Key::Author => self.about(|level| &mut level.author, value),
            Key::Collection => self.set.title = value.to_owned(),
            Key::Comment if value.is_empty() => self.inside = Inside::Comment,
            Key::Comment => self.about(|level| &mut level.comment, value),
            Key::Solution => {
                self.inside = Inside::Solution;
                if !value.is_empty() {
                    self.steps(number, value);
                }
            }
            Key::CommentEnd | Key::Other => {}
        }
    }

    /// Says something of the board before, or of the next where that is said already.
    fn about(&mut self, field: fn(&mut Level) -> &mut String, value: &str) {
        let before = self.set.levels.last_mut();
        let is_free = before.map(|level| field(level).is_empty());
        let level = match self.set.levels.last_mut() {
            Some(level) if is_free == Some(true) => level,
            _ => &mut self.next,
        };
        *field(level) = value.to_owned();
    }

    fn end_comment(&mut self) {
        if self.inside == Inside::Comment {
            self.inside = Inside::Nothing;
            let comment = std::mem::take(&mut self.comment).join("\n");
            self.about(|level| &mut level.comment, comment.trim());
        }
    }

    fn steps(&mut self, number: usize, line: &str) {
        let letters: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let Some(level) = self.set.levels.last_mut() else {
            self.mistake((number, 1), "a solution before the first board".into());
            return;
        };
        let is_step = |c: char| "lurdLURD".contains(c) || c.is_ascii_digit();
        if let Some(column) = line.chars().position(|c| !is_step(c) && !c.is_whitespace()) {
            // Other programs write what they like after a solution: it is none.
            if level.solution.is_empty() {
                let message =
                    "a solution has letters l, u, r, d, in capitals for pushes, and digits only";
                self.mistake((number, column + 1), message.into());
            }
            self.inside = Inside::Nothing;
            return;
        }
        let room = STEPS_MAX - level.solution.len().min(STEPS_MAX);
        match rle::expand(&letters, room) {
            Ok(parts) => level.solution.push_str(&parts.concat()),
            Err((_, message)) => self.mistake((number, 1), message),
        }
    }

    /// The rows are a board, which is judged.
    pub(super) fn end_board(&mut self) {
        if self.rows.is_empty() {
            return;
        }
        self.inside = Inside::Nothing;
        let rows = std::mem::take(&mut self.rows);
        let mut level = std::mem::take(&mut self.next);
        level.line = rows[0].0;
        if self.set.levels.len() >= LEVELS_MAX {
            if !self.is_full {
                self.is_full = true;
                self.mistake((level.line, 1), format!("more than {LEVELS_MAX} levels"));
            }
            return;
        }
        self.judge(&rows);
        level.rows = rows.into_iter().map(|(_, row)| row).collect();
        self.set.levels.push(level);
    }

    /// The counts of a board.
    fn judge(&mut self, rows: &[Row]) {
        let first = (rows[0].0, 1);
        if rows.len() > SIDE_MAX {
            self.mistake((rows[SIDE_MAX].0, 1), lines::too_high());
        }
        let places = |kinds: &'static [char]| {
            rows.iter().flat_map(move |(number, row)| {
                let cells = row.chars().enumerate();
                let found = cells.filter(|(_, c)| kinds.contains(c));
                found.map(|(column, _)| (*number, column + 1))
            })
        };
        let mut wrong = Vec::new();
        let players: Vec<_> = places(&['@', '+']).collect();
        if players.is_empty() {
            wrong.push((first, "a board without a player (@ or +)".to_owned()));
        }
        for &place in players.iter().skip(1) {
            wrong.push((place, "a second player".into()));
        }
        // Boxes and goals that the player cannot reach are decoration.
        let texts: Vec<&str> = rows.iter().map(|(_, row)| row.as_str()).collect();
        let board = Board::of_rows(&texts);
        let is_in_play = |cell: &usize| players.len() != 1 || board.is_inside(*cell);
        let boxes = board.boxes().iter().filter(|cell| is_in_play(cell)).count();
        let cells = 0..board.width() * board.height();
        let goals = cells
            .filter(|cell| board.is_goal(*cell) && is_in_play(cell))
            .count();
        if boxes == 0 {
            wrong.push((first, "a board without boxes ($ or *)".into()));
        } else if boxes != goals {
            wrong.push((
                first,
                format!("boxes and goals in different numbers: {boxes} and {goals}"),
            ));
        }
        for (place, message) in wrong {
            self.mistake(place, message);
        }
    }

    pub(super) fn mistake(&mut self, place: (usize, usize), message: String) {
        if self.mistakes.len() < MISTAKES_MAX {
            self.mistakes
                .push(Mistake::new(message).placed(place.0, place.1));
        }
    }
}

/// The second where there is one.
fn pick(before: String, now: String) -> String {
    if now.is_empty() { before } else { now }
}
