//! A dispatcher that closes the network first, by Floyd and Warshall: a judge of the other one.
//!
//! It shares nothing with it: no event order, no counters, no queues. At every whole microsecond it
//! looks at all that follows from bounds and waits.

use stn::uncertain::{Contingent, Stnu, Strategy};

const FAR: i64 = 1 << 40;

/// Times of all events when all of ours happen as early as possible. Event 0 is the origin.
/// `None`: something has not happened by `horizon`.
pub(crate) fn play(
    network: &Stnu,
    strategy: &Strategy,
    durations: &[i64],
    horizon: i64,
) -> Option<Vec<i64>> {
    let distance = closure(network, strategy);
    let count = network.events();
    let mut times: Vec<Option<i64>> = vec![None; count];
    times[0] = Some(0);
    for now in 0..=horizon {
        loop {
            let ended = network.contingents().iter().zip(durations);
            let ended = ended.filter(|(link, duration)| {
                let start = times[link.from as usize];
                start.is_some_and(|start| start + *duration == now)
            });
            let mut news: Vec<usize> = ended.map(|(link, _)| link.to as usize).collect();
            news.retain(|event| times[*event].is_none());
            if news.is_empty() {
                let ours = |event: &usize| network.ending_at(*event).is_none();
                let open = (0..count).filter(|event| times[*event].is_none());
                let due = |event: &usize| may(network, strategy, &distance, &times, *event, now);
                news.extend(open.filter(ours).find(due));
            }
            let Some(event) = news.first() else { break };
            times[*event] = Some(now);
        }
    }
    times.into_iter().collect()
}

fn closure(network: &Stnu, strategy: &Strategy) -> Vec<Vec<i64>> {
    let count = network.events();
    let mut distance = vec![vec![FAR; count]; count];
    let mut bound = |from: u32, to: u32, weight: i64| {
        let known = &mut distance[from as usize][to as usize];
        *known = weight.min(*known);
    };
    for event in 0..count as u32 {
        bound(event, event, 0);
    }
    for edge in network.requirements() {
        bound(edge.from, edge.to, edge.weight);
    }
    for edge in strategy.bounds() {
        bound(edge.from, edge.to, edge.weight);
    }
    for link in network.contingents() {
        bound(link.from, link.to, link.upper);
        bound(link.to, link.from, -link.lower);
    }
    for via in 0..count {
        for from in 0..count {
            for to in 0..count {
                let sum = distance[from][via] + distance[via][to];
                distance[from][to] = sum.min(distance[from][to]);
            }
        }
    }
    distance
}

/// Whether an event of ours may happen now.
fn may(
    network: &Stnu,
    strategy: &Strategy,
    distance: &[Vec<i64>],
    times: &[Option<i64>],
    event: usize,
    now: i64,
) -> bool {
    let is_fixed = |other: usize| {
        let link = network.ending_at(other);
        link.is_none_or(|link| {
            let Contingent { lower, upper, .. } = network.contingents()[link];
            lower == upper
        })
    };
    // Those before it, unless both can only happen together.
    let follows = (0..times.len()).all(|other| match times[other] {
        Some(time) => now >= time - distance[event][other],
        None if distance[event][other] < 0 => false,
        None if distance[event][other] == 0 => {
            other == event || is_fixed(other) && distance[other][event] == 0
        }
        None => true,
    });
    follows
        && strategy.waits().iter().all(|wait| {
            let after = distance[event][wait.event as usize];
            let link = network.contingents()[wait.link as usize];
            let waits = after == 0 || after > 0 && after < wait.least;
            let over = |begun: i64| now >= begun + wait.least - after;
            let begun = times[link.from as usize];
            !waits || times[link.to as usize].is_some() || begun.is_some_and(over)
        })
}
