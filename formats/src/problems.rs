//! Problems of any planner, in any format.

use super::messages::{is_planner, planner_with, read_problem};
use super::tree::Tree;
use super::words::unmarked;
use super::{Format, Mistake, Options, heist, levels, networks, patrol};
use super::{psplib, read as read_message, solomon, tree, vrplib};
use stratagem_proto::v1::{AnyProblem, any_problem::Kind};

/// The planner of the union of all problems.
const ANY: &str = "any";
/// Keys that only problems of heists have.
const OF_HEIST: &[&str] = &["world", "rooms", "burglar", "entrance"];
/// Keys that only problems of patrol have.
const OF_PATROL: &[&str] = &["guards", "intruder", "robots"];
/// Keys that only narratives have.
const OF_NARRATIVE: &[&str] = &["activities", "resources", "choices", "groups", "edges"];
/// Keys that only temporal networks, and narratives, have.
const OF_TEMPORAL: &[&str] = &[
    "events",
    "links",
    "contingent_links",
    "contingentLinks",
    "origin_id",
    "originId",
    "horizon_offset",
    "horizonOffset",
];

/// What a text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recognised {
    /// Its format.
    pub format: Format,
    /// Whose problem it is; `any` where it is the union of all.
    pub planner: String,
}

impl Recognised {
    /// Recognises a text, which is JSON of the contract or of others where the format is JSON. A
    /// document that could be of several planners is of the default one.
    #[must_use]
    pub fn new(text: &str, format: Format, default: &str) -> Self {
        if let Some(planner) = format.row().planner {
            let planner = planner.into();
            return Self { format, planner };
        }
        let document = tree(text, format).unwrap_or(Tree::Null);
        let planner = planner_of(&document, default);
        let foreign = (format == Format::Json)
            .then(|| dialect(&document, &planner))
            .flatten();
        Self {
            format: foreign.unwrap_or(format),
            planner,
        }
    }

    /// An option that does not count for this format.
    #[must_use]
    pub fn refused(&self, options: &Options) -> Option<&'static str> {
        let known = self.format.row().options;
        options.given().find(|name| !known.contains(name))
    }

    /// Reads the problem.
    ///
    /// # Errors
    /// All mistakes where the format allows to go on after one, else the first.
    pub fn read(&self, text: &str, options: &Options) -> Result<Kind, Vec<Mistake>> {
        let one = |mistake| vec![mistake];
        let text = unmarked(text);
        match self.format {
            Format::Solomon => solomon::read(text, options)
                .map(Kind::Allocation)
                .map_err(one),
            Format::Vrplib => vrplib::read(text, options)
                .map(Kind::Allocation)
                .map_err(one),
            Format::Psplib => psplib::read(text).map(Kind::Schedule).map_err(one),
            Format::Stnit => networks::stnit(text).map(Kind::Temporal).map_err(one),
            Format::Stnu => networks::stnu(text).map(Kind::Temporal).map_err(one),
            Format::Linsp => networks::linsp(text).map(Kind::Narrative).map_err(one),
            Format::Tiles => patrol::tiles::read(text, options).map(Kind::Patrol),
            Format::Literature => patrol::literature::read(text, options).map(Kind::Patrol),
            Format::Sokoban => levels::problem(text).map(Kind::Puzzle),
            Format::Museum => heist::world::read(text).map(Kind::Heist),
            Format::Routes | Format::Pddl => {
                Err(one(Mistake::new("this is a plan, not a problem")))
            }
            Format::Json | Format::Yaml => match self.planner.as_str() {
                "heist" => heist::read(text, self.format).map(Kind::Heist).map_err(one),
                ANY => union(text, self.format).map_err(one),
                planner => read_problem(planner, text, self.format).map_err(one),
            },
        }
    }
}

fn union(text: &str, format: Format) -> Result<Kind, Mistake> {
    let problem = read_message::<AnyProblem>(text, format)?;
    let unknown = || Mistake::new("the problem is of a planner that this program does not know");
    problem.kind.ok_or_else(unknown)
}

