//! `heist explain --rate` and `--hint`: analysis by games.

use super::super::ask::show;
use super::{Planner, known};
use crate::args::ExplainHeistArgs;
use crate::exit::{Exit, Failure};
use crate::output::heist as texts;
use stratagem_proto::v1::{
    AnalyzeHeistRequest, AnalyzeHeistResponse, HeistAim, HeistIntervention, HeistRules, HeistWorld,
    Priority, SolveOptions,
};

impl Planner<'_> {
    /// Prints the analysis of a level or a game.
    pub(super) async fn rate(&self, args: &ExplainHeistArgs) -> Result<Exit, Failure> {
        let problem = self.read(&args.file, &args.who).await?;
        known(&problem)?;
        let moment = &args.moment;
        let aim = if moment.capture {
            HeistAim::Capture
        } else {
            HeistAim::Unspecified
        };
        let request = AnalyzeHeistRequest {
            problem: problem.world.clone(),
            options: Some(args.search.options()),
            rules: Some(args.rules.rules()),
            interventions: moment.deeds.clone(),
            tick: moment.tick.unwrap_or_default(),
            aim: aim.into(),
            max_help_cost: moment.help_limit,
        };
        let asking = self.asking(args.search.budget);
        let answer: AnalyzeHeistResponse = asking.once(&request).await?;
        let found = answer.analysis.clone().unwrap_or_default();
        show(self.display, &answer, || match args.hint {
            Some(grade) => texts::hints(&found, grade),
            None => texts::sheet(self.display, &problem) + &texts::analysis(self.display, &found),
        })?;
        Ok(Exit::of_solve(answer.report.unwrap_or_default().status()))
    }

    /// What helps in a game under way, for somebody who waits.
    pub(super) async fn hints(
        &self,
        world: &HeistWorld,
        rules: HeistRules,
        deeds: Vec<HeistIntervention>,
        tick: i32,
    ) -> Result<AnalyzeHeistResponse, Failure> {
        let request = AnalyzeHeistRequest {
            problem: Some(world.clone()),
            rules: Some(rules),
            interventions: deeds,
            tick,
            options: Some(SolveOptions {
                priority: Priority::High.into(),
                ..SolveOptions::default()
            }),
            ..AnalyzeHeistRequest::default()
        };
        self.asking(None).once(&request).await
    }
}
