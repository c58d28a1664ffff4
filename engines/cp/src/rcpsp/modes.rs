//! Modes of activities: their normal form, projects with one mode fixed, and priority rules.

use super::{Activity, Demand, Mode, Project};

/// The same project with what all modes of an activity demand as a demand of the activity itself:
/// it holds that much in any case, which propagates before a mode is decided.
pub(super) fn normalised(project: &mut Project) {
    let capacities = &project.capacities;
    for activity in &mut project.activities {
        for mode in activity.modes.iter_mut().filter(|mode| mode.duration == 0) {
            mode.demands.clear();
        }
        let own = |resource: usize, activity: &Activity| amount(&activity.demands, resource);
        for (resource, capacity) in capacities.iter().enumerate() {
            let room = capacity - own(resource, activity);
            let usable =
                |mode: &&Mode| mode.duration > 0 && amount(&mode.demands, resource) <= room;
            let usable = activity.modes.iter().filter(usable);
            let base = usable.map(|mode| amount(&mode.demands, resource)).min();
            let Some(base) = base.filter(|base| *base > 0) else {
                continue;
            };
            add(&mut activity.demands, resource, base);
            for mode in activity.modes.iter_mut().filter(|mode| mode.duration > 0) {
                add(&mut mode.demands, resource, -base);
            }
        }
        for mode in &mut activity.modes {
            mode.demands.retain(|demand| demand.amount != 0);
        }
    }
}

/// What a list of demands holds of a resource.
pub(super) fn amount(demands: &[Demand], resource: usize) -> i64 {
    let mut demands = demands.iter();
    let found = demands.find(|demand| demand.resource == resource);
    found.map_or(0, |demand| demand.amount)
}

fn add(demands: &mut Vec<Demand>, resource: usize, amount: i64) {
    let mut known = demands.iter_mut();
    match known.find(|demand| demand.resource == resource) {
        Some(demand) => demand.amount += amount,
        None => demands.push(Demand {
            resource,
            amount,
            consumed: false,
        }),
    }
}

/// The project in which each activity has the mode with this index, and no other.
pub(super) fn fixed(project: &Project, modes: &[usize]) -> Project {
    let mut fixed = project.clone();
    for (activity, mode) in fixed.activities.iter_mut().zip(modes) {
        let all = std::mem::take(&mut activity.modes);
        let Some(mode) = all.into_iter().nth(*mode) else {
            continue;
        };
        activity.shortest = mode.duration;
        activity.longest = mode.duration;
        for demand in mode.demands {
            add(&mut activity.demands, demand.resource, demand.amount);
        }
    }
    fixed
}

/// Whether every demand of an activity in a mode fits into its resource.
pub(super) fn is_usable(project: &Project, activity: &Activity, mode: &Mode) -> bool {
    mode.duration == 0
        || mode.demands.iter().all(|demand| {
            let own = amount(&activity.demands, demand.resource);
            own + demand.amount <= project.capacities[demand.resource]
        })
}

/// For each activity its usable modes; an activity without modes, or without a usable one, has 0.
pub(super) fn usable(project: &Project) -> Vec<Vec<usize>> {
    let of = |activity: &Activity| {
        let modes = activity.modes.iter().enumerate();
        let usable = modes.filter(|(_, mode)| is_usable(project, activity, mode));
        let mut usable: Vec<usize> = usable.map(|(index, _)| index).collect();
        if usable.is_empty() {
            usable.push(0);
        }
        usable
    };
    project.activities.iter().map(of).collect()
}

/// Modes by two priority rules: the shortest duration, and the least work on the scarcest resource.
/// Without modes there is one rule.
pub(super) fn by_rules(project: &Project) -> Vec<Vec<usize>> {
    let usable = usable(project);
    let pick = |key: &dyn Fn(&Mode) -> i128| -> Vec<usize> {
        let activities = project.activities.iter().zip(&usable);
        activities
            .map(|(activity, usable)| {
                let key = |mode: &&usize| activity.modes.get(**mode).map(key);
                usable.iter().min_by_key(key).copied().unwrap_or(0)
            })
            .collect()
    };
    let work = |mode: &Mode| {
        let shares = mode.demands.iter().map(|demand| {
            let capacity = i128::from(project.capacities[demand.resource].max(1));
            i128::from(demand.amount) * i128::from(mode.duration) * 1_000 / capacity
        });
        shares.max().unwrap_or(0)
    };
    let shortest = pick(&|mode| i128::from(mode.duration));
    if project
        .activities
        .iter()
        .all(|activity| activity.modes.len() < 2)
    {
        return vec![shortest];
    }
    vec![shortest, pick(&work)]
}