/// The planner whose problem a document looks like: by its keys.
fn planner_of(document: &Tree, default: &str) -> String {
    let keys = document.keys();
    let has = |names: &[&str]| keys.iter().any(|key| names.contains(&key.as_str()));
    // One field: the union of all planners.
    if keys.len() == 1 && keys.iter().all(|key| is_planner(key)) {
        return ANY.into();
    }
    let is_level = || {
        document
            .get("plan")
            .is_some_and(|plan| plan.get("world").is_some())
    };
    let of_default = default == "patrol" && has(&["vertices"]) && !has(&["links"]);
    let known = [
        // Before patrols, which have guards, too.
        ("heist", has(OF_HEIST) || is_level()),
        // Before narratives in foreign formats, which also have vertices and edges.
        ("patrol", has(OF_PATROL) || of_default),
        ("narrative", has(&["edges"])),
        // Networks in foreign formats.
        ("temporal", has(&["timepoints", "vertices"])),
    ];
    let found = |known: &[(&str, bool)]| {
        let found = known.iter().find(|(_, is_it)| *is_it);
        found.map(|(planner, _)| (*planner).to_owned())
    };
    let ambiguous = [
        // Resources, too, could be of a narrative.
        ("schedule", has(&["activities"]) && !has(&["events"])),
        ("narrative", has(OF_NARRATIVE)),
        // Narratives also have most of these keys.
        ("temporal", has(OF_TEMPORAL)),
    ];
    let planner = found(&known).or_else(|| planner_with(&keys));
    let planner = planner.or_else(|| found(&ambiguous));
    planner.unwrap_or_else(|| default.into())
}

/// The foreign format of a JSON document with a problem of a planner; none for our own.
fn dialect(document: &Tree, planner: &str) -> Option<Format> {
    let has = |key: &str| document.get(key).is_some();
    // Rooms of a message are objects, those of the other format ids.
    let own_rooms = || match document.get("rooms") {
        Some(Tree::List(rooms)) => matches!(rooms.first(), Some(Tree::Map(_))),
        _ => false,
    };
    let (format, is_it) = match planner {
        "heist" => (Format::Museum, has("rooms") && !own_rooms()),
        "patrol" => (Format::Literature, has("robots") || has("name")),
        "narrative" => (Format::Linsp, has("edges")),
        "temporal" if has("timepoints") => (Format::Stnit, true),
        "temporal" => (Format::Stnu, has("vertices")),
        _ => return None,
    };
    is_it.then_some(format)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planners_are_known_by_the_fields_of_their_problems() {
        use Format::{Json, Linsp, Literature, Museum, Stnit, Stnu};
        for (content, planner, format) in [
            (r#"{"title": "a", "tasks": []}"#, "allocation", Json),
            (r#"{"title": "a", "events": []}"#, "temporal", Json),
            (r#"{"contingentLinks": []}"#, "temporal", Json),
            (
                r#"{"format": "stnit/1", "timepoints": []}"#,
                "temporal",
                Stnit,
            ),
            (r#"{"vertices": [], "links": []}"#, "temporal", Stnu),
            (
                r#"{"events": [], "links": [], "activities": []}"#,
                "narrative",
                Json,
            ),
            (r#"{"vertices": [], "edges": []}"#, "narrative", Linsp),
            (
                r#"{"vertices": [], "edges": [], "guards": []}"#,
                "patrol",
                Json,
            ),
            (
                r#"{"vertices": 4, "edges": [], "robots": 1}"#,
                "patrol",
                Literature,
            ),
            (r#"{"width": 8, "maxBoxes": 3}"#, "puzzle", Json),
            (r#"{"nodes": [], "arcs": [], "events": []}"#, "crew", Json),
            (r#"{"activities": [], "resources": []}"#, "schedule", Json),
            (r#"{"activities": [], "precedences": []}"#, "schedule", Json),
            (r#"{"world": {}, "agent_id": "a"}"#, "heist", Json),
            (r#"{"types": [], "goals": [], "events": []}"#, "story", Json),
            (
                r#"{"name": "a", "rooms": ["b"], "guards": []}"#,
                "heist",
                Museum,
            ),
            (r#"{"rooms": [{"id": "b"}]}"#, "heist", Json),
            (r#"{"plan": {"world": {}}, "report": {}}"#, "heist", Json),
            (r#"{"heist": {"world": {}}}"#, "any", Json),
            (r#"{"patrol": {"title": "a"}}"#, "any", Json),
            (r#"{"temporal": {"title": "a"}}"#, "any", Json),
            (r#"{"title": "a"}"#, "neither", Json),
        ] {
            let found = Recognised::new(content, Json, "neither");
            assert_eq!(
                (found.planner.as_str(), found.format),
                (planner, format),
                "{content}"
            );
        }
    }
}
