//! Faults of domains, in the words of the contract.

use anytime::Step::{Field, Index};
use anytime::{Fault, Path, Step, Unnamed, fault, written};
use story::language::{Form, position};
use stratagem_proto::v1 as pb;

/// A fault of the domain at the field of the contract that has it; in texts, with the character at
/// which it shows.
pub(super) fn locate(mut found: Fault, given: &pb::StoryProblem) -> Fault {
    let Some((text, form, steps)) = text_at(&found.at, given) else {
        return found;
    };
    let part = found.at.split_off(steps);
    // A goal that never holds is no part of its text.
    if found.code == "NEVER_HOLDS" {
        return found;
    }
    let (character, why) = (position(text, form, &written(&part)), found.text(&Unnamed));
    let mut located = fault!(
        found.code,
        Path::WHOLE,
        "at character {}: {}",
        character,
        why
    );
    located.at = found.at;
    located
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
