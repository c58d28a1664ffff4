//! `puzzle rate`.

use super::super::{ask::show, lines::typed};
use super::{Maker, play};
use crate::args::{OutputFormat, RatePuzzleArgs, SearchArgs};
use crate::call::quick;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::formats::json;
use crate::formats::levels::Set;
use crate::input::{self, Levels};
use crate::output::table::printable;
use crate::output::temporal::text_options;
use crate::output::{self, puzzle as texts};
use crate::survey::{Said, Survey};
use console::{Key, Term};
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use stratagem_proto::v1::{
    PuzzleComparedLevel, PuzzleComparison, RatePuzzlesRequest, RatePuzzlesResponse,
};
use stratagem_render::puzzle::{Picture, Sheet, text};

/// Bytes of a line, at most.
const LINE_MAX: u64 = 4_096;
/// Bytes of a file of answers, at most.
const ANSWERS_MAX: u64 = 16 << 20;

/// Asks which of two levels is harder, keeps the answers, and has them rated.
pub(super) async fn run(args: &RatePuzzleArgs, maker: &Maker<'_>) -> Result<Exit, Failure> {
    if args.file == "-" {
        let message = "stdin is for the answers: give the levels as a file";
        return Err(Failure::usage(message));
    }
    let levels = input::levels(&args.file, None)?;
    let ids = levels.ids();
    let kept = kept(&args.answers)?;
    let mut survey = Survey::new(ids.clone(), &kept, args.seed);
    let asker = Asker {
        args,
        maker,
        levels: &levels,
        ids: &ids,
    };
    asker.ask(&mut survey).await?;
    let comparisons = survey.comparisons();
    if comparisons.is_empty() {
        output::print("no answers, nothing to rate\n")?;
        return Ok(Exit::OK);
    }
    let request = RatePuzzlesRequest {
        levels: asker.to_rate(),
        comparisons,
        draw_probability: args.draws.map(|percent| f64::from(percent) / 100.0),
    };
    let connection = Connection::open(maker.server).await?;
    let answer: RatePuzzlesResponse = quick(&connection, &request).await?;
    let weights = answer.fit.as_ref().and_then(|fit| fit.weights);
    if let Some(path) = &args.weights {
        let Some(weights) = weights else {
            let message =
                "there are no weights to write: no feature says anything about the answers";
            return Err(Failure::new(Exit::UNKNOWN, message));
        };
        let text = json::write(&weights).map_err(|m| Failure::new(Exit::IO, m.message))?;
        write(path, &text)?;
    }
    show(maker.display, &answer, || {
        texts::ratings(maker.display, &answer)
    })?;
    Ok(Exit::OK)
}

/// The answers in a file; none where there is no file yet.
fn kept(path: &Path) -> Result<Vec<PuzzleComparison>, Failure> {
    let name = path.display();
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Failure::usage(format!("cannot read {name}: {e}"))),
    };
    // They are written again with each answer: what was not read would be lost.
    let text = input::text_at_most(ANSWERS_MAX, file)
        .map_err(|e| Failure::usage(format!("cannot read {name}: {e}")))?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            json::read(line).map_err(|m| {
                let message = format!("{name}:{}: {}", index + 1, m.message);
                Failure::new(Exit::INVALID, message)
            })
        })
        .collect()
}

struct Asker<'a> {
    args: &'a RatePuzzleArgs,
    maker: &'a Maker<'a>,
    levels: &'a Levels,
    ids: &'a [String],
}

