//! The table of all formats.

use super::words::unmarked;
use super::{heist, levels, patrol, psplib, solomon, vrplib};
use std::path::Path;
use stratagem_proto::v1::AllocationDistanceRounding;

/// A format of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the table has a title for each")]
pub enum Format {
    Json,
    Yaml,
    Solomon,
    Vrplib,
    Routes,
    Psplib,
    Stnit,
    Stnu,
    Linsp,
    Tiles,
    Literature,
    Sokoban,
    Museum,
    Pddl,
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Which one.
    pub format: Format,
    /// Its name, as in `convert --to` and `ImportProblemRequest.format`.
    pub name: &'static str,
    /// What it is, for people.
    pub title: &'static str,
    /// Ends of file names, without the dot.
    pub extensions: &'static [&'static str],
    /// Whose problems and plans it has; none: those of all planners.
    pub planner: Option<&'static str>,
    /// What is read: `problem`, `plan`.
    pub reads: &'static [&'static str],
    /// What is written.
    pub writes: &'static [&'static str],
    /// The options that count when it is read.
    pub options: &'static [&'static str],
}

const PROBLEM: &[&str] = &["problem"];
const PLAN: &[&str] = &["plan"];
const BOTH: &[&str] = &["problem", "plan"];
const ROUTING: &[&str] = &["agents", "rounding"];

/// All formats.
pub const TABLE: &[Row] = &[
    Row {
        format: Format::Json,
        name: "json",
        title: "proto3 JSON of the contract",
        extensions: &["json"],
        planner: None,
        reads: BOTH,
        writes: BOTH,
        options: &[],
    },
    Row {
        format: Format::Yaml,
        name: "yaml",
        title: "The same, as YAML",
        extensions: &["yaml", "yml"],
        planner: None,
        reads: BOTH,
        writes: BOTH,
        options: &[],
    },
    Row {
        format: Format::Solomon,
        name: "solomon",
        title: "Vehicle routing with time windows: Solomon, Gehring and Homberger",
        extensions: &["txt"],
        planner: Some("allocation"),
        reads: PROBLEM,
        writes: PROBLEM,
        options: ROUTING,
    },
    Row {
        format: Format::Vrplib,
        name: "vrplib",
        title: "Vehicle routing: VRPLIB, CVRPLIB",
        extensions: &["vrp"],
        planner: Some("allocation"),
        reads: PROBLEM,
        writes: &[],
        options: ROUTING,
    },
    Row {
        format: Format::Routes,
        name: "routes",
        title: "Published routes of CVRPLIB",
        extensions: &["sol"],
        planner: Some("allocation"),
        reads: PLAN,
        writes: PLAN,
        options: &[],
    },
    Row {
        format: Format::Psplib,
        name: "psplib",
        title: "Project scheduling: PSPLIB without nonrenewable resources, ProGen/max",
        extensions: &["sm", "mm", "sch"],
        planner: Some("schedule"),
        reads: PROBLEM,
        writes: &[],
        options: &[],
    },
    Row {
        format: Format::Stnit,
        name: "stnit",
        title: "Temporal networks of teams (`stnit/1`)",
        extensions: &["json"],
        planner: Some("temporal"),
        reads: PROBLEM,
        writes: &[],
        options: &[],
    },
    Row {
        format: Format::Stnu,
        name: "stnu",
        title: "Temporal networks with uncertainty (`stnu/1`)",
        extensions: &["json"],
        planner: Some("temporal"),
        reads: PROBLEM,
        writes: &[],
        options: &[],
    },
    Row {
        format: Format::Linsp,
        name: "linsp",
        title: "Narratives (`linsp/1`)",
        extensions: &["json"],
        planner: Some("narrative"),
        reads: PROBLEM,
        writes: &[],
        options: &[],
    },
    Row {
        format: Format::Tiles,
        name: "tiles",
        title: "A map of tiles that is patrolled",
        extensions: &["map"],
        planner: Some("patrol"),
        reads: PROBLEM,
        writes: PROBLEM,
        options: &["sight", "tick", "rooms"],
    },
    Row {
        format: Format::Literature,
        name: "literature",
        title: "Instances of papers on patrols, JSON with bare numbers",
        extensions: &["json"],
        planner: Some("patrol"),
        reads: PROBLEM,
        writes: PROBLEM,
        options: &["tick"],
    },
    Row {
        format: Format::Sokoban,
        name: "sokoban",
        title: "Levels of Sokoban: XSB, .sok, RLE and .slc",
        extensions: &["xsb", "sok", "rle", "slc"],
        planner: Some("puzzle"),
        reads: BOTH,
        writes: PLAN,
        options: &[],
    },
    Row {
        format: Format::Museum,
        name: "museum",
        title: "Worlds of heists, JSON with rooms by name",
        extensions: &["json"],
        planner: Some("heist"),
        reads: PROBLEM,
        writes: PROBLEM,
        options: &[],
    },
    Row {
        format: Format::Pddl,
        name: "pddl",
        title: "The problem of an agent of a heist in PDDL with its domain, and plans of PDDL planners",
        extensions: &["pddl"],
        planner: Some("heist"),
        reads: PLAN,
        writes: PROBLEM,
        options: &[],
    },
];

