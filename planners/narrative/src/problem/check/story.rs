//! Choices, their options, and who can meet whom.

use super::super::{Node, OPTIONS_MAX, ORIGIN, Spec};
use super::known;
use crate::errors::{NarrativeError, Which};

pub(super) fn errors(spec: &Spec, wrong: &mut Vec<NarrativeError>) {
    let before = wrong.len();
    for (choice, given) in spec.choices.iter().enumerate() {
        let options = given.options.len();
        if !(2..=OPTIONS_MAX).contains(&options) {
            let given = options;
            wrong.push(NarrativeError::OptionCount { choice, given });
        }
        let mut seen = vec![false; spec.events + 1];
        for (option, events) in given.options.iter().enumerate() {
            let which = Which::Option(choice, option);
            for &node in events {
                if node == ORIGIN {
                    wrong.push(NarrativeError::Origin { which });
                }
                known(spec, which, node, wrong);
                if let Some(seen) = seen.get_mut(node)
                    && std::mem::replace(seen, true)
                {
                    wrong.push(NarrativeError::OptionsOverlap {
                        choice,
                        option,
                        node,
                    });
                }
            }
        }
    }
    withheld(spec, wrong);
    if wrong.len() == before {
        halves(spec, wrong);
    }
}

/// Options that are withheld exist, are told once, and leave one to pick.
fn withheld(spec: &Spec, wrong: &mut Vec<NarrativeError>) {
    let before = wrong.len();
    for (at, &(choice, option)) in spec.withheld.iter().enumerate() {
        let options = spec
            .choices
            .get(choice)
            .map_or(0, |given| given.options.len());
        let follows = at == 0 || spec.withheld[at - 1] < (choice, option);
        if option >= options || !follows {
            wrong.push(NarrativeError::UnknownWithheld {
                withheld: at,
                choice,
                option,
            });
        }
    }
    if wrong.len() > before {
        return;
    }
    for (choice, given) in spec.choices.iter().enumerate() {
        let mut options = 0..given.options.len();
        let withheld = |option| spec.withheld.binary_search(&(choice, option)).is_ok();
        if !options.is_empty() && options.all(withheld) {
            wrong.push(NarrativeError::NothingOffered { choice });
        }
    }
}

/// What a node depends on: the option that it needs of each choice.
fn needs(spec: &Spec, node: Node) -> Vec<(usize, usize)> {
    let choices = spec.choices.iter().enumerate();
    let needed = choices.filter_map(|(choice, given)| {
        let option = given
            .options
            .iter()
            .position(|events| events.contains(&node));
        option.map(|option| (choice, option))
    });
    needed.collect()
}

/// Both ends of contingent links and activities happen in the same storylines.
fn halves(spec: &Spec, wrong: &mut Vec<NarrativeError>) {
    let needs: Vec<_> = (0..=spec.events).map(|node| needs(spec, node)).collect();
    let same = |from: Node, to: Node| match (needs.get(from), needs.get(to)) {
        (Some(from), Some(to)) => from == to,
        _ => true,
    };
    for (contingent, link) in spec.contingent.iter().enumerate() {
        if !same(link.from, link.to) {
            wrong.push(NarrativeError::HalfContingent { contingent });
        }
    }
    for (activity, given) in spec.activities.iter().enumerate() {
        if !same(given.start, given.end) {
            wrong.push(NarrativeError::HalfActivity { activity });
        }
    }
}
