//! Which planner's problem a document is.

use super::Text;
use crate::formats::{self, Format, heist, narrative, patrol, reflect, temporal};

/// The planner whose problem a text looks like: by its keys.
pub(super) fn planner_of(text: &Text, default: &str) -> String {
    match text.format {
        Format::Solomon | Format::Vrplib => return "allocation".into(),
        Format::Psplib => return "schedule".into(),
        Format::Tiles | Format::Literature => return "patrol".into(),
        Format::Json | Format::Yaml => {}
    }
    let keys = formats::top_keys(&text.text, text.format);
    let has = |names: &[&str]| keys.iter().any(|k| names.contains(&k.as_str()));
    // One field: the union of all planners.
    if keys.len() == 1 && keys.iter().all(|key| reflect::is_planner(key)) {
        "any".into()
    } else if has(heist::KEYS) || has(&["plan"]) && heist::is_level(&text.text, text.format) {
        // Before patrols, which have guards, too.
        "heist".into()
    } else if has(patrol::KEYS) || default == "patrol" && has(&["vertices"]) && !has(&["links"]) {
        // Before narratives in foreign formats, which also have vertices and edges.
        "patrol".into()
    } else if has(&["edges"]) {
        "narrative".into()
    } else if has(&["timepoints", "vertices"]) {
        // Networks in foreign formats.
        "temporal".into()
    } else if let Some(planner) = reflect::planner_with(&keys) {
        planner
    } else if has(&["activities"]) && !has(&["events"]) {
        // Resources, too, could be of a narrative.
        "schedule".into()
    } else if has(narrative::KEYS) {
        "narrative".into()
    } else if has(temporal::KEYS) {
        // Narratives also have most of these keys.
        "temporal".into()
    } else {
        default.into()
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
            (r#"{"activities": [], "resources": []}"#, "schedule"),
            (r#"{"activities": [], "precedences": []}"#, "schedule"),
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
