//! Cost of closing a network, at four sizes and two densities, and of one step of a search in it.
//! The work is fixed, not the time.

#[path = "../tests/suite/certain/instances.rs"]
mod instances;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use instances::hidden_solution;
use std::hint::black_box;
use stn::{Closure, Edge, TrailedClosure};

const SEED: u64 = 1;

fn closing(c: &mut Criterion) {
    let mut group = c.benchmark_group("stn/closure");
    group.sample_size(10);
    for nodes in [20, 50, 100, 300] {
        for edges in [4 * nodes, nodes * nodes / 4] {
            let network = hidden_solution(SEED, nodes, edges);
            let size = format!("{nodes} nodes, {edges} edges");
            let johnson = BenchmarkId::new("johnson", &size);
            group.bench_function(johnson, |b| {
                b.iter(|| black_box(Closure::johnson(nodes as usize, &network)));
            });
            let warshall = BenchmarkId::new("floyd_warshall", &size);
            group.bench_function(warshall, |b| {
                b.iter(|| black_box(Closure::floyd_warshall(nodes as usize, &network)));
            });
        }
    }
    group.finish();
}

/// Adds all edges, each on a level of its own as a search would, reads a bound before each, and
/// takes everything back.
fn descend(search: &mut TrailedClosure, edges: &[Edge]) -> usize {
    let mut refused = 0;
    for &edge in edges {
        search.push_level();
        let back = search.closure().get(edge.to as usize, edge.from as usize);
        let refuted = back.is_some_and(|back| back + edge.weight < 0);
        refused += usize::from(refuted || search.add(edge).is_err());
    }
    search.backtrack(0);
    refused
}

fn searching(c: &mut Criterion) {
    let mut group = c.benchmark_group("stn/search");
    group.sample_size(20);
    for nodes in [50_u32, 100, 300, 1_000] {
        let network = hidden_solution(SEED, nodes, 8 * nodes);
        // A quarter of the edges lies: they clash with what is there.
        let lie = |e: &Edge| {
            let clash = if e.id.is_multiple_of(4) { 300_000 } else { 0 };
            Edge::new(e.from, e.to, e.weight - clash, e.id)
        };
        let network: Vec<Edge> = network.iter().map(lie).collect();
        group.throughput(Throughput::Elements(network.len() as u64));
        let empty = Closure::new(nodes as usize, &[]).expect("few nodes");
        let mut search = TrailedClosure::new(empty);
        group.bench_function(BenchmarkId::new("closure", nodes), |b| {
            b.iter(|| black_box(descend(&mut search, &network)));
        });
    }
    group.finish();
}

criterion_group!(benches, closing, searching);
criterion_main!(benches);
