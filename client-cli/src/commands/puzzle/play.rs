//! `puzzle play`.

mod screen;
mod supply;

use super::Maker;
use crate::args::{PlayPuzzleArgs, SearchArgs};
use crate::exit::{Exit, Failure};
use crate::input::{self, Levels};
use crate::output::numbers::things;
use crate::output::puzzle::hint_words;
use crate::output::table::printable;
use crate::sokoban::{Game, Wish};
use screen::Screen;
use std::time::Duration;
use stratagem_proto::v1::SolvePuzzleResponse;
use stratagem_render::puzzle::Heading;
use supply::Supply;

/// How long a step of a solution is shown.
const STEP: Duration = Duration::from_millis(120);
/// How long a whole solution is shown, about.
const SOLUTION: Duration = Duration::from_secs(20);

/// Plays levels by the keyboard, or by the lines of stdin.
pub(super) async fn run(args: &PlayPuzzleArgs, maker: &Maker<'_>) -> Result<Exit, Failure> {
    maker
        .display
        .refuse_data("puzzle play", "puzzle plan -o json")?;
    let mut supply = None;
    let levels = match args.problem.file.as_deref() {
        Some("-") => {
            let message = "stdin is for the moves: give the levels as a file";
            return Err(Failure::usage(message));
        }
        Some(file) => input::levels(file, args.level)?,
        None => {
            let made = supply.insert(Supply::new(args)?);
            made.first(maker).await?
        }
    };
    let is_solved = play(&args.search, maker, levels, supply).await?;
    Ok(if is_solved { Exit::OK } else { Exit::UNKNOWN })
}

/// Plays levels until the player has enough, and more where there is a supply of them; whether the
/// one shown last is solved.
pub(super) async fn play(
    search: &SearchArgs,
    maker: &Maker<'_>,
    levels: Levels,
    supply: Option<Supply>,
) -> Result<bool, Failure> {
    let games = levels.set.levels.iter().map(|level| Game::new(&level.rows));
    let mut player = Player {
        search,
        maker,
        games: games.collect(),
        names: levels.ids(),
        levels,
        supply,
        at: 0,
        message: String::new(),
        hint: Vec::new(),
        screen: Screen::open(maker.display)?,
    };
    player.show()?;
    while let Some(wish) = player.screen.wish().await? {
        match wish {
            Ok(Wish::Quit) => break,
            Ok(wish) => player.grant(wish).await?,
            Err(message) => player.message = message,
        }
        player.show()?;
    }
    Ok(player.games[player.at].is_solved())
}

/// Moves and pushes, in words.
fn counted(game: &Game) -> String {
    let moves = things(game.moves() as i64, "moves");
    let pushes = match game.pushes() {
        1 => "1 push".into(),
        several => format!("{several} pushes"),
    };
    format!("{moves}, {pushes}")
}

/// Levels that are being played.
struct Player<'a> {
    search: &'a SearchArgs,
    maker: &'a Maker<'a>,
    levels: Levels,
    names: Vec<String>,
    /// Where more levels come from.
    supply: Option<Supply>,
    /// One for each level.
    games: Vec<Game>,
    /// Index of the level that is shown.
    at: usize,
    /// The lines below the board.
    message: String,
    /// What the last hint said.
    hint: Vec<Heading>,
    screen: Screen,
}

