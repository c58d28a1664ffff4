//! Run-length encoding: digits before a character repeat it, `|` ends a row.

/// Expands runs; the rows that `|` ends.
///
/// # Errors
/// Column, from 0, at which a run or all of them together are longer than `long_max`, or at which
/// digits are before nothing or a `|`.
pub fn expand(text: &str, long_max: usize) -> Result<Vec<String>, (usize, String)> {
    let mut rows = vec![String::new()];
    let mut long = 0;
    let mut digits = String::new();
    let mut columns = 0;
    for (column, character) in text.chars().enumerate() {
        columns = column + 1;
        if character.is_ascii_digit() {
            digits.push(character);
            continue;
        }
        if character == '|' {
            if !digits.is_empty() {
                return Err((column, "digits before a |".into()));
            }
            rows.push(String::new());
            long = 0;
            continue;
        }
        let times = match digits.as_str() {
            "" => 1,
            digits => digits.parse::<usize>().unwrap_or(usize::MAX),
        };
        long = times.saturating_add(long);
        if long > long_max {
            return Err((column, format!("a run to beyond {long_max}")));
        }
        digits.clear();
        if let Some(row) = rows.last_mut() {
            row.extend(std::iter::repeat_n(character, times));
        }
    }
    if digits.is_empty() {
        Ok(rows)
    } else {
        Err((columns, "digits at the end, before nothing".into()))
    }
}

/// Writes runs of two and more with their length.
#[must_use]
pub fn compress(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let runs = letters.chunk_by(|a, b| a == b);
    runs.map(|run| match run.len() {
        1 => run[0].to_string(),
        long => format!("{long}{}", run[0]),
    })
    .collect()
}
