use anytime::{Control, Limits, Offer, Sink};
use patrol::generate::*;
use patrol::problem::CERTAIN;
use patrol::*;
use std::time::{Duration, Instant};
struct Tell(Instant, bool);
impl Sink<Plan, Cost> for Tell {
    fn offer(&mut self, offer: Offer<'_, Plan, Cost>) {
        if self.1 {
            println!(
                "  {:8.1} ms {:.5} {}",
                self.0.elapsed().as_secs_f64() * 1e3,
                1.0 - offer.cost.0 as f64 / CERTAIN as f64,
                offer.found_by
            );
        }
    }
}
fn main() {
    let seconds: f64 = std::env::args().nth(1).map_or(5.0, |s| s.parse().unwrap());
    let which = std::env::args().nth(2).unwrap_or_default();
    let worlds: Vec<(String, Spec)> = [9, 14, 19, 24, 29]
        .map(|t| {
            (
                format!("line21 {t}"),
                walking(line(21, 1), Motion::BorderStay, t),
            )
        })
        .into_iter()
        .chain([30, 40, 50].map(|t| {
            (
                format!("grid5 lazy {t}"),
                walking(grid(5, 5, 2), Motion::Lazy, t),
            )
        }))
        .chain([30, 40, 50].map(|t| {
            (
                format!("grid5 move {t}"),
                walking(grid(5, 5, 2), Motion::Moving, t),
            )
        }))
        .chain([(
            "grid20 lazy 200".to_owned(),
            walking(grid(20, 20, 2), Motion::Lazy, 200),
        )])
        .collect();
    for (name, spec) in worlds {
        if !name.contains(&which) {
            continue;
        }
        let problem = Problem::new(spec).unwrap();
        println!("{name}");
        let begin = Instant::now();
        let mut tell = Tell(begin, true);
        let limits = Limits::until(begin + Duration::from_secs_f64(seconds));
        let mut control = Control::new(limits, 1, &mut tell);
        let end = solve(&problem, &Params::default(), &mut control);
        println!(
            "  {end:?} {} iterations, {:.3} s",
            control.iterations(),
            begin.elapsed().as_secs_f64()
        );
    }
}
