//! `heist design`.

use super::super::ask::{Answered, Outcome, draw, end};
use super::Planner;
use crate::args::DesignHeistArgs;
use crate::exit::{Exit, Failure};
use crate::formats::json;
use crate::input;
use crate::output::heist as texts;
use stratagem_proto::v1::{DesignHeistRequest, DesignHeistResponse, HeistProblem, HeistWorld};
use stratagem_render::heist::{Drawn, scene};

impl Planner<'_> {
    pub(super) async fn design(&self, args: &DesignHeistArgs) -> Result<Exit, Failure> {
        let problem: HeistProblem = input::problem_of(&args.problem.file, self.server).await?;
        let world = problem.world.unwrap_or_default();
        let (answer, cut) = self.ask_level(world, args).await?;
        let made = answer.plan.as_ref().and_then(|level| level.world.clone());
        if let Some(world) = made {
            let problem = HeistProblem {
                world: Some(world),
                ..HeistProblem::default()
            };
            draw(&args.pictures, || scene(&problem, Drawn::default()))?;
            if let Some(path) = &args.out {
                let text = json::write(&problem);
                let text = text.map_err(|m| Failure::new(Exit::IO, m.message))?;
                self.put(path, &text)?;
            }
        }
        let outcome = Outcome::new(answer.plan.is_some(), answer.report.as_ref(), cut);
        let wanted = args.traps.unwrap_or(texts::TRAPS);
        let text = || texts::level(self.display, &answer, wanted);
        end(self.display, args.stream, &answer, outcome, text)
    }

    /// The answer to one request, or the end of a stream.
    async fn ask_level(
        &self,
        world: HeistWorld,
        args: &DesignHeistArgs,
    ) -> Answered<DesignHeistResponse> {
        let request = DesignHeistRequest {
            problem: Some(world),
            options: Some(args.search.options()),
            trap_count: args.traps,
            trap_kind: args.trap_kinds().into(),
            rules: Some(args.rules.rules()),
            max_help_cost: args.help_limit,
            simulate: Some(!args.unplayed),
        };
        let asking = self.asking(args.search.budget);
        asking
            .ask(&request, args.stream, texts::level_terms())
            .await
    }
}
