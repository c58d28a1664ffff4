//! What the server says about itself on its metrics port.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// All series at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metrics {
    /// Value of each series; the key is `name{labels}` as it was written.
    series: BTreeMap<String, f64>,
    /// Names that the text declares with `# TYPE`, with their type.
    types: BTreeMap<String, String>,
}

impl Metrics {
    /// Fetches the text format of Prometheus. Blocks for at most a few seconds.
    ///
    /// # Errors
    /// When nobody listens or the answer is no success.
    pub fn fetch(address: SocketAddr) -> std::io::Result<Self> {
        let wait = Duration::from_secs(5);
        let mut stream = TcpStream::connect_timeout(&address, wait)?;
        stream.set_read_timeout(Some(wait))?;
        stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        if !head.starts_with("HTTP/1.1 200") {
            return Err(std::io::Error::other(head.to_owned()));
        }
        Ok(Self::parse(body))
    }

    /// Reads the text format. Lines that are neither a series nor a type are skipped.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut metrics = Self::default();
        for line in text.lines() {
            if let Some((name, kind)) = line
                .strip_prefix("# TYPE ")
                .and_then(|rest| rest.split_once(' '))
            {
                metrics.types.insert(name.to_owned(), kind.to_owned());
            } else if let Some((key, value)) = line.rsplit_once(' ')
                && !line.starts_with('#')
                && let Ok(value) = value.parse()
            {
                metrics.series.insert(key.to_owned(), value);
            }
        }
        metrics
    }

    /// Type of a metric, as in `histogram`; `None` when the server does not know it.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<&str> {
        self.types.get(name).map(String::as_str)
    }

    /// Whether a text is in the name or labels of any series.
    #[must_use]
    pub fn mentions(&self, text: &str) -> bool {
        self.series.keys().any(|key| key.contains(text))
    }

    /// Sum of all series of a name, whatever their labels; 0 when there is none.
    #[must_use]
    pub fn sum(&self, name: &str) -> f64 {
        self.sum_where(name, &[])
    }

    /// Sum of all series of a name that carry these labels, among others.
    ///
    /// # Examples
    /// ```
    /// # use stratagem_integration_tests::metrics::Metrics;
    /// let metrics = Metrics::parse("a_total{x=\"1\",y=\"2\"} 3\na_total{x=\"2\"} 4\nab_total 5");
    /// assert_eq!(metrics.sum("a_total"), 7.0);
    /// assert_eq!(metrics.sum_where("a_total", &[("x", "1")]), 3.0);
    /// ```
    #[must_use]
    pub fn sum_where(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let wanted = |key: &str| {
            let (base, rest) = key.split_once('{').unwrap_or((key, ""));
            base == name
                && labels
                    .iter()
                    .all(|(label, value)| rest.contains(&format!("{label}=\"{value}\"")))
        };
        self.series
            .iter()
            .filter(|(key, _)| wanted(key))
            .map(|(_, value)| value)
            .sum()
    }

    /// Observations of a histogram that were at most `limit`, which must be one of its bucket
    /// bounds.
    #[must_use]
    pub fn at_most(&self, histogram: &str, limit: &str) -> f64 {
        self.sum_where(&format!("{histogram}_bucket"), &[("le", limit)])
    }

    /// Observations of a histogram.
    #[must_use]
    pub fn count(&self, histogram: &str) -> f64 {
        self.sum(&format!("{histogram}_count"))
    }
}
