//! A story as one page of HTML.

use super::lines::{act_name, why};
use super::svg::document;
use super::{ACTS_MAX, share_text};
use crate::html::Page;
use stratagem_proto::v1::{StoryPlan, StoryProblem};

/// Returns a story as one self-contained page of HTML, without scripts: the text, the picture, and
/// tables of acts, goals and sliders.
#[must_use]
pub fn page(problem: &StoryProblem, plan: Option<&StoryPlan>) -> String {
    let title = match problem.title.as_str() {
        "" => "Story",
        title => title,
    };
    let mut page = Page::new(title, &problem.description);
    let Some(plan) = plan else {
        let kinds = problem.types.iter().map(|kind| {
            let ids = kind.entities.iter().map(|e| e.id.as_str());
            format!("{}: {}", kind.name, ids.collect::<Vec<_>>().join(", "))
        });
        page.list(&kinds.collect::<Vec<_>>());
        return page.finish();
    };
    write_story(&mut page, problem, plan);
    sliders(&mut page, problem);
    page.finish()
}

/// The same for several stories, one after the other.
#[must_use]
pub fn pages(problem: &StoryProblem, plans: &[StoryPlan]) -> String {
    let title = match problem.title.as_str() {
        "" => "Stories",
        title => title,
    };
    let mut page = Page::new(title, &problem.description);
    for (index, plan) in plans.iter().enumerate() {
        page.heading(&format!("Story {} of {}", index + 1, plans.len()));
        write_story(&mut page, problem, plan);
    }
    sliders(&mut page, problem);
    page.finish()
}

/// Text, picture and tables of a story.
fn write_story(page: &mut Page, problem: &StoryProblem, plan: &StoryPlan) {
    let sentences = plan.sentences.iter().map(|s| s.text.as_str());
    page.paragraph(&sentences.collect::<Vec<_>>().join(" "));
    let caption = "How believable each act is, the score after it, and who is where";
    page.picture(&document(problem, Some(plan), false), caption);
    page.table(
        "What happens",
        &["act", "what", "believability", "why", "changes", "score"],
        &acts(plan),
    );
    let goals = plan.goals.iter().map(|goal| {
        let holds = if goal.holds { "yes" } else { "no" };
        vec![goal.name.clone(), share_text(goal.weight), holds.into()]
    });
    let goals: Vec<Vec<String>> = goals.collect();
    page.table("Goals", &["goal", "weight", "holds"], &goals);
}

fn sliders(page: &mut Page, problem: &StoryProblem) {
    let sliders = problem.sliders.iter();
    let sliders = sliders.map(|s| vec![s.action.clone(), share_text(s.factor)]);
    let sliders: Vec<Vec<String>> = sliders.collect();
    page.table("Sliders", &["action", "factor"], &sliders);
}

fn acts(plan: &StoryPlan) -> Vec<Vec<String>> {
    let acts = plan.acts.iter().take(ACTS_MAX).enumerate();
    acts.map(|(index, act)| {
        let mut row = vec![(index + 1).to_string(), act_name(act)];
        if let Some(step) = plan.steps.get(index) {
            let changes = step.changes.iter();
            let changes = changes.map(|c| format!("{}.{} = {}", c.entity_id, c.attribute, c.value));
            row.push(share_text(step.believability));
            row.push(why(step.base, &step.influences, step.slider));
            row.push(changes.collect::<Vec<_>>().join(", "));
            row.push(share_text(step.score));
        }
        row
    })
    .collect()
}
