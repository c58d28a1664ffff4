//! The pictures, as SVG: bars by strategy, and time by size.

use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 76.0;
const BOTTOM: f64 = 50.0;

/// Title of a strategy, its shares in per cent (verified, success against random and early
/// teammates), and those that the paper prints.
pub(crate) type Bars = (&'static str, [f64; 3], [f64; 3]);

/// Colours that differ for colour-blind readers too, and in grey.
const COLOURS: [&str; 3] = ["#1f4e79", "#e08214", "#8fbcdb"];

/// What can be read on them.
const INKS: [&str; 3] = ["white", "black", "black"];

/// A picture under way.
struct Picture(String);

impl Picture {
    fn new(title: &str, subtitle: &str) -> Self {
        let mut picture = Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n<title>{title}</title>\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        ));
        picture.add(format_args!(
            "<text x=\"{LEFT}\" y=\"20\" font-size=\"15\" font-weight=\"bold\">{title}</text>"
        ));
        picture.add(format_args!(
            "<text x=\"{LEFT}\" y=\"37\" fill=\"#555\">{subtitle}</text>"
        ));
        picture
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{element}").expect("strings take everything");
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    fn horizontal_line(&mut self, from: f64, to: f64, y: f64, style: &str) {
        self.add(format_args!(
            "<line x1=\"{from:.1}\" y1=\"{y:.1}\" x2=\"{to:.1}\" y2=\"{y:.1}\" {style}/>"
        ));
    }

    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str) {
        self.add(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             fill=\"{fill}\"/>"
        ));
    }

    /// A horizontal line of the grid with its label.
    fn grid(&mut self, y: f64, label: &str) {
        self.horizontal_line(LEFT, WIDTH - RIGHT, y, "stroke=\"#ddd\"");
        self.text(LEFT - 6.0, y + 4.0, "end", label);
    }

    /// What colours mean, in a row above the plot.
    fn legend(&mut self, entries: &[(&str, &str)]) {
        let mut x = LEFT;
        for (colour, text) in entries {
            self.rect(x, 46.0, 12.0, 12.0, colour);
            self.text(x + 16.0, 56.0, "start", text);
            x += 36.0 + 7.0 * text.len() as f64;
        }
    }

    /// Writes `name` to the directory that the caller wants pictures in, if any.
    fn save(mut self, name: &str) {
        self.0.push_str("</svg>\n");
        if let Some(directory) = std::env::var_os("STRATAGEM_PLOT") {
            let directory = std::path::PathBuf::from(directory);
            std::fs::create_dir_all(&directory).expect("the directory can be made");
            std::fs::write(directory.join(name), self.0).expect("the picture can be written");
        }
    }
}

/// Three bars for each strategy, with a mark where the paper has them.
pub(crate) fn strategies(all: &[Bars]) {
    let title = "Schedules by strategy, on strongly controllable networks";
    let mut picture = Picture::new(title, "per cent; the black marks are the paper's figures");
    let y = |percent: f64| HEIGHT - BOTTOM - percent / 100.0 * (HEIGHT - TOP - BOTTOM);
    for percent in [0, 25, 50, 75, 100] {
        picture.grid(y(f64::from(percent)), &format!("{percent} %"));
    }
    let group = (WIDTH - LEFT - RIGHT) / all.len() as f64;
    let bar = group / 4.2;
    let mut left = LEFT + bar * 0.6;
    for (title, ours, paper) in all {
        for (at, (share, printed)) in ours.iter().zip(paper).enumerate() {
            let x = left + bar * at as f64;
            picture.rect(x, y(*share), bar - 3.0, y(0.0) - y(*share), COLOURS[at]);
            // At the foot, where no mark of the paper's is.
            let (middle, foot) = (x + bar / 2.0 - 1.5, y(0.0) - 6.0);
            let ink = INKS[at];
            picture.add(format_args!(
                "<text x=\"{middle:.1}\" y=\"{foot:.1}\" fill=\"{ink}\" \
                 text-anchor=\"middle\">{share:.0}</text>"
            ));
            let style = "stroke=\"black\" stroke-width=\"2.5\"";
            picture.horizontal_line(x - 1.0, x + bar - 2.0, y(*printed), style);
        }
        let middle = left + bar * 1.5;
        picture.text(middle, HEIGHT - BOTTOM + 18.0, "middle", title);
        left += group;
    }
    picture.legend(&[
        (COLOURS[0], "verified strongly controllable"),
        (COLOURS[1], "success, random teammate"),
        (COLOURS[2], "success, early teammate"),
    ]);
    picture.save("temporal-strategies.svg");
}

/// Reads a time of a pair of findings.
#[cfg(feature = "milp")]
type Of = fn(&super::compare::Pair) -> f64;

/// The x coordinate of a number of events.
#[cfg(feature = "milp")]
fn across(events: f64) -> f64 {
    LEFT + (events - 5.0) / 96.0 * (WIDTH - LEFT - RIGHT)
}

/// The y coordinate of a number of milliseconds, on a scale of powers of ten from 10^-2 to 10^5.
#[cfg(feature = "milp")]
fn up(ms: f64) -> f64 {
    HEIGHT - BOTTOM - (ms.log10() + 2.0) / 7.0 * (HEIGHT - TOP - BOTTOM)
}

/// Medians by number of events, and from the fastest to the slowest as a band.
#[cfg(feature = "milp")]
pub(crate) fn times(pairs: &[super::compare::Pair]) {
    let mut picture = Picture::new(
        "Time to a verdict by number of events",
        "milliseconds on a processor; lines: medians, bands: fastest to slowest",
    );
    for decade in -2..=5 {
        let ms = 10_f64.powi(decade);
        picture.grid(up(ms), &format!("{ms}"));
    }
    for events in (10..=100).step_by(10) {
        let x = across(f64::from(events));
        picture.text(x, HEIGHT - BOTTOM + 18.0, "middle", &format!("{events}"));
    }
    let middle = (LEFT + WIDTH - RIGHT) / 2.0;
    picture.text(middle, HEIGHT - 12.0, "middle", "events");
    picture.series(COLOURS[1], pairs, |one| one.milp_ms);
    picture.series(COLOURS[0], pairs, |one| one.auto_ms);
    let milp = "HiGHS on the paper's program";
    picture.legend(&[(COLOURS[1], milp), (COLOURS[0], "auto")]);
    picture.save("temporal-times.svg");
}

#[cfg(feature = "milp")]
impl Picture {
    fn series(&mut self, colour: &str, pairs: &[super::compare::Pair], of: Of) {
        let mut sizes: Vec<usize> = pairs.iter().map(|pair| pair.events).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let ends = |share: usize| {
            sizes.iter().map(move |size| {
                let sized = pairs.iter().filter(|pair| pair.events == *size);
                let times: Vec<f64> = sized.map(of).collect();
                let ms = super::measure::percentile(&times, share);
                format!("{:.1},{:.1}", across(*size as f64), up(ms))
            })
        };
        let band: Vec<String> = ends(0).chain(ends(100).rev()).collect();
        let median: Vec<String> = ends(50).collect();
        self.add(format_args!(
            "<polygon points=\"{}\" fill=\"{colour}\" opacity=\"0.25\"/>",
            band.join(" ")
        ));
        self.add(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            median.join(" ")
        ));
    }
}
