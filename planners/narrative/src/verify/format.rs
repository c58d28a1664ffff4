//! Times as messages tell them.

use crate::problem::Micros;
use std::fmt::{Display, Formatter, Result};

/// A time as people say it, and exact: `2 h 15 min`, `1 min 30.5 s`.
pub(super) struct Time(pub(super) Micros);

impl Display for Time {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let micros = self.0.unsigned_abs();
        let (whole, part) = (micros / 1_000_000, micros % 1_000_000);
        let mut told = Vec::new();
        for (count, unit) in [
            (whole / 86_400, "d"),
            (whole / 3_600 % 24, "h"),
            (whole / 60 % 60, "min"),
        ] {
            if count > 0 {
                told.push(format!("{count} {unit}"));
            }
        }
        let seconds = whole % 60;
        if part > 0 {
            let part = format!("{part:06}");
            told.push(format!("{seconds}.{} s", part.trim_end_matches('0')));
        } else if seconds > 0 || told.is_empty() {
            told.push(format!("{seconds} s"));
        }
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}", told.join(" "))
    }
}

/// A time, if there is one.
pub(super) struct Given(pub(super) Option<Micros>, pub(super) &'static str);

impl Display for Given {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0 {
            Some(time) => Time(time).fmt(f),
            None => f.write_str(self.1),
        }
    }
}

/// Durations, one after the other.
pub(super) fn times(durations_us: &[Micros]) -> String {
    let told = durations_us.iter().map(|time| Time(*time).to_string());
    format!("[{}]", told.collect::<Vec<String>>().join(", "))
}

/// Durations of contingent links that were seen.
pub(super) fn seen(durations_us: &[(usize, Micros)]) -> String {
    let told = durations_us.iter();
    let told = told.map(|(contingent, time)| format!("{contingent}: {}", Time(*time)));
    format!("[{}]", told.collect::<Vec<String>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_as_people_do_and_exact() {
        for (micros, told) in [
            (0, "0 s"),
            (1, "0.000001 s"),
            (59_500_000, "59.5 s"),
            (60_000_000, "1 min"),
            (90_500_000, "1 min 30.5 s"),
            (8_100_000_000, "2 h 15 min"),
            (-3_601_000_000, "-1 h 1 s"),
            (i64::MIN, "-106751991 d 4 h 54.775808 s"),
        ] {
            assert_eq!(Time(micros).to_string(), told);
        }
        assert_eq!(times(&[0, 1_500_000]), "[0 s, 1.5 s]");
        assert_eq!(seen(&[(4, 60_000_000)]), "[4: 1 min]");
        assert_eq!(Given(None, "nothing").to_string(), "nothing");
    }
}
