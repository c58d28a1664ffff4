//! One storyline in a line.

use crate::narrative::Names;
use stratagem_proto::v1::{NarrativeChooser, NarrativePolicy};
use stratagem_render::time::{micros, span_text};

/// The outcomes a policy is meant for: `search took 10m to 30m`; empty for all.
pub(super) fn outcomes(names: &Names<'_>, policy: &NarrativePolicy) -> String {
    let each = policy.outcomes.iter().map(|o| {
        let lower = span_text(micros(o.lower.as_ref()));
        let upper = span_text(micros(o.upper.as_ref()));
        let link = names.link(&o.link_id);
        if lower == upper {
            format!("{link} took {lower}")
        } else {
            format!("{link} took {lower} to {upper}")
        }
    });
    each.collect::<Vec<_>>().join(" and ")
}

/// What a policy is for and what is picked: `if search took 10m to 30m: magic`.
pub(super) fn storyline(names: &Names<'_>, policy: &NarrativePolicy) -> String {
    let mut conditions = vec![outcomes(names, policy)];
    conditions.retain(|c| !c.is_empty());
    let mut ours = Vec::new();
    for pick in &policy.picks {
        let option = names.option(pick);
        match names.chooser(&pick.choice_id) {
            NarrativeChooser::Player => conditions.push(format!("the players pick {option}")),
            _ => ours.push(option),
        }
    }
    let story = match ours.as_slice() {
        [] => "the story goes on".to_owned(),
        options => options.join(", "),
    };
    match conditions.as_slice() {
        [] if ours.is_empty() => "whatever happens".to_owned(),
        [] => format!("whatever happens: {story}"),
        _ => format!("if {}: {story}", conditions.join(" and ")),
    }
}
