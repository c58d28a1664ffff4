//! Problems of any planner, written in any format.

use super::{Format, heist, json, messages, patrol, solomon, yaml};
use stratagem_proto::v1::any_problem::Kind;

/// A file of an exported problem: most formats need one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is, as a file would be called: `problem.pddl`, `domain.pddl`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// Writes a problem.
///
/// # Errors
/// What the format has no place for.
pub fn write(problem: &Kind, format: Format) -> Result<Vec<Part>, String> {
    let text = match (problem, format) {
        (problem, Format::Json) => {
            json::write_dynamic(&messages::of_problem(problem)).map_err(|m| m.message)
        }
        (problem, Format::Yaml) => {
            yaml::write_dynamic(&messages::of_problem(problem)).map_err(|m| m.message)
        }
        (Kind::Allocation(problem), Format::Solomon) => solomon::write(problem),
        (Kind::Patrol(problem), Format::Tiles) => patrol::tiles::write(problem),
        (Kind::Patrol(problem), Format::Literature) => patrol::literature::write(problem),
        (Kind::Heist(problem), Format::Museum) => heist::world::write(problem),
        (Kind::Heist(problem), Format::Pddl) => heist::pddl::write(problem),
        (_, format) => Err(refusal(format)),
    };
    let extension = format.row().extensions[0];
    let part = |name: &str, text| Part {
        name: format!("{name}.{extension}"),
        text,
    };
    let mut parts = vec![part("problem", text?)];
    if let (Kind::Heist(problem), Format::Pddl) = (problem, format) {
        parts.push(part("domain", heist::pddl::domain(problem).to_owned()));
    }
    Ok(parts)
}

fn refusal(format: Format) -> String {
    let row = format.row();
    match row.planner {
        Some(planner) if row.writes.contains(&"problem") => {
            format!("the format {} is for problems of {planner} only", row.name)
        }
        _ => format!("problems are not written in the format {}", row.name),
    }
}
