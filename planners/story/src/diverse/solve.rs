//! Greedy selection of diverse stories: one place after the other, in longer and longer rounds.

use super::{DiverseProblem, Losses, Params, STORIES_MAX, StorySet, difference};
use crate::compiled::CompiledDomain;
use crate::plan::{Cost, Plan};
use crate::solve::{search, trimmed};
use anytime::{Conclusion, Control, Limits, SolveError, Stop};

/// Iterations for each place in the first round.
const FIRST: u64 = 2_000;
/// Most stories in the pool.
const POOL_MAX: usize = 1_000;

/// Looks for better and better sets of diverse stories.
///
/// # Errors
/// None.
pub fn solve(
    request: &DiverseProblem,
    params: &Params,
    control: &mut Control<'_, StorySet, Losses>,
) -> Result<Conclusion, SolveError> {
    let compiled = CompiledDomain::new(request.problem());
    let mut search = DiverseSearch {
        request,
        compiled,
        pool: Vec::new(),
        places: vec![Place::default(); request.count()],
    };
    let known = params.known.iter().chain(&params.each.warm);
    for plan in known {
        search.add_to_pool(plan);
    }
    search.offer(control, "known");
    let mut round = 0;
    loop {
        for place in 0..request.count() {
            if let Some(conclusion) = search.search_place(params, control, place, round) {
                return Ok(conclusion);
            }
        }
        round += 1;
    }
}

/// What is known of a place.
#[derive(Debug, Clone, Default)]
struct Place {
    /// The stories before it when it was last looked for, and how that ended.
    after: Vec<Plan>,
    ended: Option<Conclusion>,
}

impl Place {
    /// Whether longer rounds come to nothing else.
    fn is_done(&self, before: &[Plan]) -> bool {
        let known = match self.ended {
            None | Some(Conclusion::Stopped(Stop::Iterations)) => false,
            Some(_) => true,
        };
        known && self.after == before
    }

    fn is_proved(&self) -> bool {
        matches!(
            self.ended,
            Some(Conclusion::Optimal | Conclusion::Infeasible)
        )
    }
}

struct DiverseSearch<'c> {
    request: &'c DiverseProblem,
    compiled: CompiledDomain,
    /// The best first; of those that are as good the one that was found first.
    pool: Vec<(Cost, Plan)>,
    places: Vec<Place>,
}

