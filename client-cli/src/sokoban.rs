//! Playing levels of Sokoban: the game without a screen.

use stratagem_render::puzzle::{Board, Heading, Moved};

/// Most steps of a game: walking about after that is not kept.
const STEPS_MAX: usize = 1_000_000;

/// What a player wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// Steps, one after the other.
    Go(Vec<Heading>),
    /// The last step taken back.
    Undo,
    /// All steps up to the last push taken back, that one too.
    UndoPush,
    /// A step that was taken back, again.
    Redo,
    /// The level as it was at first.
    Restart,
    /// What to do next.
    Hint,
    /// What the hint said.
    Obey,
    /// The rest of the solution, played.
    Solution,
    /// The next level.
    Next,
    /// The level before.
    Previous,
    /// How things stand.
    Show,
    /// No more.
    Quit,
}

impl Wish {
    /// What a line means: a word, or steps in the LURD notation, small or capital.
    ///
    /// # Errors
    /// What is understood instead.
    pub fn of_line(line: &str) -> Result<Self, String> {
        let line = line.trim();
        Ok(match line {
            "undo" => Self::Undo,
            "back" => Self::UndoPush,
            "redo" => Self::Redo,
            "restart" => Self::Restart,
            "hint" => Self::Hint,
            "do it" => Self::Obey,
            "solution" => Self::Solution,
            "next" => Self::Next,
            "previous" => Self::Previous,
            "show" | "" => Self::Show,
            "quit" | "end" => Self::Quit,
            steps => {
                let steps: Option<Vec<Heading>> = steps.chars().map(Heading::of_letter).collect();
                Self::Go(steps.ok_or(
                    "steps are letters l, u, r and d; words are undo, back, redo, restart, hint, `do it`, solution, next, \
                     previous, show and quit",
                )?)
            }
        })
    }

    /// What a letter on the keyboard means.
    #[must_use]
    pub fn of_key(key: char) -> Option<Self> {
        let go = |heading| Some(Self::Go(vec![heading]));
        match key {
            'w' | 'k' => go(Heading::Up),
            'a' | 'h' => go(Heading::Left),
            's' | 'j' => go(Heading::Down),
            'd' | 'l' => go(Heading::Right),
            'u' => Some(Self::Undo),
            'U' => Some(Self::UndoPush),
            'r' => Some(Self::Redo),
            'R' => Some(Self::Restart),
            '?' => Some(Self::Hint),
            ' ' => Some(Self::Obey),
            '!' => Some(Self::Solution),
            'n' => Some(Self::Next),
            'p' => Some(Self::Previous),
            'q' => Some(Self::Quit),
            _ => None,
        }
    }
}

/// A level that is being played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    board: Board,
    done: Vec<(Heading, Moved)>,
    undone: Vec<Heading>,
}

impl Game {
    /// A level as it is at first.
    #[must_use]
    pub fn new<S: AsRef<str>>(rows: &[S]) -> Self {
        Self {
            board: Board::of_rows(rows),
            done: Vec::new(),
            undone: Vec::new(),
        }
    }

    /// How things stand.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Makes a step, if it can be made.
    pub fn step(&mut self, heading: Heading) -> Option<Moved> {
        let moved = self.make(heading)?;
        self.undone.clear();
        Some(moved)
    }

    fn make(&mut self, heading: Heading) -> Option<Moved> {
        if self.done.len() >= STEPS_MAX {
            return None;
        }
        let moved = self.board.step(heading)?;
        self.done.push((heading, moved));
        Some(moved)
    }

    /// Takes the last step back; false where there is none.
    pub fn undo(&mut self) -> bool {
        let Some((heading, moved)) = self.done.pop() else {
            return false;
        };
        self.board.take_back(heading, moved);
        self.undone.push(heading);
        true
    }

    /// Takes steps back up to a push, that one too; all of them where there is none.
    pub fn undo_push(&mut self) -> bool {
        let mut some = false;
        while let Some(&(_, moved)) = self.done.last() {
            some |= self.undo();
            if moved == Moved::Pushed {
                break;
            }
        }
        some
    }

    /// Makes a step again that was taken back; false where there is none.
    pub fn redo(&mut self) -> bool {
        let Some(heading) = self.undone.pop() else {
            return false;
        };
        self.make(heading).is_some()
    }

    /// Takes all steps back; they can be made again.
    pub fn restart(&mut self) {
        while self.undo() {}
    }

    /// What was done so far, in the LURD notation.
    #[must_use]
    pub fn lurd(&self) -> String {
        let steps = self.done.iter();
        steps
            .map(|&(heading, moved)| heading.letter(moved == Moved::Pushed))
            .collect()
    }

    /// Steps so far, pushes among them.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.done.len()
    }

    /// Pushes so far.
    #[must_use]
    pub fn pushes(&self) -> usize {
        let pushes = self
            .done
            .iter()
            .filter(|(_, moved)| *moved == Moved::Pushed);
        pushes.count()
    }

    /// Whether all boxes are on goals.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.board.is_solved()
    }
}
