//! Stories with choices as Ink, the script language of inkle (<https://github.com/inkle/ink>), for
//! players and engines that run it.

use super::{BranchProblem, BranchingStory};
use crate::plan::{Action, Plan};
use crate::problem::Problem;
use crate::text::{Style, sentences};

/// A branching story as an Ink script: each knot is a knot; each choice is a choice that shows its
/// sentences and then prints them.
///
/// Whatever Ink takes for more than text is escaped with a backslash; line breaks and control
/// characters become spaces.
#[must_use]
pub fn ink(request: &BranchProblem, tree: &BranchingStory, style: Style) -> String {
    let problem = request.problem();
    let called = problem.entities().get(request.player());
    let called = called.map_or("nobody", |entity| entity.called.as_str());
    let mut out = format!("// What happens, and what {} does.\n", comment(called));
    out.push_str("-> knot_0\n");
    for (index, knot) in tree.knots.iter().enumerate() {
        out.push_str(&format!("\n=== knot_{index} ===\n"));
        for text in texts(problem, &knot.actions, style) {
            out.push_str(&format!("{}\n", escaped(&text)));
        }
        for choice in &knot.choices {
            let text = texts(problem, std::slice::from_ref(&choice.action), style).join(" ");
            let text = escaped(&text);
            out.push_str(&format!("* [{text}] {text} -> knot_{}\n", choice.knot));
        }
        match knot.next {
            _ if !knot.choices.is_empty() => {}
            Some(next) => out.push_str(&format!("-> knot_{next}\n")),
            None => out.push_str("-> END\n"),
        }
    }
    out
}

/// The sentences of some actions, one line each and none of them empty: Ink does not show a choice
/// without text.
#[must_use]
pub fn texts(problem: &Problem, actions: &[Action], style: Style) -> Vec<String> {
    let plan = Plan {
        actions: actions.to_vec(),
    };
    let all = sentences(problem, &plan, style).into_iter();
    let named = all.map(|sentence| {
        let text = one_line(&sentence.text);
        if text.is_empty() {
            let action = &actions[sentence.actions.0];
            let schema = problem.schemas().get(action.schema);
            schema.map_or_else(|| "...".to_owned(), |schema| one_line(&schema.name))
        } else {
            text
        }
    });
    named.collect()
}

/// Without line breaks, control characters and spaces at the ends.
fn one_line(text: &str) -> String {
    let letters = text.chars().map(|c| {
        if c.is_control() || is_break(c) {
            ' '
        } else {
            c
        }
    });
    letters.collect::<String>().trim().to_owned()
}

fn is_break(letter: char) -> bool {
    matches!(letter, '\u{2028}' | '\u{2029}')
}

/// Text in which Ink sees nothing but text.
fn escaped(text: &str) -> String {
    // At the beginning of a line these are statements.
    const WORDS: [&str; 7] = [
        "INCLUDE", "VAR", "CONST", "LIST", "EXTERNAL", "TODO", "return",
    ];
    let mut out = String::new();
    if WORDS.iter().any(|word| text.starts_with(word)) {
        out.push('\\');
    }
    for letter in text.chars() {
        if "\\{}[]()|#*+-=~<>/!&$:@^".contains(letter) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

/// Text that does not end a comment.
fn comment(text: &str) -> String {
    one_line(text)
}
