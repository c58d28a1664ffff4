//! Which planner's problem a document is.

use super::Text;
use crate::formats::{self, Format, heist, narrative, patrol, temporal};

/// Keys that only documents with a problem of puzzle have.
const PUZZLE_KEYS: &[&str] = &[
    "template_rows",
    "templateRows",
    "min_boxes",
    "minBoxes",
    "max_boxes",
    "maxBoxes",
    "level_count",
    "levelCount",
];

/// Keys of the union of all planners' problems.
const UNION_KEYS: &[&str] = &[
    "allocation",
    "temporal",
    "narrative",
    "patrol",
    "puzzle",
    "heist",
    "crew",
    "story",
];

/// Keys that only documents with a problem of crew have.
const CREW_KEYS: &[&str] = &[
    "nodes",
    "arcs",
    "players",
    "tools",
    "max_damage",
    "maxDamage",
];

/// Keys that only documents with a problem of story have.
const STORY_KEYS: &[&str] = &["goals", "max_acts", "maxActs", "sliders"];

/// The planner whose problem a text looks like: by the keys that only its message has.
pub(super) fn planner_of(text: &Text, default: &'static str) -> &'static str {
    match text.format {
        Format::Solomon | Format::Vrplib => return "allocation",
        Format::Psplib => return "narrative",
        Format::Tiles | Format::Literature => return "patrol",
        Format::Json | Format::Yaml => {}
    }
    let keys = formats::top_keys(&text.text, text.format);
    let has = |names: &[&str]| keys.iter().any(|k| names.contains(&k.as_str()));
    // One field: the union of all planners.
    if keys.len() == 1 && has(UNION_KEYS) {
        "any"
    } else if has(heist::KEYS) || has(&["plan"]) && heist::is_level(&text.text, text.format) {
        // Before patrols, which have guards, too.
        "heist"
    } else if has(STORY_KEYS) && has(&["types"]) {
        // Before patrols and networks, which have events, too.
        "story"
    } else if has(patrol::KEYS) || default == "patrol" && has(&["vertices"]) && !has(&["links"]) {
        // Before the others, with whom they share vertices and edges.
        "patrol"
    } else if has(CREW_KEYS) {
        // Before networks, which have events, too.
        "crew"
    } else if has(PUZZLE_KEYS) {
        "puzzle"
    } else if has(narrative::KEYS) {
        // Before networks, most of whose keys narratives have too.
        "narrative"
    } else if has(temporal::KEYS) {
        "temporal"
    } else if has(&["tasks"]) {
        "allocation"
    } else {
        default
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planners_are_known_by_the_fields_of_their_problems() {
        for (content, planner) in [
            (r#"{"title": "a", "tasks": []}"#, "allocation"),
            (r#"{"title": "a", "events": []}"#, "temporal"),
            (r#"{"contingentLinks": []}"#, "temporal"),
            (r#"{"format": "stnit/1", "timepoints": []}"#, "temporal"),
            (r#"{"vertices": [], "links": []}"#, "temporal"),
            (
                r#"{"events": [], "links": [], "activities": []}"#,
                "narrative",
            ),
            (r#"{"vertices": [], "edges": []}"#, "narrative"),
            (r#"{"vertices": [], "edges": [], "guards": []}"#, "patrol"),
            (r#"{"vertices": 4, "edges": [], "robots": 1}"#, "patrol"),
            (r#"{"width": 8, "maxBoxes": 3}"#, "puzzle"),
            (r#"{"nodes": [], "arcs": [], "events": []}"#, "crew"),
            (r#"{"world": {}, "agent_id": "a"}"#, "heist"),
            (r#"{"types": [], "goals": [], "events": []}"#, "story"),
            (r#"{"name": "a", "rooms": ["b"], "guards": []}"#, "heist"),
            (r#"{"plan": {"world": {}}, "report": {}}"#, "heist"),
            (r#"{"heist": {"world": {}}}"#, "any"),
            (r#"{"patrol": {"title": "a"}}"#, "any"),
            (r#"{"temporal": {"title": "a"}}"#, "any"),
            (r#"{"title": "a"}"#, "neither"),
        ] {
            let text = Text {
                name: "x".into(),
                text: content.into(),
                format: Format::Json,
            };
            assert_eq!(planner_of(&text, "neither"), planner, "{content}");
        }
    }
}
