//! `patrol plan`, `evaluate` and `render`.

mod ask;

use super::ask::{Outcome, draw, draw_film, end, show};
use crate::args::{
    ConnectionArgs, EvaluateArgs, GenerateArgs, GroundArgs, OutputFormat, PatrolCommand,
    PictureArgs, PlanArgs, RenderPatrolArgs,
};
use crate::exit::{Exit, Failure};
use crate::input::{self, PatrolFound, SEVERAL};
use crate::output::{self, Display, patrol as texts, temporal::text_options};
use ask::Judged;
use stratagem_proto::v1::{
    PatrolEvaluation, PatrolMixture, PatrolMixtureEvaluation, PatrolPlan, PatrolProblem,
    PatrolVariant,
};
use stratagem_render::patrol::{self as render, Drawn, Mixed};

/// Does what the command says.
pub(super) async fn run(
    command: PatrolCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let guide = Guide { server, display };
    match command {
        PatrolCommand::Plan(args) => guide.generate(&args).await,
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
        let previous = args.previous.as_deref();
        input::one_stdin(&[Some(&args.ground.problem.file), previous])?;
        let problem = input::foreign_problem_of(
            &args.ground.problem.file,
            args.ground.tiles.into(),
            self.server,
        )
        .await?;
        if args.mixture {
            return self.mix(&problem, args).await;
        }
        if args.different.is_some() {
            return self.vary(&problem, args).await;
        }
        let previous = previous.map(previous_plan).transpose()?;
        let (mut answer, cut) = self.ask(&problem, args, previous).await?;
        if let Some(plan) = &answer.plan {
            if cut.is_some() && answer.evaluation.is_none() {
                let judged = self.judge_after(&problem, Judged::Plan(plan)).await;
                answer.evaluation = judged.evaluation;
            }
            let drawn = drawn(plan, answer.evaluation.as_ref());
            draw_all(&args.pictures, args.animate, &problem, drawn)?;
        }
        let outcome = Outcome::new(answer.plan.is_some(), answer.report.as_ref(), cut);
        let text = || texts::answer(self.display, &problem, &answer);
        end(self.display, args.stream, &answer, outcome, text)
    }

    async fn mix(&self, problem: &PatrolProblem, args: &GenerateArgs) -> Result<Exit, Failure> {
        let (mut answer, cut) = self.ask_mixture(problem, args).await?;
        if let Some(mixture) = &answer.plan {
            if cut.is_some() && answer.evaluation.is_none() {
                let judged = self.judge_after(problem, Judged::Mixture(mixture)).await;
                answer.evaluation = judged.mixture_evaluation;
            }
            let mixed = mixed(mixture, answer.evaluation.as_ref());
            draw_mixture(&args.pictures, problem, mixed)?;
        }
        let outcome = Outcome::new(answer.plan.is_some(), answer.report.as_ref(), cut);
        let text = || texts::mixture(self.display, problem, &answer);
        end(self.display, args.stream, &answer, outcome, text)
    }

    async fn vary(&self, problem: &PatrolProblem, args: &GenerateArgs) -> Result<Exit, Failure> {
        let (mut answer, cut) = self.ask_different(problem, args).await?;
        if cut.is_some() {
            for variant in &mut answer.plans {
                if let (Some(plan), None) = (&variant.plan, &variant.evaluation) {
                    let judged = self.judge_after(problem, Judged::Plan(plan)).await;
                    variant.evaluation = judged.evaluation;
                }
            }
        }
        draw_variants(&args.pictures, problem, &answer.plans)?;
        let outcome = Outcome::new(!answer.plans.is_empty(), answer.report.as_ref(), cut);
        let text = || texts::variants(self.display, problem, &answer);
        end(self.display, args.stream, &answer, outcome, text)
    }

    async fn evaluate(&self, args: &EvaluateArgs) -> Result<Exit, Failure> {
        let (problem, plan) = self.read(&args.ground, &args.plan).await?;
        let answer = self.judge(&problem, judged(&plan)?).await?;
        let text = || match (&plan, &answer.mixture_evaluation) {
            (PatrolFound::Mixture(mixture, _), Some(evaluation)) => {
                let mixed = mixed(mixture, Some(evaluation));
                texts::mixture_alone(self.display, &problem, mixed)
            }
            _ => {
                let evaluation = answer.evaluation.clone().unwrap_or_default();
                texts::evaluation(self.display, &problem, &evaluation)
            }
        };
        show(self.display, &answer, text)?;
        Ok(Exit::OK)
    }

    /// A problem and a plan for it.
    async fn read(
        &self,
        ground: &GroundArgs,
        plan: &PlanArgs,
    ) -> Result<(PatrolProblem, PatrolFound), Failure> {
        input::one_stdin(&[Some(&ground.problem.file), Some(&plan.plan)])?;
        let file = &ground.problem.file;
        let problem = input::foreign_problem_of(file, ground.tiles.into(), self.server).await?;
        Ok((problem, input::patrol_plan(&plan.plan)?))
    }

    async fn render(&self, args: &RenderPatrolArgs) -> Result<Exit, Failure> {
        if self.display.format() != OutputFormat::Table {
            let message = "`patrol render` draws; for data see `patrol evaluate -o json`";
            return Err(Failure::usage(message));
        }
        let (problem, mut found) = self.read(&args.ground, &args.plan).await?;
        if !found.is_judged() && !args.offline {
            let answer = self.judge(&problem, judged(&found)?).await?;
            match &mut found {
                PatrolFound::Plan(_, evaluation) => *evaluation = answer.evaluation,
                PatrolFound::Mixture(_, evaluation) => *evaluation = answer.mixture_evaluation,
                PatrolFound::Variants(_) => {}
            }
        }
        let options = text_options(self.display);
        match &found {
            PatrolFound::Plan(plan, evaluation) => {
                let drawn = drawn(plan, evaluation.as_ref());
                if !draw_all(&args.pictures, args.animate, &problem, drawn)? {
                    output::print(&render::scene(&problem, drawn).text(&options))?;
                }
            }
            PatrolFound::Mixture(mixture, evaluation) => {
                let mixed = mixed(mixture, evaluation.as_ref());
                if !draw_mixture(&args.pictures, &problem, mixed)? {
                    output::print(&render::mixture(&problem, mixed).text(&options))?;
                }
            }
            PatrolFound::Variants(variants) => {
                if !draw_variants(&args.pictures, &problem, variants)? {
                    output::print(&render::variants(&problem, variants).text(&options))?;
                }
            }
        }
        Ok(Exit::OK)
    }
}

