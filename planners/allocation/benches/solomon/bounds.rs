//! Gaps between the best plan and the best proved bound, two threads, by the clock.
//!
//! Bar: after 60 s at most 2 % on 20 of the 29 problems of class 1, and 8 of them proved optimal.

use crate::instances::Instance;
use crate::{now, numbers};
use allocation::{Allocation, Cost, Params, Plan};
use anytime::{Conclusion, Control, Limits, Planner as _};
use std::time::Duration;

#[derive(Default)]
struct Listener {
    best: Option<Cost>,
    bound: Option<Cost>,
    method: &'static str,
}

impl anytime::Sink<Plan, Cost> for Listener {
    fn offer(&mut self, offer: anytime::Offer<'_, Plan, Cost>) {
        self.best = Some(offer.cost);
    }

    fn bound(&mut self, bound: Cost, method: &'static str) {
        (self.bound, self.method) = (Some(bound), method);
    }
}

pub(crate) fn bounds(instances: &[Instance]) {
    let seconds = numbers("STRATAGEM_SECONDS", "1,60");
    let seconds: f64 = seconds.last().copied().unwrap_or(60.0);
    println!("\n### Bounds, {seconds} s, 2 threads, by the clock\n");
    println!("| instance | K | best known | plan | bound | gap % | proved | s | by |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let (mut close, mut proved) = (0, 0);
    for instance in instances {
        let problem = instance.problem(instance.vehicles);
        let begin = now();
        let limits = Limits::until(begin + Duration::from_secs_f64(seconds)).with_threads(2);
        let mut listener = Listener::default();
        let mut control = Control::new(limits, 1, &mut listener);
        let conclusion = Allocation::solve(&problem, &Params::default(), &mut control);
        let seconds = now().duration_since(begin).as_secs_f64();
        let is_proved = conclusion == Ok(Conclusion::Optimal);
        let level = |cost: Option<Cost>| match cost.map(|cost| cost.0) {
            Some([0, distance, ..]) => distance as f64 / 1e6,
            _ => f64::NAN,
        };
        let (plan, bound) = (level(listener.best), level(listener.bound));
        let gap = 100.0 * (plan - bound) / plan;
        close += usize::from(gap <= 2.0);
        proved += usize::from(is_proved);
        let Instance {
            name,
            vehicles,
            distance,
            ..
        } = instance;
        println!(
            "| {name} | {vehicles} | {distance:.1} | {plan:.1} | {bound:.1} | {gap:.2} \
             | {is_proved} | {seconds:.1} | {} |",
            listener.method
        );
    }
    println!(
        "\nAt most 2 %: {close} of {}, proved: {proved}.",
        instances.len()
    );
}
