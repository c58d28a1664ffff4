//! `story plan`, `explain` and `render`; the others have files of their own.

mod ask;
mod books;
mod branch;
mod learn;
mod vary;

use super::ask::{Outcome, draw, end, show, write};
use crate::args::{
    ConnectionArgs, ExplainStoryArgs, GenerateStoryArgs, OutputFormat, RenderTaleArgs,
    StoryCommand, StoryFileArgs, TellingArgs,
};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{self, Display, story as texts, temporal::text_options};
use stratagem_proto::v1::{StoryAct, StoryPlan, StoryProblem, StorySlider, StoryStyle};
use stratagem_render::story::{markdown, prose, scene};

/// Does what the command says.
pub(super) async fn run(
    command: StoryCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let teller = Teller { server, display };
    match command {
        StoryCommand::Plan(args) => teller.generate(&args).await,
        StoryCommand::Branch(args) => branch::run(&args, &teller).await,
        StoryCommand::Learn(args) => learn::run(&args, &teller).await,
        StoryCommand::Explain(args) => teller.explain(&args).await,
        StoryCommand::Render(args) => teller.render(&args).await,
    }
}

/// A server to ask about stories, and where to show what it says.
struct Teller<'a> {
    server: &'a ConnectionArgs,
    display: &'a Display,
}

/// What is shown, and from what on.
#[derive(Debug, Clone)]
struct Wanted {
    problem: StoryProblem,
    previous: Vec<StoryAct>,
    style: StoryStyle,
}

impl Teller<'_> {
    /// The problem of a file, with what the options change in it.
    async fn read(&self, file: &str, telling: &TellingArgs) -> Result<Wanted, Failure> {
        let mut problem = input::problem_of(file, self.server).await?;
        for slider in &telling.sliders {
            set_slider(&mut problem, &slider.action, slider.factor);
        }
        problem.max_acts = telling.acts.or(problem.max_acts);
        Ok(Wanted {
            problem,
            previous: Vec::new(),
            style: StoryStyle {
                seed: telling.words,
                separate_sentences: telling.plain,
                use_pronouns: Some(!telling.plain),
            },
        })
    }

    async fn generate(&self, args: &GenerateStoryArgs) -> Result<Exit, Failure> {
        input::one_stdin(&[Some(&args.problem.file), args.previous.as_deref()])?;
        let mut wanted = self.read(&args.problem.file, &args.telling).await?;
        if let Some(previous) = &args.previous {
            wanted.previous = input::plan_of::<StoryPlan>(previous)?.acts;
        }
        if args.different.is_some() {
            return self.vary(&wanted, args).await;
        }
        let (answer, cut) = self.ask(&wanted, &args.search, args.stream).await?;
        if let Some(plan) = &answer.plan {
            draw_all(&args.files, &wanted.problem, Some(plan))?;
        }
        let outcome = Outcome::new(answer.plan.is_some(), answer.report.as_ref(), cut);
        let text = || texts::answer(self.display, &wanted.problem, &answer);
        end(self.display, args.stream, &answer, outcome, text)
    }

    async fn explain(&self, args: &ExplainStoryArgs) -> Result<Exit, Failure> {
        input::one_stdin(&[Some(&args.problem.file), Some(&args.plan.plan)])?;
        let mut wanted = self.read(&args.problem.file, &args.telling).await?;
        wanted.previous = input::plan_of::<StoryPlan>(&args.plan.plan)?.acts;
        let answer = self.explained(&wanted).await?;
        draw_all(&args.files, &wanted.problem, answer.plan.as_ref())?;
        let text = || texts::explained(self.display, &wanted.problem, &answer);
        show(self.display, &answer, text)?;
        Ok(Exit::OK)
    }

    async fn render(&self, args: &RenderTaleArgs) -> Result<Exit, Failure> {
        if self.display.format() != OutputFormat::Table {
            let message = "`story render` draws; for data see `story plan -o json`";
            return Err(Failure::usage(message));
        }
        input::one_stdin(&[Some(&args.problem.file), args.plan.as_deref()])?;
        let problem = input::problem_of(&args.problem.file, self.server).await?;
        let plan = args.plan.as_deref().map(input::plan_of).transpose()?;
        if !draw_all(&args.files, &problem, plan.as_ref())? {
            output::print(&scene(&problem, plan.as_ref()).text(&text_options(self.display)))?;
        }
        Ok(Exit::OK)
    }
}

/// Sets the slider of an action, whether it has one or not.
fn set_slider(problem: &mut StoryProblem, action: &str, factor: f64) {
    match problem.sliders.iter_mut().find(|s| s.action == action) {
        Some(slider) => slider.factor = factor,
        None => problem.sliders.push(StorySlider {
            action: action.to_owned(),
            factor,
        }),
    }
}

/// Writes the texts that were asked for; false when that is nothing.
fn write_texts(
    args: &StoryFileArgs,
    problem: &StoryProblem,
    plans: &[StoryPlan],
) -> Result<bool, Failure> {
    if let Some(path) = &args.text {
        write(path, &prose(plans))?;
    }
    if let Some(path) = &args.markdown {
        write(path, &markdown(problem, plans))?;
    }
    Ok(args.text.is_some() || args.markdown.is_some())
}

/// Writes and draws what was asked for; false when that is nothing.
fn draw_all(
    args: &StoryFileArgs,
    problem: &StoryProblem,
    plan: Option<&StoryPlan>,
) -> Result<bool, Failure> {
    let written = write_texts(args, problem, plan.map_or(&[], std::slice::from_ref))?;
    Ok(draw(&args.pictures, || scene(problem, plan))? || written)
}
