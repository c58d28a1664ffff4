//! `heist analyze`: analysis by games.

use super::super::ask::show;
use super::{Planner, known};
use crate::args::AnalyzeHeistArgs;
use crate::exit::{Exit, Failure};
use crate::output::heist as texts;
use stratagem_proto::v1::{AnalyzeHeistRequest, AnalyzeHeistResponse, HeistAim};

impl Planner<'_> {
    /// Prints the analysis of a level or a game.
    pub(super) async fn analyze(&self, args: &AnalyzeHeistArgs) -> Result<Exit, Failure> {
        let problem = self.read(&args.problem.file, &args.who).await?;
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
}
