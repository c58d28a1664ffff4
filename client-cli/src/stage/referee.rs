//! Which rules of a narrative were kept.

use super::Stage;
use stratagem_render::time::span_text;

/// Sentences about the rules that were broken, for people: none when all were kept.
#[must_use]
pub fn broken(stage: &Stage<'_>) -> Vec<String> {
    let script = stage.script;
    let mut broken: Vec<String> = stage
        .left()
        .iter()
        .map(|event| format!("{} never happened", script.events[*event]))
        .collect();
    let name = |node: usize| script.events.get(node).map_or("the begin", |id| id);
    let links = script.links.iter().map(|l| (l, "is required"));
    let durations = script.contingent.iter().map(|l| (l, "players take"));
    for (link, verb) in links.chain(durations) {
        let (Some(from), Some(to)) = (stage.times[link.from], stage.times[link.to]) else {
            continue;
        };
        let took = to - from;
        let bound = if took < link.lower_us {
            format!("at least {}", span_text(link.lower_us))
        } else if took > link.upper_us {
            format!("at most {}", span_text(link.upper_us))
        } else {
            continue;
        };
        let [from, to] = [link.from, link.to].map(name);
        let took = span_text(took);
        broken.push(format!(
            "{}: {to} came {took} after {from}, but {bound} {verb}",
            link.id
        ));
    }
    let horizon = script.horizon_us.unwrap_or(i64::MAX);
    for (event, time) in script.events.iter().zip(&stage.times) {
        if let Some(time) = time.filter(|us| *us > horizon) {
            let (at, by) = (span_text(time), span_text(horizon));
            broken.push(format!("{event} came at {at}, after the horizon {by}"));
        }
    }
    broken.extend(overloads(stage));
    broken
}

/// Resources of which more was in use than there is: a sentence for the worst moment of each.
fn overloads(stage: &Stage<'_>) -> Vec<String> {
    let script = stage.script;
    let mut broken = Vec::new();
    for (resource, (id, capacity)) in script.resources.iter().enumerate() {
        let in_use = |moment: i64| -> i64 {
            let each = script.activities.iter().map(|activity| {
                let demand = activity.demands.iter().find(|d| d.0 == resource);
                let (Some(start), Some((_, amount, consumed))) =
                    (stage.times[activity.start], demand)
                else {
                    return 0;
                };
                let over = stage.times[activity.end].is_some_and(|end| end <= moment);
                let held = start <= moment && (!over || *consumed);
                if held { *amount } else { 0 }
            });
            each.sum()
        };
        let starts = script
            .activities
            .iter()
            .filter_map(|a| stage.times[a.start]);
        let worst = starts.map(|at| (in_use(at), at)).max();
        if let Some((amount, at)) = worst.filter(|(amount, _)| amount > capacity) {
            let at = span_text(at);
            broken.push(format!("{id}: {amount} in use at {at}, of {capacity}"));
        }
    }
    broken
}