impl DiverseSearch<'_> {
    /// Adds the executable part of a story to the pool, without superfluous actions.
    fn add_to_pool(&mut self, plan: &Plan) {
        add_to_pool(&mut self.pool, &self.compiled, plan);
    }

    fn offer(&self, control: &mut Control<'_, StorySet, Losses>, found_by: &str) {
        offer(self.request, &self.pool, control, found_by);
    }

    /// Looks for the story of a place in a round; what it all came to, if that was the end.
    fn search_place(
        &mut self,
        params: &Params,
        control: &mut Control<'_, StorySet, Losses>,
        place: usize,
        round: u32,
    ) -> Option<Conclusion> {
        let mut chosen = choose(self.request, &self.pool);
        let is_last = place + 1 == self.request.count();
        let before: Vec<Plan> = chosen.iter().take(place).map(|c| c.1.clone()).collect();
        // Without the story before it there is none.
        let is_possible =
            before.len() == place && before.iter().all(|story| !story.actions.is_empty());
        if is_possible && !self.places[place].is_done(&before) {
            let each = crate::solve::Params {
                warm: chosen.drain(..).nth(place).map(|(_, plan)| plan),
                ..params.each.clone()
            };
            self.search(place, round, &before, &each, control);
            self.places[place].after = before;
            if !control.go_on() {
                return Some(Conclusion::Stopped(
                    control.stop().unwrap_or(Stop::Deadline),
                ));
            }
            if control.remaining() == 0 {
                return Some(Conclusion::Stopped(Stop::Iterations));
            }
        }
        if is_last { self.ended(control) } else { None }
    }

    /// What it all came to, if nothing is left to be done.
    fn ended(&self, control: &Control<'_, StorySet, Losses>) -> Option<Conclusion> {
        let chosen: Vec<Plan> = choose(self.request, &self.pool)
            .into_iter()
            .map(|(_, plan)| plan)
            .collect();
        let mut proved = true;
        // The place after the last story says that there are no more.
        for place in 0..self.request.count().min(chosen.len() + 1) {
            let before = &chosen[..place.min(chosen.len())];
            if before.iter().any(|story| story.actions.is_empty()) {
                break;
            }
            let known = &self.places[place];
            if !known.is_done(before) {
                return None;
            }
            proved &= known.is_proved();
        }
        let is_impossible = self.places[0].ended == Some(Conclusion::Infeasible);
        Some(if !proved {
            Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
        } else if chosen.is_empty() && is_impossible {
            Conclusion::Infeasible
        } else {
            Conclusion::Optimal
        })
    }

    fn search(
        &mut self,
        place: usize,
        round: u32,
        before: &[Plan],
        params: &crate::solve::Params,
        control: &mut Control<'_, StorySet, Losses>,
    ) {
        let iterations_max = FIRST.saturating_mul(1 << round.min(40));
        let limits = Limits {
            iterations_max: Some(iterations_max.min(control.remaining())),
            ..control.limits().clone()
        };
        let seed = control.seed(place as u64 + STORIES_MAX as u64 * u64::from(round));
        let avoided: Vec<&Plan> = before.iter().collect();
        let compiled = self
            .compiled
            .with_diversity(&avoided, self.request.difference);
        let (request, plain, pool) = (self.request, &self.compiled, &mut self.pool);
        let mut sink = |plan: &Plan, _: Cost| {
            add_to_pool(pool, plain, plan);
            offer(request, pool, control, "different stories");
        };
        let mut inner = Control::new(limits, seed, &mut sink);
        let ended = search(request.problem(), &compiled, params, &mut inner);
        let (iterations, bound) = (inner.iterations(), inner.bound());
        control.count(iterations);
        if let (0, Some(bound)) = (place, bound) {
            let mut losses = Losses::new(&[bound]);
            losses.each_pico[1..].fill(0);
            control.prove(losses, "landmark cuts");
        }
        // Where nothing is worth anything there is no further story.
        self.places[place].ended = Some(ended);
    }
}

/// Adds a story to the pool, without superfluous actions.
fn add_to_pool(pool: &mut Vec<(Cost, Plan)>, compiled: &CompiledDomain, plan: &Plan) {
    let Some((plan, cost)) = trimmed(compiled, plan) else {
        return;
    };
    if cost == Cost::of_score(0.0) || pool.iter().any(|(_, known)| *known == plan) {
        return;
    }
    let place = pool.partition_point(|(known, _)| *known <= cost);
    pool.insert(place, (cost, plan));
    pool.truncate(POOL_MAX);
}

/// The best different stories of a pool.
fn choose(request: &DiverseProblem, pool: &[(Cost, Plan)]) -> Vec<(Cost, Plan)> {
    let mut chosen: Vec<(Cost, Plan)> = Vec::new();
    for (cost, plan) in pool {
        if chosen.len() == request.count() {
            break;
        }
        let differs = chosen.iter().all(|(_, before)| {
            let wanted = request.difference.min(before.actions.len()).max(1);
            difference(before, plan) >= wanted
        });
        if differs {
            chosen.push((*cost, plan.clone()));
        }
    }
    chosen
}

fn offer(
    request: &DiverseProblem,
    pool: &[(Cost, Plan)],
    control: &mut Control<'_, StorySet, Losses>,
    found_by: &str,
) {
    let chosen = choose(request, pool).into_iter();
    let (costs, stories) = chosen.unzip::<_, _, Vec<Cost>, Vec<Plan>>();
    control.offer(&StorySet { stories }, Losses::new(&costs), found_by);
}
