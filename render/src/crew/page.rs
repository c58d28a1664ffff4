//! A crew as one page of HTML.

use super::front_text::{both_text, empty_text, note, point_text, teams_text, way};
use super::scene::Scene;
use super::svg::document;
use super::{Choice, Drawn, choices};
use crate::html::Page;
use crate::time::micros;
use stratagem_proto::v1::{CrewPlan, CrewProblem};

/// Points that can be picked: more are in the tables only.
const PICKS_MAX: usize = 24;
/// Rows of a table, at most.
const ROWS_MAX: usize = 2_000;

/// Returns a crew as one self-contained page of HTML, without scripts: pictures of up to 24 points,
/// and tables of all points and paths, up to 2,000 rows each.
#[must_use]
pub fn page(problem: &CrewProblem, drawn: Drawn<'_>) -> String {
    let scene = Scene::new(problem);
    let title = match problem.title.as_str() {
        "" => "Crew",
        title => title,
    };
    let mut page = Page::new(title, &problem.description);
    let Some(plan) = drawn.plan else {
        page.picture(&document(&scene, drawn, false), "The ship");
        return page.finish();
    };
    let mut picks = choices(plan);
    // What was chosen comes first.
    if let Some(chosen) = drawn.choice {
        picks.sort_by_key(|it| *it != chosen);
    }
    picks.truncate(PICKS_MAX);
    let names: Vec<String> = picks.iter().map(|it| pick(&scene, plan, *it)).collect();
    if picks.is_empty() {
        page.picture(&document(&scene, drawn, false), "The ship");
    } else {
        page.selector("What to choose from", &names, |page, n| {
            let drawn = Drawn {
                plan: Some(plan),
                choice: Some(picks[n]),
            };
            page.picture(&document(&scene, drawn, false), &names[n]);
        });
    }
    tables(&mut page, &scene, plan);
    page.finish()
}

/// The name of a choice.
fn pick<'a>(scene: &Scene<'a>, plan: &'a CrewPlan, choice: Choice) -> String {
    let drawn = Drawn {
        plan: Some(plan),
        choice: Some(choice),
    };
    let Some(chosen) = drawn.chosen(scene) else {
        return String::new();
    };
    let [time, damage] = both_text(chosen.time_us, chosen.damage);
    format!("{}, {time}, damage {damage}", chosen.name)
}

fn tables(page: &mut Page, scene: &Scene<'_>, plan: &CrewPlan) {
    let (mut points, mut ways) = (Vec::new(), Vec::new());
    for point in plan.joint.iter().flat_map(|joint| &joint.points) {
        let [time, damage] = both_text(micros(point.worst_duration.as_ref()), point.worst_damage);
        let count: usize = point.teams.iter().map(|team| team.roles.len()).sum();
        let row = ["all".into(), count.to_string(), time, damage];
        points.push([row.to_vec(), vec![teams_text(scene, point)]].concat());
        for role in point.teams.iter().flat_map(|team| &team.roles) {
            let (who, way) = (scene.role(role), way(scene, role, " > "));
            ways.push([row.to_vec(), vec![who, way]].concat());
        }
    }
    for options in &plan.events {
        let event = scene.event_name(&options.event_id).to_owned();
        for front in &options.fronts {
            let players = front.player_count.to_string();
            if front.points.is_empty() {
                let why = empty_text(front);
                points.push(vec![
                    event.clone(),
                    players.clone(),
                    "-".into(),
                    "-".into(),
                    why,
                ]);
            }
            for point in &front.points {
                let [time, damage] = point_text(point);
                let row = [&event, &players, &time, &damage].map(Clone::clone);
                points.push([row.to_vec(), vec![note(point)]].concat());
                for role in &point.roles {
                    let who = scene.role(role);
                    let way = way(scene, role, " > ");
                    ways.push([row.to_vec(), vec![who, way]].concat());
                }
            }
        }
    }
    let head = ["event", "players", "time", "damage"];
    for (name, last, mut rows) in [
        ("All choices", &["remark"][..], points),
        (
            "Who goes where",
            &["who", "way, the tool in brackets"],
            ways,
        ),
    ] {
        let more = rows.len().saturating_sub(ROWS_MAX);
        rows.truncate(ROWS_MAX);
        page.table(name, &[&head[..], last].concat(), &rows);
        if more > 0 {
            page.paragraph(&format!("and {more} more"));
        }
    }
}
