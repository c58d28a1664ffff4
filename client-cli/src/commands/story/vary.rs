//! `story plan --different`: several stories.

use super::super::ask::{Answered, Outcome, draw, end};
use super::{Teller, Wanted, write_texts};
use crate::args::GenerateStoryArgs;
use crate::exit::{Exit, Failure};
use crate::output::story as texts;
use stratagem_proto::v1::{VaryStoriesRequest, VaryStoriesResponse};
use stratagem_render::story::scenes;

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
            draw(&args.files.pictures, || scenes(problem, plans))?;
        }
        let outcome = Outcome::new(!plans.is_empty(), answer.report.as_ref(), cut);
        let text = || texts::varied(self.display, problem, &answer);
        end(self.display, args.stream, &answer, outcome, text)
    }

    async fn ask_different(
        &self,
        wanted: &Wanted,
        args: &GenerateStoryArgs,
    ) -> Answered<VaryStoriesResponse> {
        let request = VaryStoriesRequest {
            problem: Some(wanted.problem.clone()),
            options: Some(args.search.options()),
            story_count: args.different,
            min_different_acts: args.difference,
            style: Some(wanted.style),
        };
        let asking = self.asking(&args.search);
        asking
            .ask(&request, args.stream, texts::variety_terms())
            .await
    }
}
