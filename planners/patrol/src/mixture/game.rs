//! A matrix game, by multiplicative weights for both.

use anytime::math;

/// Rounds of the game.
const ROUNDS: usize = 4_000;

/// Products between two looks at the stop signal.
const PRODUCTS_BETWEEN: usize = 50_000;
/// Products that an exponential counts for.
const EXPONENTIAL: usize = 10;

/// Shares of rows (plans) and of columns (targets) for captures by row and column: rows want it high, columns low. Averages over all
/// rounds, which come near the value of the game; the rows with the highest floor on the way are kept. The game ends early when
/// `go_on`, which is asked now and then, says no.
pub(super) fn play(captures: &[Vec<f64>], go_on: &mut dyn FnMut() -> bool) -> (Vec<f64>, Vec<f64>) {
    let (rows, columns) = (captures.len(), captures[0].len());
    let products = 2 * rows * columns + EXPONENTIAL * (rows + columns);
    let mut since = 0;
    let (mut gains, mut losses) = (vec![0.0; rows], vec![0.0; columns]);
    let (mut shares, mut aims) = (vec![0.0; rows], vec![0.0; columns]);
    let mut best = (f64::NEG_INFINITY, vec![1.0 / rows as f64; rows]);
    for round in 1..=ROUNDS {
        since += products;
        if since >= PRODUCTS_BETWEEN {
            since = 0;
            if !go_on() {
                break;
            }
        }
        let speed = (8.0 * math::ln(rows.max(columns) as f64 + 1.0) / round as f64).sqrt();
        let row = chances(&gains, speed);
        let column = chances(&losses, -speed);
        for (index, captures) in captures.iter().enumerate() {
            let each = captures.iter().zip(&column);
            gains[index] += each.map(|(capture, share)| capture * share).sum::<f64>();
            let losses = losses.iter_mut().zip(captures);
            losses.for_each(|(loss, capture)| *loss += row[index] * capture);
        }
        shares
            .iter_mut()
            .zip(&row)
            .for_each(|(sum, one)| *sum += one);
        aims.iter_mut()
            .zip(&column)
            .for_each(|(sum, one)| *sum += one);
        if round % 100 == 0 {
            let mean: Vec<f64> = shares.iter().map(|sum| sum / round as f64).collect();
            let floor = floor(captures, &mean);
            if floor > best.0 {
                best = (floor, mean);
            }
        }
    }
    aims.iter_mut().for_each(|sum| *sum /= ROUNDS as f64);
    (best.1, aims)
}

/// What the worst column gets.
fn floor(captures: &[Vec<f64>], shares: &[f64]) -> f64 {
    let column = |column: usize| {
        let each = captures.iter().zip(shares);
        each.map(|(row, share)| row[column] * share).sum::<f64>()
    };
    (0..captures[0].len())
        .map(column)
        .fold(f64::INFINITY, f64::min)
}

/// In proportion to the exponentials of sums times speed.
fn chances(sums: &[f64], speed: f64) -> Vec<f64> {
    let top = sums
        .iter()
        .map(|sum| sum * speed)
        .fold(f64::NEG_INFINITY, f64::max);
    let mut all: Vec<f64> = sums
        .iter()
        .map(|sum| math::exp(sum * speed - top))
        .collect();
    let sum: f64 = all.iter().sum();
    all.iter_mut().for_each(|one| *one /= sum);
    all
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_fair_game_is_played_fairly() {
        let (shares, aims) = super::play(&[vec![1.0, 0.0], vec![0.0, 1.0]], &mut || true);
        for share in shares.into_iter().chain(aims) {
            assert!((share - 0.5).abs() < 0.02, "{share}");
        }
    }

    #[test]
    fn what_is_worse_everywhere_is_not_played() {
        let (shares, _) = super::play(&[vec![0.9, 0.8], vec![0.1, 0.2]], &mut || true);
        assert!(shares[0] > 0.95, "{}", shares[0]);
    }
}
