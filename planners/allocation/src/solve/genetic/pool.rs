//! Routes that were part of good plans.

use super::genome::Genome;
use super::ground::{Ground, NIL};
use super::tours::Tours;
use std::collections::BTreeMap;

/// Most routes that are kept.
const ROUTES_MAX: usize = 20_000;

/// A set of tasks, and who does them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    class: u16,
    tasks: Box<[u64]>,
}

#[derive(Debug, Clone)]
struct Entry {
    cost: i64,
    order: Box<[u16]>,
    /// When it came, in routes.
    age: u64,
}

/// Legal routes of local optima, for each set of tasks the cheapest.
#[derive(Debug, Clone, Default)]
pub(super) struct Pool {
    routes: BTreeMap<Key, Entry>,
    seen: u64,
    bits: Vec<u64>,
    order: Vec<u16>,
}

/// Routes to choose from, in a flat shape.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) costs: Vec<i64>,
    /// Class of the agent; [`NIL`] for a task that is left out.
    pub(super) classes: Vec<u16>,
    tasks: Vec<u16>,
    ends: Vec<u32>,
}

impl Columns {
    pub(super) fn push(&mut self, cost: i64, class: u16, tasks: &[u16]) {
        self.costs.push(cost);
        self.classes.push(class);
        self.tasks.extend_from_slice(tasks);
        self.ends.push(self.tasks.len() as u32);
    }

    pub(super) fn len(&self) -> usize {
        self.costs.len()
    }

    pub(super) fn tasks(&self, column: usize) -> &[u16] {
        let begin = column.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.tasks[begin as usize..self.ends[column] as usize]
    }
}

impl Pool {
    /// Keeps the legal routes of a plan that is laid out.
    pub(super) fn note(&mut self, ground: &Ground<'_>, tours: &Tours) {
        for (lane, sums) in tours.lanes.iter().enumerate() {
            let is_legal = sums.warp_us == 0 && sums.excess == 0 && sums.cost < ground.missing;
            if sums.tasks == 0 || !is_legal {
                continue;
            }
            self.order.clear();
            let mut node = tours.next(ground.start(lane));
            while (node as usize) < ground.tasks {
                self.order.push(node);
                node = tours.next(node);
            }
            let cost = sums.cost + tours.time_fine(ground, (0, sums.late_us));
            self.add(ground, (ground.berths[lane].class, cost));
        }
    }

    /// Keeps the route in `order`.
    fn add(&mut self, ground: &Ground<'_>, (class, cost): (u16, i64)) {
        self.bits.clear();
        self.bits.resize(ground.tasks.div_ceil(64), 0);
        for &task in &self.order {
            self.bits[task as usize / 64] |= 1 << (task % 64);
        }
        let key = Key {
            class,
            tasks: self.bits.as_slice().into(),
        };
        self.seen += 1;
        let age = self.seen;
        let order = &self.order;
        self.routes
            .entry(key)
            .and_modify(|known| {
                known.age = age;
                if cost < known.cost {
                    (known.cost, known.order) = (cost, order.as_slice().into());
                }
            })
            .or_insert_with(|| Entry {
                cost,
                order: order.as_slice().into(),
                age,
            });
        if self.routes.len() > ROUTES_MAX {
            self.forget();
        }
    }

    /// Drops the half that was not seen for longest.
    fn forget(&mut self) {
        let mut ages: Vec<u64> = self.routes.values().map(|entry| entry.age).collect();
        let half = ages.len() / 2;
        let (_, middle, _) = ages.select_nth_unstable(half);
        let middle = *middle;
        self.routes.retain(|_, entry| entry.age >= middle);
    }

    /// Takes over the routes of another pool, which is empty after that.
    pub(super) fn absorb(&mut self, other: &mut Self) {
        for (key, entry) in std::mem::take(&mut other.routes) {
            let known = self.routes.get(&key);
            if known.is_none_or(|known| entry.cost < known.cost) {
                self.routes.insert(
                    key,
                    Entry {
                        age: self.seen,
                        ..entry
                    },
                );
            }
        }
        if self.routes.len() > ROUTES_MAX {
            self.forget();
        }
    }

    /// The routes, and what it costs to leave tasks out.
    pub(super) fn columns(&self, ground: &Ground<'_>) -> Columns {
        let mut columns = Columns::default();
        for (key, entry) in &self.routes {
            columns.push(entry.cost, key.class, &entry.order);
        }
        for (task, loss) in (0..).zip(&ground.losses) {
            if let Some(loss) = loss {
                columns.push(*loss, NIL, &[task]);
            }
        }
        columns
    }
}

/// The plan of some columns.
pub(super) fn assemble(
    ground: &Ground<'_>,
    (columns, chosen): (&Columns, &[u32]),
    tours: &mut Tours,
) -> Genome {
    tours.clear(ground);
    for &column in chosen {
        let class = columns.classes[column as usize];
        let free =
            |lane: &usize| tours.lanes[*lane].tasks == 0 && ground.berths[*lane].class == class;
        let Some(lane) = (0..ground.lanes()).find(free).filter(|_| class != NIL) else {
            continue;
        };
        let mut last = ground.start(lane);
        for &task in columns.tasks(column as usize) {
            tours.join(ground, task, last);
            last = task;
        }
        tours.refresh(ground, lane);
    }
    Genome::of(ground, tours)
}
