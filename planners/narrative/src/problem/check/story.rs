//! Choices, their options, and events that always happen together.

use super::super::{Node, OPTIONS_MAX, ORIGIN, Spec};
use super::check_node;
use anytime::{Fault, Path, element, fault};

pub(super) fn check(spec: &Spec, faults: &mut Vec<Fault>) {
    let before = faults.len();
    check_options(spec, faults);
    check_withheld(spec, faults);
    if faults.len() == before {
        check_halves(spec, faults);
    }
}

fn check_options(spec: &Spec, faults: &mut Vec<Fault>) {
    let choices = Path::root("choices");
    for (choice, given) in spec.choices.iter().enumerate() {
        let choice_at = choices.index(choice);
        let options = choice_at.field("options");
        let count = given.options.len();
        if !(2..=OPTIONS_MAX).contains(&count) {
            let code = if count < 2 { "REQUIRED" } else { "TOO_MANY" };
            let max = OPTIONS_MAX;
            faults.push(fault!(
                code,
                options,
                "has {} elements, 2 to {} are allowed",
                count,
                max
            ));
        }
        let mut seen = vec![false; spec.events + 1];
        for (option, events) in given.options.iter().enumerate() {
            let at = options.index(option);
            for &node in events {
                if node == ORIGIN {
                    faults.push(fault!(
                        "CONTRADICTION",
                        at,
                        "has the origin, which always happens"
                    ));
                }
                check_node(spec, node, &at, faults);
                if let Some(seen) = seen.get_mut(node)
                    && std::mem::replace(seen, true)
                {
                    let (at, node) = (at.field("event_ids"), element("node", node));
                    faults.push(fault!(
                        "OVERLAP",
                        at,
                        "have {}, which the choice has already",
                        node
                    ));
                }
            }
        }
    }
}

/// Options that are withheld exist, are listed in order and once, and leave one to pick.
fn check_withheld(spec: &Spec, faults: &mut Vec<Fault>) {
    let before = faults.len();
    let choices = Path::root("choices");
    for (index, &(choice, option)) in spec.withheld.iter().enumerate() {
        let known = spec.choices.get(choice);
        let options = known.map_or(0, |given| given.options.len());
        let follows = index == 0 || spec.withheld[index - 1] < (choice, option);
        if option >= options || !follows {
            let choice_at = choices.index(choice);
            let list = choice_at.field("options");
            let at = list.index(option);
            faults.push(fault!(
                "UNKNOWN",
                at,
                "is withheld, but does not exist or is not listed in order and once"
            ));
        }
    }
    if faults.len() > before {
        return;
    }
    for (choice, given) in spec.choices.iter().enumerate() {
        let mut options = 0..given.options.len();
        let withheld = |option| spec.withheld.binary_search(&(choice, option)).is_ok();
        if !options.is_empty() && options.all(withheld) {
            let choice_at = choices.index(choice);
            let at = choice_at.field("options");
            faults.push(fault!(
                "REQUIRED",
                at,
                "are all withheld: one has to be offered"
            ));
        }
    }
}

/// The option that a node needs of each choice.
fn needs(spec: &Spec, node: Node) -> Vec<(usize, usize)> {
    let choices = spec.choices.iter().enumerate();
    let needed = choices.filter_map(|(choice, given)| {
        let mut options = given.options.iter();
        let option = options.position(|events| events.contains(&node));
        option.map(|option| (choice, option))
    });
    needed.collect()
}

/// Both ends of contingent links and activities happen in the same storylines.
fn check_halves(spec: &Spec, faults: &mut Vec<Fault>) {
    let needs: Vec<_> = (0..=spec.events).map(|node| needs(spec, node)).collect();
    let mut check = |list: &'static str, index: usize, from: Node, to: Node| {
        if let (Some(start), Some(end)) = (needs.get(from), needs.get(to))
            && start != end
        {
            let list = Path::root(list);
            let at = list.index(index);
            faults.push(fault!(
                "CONTRADICTION",
                at,
                "has its start and its end in different options"
            ));
        }
    };
    for (index, link) in spec.contingent.iter().enumerate() {
        check("contingent_links", index, link.from, link.to);
    }
    for (index, activity) in spec.activities.iter().enumerate() {
        check("activities", index, activity.start, activity.end);
    }
}