/// The plan to begin with.
fn previous_plan(source: &str) -> Result<PatrolPlan, Failure> {
    match input::patrol_plan(source)? {
        PatrolFound::Plan(plan, _) => Ok(plan),
        PatrolFound::Mixture(..) | PatrolFound::Variants(_) => {
            let message = format!("{source} has several plans; --previous takes one");
            Err(Failure::usage(message))
        }
    }
}

/// What of it a server judges.
fn judged(found: &PatrolFound) -> Result<Judged<'_>, Failure> {
    match found {
        PatrolFound::Plan(plan, _) => Ok(Judged::Plan(plan)),
        PatrolFound::Mixture(mixture, _) => Ok(Judged::Mixture(mixture)),
        PatrolFound::Variants(_) => Err(Failure::usage(SEVERAL)),
    }
}

fn mixed<'a>(
    mixture: &'a PatrolMixture,
    evaluation: Option<&'a PatrolMixtureEvaluation>,
) -> Mixed<'a> {
    Mixed {
        mixture,
        evaluation,
    }
}

/// Draws what was asked for; false when that is nothing.
fn draw_variants(
    args: &PictureArgs,
    problem: &PatrolProblem,
    variants: &[PatrolVariant],
) -> Result<bool, Failure> {
    draw(args, || render::variants(problem, variants))
}

/// Draws what was asked for; false when that is nothing.
fn draw_mixture(
    args: &PictureArgs,
    problem: &PatrolProblem,
    mixed: Mixed<'_>,
) -> Result<bool, Failure> {
    draw(args, || render::mixture(problem, mixed))
}

fn drawn<'a>(plan: &'a PatrolPlan, evaluation: Option<&'a PatrolEvaluation>) -> Drawn<'a> {
    Drawn {
        plan: Some(plan),
        evaluation,
    }
}

/// Draws what was asked for; false when that is nothing.
fn draw_all(
    args: &PictureArgs,
    animate: bool,
    problem: &PatrolProblem,
    drawn: Drawn<'_>,
) -> Result<bool, Failure> {
    draw_film(args, animate, || render::scene(problem, drawn))
}
