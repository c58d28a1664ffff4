//! Faults of domains, in the words of the contract.

use crate::wire::mistakes::{Code, RelativeMistake, relative};
use anytime::Step::{Field, Index};
use anytime::{Fault, Step, Unnamed, written};
use story::language::{Form, position};
use stratagem_proto::v1 as pb;

/// The mistake that a fault of the domain is; in texts, with the character at which it shows.
pub(super) fn mistake(fault: &Fault, given: &pb::StoryProblem) -> RelativeMistake {
    let why = fault.text(&Unnamed);
    let code = Code::Rule(fault.code);
    let Some((text, form, steps)) = text_at(&fault.at, given) else {
        return relative(fault.field(), code, why);
    };
    let (field, part) = fault.at.split_at(steps);
    // A goal that never holds is no part of its text.
    let why = if fault.code == "NEVER_HOLDS" {
        why
    } else {
        let at = position(text, form, &written(part));
        format!("at character {at}: {why}")
    };
    relative(written(field), code, why)
}

/// The text of the language that a path leads into, its form, and the number of steps to it.
fn text_at<'g>(at: &[Step], given: &'g pb::StoryProblem) -> Option<(&'g str, Form, usize)> {
    let (text, form, steps) = match *at {
        [Field("settings"), Index(setting), ..] => (given.settings.get(setting)?, Form::Setting, 2),
        [Field("goals"), Index(goal), Field("condition"), ..] => {
            (&given.goals.get(goal)?.condition, Form::Expression, 3)
        }
        [Field("actions"), Index(action), Field("believability"), ..] => {
            let action = given.actions.get(action)?;
            (&action.believability, Form::Expression, 3)
        }
        [
            Field("actions"),
            Index(action),
            Field(list),
            Index(index),
            ..,
        ] => {
            let action = given.actions.get(action)?;
            let (texts, form) = match list {
                "preconditions" => (&action.preconditions, Form::Expression),
                "effects" => (&action.effects, Form::Effect),
                "rules" => (&action.rules, Form::Rule),
                _ => return None,
            };
            (texts.get(index)?, form, 4)
        }
        _ => return None,
    };
    Some((text, form, steps))
}