/// Whether a text looks like a format.
type Look = fn(&str) -> bool;

/// What files leave open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Number of agents, 1 to 1,000. Default: the file's.
    pub agents: Option<usize>,
    /// Rounding of distances between coordinates; never compare costs across roundings. Default:
    /// that of the format.
    pub rounding: Option<AllocationDistanceRounding>,
    /// Range of guards' sight in tiles. Default: the map's.
    pub sight: Option<u32>,
    /// Microseconds of a tick. Default: the file's.
    pub tick_us: Option<i64>,
    /// One place for each room of a map instead of one for each tile.
    pub rooms: bool,
}

impl Options {
    /// The names of those that are given.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        let named = [
            ("agents", self.agents.is_some()),
            ("rounding", self.rounding.is_some()),
            ("sight", self.sight.is_some()),
            ("tick", self.tick_us.is_some()),
            ("rooms", self.rooms),
        ];
        named
            .into_iter()
            .filter_map(|(name, is_given)| is_given.then_some(name))
    }
}

impl Format {
    /// Its row in the table.
    #[must_use]
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The format of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let row = TABLE.iter().find(|row| row.name == name);
        row.map(|row| row.format)
    }

    /// The names of those that problems are written in.
    pub fn written() -> impl Iterator<Item = &'static str> {
        let written = TABLE.iter().filter(|row| row.writes.contains(&"problem"));
        written.map(|row| row.name)
    }

    /// The format that a file name ends in; of several, the first.
    #[must_use]
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let has = |row: &&Row| row.extensions.contains(&&*extension);
        TABLE.iter().find(has).map(|row| row.format)
    }

    /// The format that a text looks like: [`Format::Json`] of all JSON documents. JSON is YAML
    /// too, so what is nothing else is YAML.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        let text = unmarked(text);
        let start = text.trim_start();
        let known: [(Self, Look); 7] = [
            (Self::Solomon, solomon::looks_like),
            (Self::Vrplib, vrplib::looks_like),
            (Self::Routes, vrplib::looks_like_routes),
            (Self::Psplib, psplib::looks_like),
            (Self::Sokoban, levels::looks_like),
            (Self::Pddl, heist::moves::looks_like),
            (Self::Tiles, patrol::tiles::looks_like),
        ];
        if start.starts_with(['{', '[']) {
            return Self::Json;
        }
        let found = known.into_iter().find(|(_, looks_like)| looks_like(text));
        found.map_or(Self::Yaml, |(format, _)| format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_a_row_of_its_own() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.format as usize, index, "{}", row.name);
            assert_eq!(Format::named(row.name), Some(row.format));
        }
    }
}
