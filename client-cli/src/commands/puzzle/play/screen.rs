//! Where a game is shown, and where its keys come from: a terminal, or lines.

use super::super::super::lines::typed;
use crate::exit::{Exit, Failure};
use crate::output::answer::text_options;
use crate::output::{self, Display, Style};
use crate::sokoban::Wish;
use console::{Key, Term};
use std::io::IsTerminal as _;
use stratagem_render::puzzle::{Board, Heading, board_lines};

/// Bytes of a line, at most.
const LINE_MAX: u64 = 200_000;
const KEYS: &str = "arrows wasd hjkl · u undo · U undo push · r redo · R restart · ? hint · ! solution · n p level · q end";

/// The other screen of the terminal, without a cursor, until it is dropped.
struct Whole;

impl Whole {
    fn open() -> Result<Self, Failure> {
        output::print("\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J")?;
        Ok(Self)
    }

    /// Lines as they are painted from the top left; the rest of each line, and all below, is wiped.
    fn painted(lines: &[String]) -> String {
        let painted = lines.join("\u{1b}[K\r\n");
        format!("\u{1b}[H{painted}\u{1b}[K\u{1b}[J")
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        // Nothing is to be done where the terminal has gone.
        let _ = output::print("\u{1b}[?25h\u{1b}[?1049l");
    }
}

/// A terminal that is painted over and over, or lines in and out.
pub(super) struct Screen {
    display: Display,
    /// A terminal on both ends, all of which is painted on.
    terminal: Option<(Term, Whole)>,
}

impl Screen {
    pub(super) fn open(display: &Display) -> Result<Self, Failure> {
        let is_live = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let terminal = if is_live {
            Some((Term::stdout(), Whole::open()?))
        } else {
            None
        };
        Ok(Self {
            display: *display,
            terminal,
        })
    }

    /// Whether somebody looks.
    pub(super) fn is_live(&self) -> bool {
        self.terminal.is_some()
    }

    /// What the player wants next, or what is not understood; none at the end of the lines.
    pub(super) async fn wish(&self) -> Result<Option<Result<Wish, String>>, Failure> {
        let Some((terminal, _)) = &self.terminal else {
            let line = typed(LINE_MAX).await?;
            return Ok(line.map(|line| Wish::of_line(&line)));
        };
        loop {
            let terminal = terminal.clone();
            let key = tokio::task::spawn_blocking(move || terminal.read_key_raw()).await;
            let key = key.map_err(|e| Failure::new(Exit::IO, e.to_string()))?;
            match key {
                Ok(Key::CtrlC) => return Err(Failure::new(Exit::INTERRUPTED, "")),
                Ok(key) => {
                    if let Some(wish) = of_key(&key) {
                        return Ok(Some(Ok(wish)));
                    }
                }
                Err(_) => return Ok(None),
            }
        }
    }

    /// Shows a game: name and counts above, a message below.
    pub(super) fn show(
        &self,
        [head, counts]: [&str; 2],
        board: &Board,
        message: &str,
    ) -> Result<(), Failure> {
        let head = self.display.styled(Style::Heading, head);
        let mut lines = vec![format!("{head}{counts}"), String::new()];
        lines.extend(board_lines(board, &text_options(&self.display)));
        if self.is_live() {
            lines.extend([String::new(), message.to_owned(), String::new()]);
            let keys = if self.display.ascii {
                KEYS.replace('·', "|")
            } else {
                KEYS.to_owned()
            };
            lines.push(self.display.styled(Style::Faint, &keys));
            return output::print(&Whole::painted(&lines));
        }
        if !message.is_empty() {
            lines.push(message.to_owned());
        }
        output::print(&(lines.join("\n") + "\n\n"))
    }
}

fn of_key(key: &Key) -> Option<Wish> {
    match key {
        Key::ArrowLeft => Some(Wish::Go(vec![Heading::Left])),
        Key::ArrowUp => Some(Wish::Go(vec![Heading::Up])),
        Key::ArrowRight => Some(Wish::Go(vec![Heading::Right])),
        Key::ArrowDown => Some(Wish::Go(vec![Heading::Down])),
        Key::Backspace => Some(Wish::Undo),
        Key::PageDown => Some(Wish::Next),
        Key::PageUp => Some(Wish::Previous),
        Key::Escape => Some(Wish::Quit),
        Key::Char(letter) => Wish::of_key(*letter),
        _ => None,
    }
}
