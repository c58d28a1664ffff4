//! What the player does in a game, from a file.

use super::super::json::document;
use super::super::{Format, Mistake, note, top_keys, unless_wrong};
use serde::Deserialize;
use stratagem_proto::v1::{HeistIntervention, HeistInterventionVerb};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    t: i32,
    #[serde(rename = "do")]
    deed: Vec<String>,
}

/// Reads what the player does: a list as in `[{"t": 3, "do": ["lock", "d1"]}]`, or the help in an
/// answer of `heist design -o json`.
///
/// # Errors
/// All mistakes of a list, else the first.
pub fn read(text: &str, format: Format) -> Result<Vec<HeistIntervention>, Vec<Mistake>> {
    let answers = ["plan", "report"];
    if top_keys(text, format)
        .iter()
        .any(|k| answers.contains(&k.as_str()))
    {
        let level = super::level(text, format).map_err(|m| vec![m])?;
        return Ok(level.help);
    }
    let list: Vec<Entry> = document(text).map_err(|m| vec![m])?;
    let mut mistakes = Vec::new();
    let mut deeds = Vec::new();
    for (n, entry) in list.into_iter().enumerate() {
        let verb = entry.deed.first().and_then(|word| deed_verb(word));
        match (verb, entry.deed.as_slice()) {
            (Some(verb), [_, target]) => deeds.push(HeistIntervention {
                tick: entry.t,
                verb: verb.into(),
                target_id: target.clone(),
            }),
            _ => {
                let message =
                    "a verb and an id are wanted: lock, unlock, open, close, on, off or trigger";
                note(
                    &mut mistakes,
                    Mistake::in_element(format!("[{n}].do"), message),
                );
            }
        }
    }
    unless_wrong(deeds, mistakes)
}

/// The verb of a word.
#[must_use]
pub fn deed_verb(word: &str) -> Option<HeistInterventionVerb> {
    Some(match word {
        "lock" => HeistInterventionVerb::Lock,
        "unlock" => HeistInterventionVerb::Unlock,
        "open" => HeistInterventionVerb::Open,
        "close" => HeistInterventionVerb::Close,
        "on" => HeistInterventionVerb::SwitchOn,
        "off" => HeistInterventionVerb::SwitchOff,
        "trigger" => HeistInterventionVerb::Trigger,
        _ => return None,
    })
}
