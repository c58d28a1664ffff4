//! `story watch`: the best story so far, how its score rises, and sliders that are moved meanwhile.

use super::super::lines::typed;
use super::{Teller, Wanted, set_slider};
use crate::args::{OutputFormat, SearchArgs, SliderChoice, WatchStoryArgs};
use crate::call;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::formats::reflect;
use crate::output::screen::{Screen, read_key};
use crate::output::table::printable;
use crate::output::temporal::text_options;
use crate::output::{self, Display, Style};
use bytes::Bytes;
use console::Key;
use prost::Message as _;
use std::io::IsTerminal as _;
use stratagem_proto::v1::{GenerateStoryRequest, GenerateStoryResponse, StoryPlan};
use stratagem_render::story::{act_lines, curve_lines, paragraph};
use stratagem_render::time::micros;
use tonic::{Request, Streaming};

/// Bytes of a line, at most.
const LINE_MAX: u64 = 4_096;
const KEYS: &str = "up down slider | left right halve double | 0 off | 1 back | q end";
/// Highest factor of a slider.
const FACTOR_MAX: f64 = 100.0;

/// Shows searches until nobody wants another.
pub(super) async fn run(args: &WatchStoryArgs, teller: &Teller<'_>) -> Result<Exit, Failure> {
    if teller.display.format() != OutputFormat::Table {
        let message = "`story watch` shows; for data see `story plan --stream -o ndjson`";
        return Err(Failure::usage(message));
    }
    if args.file == "-" {
        return Err(Failure::usage("stdin moves the sliders: name a file"));
    }
    let wanted = teller.read(&args.file, &args.telling).await?;
    let is_live = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let watch = Watch {
        display: *teller.display,
        connection: Connection::open(teller.server).await?,
        search: args.search.clone(),
        best: None,
        curve: Vec::new(),
        until: 0.0,
        selected: 0,
        message: String::new(),
        wanted,
    };
    if is_live {
        watch.live().await
    } else {
        watch.by_lines().await
    }
}

struct Watch {
    display: Display,
    connection: Connection,
    search: SearchArgs,
    wanted: Wanted,
    best: Option<StoryPlan>,
    /// Seconds of the search, and the score from then on.
    curve: Vec<(f64, f64)>,
    until: f64,
    /// The slider that keys move, by the number of its action.
    selected: usize,
    message: String,
}

/// What a key asks for.
enum Wish {
    Quit,
    Search,
    Show,
}

impl Watch {
    /// One search after the other, each to its end; a line of stdin before the next.
    async fn by_lines(mut self) -> Result<Exit, Failure> {
        let mut stream = Some(self.begin().await?);
        loop {
            if let Some(stream) = &mut stream {
                while !self.over(stream).await? {}
            }
            output::print(&(self.lines().join("\n") + "\n\n"))?;
            let Some(line) = typed(LINE_MAX).await? else {
                return Ok(Exit::OK);
            };
            if !line.trim().is_empty() {
                let choice = line.trim().parse::<SliderChoice>();
                self.set(&choice.map_err(Failure::usage)?)?;
            }
            stream = self.again().await?;
        }
    }

