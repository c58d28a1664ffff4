//! Stories: their acts with believabilities, the score over time, and places of entities.

mod lines;
mod prose;
mod whereabouts;

pub use prose::{markdown, prose};

use crate::picture::{Drawable, Response, Selection};
use crate::scene::{
    Amounts, Bar, Chart, Content, Flow, Ink, Mark, On, Panel, Picture, Row, STEP, Scene, Segment,
    Sign, Unit, colour, key, row, table,
};
use lines::{act_name, why};
use stratagem_proto::v1::{StoryAct, StoryPlan, StoryProblem, StorySentence, StoryStep};
use whereabouts::{Stay, Stays, stays};

/// Most acts that are drawn; no server sends more.
const ACTS_MAX: usize = 200;
/// Columns of a paragraph, at most: longer lines are hard to read.
const PARAGRAPH_MAX: usize = 90;
/// The best score, in the amounts of a chart.
const ONE: i64 = 10_000;

/// Returns the scene of a story: its text, the believability of each act and the score after it,
/// the places of entities over time with a mark for each of their acts, and tables. Without a
/// story: what stories can be about.
#[must_use]
pub fn scene(problem: &StoryProblem, plan: Option<&StoryPlan>) -> Scene {
    let mut scene = titled(problem, "Story");
    match plan {
        Some(plan) => {
            write_story(&mut scene, problem, plan);
            sliders(&mut scene, problem);
        }
        None => scene.push(On::Words, Content::List(domain(problem))),
    }
    scene
}

/// Returns the scene of several stories, one after the other.
#[must_use]
pub fn scenes(problem: &StoryProblem, plans: &[StoryPlan]) -> Scene {
    let mut scene = titled(problem, "Stories");
    for (index, plan) in plans.iter().enumerate() {
        let head = format!("Story {} of {}", index + 1, plans.len());
        scene.push(On::All, Content::Heading(head));
        write_story(&mut scene, problem, plan);
    }
    sliders(&mut scene, problem);
    scene
}

fn titled(problem: &StoryProblem, default: &str) -> Scene {
    let title = match problem.title.as_str() {
        "" => default,
        title => title,
    };
    Scene::new(title, &problem.description)
}

/// Text, picture and tables of a story.
fn write_story(scene: &mut Scene, problem: &StoryProblem, plan: &StoryPlan) {
    text(scene, plan);
    let score = format!("score {}", share_text(plan.score));
    scene.push(On::Terminal, Content::Paragraph(score));
    let chart = Panel::Chart(chart(problem, plan));
    let sentences = plan.sentences.iter().take(ACTS_MAX);
    let sentences = sentences.map(|it| Panel::Note(format!("{}  {}", numbers(it), it.text)));
    scene.push(
        On::All,
        Picture {
            caption: "How believable each act is, the score after it, and who is where".into(),
            panels: std::iter::once(chart).chain(sentences).collect(),
            clock: None,
        },
    );
    for on in [On::Terminal, On::Page] {
        scene.push(on, act_table(plan, on));
    }
    let goals = plan.goals.iter().map(|goal| {
        let holds = if goal.holds { "yes" } else { "no" };
        vec![goal.name.clone(), share_text(goal.weight), holds.into()]
    });
    let goals = table("Goals", &["goal", "weight", "holds"], goals, ACTS_MAX);
    scene.push(On::Words, goals);
}

/// The acts of a sentence: `3`, or `3-5`.
fn numbers(sentence: &StorySentence) -> String {
    let first = sentence.first_act_index.saturating_add(1);
    let last = { sentence.first_act_index }.saturating_add(sentence.act_count.max(1));
    if last > first {
        format!("{first}-{last}")
    } else {
        first.to_string()
    }
}

fn text(scene: &mut Scene, plan: &StoryPlan) {
    let sentences = plan.sentences.iter().map(|s| s.text.as_str());
    let text = sentences.collect::<Vec<_>>().join(" ");
    let words = text.split_whitespace().map(str::to_owned).collect();
    let flow = Flow {
        head: String::new(),
        items: words,
        joint: [" ", " "],
        indent: 0,
        columns_max: PARAGRAPH_MAX,
    };
    scene.push(On::Terminal, flow);
    scene.push(On::Page, Content::Paragraph(text));
}

fn sliders(scene: &mut Scene, problem: &StoryProblem) {
    let sliders = problem.sliders.iter();
    let sliders = sliders.map(|s| vec![s.action.clone(), share_text(s.factor)]);
    let sliders = table("Sliders", &["action", "factor"], sliders, ACTS_MAX);
    scene.push(On::Page, sliders);
}

/// What stories can be about.
fn domain(problem: &StoryProblem) -> Vec<String> {
    let kinds = problem.types.iter().map(|kind| {
        let ids = kind.entities.iter().map(|e| e.id.as_str());
        format!("{}: {}", kind.name, ids.collect::<Vec<_>>().join(", "))
    });
    let actions = problem.actions.iter().map(|action| {
        let parameters = action.parameters.iter();
        let parameters = parameters.map(|p| format!("{}: {}", p.name, p.type_name));
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        format!("{}({parameters})", action.name)
    });
    let goals = problem.goals.iter();
    let goals = goals.map(|goal| format!("goal {}: {}", goal.name, goal.condition));
    kinds.chain(actions).chain(goals).collect()
}

