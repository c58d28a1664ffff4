//! How a score rises while a search goes on.

use super::share;
use crate::text::TextOptions;

/// Rows of the curve.
const ROWS: usize = 4;
/// Parts of a row that can be distinguished.
const PARTS: usize = 8;

/// Returns the best score over time as lines for terminals: `points` are times, rising, and scores,
/// 0 to 1; a score holds until the next. The curve reaches to the time `until`, in the same unit.
/// The highest score is as high as the curve.
#[must_use]
pub fn curve_lines(points: &[(f64, f64)], until: f64, options: &TextOptions) -> Vec<String> {
    let width = options.columns().min(60);
    let top = points.iter().map(|(_, score)| share(*score));
    let top = top.fold(0.0, f64::max);
    let heights: Vec<usize> = (0..width)
        .map(|column| {
            let time = until * (column + 1) as f64 / width as f64;
            let mut before = points.iter().filter(|(at, _)| *at <= time);
            let score = before.next_back().map_or(0.0, |(_, score)| share(*score));
            if top > 0.0 {
                (score / top * (ROWS * PARTS) as f64).round() as usize
            } else {
                0
            }
        })
        .collect();
    (0..ROWS)
        .rev()
        .map(|row| {
            let line = heights.iter().map(|height| {
                let part = height.saturating_sub(row * PARTS).min(PARTS);
                letter(part, options.ascii)
            });
            let line: String = line.collect();
            let label = if row + 1 == ROWS { top } else { 0.0 };
            if row + 1 == ROWS || row == 0 {
                format!("{label:>6.4} {}", line.trim_end())
            } else {
                format!("       {}", line.trim_end())
            }
        })
        .collect()
}

fn letter(part: usize, ascii: bool) -> char {
    let letters = if ascii {
        "  ..::##*"
    } else {
        " ▁▂▃▄▅▆▇█"
    };
    letters.chars().nth(part).unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::curve_lines;
    use crate::text::TextOptions;

    #[test]
    fn a_score_holds_until_the_next() {
        let options = TextOptions {
            width: 40,
            ascii: true,
            colour: false,
        };
        let lines = curve_lines(&[(0.0, 0.2), (5.0, 0.4)], 10.0, &options);
        assert_eq!(
            lines[0],
            format!("0.4000 {}{}", " ".repeat(19), "*".repeat(21))
        );
        assert_eq!(lines[3], format!("0.0000 {}", "*".repeat(40)));
        let nothing = curve_lines(&[(f64::NAN, f64::NAN)], f64::INFINITY, &options);
        assert_eq!(nothing[3], "0.0000 ");
    }
}
