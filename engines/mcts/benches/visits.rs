//! Node visits per second of one tree on one thread: the cost of the engine, in a world that costs
//! next to nothing. The budget is iterations, not seconds. The bar: a million visits a second.

#[path = "../tests/mcts/digits.rs"]
mod digits;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use digits::{CheapestNext, Digits};
use mcts::{Bound, NoBound, Plain, Search, Settings, node_bytes};
use std::hint::black_box;

const ITERATIONS: u64 = 50_000;
const SEED: u64 = 1;

/// Visits of one search of [`ITERATIONS`] iterations.
fn search(digits: &Digits, bound: impl Bound<Digits>) -> u64 {
    let mut search = Search::new(digits, Plain, bound, Settings::default());
    for _ in 0..ITERATIONS {
        black_box(search.step(None));
    }
    search.visits()
}

fn visits(c: &mut Criterion) {
    println!(
        "a node: {} bytes, with a cached 4-byte bound {}",
        node_bytes::<u32>(false),
        node_bytes::<u32>(true)
    );
    let mut group = c.benchmark_group("mcts/visits");
    group.sample_size(10);
    for (length, base) in [(20, 2), (20, 10), (20, 100)] {
        let digits = Digits::random(SEED, length, base);
        group.throughput(Throughput::Elements(search(&digits, NoBound)));
        group.bench_function(format!("{length} digits of {base}"), |b| {
            b.iter(|| search(&digits, NoBound));
        });
        group.throughput(Throughput::Elements(search(&digits, CheapestNext)));
        group.bench_function(format!("{length} digits of {base}, bounded"), |b| {
            b.iter(|| search(&digits, CheapestNext));
        });
    }
    group.finish();
}

criterion_group!(benches, visits);
criterion_main!(benches);