/// The acts; on terminals without what they change.
fn act_table(plan: &StoryPlan, on: On) -> crate::scene::Table {
    let rows = plan.acts.iter().enumerate().map(|(index, act)| {
        let mut row = vec![(index + 1).to_string(), act_name(act)];
        if let Some(step) = plan.steps.get(index) {
            row.push(share_text(step.believability));
            row.push(share_text(step.score));
            row.push(why(step.base, &step.influences, step.slider));
            if on == On::Page {
                row.push(changes(step).join(", "));
            }
        }
        row
    });
    let head = ["act", "what", "believability", "score", "why", "changes"];
    let columns = if on == On::Page { 6 } else { 5 };
    table("What happens", &head[..columns], rows, ACTS_MAX)
}

fn changes(step: &StoryStep) -> Vec<String> {
    let changes = step.changes.iter();
    let changes = changes.map(|c| format!("{}.{} = {}", c.entity_id, c.attribute, c.value));
    changes.collect()
}

/// Acts from left to right: believabilities, the score, and where entities are. Column 0 is the
/// start.
fn chart(problem: &StoryProblem, plan: &StoryPlan) -> Chart {
    let acts = plan.acts.len().min(ACTS_MAX);
    let known = acts.min(plan.steps.len());
    let mut rows = Vec::new();
    if known > 0 {
        let steps = plan.steps.iter().zip(&plan.acts).take(known).enumerate();
        let segments = steps.map(|(index, (step, act))| believable(index, step, act));
        let bar = Bar {
            segments: segments.collect(),
            ..Bar::default()
        };
        rows.push(row("believability", vec![bar]));
        rows.push(score(&plan.steps[..known]));
    }
    let all = stays(problem, plan);
    rows.extend(all.iter().map(|it| whereabouts(it, &all)));
    let is_drawn = !rows.is_empty();
    Chart {
        rows,
        horizon: (0, (acts as i64 + 1) * STEP),
        unit: Unit::Step,
        keys: Vec::from_iter(is_drawn.then(|| key(["*", "*"], "", "takes part"))),
        empty: "nothing happens",
        ..Chart::default()
    }
}

fn believable(index: usize, step: &StoryStep, act: &StoryAct) -> Segment {
    let text = share_text(step.believability);
    let mut tip = format!("{}. {}: {text}", index + 1, act_name(act));
    let why = why(step.base, &step.influences, step.slider);
    if !why.is_empty() {
        tip = format!("{tip} ({why})");
    }
    for change in changes(step) {
        tip = format!("{tip}\n{change}");
    }
    let (fill, style) = if step.believability >= 0.5 {
        ("#2f9e44", "32")
    } else {
        ("#e03131", "31")
    };
    let edge = ['▐', '['];
    let at = (index as i64 + 1) * STEP;
    Segment {
        span: (at, at + STEP),
        ink: Ink::new(fill, 0.85, ['█', '#'], style).kept(edge, edge),
        label: text,
        tip,
    }
}

fn score(steps: &[StoryStep]) -> Row {
    let scores = steps.iter().enumerate();
    let scores = scores.map(|(n, step)| {
        let score = (share(step.score) * ONE as f64) as i64;
        ((n as i64 + 1) * STEP, score)
    });
    let tips = steps.iter().enumerate().map(|(n, step)| {
        let score = share_text(step.score);
        format!("score after act {}: {score}", n + 1)
    });
    let last = steps.last().map_or(0.0, |step| step.score);
    let amounts = Amounts {
        steps: scores.collect(),
        limit: ONE,
        note: share_text(last),
        fill: "#74b0e8",
        tips: tips.collect(),
    };
    Row {
        name: "score".into(),
        amounts: Some(amounts),
        ..Row::default()
    }
}

/// Where an entity is: a part for each stay, in the colour of the place.
fn whereabouts(it: &Stays<'_>, all: &[Stays<'_>]) -> Row {
    let places = whereabouts::all_places(all);
    let segments = it.stays.iter().map(|stay| {
        let Stay { place, span } = stay;
        let number = places.iter().position(|other| other == place);
        let (fill, name) = match number {
            Some(number) => (colour(number), place.as_str()),
            None => ("#aaa".into(), "with an actor"),
        };
        let edge = ['├', '|'];
        Segment {
            span: (span.0 * STEP, span.1 * STEP),
            ink: Ink::new(&fill, 0.7, ['─', '-'], "36").kept(edge, edge),
            label: name.to_owned(),
            tip: format!("{}: {name}", it.label),
        }
    });
    let marks = it.acts.iter().map(|act| Mark {
        at: (*act as i64 + 1) * STEP,
        sign: Sign::Part,
        fill: "#fff".into(),
        tip: format!("{} in act {}", it.label, act + 1),
    });
    let bar = Bar {
        segments: segments.collect(),
        marks: marks.collect(),
        ..Bar::default()
    };
    row(it.label, vec![bar])
}

/// A share of 1 for people, with up to four decimals.
fn share_text(share: f64) -> String {
    if !share.is_finite() {
        return "-".into();
    }
    if share.abs() > 1e6 {
        return format!("{share:.0e}");
    }
    let text = format!("{share:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() { "0" } else { text }.to_owned()
}

/// A share that can be drawn: in [0, 1], 0 where it is no number.
fn share(number: f64) -> f64 {
    if number.is_finite() {
        number.clamp(0.0, 1.0)
    } else {
        0.0
    }
}

impl Drawable for StoryProblem {
    fn scene(&self, response: Option<&Response>, _: Selection) -> Option<Scene> {
        let plan = match response {
            Some(Response::VaryStories(found)) => return Some(scenes(self, &found.plans)),
            Some(Response::GenerateStory(found)) => found.plan.as_ref(),
            Some(_) => return None,
            None => None,
        };
        Some(scene(self, plan))
    }
}
