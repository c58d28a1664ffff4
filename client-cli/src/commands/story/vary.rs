//! `story generate --different`: several stories.

use super::super::ask::{Outcome, draw, end};
use super::super::follow::{Ended, update};
use super::ask::client;
use super::{Teller, Wanted, write_texts};
use crate::args::GenerateStoryArgs;
use crate::exit::{Exit, Failure};
use crate::output::story as texts;
use stratagem_proto::v1::{StoryPlan, VaryStoriesRequest, VaryStoriesResponse};
use stratagem_render::story::pages;

const VARY: &str = "stratagem.v1.StoryService/VaryStories";
const STREAM: &str = "stratagem.v1.StoryService/StreamVaryStories";

impl Teller<'_> {
    /// Has several stories found, and shows them.
    pub(super) async fn vary(
        &self,
        wanted: &Wanted,
        args: &GenerateStoryArgs,
    ) -> Result<Exit, Failure> {
        let (answer, cut) = self.ask_different(wanted, args).await?;
        let (problem, plans) = (&wanted.problem, &answer.plans);
        if !plans.is_empty() {
            write_texts(&args.files, problem, plans)?;
            // There is no picture of several: the option is refused.
            draw(&args.files.pictures, String::new, || pages(problem, plans))?;
        }
        let outcome = Outcome::new(!plans.is_empty(), answer.report.as_ref(), cut);
        let text = || texts::varied(self.display, problem, &answer);
        end(self.display, args.stream, &answer, outcome, text)
    }

    async fn ask_different(
        &self,
        wanted: &Wanted,
        args: &GenerateStoryArgs,
    ) -> Result<(VaryStoriesResponse, Option<Failure>), Failure> {
        let problem = Some(wanted.problem.clone());
        let options = Some(args.search.options());
        let style = Some(wanted.style);
        let story_count = args.different;
        let min_different_acts = args.difference;
        let message = VaryStoriesRequest {
            problem,
            options,
            story_count,
            min_different_acts,
            style,
        };
        if !args.stream {
            let call = async |channel, request| client(channel).vary_stories(request).await;
            let hint = "interrupted; with --stream the best stories so far are printed";
            let asking = self.asking(&args.search, hint);
            return Ok((asking.unary(VARY, message, call).await?, None));
        }
        let terms = texts::variety_terms();
        let call = async |channel, request| client(channel).stream_vary_stories(request).await;
        let asking = self.asking(&args.search, "interrupted");
        let Ended { plan, report, cut } = asking.stream(STREAM, message, terms, call).await?;
        let answer = VaryStoriesResponse {
            event: None,
            plans: plan.unwrap_or_default(),
            report: Some(report),
        };
        Ok((answer, cut))
    }
}

update!(VaryStoriesResponse, Vec<StoryPlan>, |plans| {
    (!plans.is_empty()).then_some(plans)
});
