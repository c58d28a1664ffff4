//! `patrol generate`, `evaluate` and `render`.

mod ask;

use super::ask::{draw, show};
use crate::args::{
    ConnectionArgs, EvaluateArgs, GenerateArgs, OutputFormat, PatrolCommand, PictureArgs,
    RenderPatrolArgs,
};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{self, Display, patrol as texts, temporal::text_options};
use stratagem_proto::v1::{PatrolEvaluation, PatrolPlan, PatrolProblem};
use stratagem_render::patrol::{Drawn, animated_svg, page, svg, text};

/// Does what the command says.
pub(super) async fn run(
    command: PatrolCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let guide = Guide { server, display };
    match command {
        PatrolCommand::Generate(args) => guide.generate(&args).await,
        PatrolCommand::Evaluate(args) => guide.evaluate(&args).await,
        PatrolCommand::Render(args) => guide.render(&args).await,
    }
}

/// A server to ask about patrols, and where to show what it says.
struct Guide<'a> {
    server: &'a ConnectionArgs,
    display: &'a Display,
}

impl Guide<'_> {
    async fn generate(&self, args: &GenerateArgs) -> Result<Exit, Failure> {
        let problem = input::patrol(&args.ground.file, args.ground.tiles, self.server).await?;
        let (answer, cut) = match args.stream {
            true => self.stream(&problem, args).await?,
            false => (self.unary(&problem, args).await?, None),
        };
        if let Some(plan) = &answer.plan {
            let found = (plan, answer.evaluation.as_ref());
            draw_all((&args.pictures, args.animate), &problem, found)?;
        }
        let nothing = cut.is_some() && answer.plan.is_none();
        // Steps in ndjson have been shown already.
        let shown = args.stream && self.display.format() == OutputFormat::Ndjson;
        if !nothing && !shown {
            let text = || texts::answer(self.display, &problem, &answer);
            show(self.display, &answer, text)?;
        }
        let status = answer.report.unwrap_or_default().status();
        cut.map_or(Ok(Exit::of_solve(status)), Err)
    }

    async fn evaluate(&self, args: &EvaluateArgs) -> Result<Exit, Failure> {
        one_stdin([&args.ground.file, &args.plan])?;
        let problem = input::patrol(&args.ground.file, args.ground.tiles, self.server).await?;
        let (plan, _) = input::patrol_plan(&args.plan)?;
        let answer = self.judge(&problem, &plan).await?;
        let evaluation = answer.evaluation.clone().unwrap_or_default();
        let text = || texts::evaluation(self.display, &problem, &evaluation);
        show(self.display, &answer, text)?;
        Ok(Exit::OK)
    }

    async fn render(&self, args: &RenderPatrolArgs) -> Result<Exit, Failure> {
        if self.display.format() != OutputFormat::Table {
            let message = "`patrol render` draws; for data see `patrol evaluate -o json`";
            return Err(Failure::usage(message));
        }
        one_stdin([&args.ground.file, &args.plan])?;
        let problem = input::patrol(&args.ground.file, args.ground.tiles, self.server).await?;
        let (plan, mut evaluation) = input::patrol_plan(&args.plan)?;
        if evaluation.is_none() && !args.offline {
            evaluation = self.judge(&problem, &plan).await?.evaluation;
        }
        let found = (&plan, evaluation.as_ref());
        if !draw_all((&args.pictures, args.animate), &problem, found)? {
            let options = text_options(self.display);
            output::print(&text(&problem, drawn(found), &options))?;
        }
        Ok(Exit::OK)
    }
}

/// Refuses to read two things from stdin.
fn one_stdin(sources: [&str; 2]) -> Result<(), Failure> {
    if sources == ["-", "-"] {
        return Err(Failure::usage("only one of problem and plan can be stdin"));
    }
    Ok(())
}

fn drawn<'a>((plan, evaluation): (&'a PatrolPlan, Option<&'a PatrolEvaluation>)) -> Drawn<'a> {
    Drawn {
        plan: Some(plan),
        evaluation,
    }
}

/// Draws what was asked for; false when that is nothing.
fn draw_all(
    (args, animate): (&PictureArgs, bool),
    problem: &PatrolProblem,
    found: (&PatrolPlan, Option<&PatrolEvaluation>),
) -> Result<bool, Failure> {
    let drawn = drawn(found);
    let picture = || match animate {
        true => animated_svg(problem, drawn),
        false => svg(problem, drawn),
    };
    draw(args, picture, || page(problem, drawn))
}
