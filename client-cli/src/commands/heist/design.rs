//! `heist design`.

use super::super::ask::{Asking, Outcome, draw, end};
use super::super::follow::{Ended, update};
use super::{Planner, ask::client};
use crate::args::DesignHeistArgs;
use crate::exit::{Exit, Failure};
use crate::formats::json;
use crate::input;
use crate::output::heist as texts;
use stratagem_proto::v1::{
    DesignHeistRequest, DesignHeistResponse, HeistAnalysis, HeistLevel, HeistProblem, HeistWorld,
};
use stratagem_render::heist::{Drawn, page, svg};

const UNARY: &str = "stratagem.v1.HeistService/DesignHeist";
const STREAM: &str = "stratagem.v1.HeistService/StreamDesignHeist";

impl Planner<'_> {
    pub(super) async fn design(&self, args: &DesignHeistArgs) -> Result<Exit, Failure> {
        let problem: HeistProblem = input::problem_of(&args.file, self.server).await?;
        let world = problem.world.unwrap_or_default();
        let (answer, cut) = self.ask_level(world, args).await?;
        let made = answer.plan.as_ref().and_then(|level| level.world.clone());
        if let Some(world) = made {
            let problem = HeistProblem {
                world: Some(world),
                ..HeistProblem::default()
            };
            let drawn = Drawn::default();
            draw(
                &args.pictures,
                || svg(&problem, drawn),
                || page(&problem, drawn),
            )?;
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
    ) -> Result<(DesignHeistResponse, Option<Failure>), Failure> {
        let asking = Asking {
            server: self.server,
            display: self.display,
            budget: args.search.budget,
            interrupted: "interrupted; with --stream the best level so far is printed",
        };
        let request = DesignHeistRequest {
            problem: Some(world),
            options: Some(args.search.options()),
            trap_count: args.traps,
            trap_kind: args.trap_kinds().into(),
            rules: Some(args.rules.rules()),
            max_help_cost: args.help_limit,
            simulate: Some(!args.unplayed),
        };
        if !args.stream {
            let call = async |channel, request| client(channel).design_heist(request).await;
            return Ok((asking.unary(UNARY, request, call).await?, None));
        }
        let call = async |channel, request| client(channel).stream_design_heist(request).await;
        let terms = texts::level_terms();
        let Ended { plan, report, cut } = asking.stream(STREAM, request, terms, call).await?;
        let Found { level, analysis } = plan.unwrap_or_default();
        let answer = DesignHeistResponse {
            event: None,
            plan: level,
            report: Some(report),
            analysis,
        };
        Ok((answer, cut))
    }
}

/// A step of designing.
#[derive(Default)]
pub(in crate::commands) struct Found {
    level: Option<HeistLevel>,
    analysis: Option<HeistAnalysis>,
}

update!(DesignHeistResponse, Found, |plan, analysis| {
    plan.is_some().then_some(Found {
        level: plan,
        analysis,
    })
});
