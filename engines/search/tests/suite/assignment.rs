//! Matchings are as cheap as the cheapest of all.

use proptest::prelude::*;
use search::assignment::{Assignment, Cost};

const NEVER: u64 = u64::MAX;

/// The least sum of this number of pairs, by enumeration.
fn least_sum(prices: &[Vec<u64>], taken: u32, size: usize) -> Option<u64> {
    let Some((row, rest)) = prices.split_first() else {
        return (size == 0).then_some(0);
    };
    let without = least_sum(rest, taken, size);
    let columns = row.iter().enumerate();
    let free = columns.filter(|(column, price)| taken & (1 << column) == 0 && **price != NEVER);
    let with = free.filter_map(|(column, price)| {
        let others = least_sum(rest, taken | (1 << column), size.checked_sub(1)?)?;
        Some(others + price)
    });
    with.chain(without).min()
}

/// Sums of matchings that one after the other are found for the same rows and columns.
fn sums<C: Cost>(all: &[Vec<Vec<u64>>], size: usize, most: u64) -> Vec<Option<u64>> {
    let mut assignment = Assignment::<C, 136>::new(all[0].len(), all[0][0].len(), most);
    assignment.begin(size);
    let sum = |prices: &Vec<Vec<u64>>| {
        for (row, prices) in prices.iter().enumerate() {
            set(&mut assignment, row, prices);
        }
        assignment.solve().then(|| sum(&assignment, prices, size))
    };
    all.iter().map(sum).collect()
}

fn set<C: Cost>(assignment: &mut Assignment<C, 136>, row: usize, prices: &[u64]) {
    for (cost, price) in assignment.costs_mut(row).iter_mut().zip(prices) {
        *cost = match *price {
            NEVER => C::NEVER,
            price => C::from_number(price),
        };
    }
}

fn sum<C: Cost>(assignment: &Assignment<C, 136>, prices: &[Vec<u64>], size: usize) -> u64 {
    let pair = |row| Some((row, assignment.column_of(row)?));
    let pairs: Vec<(usize, usize)> = (0..prices.len()).filter_map(pair).collect();
    let columns = pairs
        .iter()
        .fold(0_u128, |columns, pair| columns | 1 << pair.1);
    assert_eq!((pairs.len(), columns.count_ones() as usize), (size, size));
    pairs.iter().map(|pair| prices[pair.0][pair.1]).sum()
}

fn price() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0..12_u64, 2 => 0..=1_000_u64, 1 => Just(NEVER)]
}

/// Prices of rows and columns, and a number of pairs.
fn table() -> impl Strategy<Value = (Vec<Vec<u64>>, usize)> {
    (1..5_usize, 1..6_usize).prop_flat_map(|(rows, columns)| {
        let prices = prop::collection::vec(price(), columns);
        (prop::collection::vec(prices, rows), 1..=rows.min(columns))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn each_of_a_row_of_matchings_is_cheapest(
        (all, size) in (1..5_usize, 1..6_usize).prop_flat_map(|(rows, columns)| {
            let prices = prop::collection::vec(prop::collection::vec(price(), columns), rows);
            (prop::collection::vec(prices, 1..8), 1..=rows.min(columns))
        }),
        changes in prop::collection::vec((0..8_usize, 0..5_usize, 0..6_usize), 0..8),
    ) {
        let mut all = all;
        // Most prices stay from one matching to the next.
        for at in 1..all.len() {
            let mut next = all[at - 1].clone();
            for (_, row, column) in changes.iter().filter(|change| change.0 == at) {
                let (row, column) = (row % next.len(), column % next[0].len());
                next[row][column] = all[at][row][column];
            }
            all[at] = next;
        }
        let wanted: Vec<_> = all.iter().map(|prices| least_sum(prices, 0, size)).collect();
        prop_assert_eq!(&sums::<i32>(&all, size, 1_000), &wanted);
        prop_assert_eq!(&sums::<i64>(&all, size, 1_000), &wanted);
    }

    #[test]
    fn a_matching_is_cheapest_after_one_row_has_changed(
        (prices, size) in table(),
        changes in prop::collection::vec((0..5_usize, prop::collection::vec(price(), 6)), 1..6),
    ) {
        let mut first = Assignment::<i32, 136>::new(prices.len(), prices[0].len(), 1_000);
        first.begin(size);
        for (row, prices) in prices.iter().enumerate() {
            set(&mut first, row, prices);
        }
        if first.solve() {
            let mut after = first.clone();
            for (row, new) in changes {
                let (row, mut prices) = (row % prices.len(), prices.clone());
                prices[row] = new[..prices[0].len()].to_vec();
                after.copy(&first);
                set(&mut after, row, &prices[row]);
                let found = after.solve_from(row).then(|| sum(&after, &prices, size));
                prop_assert_eq!(found, least_sum(&prices, 0, size));
            }
        }
    }
}

/// The largest prices that count as narrow ones.
fn narrow(count: usize) -> u64 {
    let mut most = 1 << 40;
    while !Assignment::<i32, 136>::fits(count, count, most) {
        most -= most.div_ceil(1_000);
    }
    most
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Nothing overflows, which a test build would notice.
    #[test]
    fn narrow_numbers_are_wide_enough(
        (rows, columns, size) in (8..=128_usize, 8..=128_usize).prop_flat_map(|(rows, columns)| {
            (Just(rows), Just(columns), 1..=rows.min(columns))
        }),
        numbers in prop::collection::vec(any::<u32>(), 64),
    ) {
        let most = narrow(rows.max(columns));
        // Most are the least or the most, so that ways are as long as can be.
        let price = |at: usize| match numbers[at % 64].rotate_left((at / 64) as u32) % 8 {
            0..=2 => 0,
            3..=5 => most,
            6 => NEVER,
            _ => u64::from(numbers[(at + 1) % 64]) % (most + 1),
        };
        let line = |start: usize| (0..columns).map(|column| price(start + column)).collect();
        let table = |start: usize| (0..rows).map(move |row| line(start + row * columns));
        let all: Vec<Vec<Vec<u64>>> = (0..12).map(|at| table(at * 4_099).collect()).collect();
        prop_assert_eq!(sums::<i32>(&all, size, most), sums::<i64>(&all, size, most));
    }
}