impl Player<'_> {
    async fn grant(&mut self, wish: Wish) -> Result<(), Failure> {
        self.message.clear();
        let hint = std::mem::take(&mut self.hint);
        match wish {
            Wish::Go(steps) => self.go(&steps),
            Wish::Obey if hint.is_empty() => self.message = "no hint to follow: press ?".into(),
            Wish::Obey => self.go(&hint),
            Wish::Undo => {
                let done = self.game().undo();
                self.unless(done, "nothing to take back");
            }
            Wish::UndoPush => {
                let done = self.game().undo_push();
                self.unless(done, "nothing to take back");
            }
            Wish::Redo => {
                let done = self.game().redo();
                self.unless(done, "nothing was taken back");
            }
            Wish::Restart => self.game().restart(),
            Wish::Hint => self.ask_hint().await?,
            Wish::Solution => self.play_solution().await?,
            Wish::Next if self.at + 1 < self.games.len() => self.at += 1,
            Wish::Next if self.supply.is_some() => self.another().await?,
            Wish::Next => self.message = "this is the last level".into(),
            Wish::Previous if self.at > 0 => self.at -= 1,
            Wish::Previous => self.message = "this is the first level".into(),
            Wish::Show | Wish::Quit => {}
        }
        Ok(())
    }

    /// Goes on to a new level: a harder one after one that was solved.
    async fn another(&mut self) -> Result<(), Failure> {
        let Some(supply) = &mut self.supply else {
            return Ok(());
        };
        if self.screen.is_live() {
            let game = &self.games[self.at];
            let words = ["", "The next level is being made ..."];
            self.screen.show(words, game.board(), "")?;
        }
        let is_solved = self.games[self.at].is_solved();
        match supply.next(self.maker, is_solved).await {
            Ok(level) => {
                self.games.push(Game::new(&level.rows));
                self.levels.set.levels.push(level);
                self.names = self.levels.ids();
                self.at = self.games.len() - 1;
            }
            Err(failure) if failure.exit == Exit::INTERRUPTED => return Err(failure),
            // What there is can still be played.
            Err(failure) => {
                self.message = format!("no level: {}", failure.message.replace('\n', "; "));
            }
        }
        Ok(())
    }

    fn game(&mut self) -> &mut Game {
        &mut self.games[self.at]
    }

    fn unless(&mut self, done: bool, message: &str) {
        if !done {
            self.message = message.into();
        }
    }

    fn go(&mut self, steps: &[Heading]) {
        let game = &mut self.games[self.at];
        for (index, &heading) in steps.iter().enumerate() {
            if game.step(heading).is_none() {
                // Against a wall with a single key is no news.
                if steps.len() > 1 {
                    self.message = format!("step {} cannot be made", index + 1);
                }
                return;
            }
        }
    }

    /// What the server says from here on; none where it says that it cannot.
    async fn ask(&mut self) -> Result<Option<SolvePuzzleResponse>, Failure> {
        let rows = self.levels.set.levels[self.at].rows.clone();
        let played = self.games[self.at].lurd();
        let answer = self.maker.solved(&rows, &played, self.search, false).await;
        match answer {
            Ok((answer, _)) => Ok(Some(answer)),
            Err(failure) if failure.exit == Exit::INTERRUPTED => Err(failure),
            // The game goes on without a server.
            Err(failure) => {
                self.message = format!("no help: {}", failure.message.replace('\n', "; "));
                Ok(None)
            }
        }
    }

    async fn ask_hint(&mut self) -> Result<(), Failure> {
        if let Some(answer) = self.ask().await? {
            // As it is drawn.
            self.message = hint_words(&answer, self.games[self.at].board().origin());
            if let Some(hint) = &answer.hint {
                let steps = hint.lurd.chars().filter_map(Heading::of_letter);
                self.hint = steps.collect();
                self.message.push_str(if self.screen.is_live() {
                    "; space does it"
                } else {
                    "; `do it` does it"
                });
            }
        }
        Ok(())
    }

    /// Plays the rest of a solution: the known one at the beginning, else one from the server.
    async fn play_solution(&mut self) -> Result<(), Failure> {
        let known = self.levels.set.levels[self.at].solution.clone();
        let rest = if !known.is_empty() && self.games[self.at].moves() == 0 {
            known
        } else {
            let Some(answer) = self.ask().await? else {
                return Ok(());
            };
            let words = hint_words(&answer, (0, 0));
            let Some(solution) = answer.plan else {
                self.message = words;
                return Ok(());
            };
            solution.lurd
        };
        let steps: Vec<Heading> = rest.chars().filter_map(Heading::of_letter).collect();
        let pause = STEP.min(SOLUTION / u32::try_from(steps.len().max(1)).unwrap_or(u32::MAX));
        for heading in steps {
            if self.game().step(heading).is_none() {
                self.message = "the solution does not fit this level".into();
                return Ok(());
            }
            if self.screen.is_live() {
                self.show()?;
                tokio::select! {
                    () = tokio::time::sleep(pause) => {}
                    _ = tokio::signal::ctrl_c() => return Ok(()),
                }
            }
        }
        Ok(())
    }

    fn show(&mut self) -> Result<(), Failure> {
        let game = &self.games[self.at];
        let mut head = format!("{}  ", printable(&self.names[self.at]));
        if self.games.len() > 1 {
            head += &format!("({} of {})  ", self.at + 1, self.games.len());
        }
        let mut counts = counted(game);
        if let Some(pushes) = self.known_pushes() {
            counts += &format!(" (a solution has {pushes})");
        }
        let message = match (&self.message, game.is_solved()) {
            (message, true) if message.is_empty() => {
                let (moves, pushes) = (game.moves(), game.pushes());
                let more = match (&self.supply, self.screen.is_live()) {
                    (None, _) => "",
                    (Some(_), true) => " n: a harder one.",
                    (Some(_), false) => " `next` is a harder one.",
                };
                format!("Solved in {moves} moves, {pushes} pushes.{more}")
            }
            (message, _) => message.clone(),
        };
        let board = game.board();
        self.screen
            .show([&head, &counts], board, &printable(&message))
    }

    fn known_pushes(&self) -> Option<usize> {
        let solution = &self.levels.set.levels[self.at].solution;
        let pushes = solution.chars().filter(char::is_ascii_uppercase).count();
        (pushes > 0).then_some(pushes)
    }
}