    /// On a terminal: keys are heard while the search goes on.
    async fn live(mut self) -> Result<Exit, Failure> {
        let _screen = Screen::open()?;
        let mut stream = Some(self.begin().await?);
        let mut key = read_key();
        loop {
            output::print(&self.painted())?;
            let over = async {
                match stream.as_mut() {
                    Some(stream) => self.over(stream).await,
                    // Nothing comes any more: keys alone are waited for.
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                over = over => match over {
                    Ok(true) => stream = None,
                    Ok(false) => {}
                    Err(failure) => {
                        self.message = failure.message;
                        stream = None;
                    }
                },
                pressed = &mut key => {
                    let pressed = pressed.map_err(|e| Failure::new(Exit::IO, e.to_string()))?;
                    match self.press(pressed.ok().as_ref()) {
                        Wish::Quit => return Ok(Exit::OK),
                        Wish::Show => {}
                        Wish::Search => {
                            // The search that goes on is of no use any more; while it is followed
                            // it keeps its slot, in which the next one could begin.
                            drop(stream.take());
                            stream = self.again().await?;
                        }
                    }
                    key = read_key();
                }
            }
        }
    }

    /// Begins a search from the best story so far.
    async fn begin(&mut self) -> Result<Streaming<Bytes>, Failure> {
        if let Some(best) = self.best.take() {
            self.wanted.previous = best.acts;
        }
        self.curve.clear();
        self.until = 0.0;
        self.message = "searching".into();
        let method = reflect::method_for::<GenerateStoryRequest>(true);
        let request = self.wanted.request(&self.search).encode_to_vec();
        let request = Request::new(request.into());
        let stream = call::stream(&self.connection, &method, request).await;
        let stream = stream.map_err(|status| self.connection.failure(&status))?;
        Ok(stream.into_inner())
    }

    /// Begins a search after a slider was moved. None: these sliders are invalid, which is printed.
    async fn again(&mut self) -> Result<Option<Streaming<Bytes>>, Failure> {
        match self.begin().await {
            Ok(stream) => Ok(Some(stream)),
            Err(failure) if failure.exit == Exit::INVALID => {
                self.message = failure.message;
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Waits for a step of the search; whether that was the last.
    async fn over(&mut self, stream: &mut Streaming<Bytes>) -> Result<bool, Failure> {
        let step = call::next::<GenerateStoryResponse>(stream).await;
        let Some(step) = step.map_err(|status| self.connection.failure(&status))? else {
            return Ok(true);
        };
        let event = step.event.unwrap_or_default();
        // Hours: fits.
        self.until = micros(event.elapsed.as_ref()) as f64 / 1e6;
        if let Some(plan) = step.plan {
            if self
                .curve
                .last()
                .is_none_or(|(_, score)| plan.score > *score)
            {
                self.curve.push((self.until, plan.score));
            }
            self.best = Some(plan);
        }
        let Some(report) = step.report else {
            return Ok(false);
        };
        let proved = report.bound.is_some() && report.gap.is_some_and(|gap| gap <= 0.0);
        let known = if proved {
            ", proved to be the best"
        } else {
            ""
        };
        self.message = format!("{} iterations{known}", report.iterations);
        Ok(true)
    }

    fn set(&mut self, choice: &SliderChoice) -> Result<(), Failure> {
        let mut actions = self.wanted.problem.actions.iter();
        if !actions.any(|action| action.name == choice.action) {
            let message = format!("there is no action `{}`", choice.action);
            return Err(Failure::usage(message));
        }
        set_slider(&mut self.wanted.problem, &choice.action, choice.factor);
        Ok(())
    }

    fn factor(&self, action: &str) -> f64 {
        let mut sliders = self.wanted.problem.sliders.iter();
        let found = sliders.find(|slider| slider.action == action);
        found.map_or(1.0, |slider| slider.factor)
    }

    fn press(&mut self, key: Option<&Key>) -> Wish {
        let actions = &self.wanted.problem.actions;
        let Some(action) = actions.get(self.selected).map(|a| a.name.clone()) else {
            return Wish::Quit;
        };
        let now = self.factor(&action);
        let factor = match key {
            None | Some(Key::Char('q') | Key::Escape | Key::CtrlC) => return Wish::Quit,
            Some(Key::ArrowUp) => {
                self.selected = self.selected.saturating_sub(1);
                return Wish::Show;
            }
            Some(Key::ArrowDown) => {
                self.selected = (self.selected + 1).min(actions.len() - 1);
                return Wish::Show;
            }
            Some(Key::ArrowLeft) => now / 2.0,
            Some(Key::ArrowRight) if now <= 0.0 => 1.0 / 64.0,
            Some(Key::ArrowRight) => (now * 2.0).min(FACTOR_MAX),
            Some(Key::Char('0')) => 0.0,
            Some(Key::Char('1')) => 1.0,
            Some(_) => return Wish::Show,
        };
        set_slider(&mut self.wanted.problem, &action, factor);
        Wish::Search
    }

    /// What is shown, line by line.
    fn lines(&self) -> Vec<String> {
        let options = text_options(&self.display);
        let title = printable(&self.wanted.problem.title);
        let score = self.best.as_ref().map_or(0.0, |best| best.score);
        let mut lines_of_text = self.message.lines().map(printable);
        let first = lines_of_text.next().unwrap_or_default();
        let head = format!("{title}  score {score:.6}  {first}");
        let mut lines = vec![self.display.styled(Style::Heading, &head)];
        lines.extend(lines_of_text);
        lines.push(String::new());
        lines.extend(curve_lines(&self.curve, self.until, &options));
        lines.push(String::new());
        if let Some(best) = &self.best {
            let lines_of_text = paragraph(best, self.display.width().min(90));
            lines.extend(lines_of_text.lines().map(str::to_owned));
            lines.push(String::new());
            lines.extend(act_lines(best, &options).lines().map(str::to_owned));
            lines.push(String::new());
        }
        for (index, action) in self.wanted.problem.actions.iter().enumerate() {
            let mark = if index == self.selected { ">" } else { " " };
            let factor = self.factor(&action.name);
            // At most 14 letters.
            let bar = "#".repeat((factor.log2() + 7.0).clamp(0.0, 14.0) as usize);
            let name = printable(&action.name);
            lines.push(
                format!("{mark} {name:<16} {factor:>8.3} {bar}")
                    .trim_end()
                    .to_owned(),
            );
        }
        lines
    }

    /// The same, as it is painted.
    fn painted(&self) -> String {
        let mut lines = self.lines();
        lines.push(String::new());
        lines.push(self.display.styled(Style::Faint, KEYS));
        Screen::painted(&lines)
    }
}
