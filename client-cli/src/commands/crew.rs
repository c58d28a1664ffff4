//! `crew plan`, `compare` and `render`.

mod compare;

use super::ask::{Asking, draw, show};
use crate::args::{
    AssignCrewArgs, ChoiceArgs, ConnectionArgs, CrewCommand, OutputFormat, PictureArgs,
    RenderCrewArgs,
};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{self, Display, crew as texts, temporal::text_options};
use stratagem_proto::v1::{AssignCrewRequest, AssignCrewResponse, CrewPlan, CrewProblem};
use stratagem_render::crew::{Choice, Drawn, choices, scene};

/// Does what the command says.
pub(super) async fn run(
    command: CrewCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    match command {
        CrewCommand::Plan(args) => assign(&args, server, display).await,
        CrewCommand::Compare(args) => compare::run(&args, server, display).await,
        CrewCommand::Render(args) => render(&args, server, display).await,
    }
}

async fn assign(
    args: &AssignCrewArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let mut problem: CrewProblem = input::problem_of(&args.problem.file, server).await?;
    if args.once {
        problem.allow_revisits = Some(false);
    }
    let asking = Asking {
        server,
        display,
        budget: args.search.budget,
    };
    let request = AssignCrewRequest {
        problem: Some(problem.clone()),
        options: Some(args.search.options()),
        max_ties: args.ties.unwrap_or_default(),
    };
    let answer: AssignCrewResponse = asking.once(&request).await?;
    let choice = match &answer.plan {
        Some(plan) => chosen(plan, args.choice)?,
        None => None,
    };
    let drawn = Drawn {
        plan: answer.plan.as_ref(),
        choice,
    };
    if answer.plan.is_some() {
        draw_all(&args.pictures, &problem, drawn)?;
    }
    let text = || texts::answer(display, &problem, &answer, choice);
    show(display, &answer, text)?;
    let status = answer.report.unwrap_or_default().status();
    Ok(Exit::of_solve(status))
}

async fn render(
    args: &RenderCrewArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    if display.format() != OutputFormat::Table {
        let message = "`crew render` draws; for data see `crew plan -o json`";
        return Err(Failure::usage(message));
    }
    input::one_stdin(&[Some(&args.problem.file), args.plan.as_deref()])?;
    let problem: CrewProblem = input::problem_of(&args.problem.file, server).await?;
    let plan = args.plan.as_deref().map(input::plan_of).transpose()?;
    let choice = match &plan {
        Some(plan) => chosen(plan, args.choice)?,
        None => None,
    };
    let drawn = Drawn {
        plan: plan.as_ref(),
        choice,
    };
    if !draw_all(&args.pictures, &problem, drawn)? {
        output::print(&scene(&problem, drawn).text(&text_options(display)))?;
    }
    Ok(Exit::OK)
}

/// The point that the options say; none where nothing is said and there is none.
fn chosen(plan: &CrewPlan, args: ChoiceArgs) -> Result<Option<Choice>, Failure> {
    let ChoiceArgs {
        event,
        players,
        point,
    } = args;
    let is_meant = |choice: &Choice| match *choice {
        Choice::Event {
            event: of, front, ..
        } => {
            event.is_none_or(|event| usize::from(event) == of + 1)
                && players.is_none_or(|players| usize::from(players) == front + 1)
        }
        Choice::Joint { .. } => event.is_none() && players.is_none(),
    };
    let wanted = usize::from(point.unwrap_or(1)) - 1;
    let first = choices(plan).into_iter().find(is_meant);
    // Of the front of the first.
    let found = first.map(|first| match first {
        Choice::Joint { .. } => Choice::Joint { point: wanted },
        Choice::Event { event, front, .. } => Choice::Event {
            event,
            front,
            point: wanted,
        },
    });
    let found = found.filter(|found| choices(plan).contains(found));
    if found.is_none() && (event, players, point) != (None, None, None) {
        return Err(Failure::usage("the plan has no such point"));
    }
    Ok(found)
}

/// Draws what was asked for; false when that is nothing.
fn draw_all(args: &PictureArgs, problem: &CrewProblem, drawn: Drawn<'_>) -> Result<bool, Failure> {
    draw(args, || scene(problem, drawn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{CrewFront, CrewOptions, CrewPoint};

    #[test]
    fn the_point_that_is_meant_is_the_first_unless_said() {
        let front = |points: usize| CrewFront {
            points: vec![CrewPoint::default(); points],
            ..CrewFront::default()
        };
        let plan = CrewPlan {
            events: vec![CrewOptions {
                fronts: vec![front(0), front(2)],
                ..CrewOptions::default()
            }],
            ..CrewPlan::default()
        };
        let of = |players, point| {
            let event = None;
            let args = ChoiceArgs {
                event,
                players,
                point,
            };
            chosen(&plan, args)
        };
        let choice = |point| Choice::Event {
            event: 0,
            front: 1,
            point,
        };
        assert_eq!(of(None, None).unwrap(), Some(choice(0)));
        assert_eq!(of(Some(2), Some(2)).unwrap(), Some(choice(1)));
        assert!(of(Some(1), None).is_err());
        assert!(of(None, Some(3)).is_err());
        assert_eq!(
            chosen(&CrewPlan::default(), ChoiceArgs::default()).unwrap(),
            None
        );
    }
}
