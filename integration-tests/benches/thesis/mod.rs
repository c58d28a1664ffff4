//! Figures of Kartal, "Stochastic tree search for planning in games", 2016: one hour on 8 threads,
//! as many robots as the best known plan.

/// Table 4.1: instance, share of tasks done, ratio of the distance to the best known one if all are
/// done.
const TABLE: [(&str, f64, Option<f64>); 29] = [
    ("C101", 1.0, Some(1.03)),
    ("C102", 1.0, Some(1.55)),
    ("C103", 1.0, Some(1.59)),
    ("C104", 1.0, Some(1.51)),
    ("C105", 1.0, Some(1.25)),
    ("C106", 0.99, None),
    ("C107", 0.98, None),
    ("C108", 0.99, None),
    ("C109", 1.0, Some(1.42)),
    ("R101", 1.0, Some(1.11)),
    ("R102", 1.0, Some(1.17)),
    ("R103", 1.0, Some(1.31)),
    ("R104", 1.0, Some(1.34)),
    ("R105", 1.0, Some(1.21)),
    ("R106", 1.0, Some(1.24)),
    ("R107", 0.99, None),
    ("R108", 0.96, None),
    ("R109", 1.0, Some(1.25)),
    ("R110", 1.0, Some(1.29)),
    ("R111", 1.0, Some(1.37)),
    ("R112", 0.93, None),
    ("RC101", 0.96, None),
    ("RC102", 1.0, Some(1.27)),
    ("RC103", 0.98, None),
    ("RC104", 0.94, None),
    ("RC105", 1.0, Some(1.30)),
    ("RC106", 0.91, None),
    ("RC107", 0.99, None),
    ("RC108", 0.99, None),
];

/// Table 4.2: class, mean ratio of complete plans, mean share of tasks, share of instances with
/// every task.
const SUMMARY: [(&str, &str); 7] = [
    ("C1", "1.39, 99%, 67% complete"),
    ("R1", "1.25, 99%, 75% complete"),
    ("RC1", "1.28, 97%, 25% complete"),
    ("C2", "-, 97%, 0% complete"),
    ("R2", "1.51, 97%, 27% complete"),
    ("RC2", "1.48, 98%, 63% complete"),
    ("all", "1.38, 98%, 43% complete"),
];

/// Ratio and share of tasks of an instance; the thesis has no figures for the single instances of
/// type 2.
pub(crate) fn cells(instance: &str) -> (String, String) {
    match TABLE.iter().find(|row| row.0 == instance) {
        Some((_, tasks, ratio)) => (
            ratio.map_or("-".into(), |ratio| format!("{ratio:.2}")),
            format!("{:.0}%", tasks * 100.0),
        ),
        None => (String::new(), String::new()),
    }
}

/// The figures of a class, as in `RC1`, or of `all`.
pub(crate) fn summary(class: &str) -> &'static str {
    let row = SUMMARY.iter().find(|row| row.0 == class);
    row.map_or("", |row| row.1)
}
