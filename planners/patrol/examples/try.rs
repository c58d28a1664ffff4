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
fn read(path: &std::path::Path) -> Spec {
    let v: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let n = v["vertices"].as_u64().unwrap() as usize;
    let edges = v["edges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| {
            let e: Vec<u64> = e
                .as_array()
                .unwrap()
                .iter()
                .map(|x| x.as_u64().unwrap())
                .collect();
            patrol::problem::Edge {
                ends: [e[0] as usize, e[1] as usize],
                length: e.get(2).map_or(1, |l| *l as u32),
            }
        })
        .collect();
    let mut spec = world((n, &[]), v["robots"].as_u64().unwrap() as usize);
    spec.edges = edges;
    for g in &mut spec.guards {
        g.start = v["start"].as_u64().unwrap() as usize;
    }
    if let Some(w) = v["weights"].as_array() {
        spec.weights_micro = w
            .iter()
            .map(|w| (w.as_f64().unwrap() * 1e6) as u64)
            .collect();
    }
    let i = &v["intruder"];
    let t = i["t_p"].as_u64().unwrap() as u32;
    if i["model"] == "dynamic" {
        walking(
            spec,
            match i["walk"].as_str().unwrap() {
                "lazy" => Motion::Lazy,
                "move" => Motion::Moving,
                _ => Motion::BorderStay,
            },
            t,
        )
    } else {
        staying(spec, if i["window"] == "exclusive" { t - 1 } else { t })
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
    let mut worlds = worlds;
    if let Ok(folder) = std::env::var("PATROL") {
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|f| f.unwrap().path())
            .filter(|p| p.extension().is_some_and(|e| e == "json"))
            .collect();
        files.sort();
        worlds = files
            .iter()
            .map(|p| (p.file_stem().unwrap().to_str().unwrap().to_owned(), read(p)))
            .collect();
    }
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
