//! Time against events on a logarithmic scale, one dot for each problem, as SVG.

use crate::suite::{Dot, Suite};
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 76.0;
const BOTTOM: f64 = 50.0;
/// Powers of ten of milliseconds at the foot and at the top.
const DECADES: (i32, i32) = (-2, 5);

/// Colours that differ also for those who see few colours, and in grey.
const COLOURS: [&str; 4] = ["#8fbcdb", "#1f4e79", "#e08214", "#7f3b08"];

/// Position of a number of events.
fn across(events: f64, most: f64) -> f64 {
    LEFT + events / most * (WIDTH - LEFT - RIGHT)
}

/// Position of a number of milliseconds.
fn up(ms: f64) -> f64 {
    let (low, high) = (f64::from(DECADES.0), f64::from(DECADES.1));
    let share = (ms.log10().clamp(low, high) - low) / (high - low);
    HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
}

/// The picture of a suite.
pub(crate) fn picture(suite: &Suite, dots: &[Dot]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n<title>{0}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"15\" font-weight=\"bold\">{0}</text>\n\
         <text x=\"{LEFT}\" y=\"37\" fill=\"#555\">milliseconds; a cross: not decided in \
         time</text>\n",
        suite.title
    );
    let mut add = |line: String| writeln!(svg, "{line}").expect("strings take everything");
    let largest = dots.iter().map(|dot| dot.events).max().unwrap_or(0);
    let most = (largest as f64 / 20.0).ceil().max(1.0) * 20.0;
    for decade in DECADES.0..=DECADES.1 {
        let (ms, end) = (10_f64.powi(decade), WIDTH - RIGHT);
        let y = up(ms);
        add(format!(
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{end}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{ms}</text>",
            LEFT - 6.0,
            y + 4.0
        ));
    }
    for events in (0..=most as usize).step_by(20) {
        let (x, y) = (across(events as f64, most), HEIGHT - BOTTOM + 18.0);
        add(format!(
            "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{events}</text>"
        ));
    }
    let (middle, foot) = ((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12.0);
    add(format!(
        "<text x=\"{middle}\" y=\"{foot}\" text-anchor=\"middle\">events</text>"
    ));
    for ((at, (kind, name)), colour) in suite.kinds().enumerate().zip(COLOURS) {
        let x = LEFT + 130.0 * at as f64;
        add(format!(
            "<ellipse cx=\"{:.1}\" cy=\"52\" rx=\"4\" ry=\"4\" fill=\"{colour}\"/>\n\
             <text x=\"{:.1}\" y=\"56\">{name}</text>",
            x + 6.0,
            x + 16.0
        ));
        for dot in dots.iter().filter(|dot| dot.kind == kind) {
            let (x, y) = (across(dot.events as f64, most), up(dot.ms));
            add(if dot.is_open {
                format!(
                    "<path d=\"M{:.1} {:.1}l7 7m0 -7l-7 7\" stroke=\"{colour}\" \
                     stroke-width=\"2\"/>",
                    x - 3.5,
                    y - 3.5
                )
            } else {
                format!(
                    "<ellipse cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"2.6\" ry=\"2.6\" \
                     fill=\"{colour}\" opacity=\"0.8\"/>"
                )
            });
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Writes a picture and its data to the directory that the caller wants them in, if any.
pub(crate) fn save(name: &str, picture: &str, data: &str) {
    let Some(directory) = std::env::var_os("STRATAGEM_PLOT") else {
        return;
    };
    let directory = std::path::PathBuf::from(directory);
    std::fs::create_dir_all(&directory).expect("the directory can be made");
    let write = |ending: &str, text: &str| {
        let path = directory.join(format!("{name}.{ending}"));
        std::fs::write(path, text).expect("the file can be written");
    };
    write("svg", picture);
    write("csv", data);
}
