//! Values of fields that are written in a word.

use super::range;
use super::values::whole;
use formats::heist::deeds::deed_verb;
use formats::messages::{described, descriptor};
use prost_reflect::Value;
use stratagem_proto::v1::{
    HeistCosts, HeistIntervention, PuzzleProblem, PuzzleRange, PuzzleTarget, StorySlider,
    TemporalControllabilityLevel as Level, puzzle_target::Kind,
};

/// Reads `0,830.5`: a number for each level.
pub(super) fn levels(word: &str) -> Result<Value, String> {
    let levels = word.split(',').map(|level| {
        let number = level.trim().parse::<f64>().map_err(|e| e.to_string())?;
        let number = Some(number).filter(|number| number.is_finite());
        let number = number.ok_or("a finite number is wanted")?;
        Ok(Value::F64(number))
    });
    levels.collect::<Result<_, String>>().map(Value::List)
}

/// Reads `10x8`: columns and rows.
pub(super) fn size(word: &str) -> Result<Value, String> {
    let sides = word.split_once(['x', 'X', '×']);
    let (width, height) = sides.ok_or("columns and rows are wanted, as in 10x8")?;
    let problem = PuzzleProblem {
        width: of_problem("width", width)?,
        height: of_problem("height", height)?,
        ..PuzzleProblem::default()
    };
    Ok(Value::Message(described(&problem)))
}

/// Reads `3` or `2..5`: how many boxes.
pub(super) fn boxes(word: &str) -> Result<Value, String> {
    let (from, to) = word.split_once("..").unwrap_or((word, word));
    let (min_boxes, max_boxes) = (of_problem("min_boxes", from)?, of_problem("max_boxes", to)?);
    if min_boxes > max_boxes {
        return Err(format!("{from} is more than {to}"));
    }
    let problem = PuzzleProblem {
        min_boxes,
        max_boxes,
        ..PuzzleProblem::default()
    };
    Ok(Value::Message(described(&problem)))
}

/// A number of a problem of levels, in the range of its field.
fn of_problem(field: &str, word: &str) -> Result<Option<i32>, String> {
    let field = descriptor::<PuzzleProblem>().get_field_by_name(field);
    let number = whole(word, field.as_ref().map_or([None, None], range))?;
    i32::try_from(number).map(Some).map_err(|e| e.to_string())
}

/// Names of difficulties, and their scores by the default weights. Median scores of 20 levels of
/// Boxoban (10x10, 4 boxes): unfiltered 6.1, medium 8.0, hard 11.8.
const NAMED: [(&str, f64); 4] = [
    ("easy", 6.0),
    ("medium", 8.0),
    ("hard", 12.0),
    ("expert", 16.0),
];

/// Reads `easy..12.5`: the score of the easiest and of the hardest level.
pub(super) fn difficulty(word: &str) -> Result<Value, String> {
    let (from, to) = word.split_once("..").unwrap_or((word, word));
    let (easiest, hardest) = (score(from)?, score(to)?);
    let kind = if easiest > hardest {
        return Err("the easiest comes first".into());
    } else if easiest < hardest {
        Kind::Range(PuzzleRange { easiest, hardest })
    } else {
        Kind::Value(easiest)
    };
    let target = PuzzleTarget {
        kind: Some(kind),
        tolerance: None,
    };
    Ok(Value::Message(described(&target)))
}

fn score(word: &str) -> Result<f64, String> {
    let named = NAMED.iter().find(|(name, _)| *name == word);
    let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
    let names = NAMED.map(|(name, _)| name).join(", ");
    let score = named.map(|(_, score)| *score).or(number);
    score.ok_or_else(|| format!("`{word}` is no number and none of {names}"))
}

/// Reads a question about a temporal network; all of them are 0.
pub(super) fn level(word: &str) -> Result<Value, String> {
    let level = match word {
        "consistent" => Level::Consistent,
        "weak" => Level::Weak,
        "dynamic" => Level::Dynamic,
        "strong" => Level::Strong,
        "all" => Level::Unspecified,
        _ => return Err("must be consistent, weak, dynamic, strong or all".into()),
    };
    Ok(Value::I32(level.into()))
}

/// Reads a number of relaxations.
pub(super) fn relaxation(word: &str) -> Result<Value, String> {
    whole(word, [Some(1.0), Some(20.0)]).map(|number| Value::I32(number as i32))
}

/// Reads a number of simulations.
pub(super) fn runs(word: &str) -> Result<Value, String> {
    whole(word, [Some(1.0), Some(100_000.0)]).map(|number| Value::I32(number as i32))
}

/// Reads `Kill=0.5`: an action with a factor.
pub(super) fn slider(word: &str) -> Result<Value, String> {
    let (action, factor) = word
        .rsplit_once('=')
        .ok_or("expected is NAME=FACTOR, as in Kill=0.5")?;
    let number: f64 = factor
        .trim()
        .parse()
        .map_err(|_| format!("`{factor}` is no number"))?;
    if !(0.0..=100.0).contains(&number) {
        return Err(format!("factor must be between 0 and 100, got {number}"));
    }
    let slider = StorySlider {
        action: action.trim().to_owned(),
        factor: number,
    };
    Ok(Value::Message(described(&slider)))
}

/// Reads `door=2`: what something costs the player.
pub(super) fn cost(word: &str) -> Result<Value, String> {
    let (what, cost) = word.split_once('=').unwrap_or((word, ""));
    let mut costs = HeistCosts::default();
    let place = match what {
        "door" => &mut costs.door,
        "container" => &mut costs.container,
        "machine" => &mut costs.machine,
        "camera" => &mut costs.camera,
        _ => return Err("begins with door, container, machine or camera, as in door=2".into()),
    };
    match cost.parse() {
        Ok(cost @ 0..=1_000_000) => *place = Some(cost),
        _ => return Err("a cost from 0 to 1000000 is wanted, as in door=2".into()),
    }
    Ok(Value::Message(described(&costs)))
}

/// Reads `3:lock:d1`: what the player does before a tick.
pub(super) fn deed(word: &str) -> Result<Value, String> {
    // Ids may have colons.
    let mut parts = word.splitn(3, ':');
    let tick = parts.next().and_then(|t| t.parse::<i32>().ok());
    let verb = parts.next().and_then(deed_verb);
    let target = parts.next().filter(|id| !id.is_empty());
    match (tick.filter(|t| *t >= 0), verb, target) {
        (Some(tick), Some(verb), Some(target)) => {
            let deed = HeistIntervention {
                tick,
                verb: verb.into(),
                target_id: target.into(),
            };
            Ok(Value::Message(described(&deed)))
        }
        (None, ..) => Err("begins with a tick, from 0, and a colon, as in 3:lock:d1".into()),
        (_, None, _) => Err("verbs are lock, unlock, open, close, on, off and trigger".into()),
        (.., None) => Err("what it is done to is missing, as in 3:lock:d1".into()),
    }
}
