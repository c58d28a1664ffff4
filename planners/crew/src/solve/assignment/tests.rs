use super::{Amount, Assignment};
use proptest::prelude::*;

const NEVER: u64 = u64::MAX;

/// The least sum of this number of pairs, by enumeration.
fn least_sum(prices: &[Vec<u64>], taken: u32, size: usize) -> Option<u64> {
    let Some((row, rest)) = prices.split_first() else {
        return (size == 0).then_some(0);
    };
    let without = least_sum(rest, taken, size);
    let tools = row.iter().enumerate();
    let free = tools.filter(|(tool, price)| taken & (1 << tool) == 0 && **price != NEVER);
    let with = free.filter_map(|(tool, price)| {
        let others = least_sum(rest, taken | (1 << tool), size.checked_sub(1)?)?;
        Some(others + price)
    });
    with.chain(without).min()
}

/// Sums of matchings that one after the other are found for the same players and tools.
fn sums<A: Amount>(all: &[Vec<Vec<u64>>], size: usize, most: u64) -> Vec<Option<u64>> {
    let (players, tools) = (all[0].len(), all[0][0].len());
    let mut assignment = Assignment::<A>::new(players, tools, 0, most);
    assignment.begin(size);
    let sum = |prices: &Vec<Vec<u64>>| {
        let pairs = assignment.next(&prices.concat(), most);
        let pairs = pairs.filter(|pairs| pairs.len() == size)?;
        let tools = pairs.iter().fold(0_u64, |tools, pair| tools | 1 << pair.1);
        assert_eq!(tools.count_ones() as usize, size);
        Some(pairs.iter().map(|pair| prices[pair.0][pair.1]).sum())
    };
    all.iter().map(sum).collect()
}

fn price() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0..12_u64, 2 => 0..=1_000_u64, 1 => Just(NEVER)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn each_of_a_row_of_matchings_is_cheapest(
        (all, size) in (1..5_usize, 1..6_usize).prop_flat_map(|(players, tools)| {
            let prices = prop::collection::vec(prop::collection::vec(price(), tools), players);
            (prop::collection::vec(prices, 1..8), 1..=players.min(tools))
        }),
        changes in prop::collection::vec((0..8_usize, 0..5_usize, 0..6_usize), 0..8),
    ) {
        let mut all = all;
        // Most prices stay from one matching to the next.
        for at in 1..all.len() {
            let mut next = all[at - 1].clone();
            for (_, player, tool) in changes.iter().filter(|change| change.0 == at) {
                let (player, tool) = (player % next.len(), tool % next[0].len());
                next[player][tool] = all[at][player][tool];
            }
            all[at] = next;
        }
        let wanted: Vec<_> = all.iter().map(|prices| least_sum(prices, 0, size)).collect();
        prop_assert_eq!(&sums::<i32>(&all, size, 1_000), &wanted);
        prop_assert_eq!(&sums::<i64>(&all, size, 1_000), &wanted);
    }
}

/// The largest prices that count as narrow ones.
fn narrow(count: usize) -> u64 {
    let mut most = 1 << 40;
    while !i32::fits(most, 5 * (count + 2)) {
        most -= most.div_ceil(1_000);
    }
    most
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Nothing overflows, which a test build would notice.
    #[test]
    fn narrow_numbers_are_wide_enough(
        (players, tools, size) in (8..=64_usize, 8..=64_usize).prop_flat_map(|(players, tools)| {
            (Just(players), Just(tools), 1..=players.min(tools))
        }),
        numbers in prop::collection::vec(any::<u32>(), 64),
    ) {
        let most = narrow(players.max(tools));
        // Most are the least or the most, so that ways are as long as can be.
        let price = |at: usize| match numbers[at % 64].rotate_left((at / 64) as u32) % 8 {
            0..=2 => 0,
            3..=5 => most,
            6 => NEVER,
            _ => u64::from(numbers[(at + 1) % 64]) % (most + 1),
        };
        let row = |start: usize| (0..tools).map(|tool| price(start + tool)).collect();
        let rows = |start: usize| (0..players).map(move |player| row(start + player * tools));
        let all: Vec<Vec<Vec<u64>>> = (0..12).map(|at| rows(at * 4_099).collect()).collect();
        prop_assert_eq!(sums::<i32>(&all, size, most), sums::<i64>(&all, size, most));
    }
}