impl Asker<'_> {
    /// Asks until nobody answers any more; each answer is kept at once.
    async fn ask(&self, survey: &mut Survey) -> Result<(), Failure> {
        let mut asked = 0;
        // Pairs are asked again after a level of them was played.
        while self.args.questions.is_none_or(|most| asked < most) {
            let Some((left, right)) = survey.next() else {
                break;
            };
            self.question(left, right)?;
            let Some(said) = answer().await? else { break };
            match said {
                Said::Enough => break,
                Said::TakeBack => survey.take_back(),
                Said::PlayFirst => self.play(left).await?,
                Said::PlaySecond => self.play(right).await?,
                said => {
                    survey.say(left, right, said);
                    asked += 1;
                }
            }
            self.keep(&survey.all_comparisons())?;
        }
        Ok(())
    }

    fn question(&self, left: usize, right: usize) -> Result<(), Failure> {
        // Who asks by a script needs no pictures of it in its data.
        if self.maker.display.format.is_some() {
            return Ok(());
        }
        let picture = |letter: &str, index: usize| Picture {
            name: format!("{letter}  {}", printable(&self.ids[index])),
            rows: self.levels.set.levels[index].rows.clone(),
            ..Picture::default()
        };
        let sheet = Sheet {
            pictures: vec![picture("a", left), picture("b", right)],
            ..Sheet::default()
        };
        let question = "Which one is harder? a, b, = (neither), s (skip), u (take back), q (no more); 1, 2 (play a, b)\n";
        output::print(&(text(&sheet, &text_options(self.maker.display)) + question))
    }

    /// Lets the player try a level before an answer.
    async fn play(&self, index: usize) -> Result<(), Failure> {
        if self.maker.display.format() != OutputFormat::Table {
            return Err(Failure::usage(
                "levels are played by people only: leave out -o",
            ));
        }
        let level = self.levels.set.levels[index].clone();
        let one = Levels {
            set: Set {
                levels: vec![level],
                ..Set::default()
            },
            reported: Vec::new(),
            first: self.levels.first + index,
            name: self.levels.name.clone(),
        };
        let search = SearchArgs::default();
        play::play(&search, self.maker, one, None).await.map(drop)
    }

    fn keep(&self, answers: &[PuzzleComparison]) -> Result<(), Failure> {
        let lines: Result<Vec<String>, _> = answers.iter().map(json::line).collect();
        let lines = lines.map_err(|m| Failure::new(Exit::IO, m.message))?;
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        write(&self.args.answers, &text)
    }

    fn to_rate(&self) -> Vec<PuzzleComparedLevel> {
        let levels = self.levels.set.levels.iter().zip(self.ids);
        levels
            .map(|(level, id)| PuzzleComparedLevel {
                id: id.clone(),
                rows: level.rows.clone(),
                solution: level.solution.clone(),
            })
            .collect()
    }
}

/// What was said: a key on a terminal, else a line; none at the end.
async fn answer() -> Result<Option<Said>, Failure> {
    let is_live = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    loop {
        let letter = if is_live {
            let read = tokio::task::spawn_blocking(key).await;
            read.map_err(|e| Failure::new(Exit::IO, e.to_string()))??
        } else {
            typed(LINE_MAX).await?.map(|line| only_letter(&line))
        };
        let Some(letter) = letter else {
            return Ok(None);
        };
        if let Some(said) = Said::of_letter(letter) {
            return Ok(Some(said));
        }
        if !is_live {
            let message = "an answer is one of a, b, =, s, u, q, 1 and 2";
            return Err(Failure::usage(message));
        }
    }
}

fn key() -> Result<Option<char>, Failure> {
    match Term::stdout().read_key_raw() {
        Ok(Key::CtrlC) => Err(Failure::new(
            Exit::INTERRUPTED,
            "interrupted; the answers are kept",
        )),
        Ok(Key::Char(letter)) => Ok(Some(letter)),
        Ok(Key::ArrowLeft) => Ok(Some('a')),
        Ok(Key::ArrowRight) => Ok(Some('b')),
        Ok(Key::Escape) | Err(_) => Ok(None),
        // Not understood.
        Ok(_) => Ok(Some('\0')),
    }
}

/// The only letter of a line.
fn only_letter(line: &str) -> char {
    let mut letters = line.trim().chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => letter,
        // Not understood.
        _ => '\0',
    }
}

/// Replaces a file atomically: an interrupted program leaves the previous answers.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |e| Failure::new(Exit::IO, format!("cannot write {}: {e}", path.display()));
    // Where it is a link, what it leads to is written.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        // A pipe or a terminal: nothing to replace.
        return fs::write(path, text).map_err(failed);
    }
    let mut new = OsString::from(path);
    new.push(format!(".{}.new", std::process::id()));
    let new = Path::new(&new);
    let written = replaced(new, path, text, old);
    if written.is_err() {
        // It may not even have been made.
        let _ = fs::remove_file(new);
    }
    written.map_err(failed)
}

fn replaced(new: &Path, path: &Path, text: &str, old: Option<Metadata>) -> io::Result<()> {
    let mut file = File::create(new)?;
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(new, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn answers_are_replaced_as_a_whole() {
        let folder = std::env::temp_dir().join(format!("stratagem-rate-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (path, link) = (folder.join("answers.ndjson"), folder.join("link"));
        write(&path, "first\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        let mut before = File::open(&path).unwrap();
        write(&link, "second\n").unwrap();
        let mut seen = String::new();
        before.read_to_string(&mut seen).unwrap();
        assert_eq!(seen, "first\n", "a reader sees all of the old one");
        assert_eq!(fs::read_to_string(&path).unwrap(), "second\n");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o640
        );
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left");
        assert_eq!(
            write(&folder.join("none/a"), "x").unwrap_err().exit,
            Exit::IO
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}
