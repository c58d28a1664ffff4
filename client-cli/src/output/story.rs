//! Stories for people.

use super::table::{pairs, printable};
use super::{Display, Style, numbers};
use std::fmt::Write as _;
use stratagem_proto::v1::{
    LearnStoryDomainResponse, StoryBranches, StoryPlan, StoryWord, StoryWordClass,
};

/// Words of a class that are shown.
const WORDS_MAX: usize = 12;

/// What a story is worth, and the goals that hold at its end.
#[must_use]
pub fn worth(display: &Display, plan: &StoryPlan) -> String {
    let mut rows = vec![("score", format!("{:.6}", plan.score))];
    if !plan.goals.is_empty() {
        rows.push(("goals", numbers::percent(plan.goal_share)));
        rows.push(("believability", format!("{:.6}", plan.believability)));
    }
    let mut out = pairs(&rows, display.terminal_width);
    for goal in &plan.goals {
        let (style, word) = if goal.holds {
            (Style::Good, "met")
        } else {
            (Style::Doubtful, "not met")
        };
        let word = display.styled(style, word);
        let _ = writeln!(out, "goal {word}: {}", printable(&goal.name));
    }
    out
}

/// What happens, and what the player may do then.
#[must_use]
pub fn knots(display: &Display, branches: &StoryBranches) -> String {
    let player = printable(&branches.player_id);
    let mut out = format!("\n{player} chooses\n");
    for (index, knot) in branches.knots.iter().enumerate() {
        let title = display.styled(Style::Heading, &index.to_string());
        let _ = writeln!(out, "\n{title}");
        for text in &knot.texts {
            let _ = writeln!(out, "  {}", printable(text));
        }
        for choice in &knot.choices {
            let (text, to) = (printable(&choice.text), choice.knot_index);
            let worth = format!("worth {:.6}, goes on at {to}", choice.worth);
            let worth = display.styled(Style::Faint, &worth);
            let _ = writeln!(out, "  * {text}  {worth}");
        }
        let _ = match knot.next_knot_index {
            _ if !knot.choices.is_empty() => Ok(()),
            Some(next) => writeln!(out, "  goes on at {next}"),
            None => writeln!(out, "  the end"),
        };
    }
    out
}

/// What was learned.
#[must_use]
pub fn learned(display: &Display, answer: &LearnStoryDomainResponse) -> String {
    let title = display.styled(Style::Heading, "What the text says");
    let mut out = format!("{title}\n");
    if let Some(lesson) = answer
        .plan
        .as_ref()
        .filter(|lesson| lesson.domain.is_some())
    {
        let count = |number: i32, what: &str| numbers::things(number.into(), what);
        let _ = writeln!(
            out,
            "\n{}, {} about actions, {} in those, {}",
            count(lesson.sentence_count, "sentences"),
            lesson.action_sentence_count,
            count(lesson.word_count, "words"),
            count(lesson.round, "rounds")
        );
        let classes = [
            (StoryWordClass::Actor, "actors"),
            (StoryWordClass::Item, "items"),
            (StoryWordClass::Place, "places"),
        ];
        for (class, name) in classes {
            let words = lesson
                .words
                .iter()
                .filter(|word| word.word_class() == class);
            let words: Vec<String> = words.take(WORDS_MAX).map(word).collect();
            let name = display.styled(Style::Heading, name);
            let _ = writeln!(out, "{name}: {}", printable(&words.join(", ")));
        }
    }
    let explanation = answer.report.as_ref().and_then(|r| r.explanation.as_ref());
    if let Some(explanation) = explanation {
        let summary = printable(&explanation.summary);
        let _ = writeln!(out, "\n{}", display.styled(Style::Bad, &summary));
        for reason in &explanation.reasons {
            let _ = writeln!(
                out,
                "  {}: {}",
                printable(&reason.field),
                printable(&reason.message)
            );
        }
    }
    out
}

/// A word and how likely it is what it is.
fn word(word: &StoryWord) -> String {
    let most = word.probabilities.iter().copied().fold(0.0, f64::max);
    format!("{} {}", word.name, numbers::percent(most))
}
