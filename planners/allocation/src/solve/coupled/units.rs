//! Units: tasks that are done together or not at all.

use crate::problem::Problem;

/// Tasks that are done together or not at all.
#[derive(Debug, Clone, Default)]
pub(super) struct Unit {
    /// Its tasks in an order that respects precedences.
    pub(super) tasks: Vec<u32>,
    /// All units that this one needs, directly or not.
    pub(super) needs: Vec<u32>,
    /// All units that need this one.
    pub(super) needed_by: Vec<u32>,
}

/// All units, and the unit of each task.
///
/// A task needs the first task of each order in which it is the second, the other task of its pair
/// and the others of its group. Units are the strongly connected components of this relation.
pub(super) fn units(problem: &Problem) -> (Vec<Unit>, Vec<u32>) {
    let needs = needs(problem);
    let closures: Vec<Vec<u32>> = (0..needs.len()).map(|task| closure(&needs, task)).collect();
    let rank = ranks(problem);
    let mut unit_of = vec![u32::MAX; needs.len()];
    let mut units: Vec<Unit> = Vec::new();
    for task in 0..needs.len() {
        if unit_of[task] != u32::MAX {
            continue;
        }
        let mutual = |other: &&u32| closures[**other as usize].contains(&(task as u32));
        let mut tasks: Vec<u32> = closures[task].iter().filter(mutual).copied().collect();
        tasks.sort_unstable_by_key(|task| (rank[*task as usize], *task));
        for one in &tasks {
            unit_of[*one as usize] = units.len() as u32;
        }
        units.push(Unit {
            tasks,
            ..Unit::default()
        });
    }
    for unit in 0..units.len() {
        let any = units[unit].tasks[0] as usize;
        let of = closures[any].iter().map(|task| unit_of[*task as usize]);
        let mut needs: Vec<u32> = of.filter(|other| *other != unit as u32).collect();
        needs.sort_unstable();
        needs.dedup();
        for need in &needs {
            units[*need as usize].needed_by.push(unit as u32);
        }
        units[unit].needs = needs;
    }
    (units, unit_of)
}

/// By task: the tasks that it needs directly.
fn needs(problem: &Problem) -> Vec<Vec<u32>> {
    let couplings = problem.couplings();
    let mut needs = vec![Vec::new(); problem.tasks().len()];
    for order in &couplings.orders {
        needs[order.second].push(order.first as u32);
    }
    for pair in &couplings.pairs {
        needs[pair.pickup].push(pair.delivery as u32);
        needs[pair.delivery].push(pair.pickup as u32);
    }
    for group in &couplings.groups {
        for (member, &task) in group.tasks.iter().enumerate() {
            // In a ring each needs all others.
            let next = group.tasks[(member + 1) % group.tasks.len()];
            needs[task].push(next as u32);
        }
    }
    needs
}

/// The task and all tasks that it needs.
fn closure(needs: &[Vec<u32>], task: usize) -> Vec<u32> {
    let mut closure = vec![task as u32];
    if needs[task].is_empty() {
        return closure;
    }
    let mut seen = vec![false; needs.len()];
    seen[task] = true;
    let mut next = 0;
    while let Some(&one) = closure.get(next) {
        next += 1;
        for &need in &needs[one as usize] {
            if !seen[need as usize] {
                seen[need as usize] = true;
                closure.push(need);
            }
        }
    }
    closure
}

/// Topological ranks: a task has a higher rank than those that it waits for. Couplings are acyclic.
fn ranks(problem: &Problem) -> Vec<u32> {
    let couplings = problem.couplings();
    let orders = couplings.orders.iter().map(|o| (o.first, o.second));
    let pairs = couplings.pairs.iter().map(|p| (p.pickup, p.delivery));
    let arcs: Vec<(usize, usize)> = orders.chain(pairs).collect();
    let mut rank = vec![0_u32; problem.tasks().len()];
    loop {
        let mut moved = false;
        for &(first, second) in &arcs {
            if rank[second] <= rank[first] {
                rank[second] = rank[first] + 1;
                moved = true;
            }
        }
        for group in &couplings.groups {
            let most = group.tasks.iter().map(|task| rank[*task]).max();
            for &task in &group.tasks {
                moved |= Some(rank[task]) != most;
                rank[task] = most.unwrap_or(0);
            }
        }
        if !moved {
            return rank;
        }
    }
}
