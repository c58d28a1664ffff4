//! Title and size of a problem of any planner, by its descriptor.

use super::table::printable;
use super::{Display, Style, numbers};
use formats::Described;
use formats::messages;
use prost_reflect::{DynamicMessage, Kind, ReflectMessage as _, Value};

/// Title and size of a problem on one line.
#[must_use]
pub fn heading<M: Described>(display: &Display, problem: &M) -> String {
    heading_of(
        display,
        &messages::planner_of::<M>(),
        &messages::described(problem),
    )
}

/// The same of the problem of a planner.
#[must_use]
pub fn heading_of(display: &Display, planner: &str, problem: &DynamicMessage) -> String {
    let title = title_of(planner, problem);
    let title = display.styled(Style::Heading, &printable(&title));
    match size(problem) {
        size if size.is_empty() => format!("{title}\n"),
        size => format!("{title}  ({size})\n"),
    }
}

/// The title of a problem, or the name of its planner.
#[must_use]
pub fn title_of(planner: &str, problem: &DynamicMessage) -> String {
    title(problem).unwrap_or_else(|| capitalized(planner))
}

/// What a problem consists of, in words: the lengths of its lists of messages.
#[must_use]
pub fn size(problem: &DynamicMessage) -> String {
    let mut parts = Vec::new();
    for (field, value) in problem.fields() {
        match value {
            Value::List(list) if matches!(field.kind(), Kind::Message(_)) => {
                let name = field.name().replace('_', " ");
                parts.push(things(list.len(), &name));
            }
            // A world in a problem.
            Value::Message(inner) if has_title(inner) => parts.push(size(inner)),
            _ => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

fn has_title(message: &DynamicMessage) -> bool {
    message.descriptor().get_field_by_name("title").is_some()
}

/// The title of a problem, or of the world in it.
fn title(message: &DynamicMessage) -> Option<String> {
    let own = message.get_field_by_name("title");
    let own = own.and_then(|title| title.as_str().map(str::to_owned));
    if own.is_some() {
        return own.filter(|title| !title.is_empty());
    }
    let mut inner = message.fields().filter_map(|(_, value)| value.as_message());
    inner.find_map(title)
}

fn things(count: usize, plural: &str) -> String {
    let singular = match plural {
        "vertices" => Some("vertex".into()),
        _ => plural.strip_suffix("ies").map(|stem| format!("{stem}y")),
    };
    match singular {
        Some(singular) if count == 1 => format!("1 {singular}"),
        _ => numbers::things(count as i64, plural),
    }
}

fn capitalized(name: &str) -> String {
    let (first, rest) = name.split_at(name.len().min(1));
    first.to_ascii_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{
        HeistProblem, HeistRoom, HeistWorld, PatrolProblem, PatrolVertex, ScheduleActivity,
        ScheduleProblem,
    };

    #[test]
    fn lists_are_counted_and_names_cannot_control_the_terminal() {
        let world = HeistWorld {
            title: "\u{1b}[2Jgone".into(),
            rooms: vec![HeistRoom::default(); 2],
            ..HeistWorld::default()
        };
        let heist = HeistProblem {
            world: Some(world),
            ..HeistProblem::default()
        };
        assert_eq!(heading(&Display::PLAIN, &heist), "?[2Jgone  (2 rooms)\n");
        let schedule = ScheduleProblem {
            activities: vec![ScheduleActivity::default()],
            ..ScheduleProblem::default()
        };
        assert_eq!(
            heading(&Display::PLAIN, &schedule),
            "Schedule  (1 activity)\n"
        );
        let patrol = PatrolProblem {
            vertices: vec![PatrolVertex::default()],
            ..PatrolProblem::default()
        };
        assert_eq!(heading(&Display::PLAIN, &patrol), "Patrol  (1 vertex)\n");
        assert_eq!(
            heading(&Display::PLAIN, &PatrolProblem::default()),
            "Patrol\n"
        );
    }
}
