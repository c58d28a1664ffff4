//! Pages of HTML that stand alone: pictures, tables and lists, and no script.

use crate::svg::escape;
use std::fmt::Write as _;

const STYLE: &str = "body{font:15px/1.45 sans-serif;color:#222;background:#fff;max-width:1200px;\
    margin:1.5em auto;padding:0 1em}h1{font-size:1.6em}h2{font-size:1.25em;margin-top:1.6em}\
    figure{margin:1em 0;overflow-x:auto}figcaption{color:#555}\
    svg{max-width:100%;height:auto}table{border-collapse:collapse;margin:1em 0}\
    caption{text-align:left;font-weight:bold;padding:.3em 0}\
    th,td{border:1px solid #bbb;padding:.25em .6em;text-align:left;vertical-align:top}\
    th{background:#f1f1f1}pre{overflow-x:auto}\
    .picks label{display:block;border:1px solid #bbb;border-radius:5px;padding:.2em .7em;\
    margin:.25em 0;cursor:pointer}.panel{display:none}\
    input{position:absolute;opacity:0}\
    @media print{.panel{display:block}.picks{display:none}}";
const STRIP: &str = ".strip{display:flex;gap:1px;max-width:960px}\
    .strip label{flex:1;height:1.5em;background:#d7e8fb;cursor:pointer}\
    @media print{.strip{display:none}}";

/// A page under construction. All texts are escaped; pictures are SVG documents of this crate.
pub(crate) struct Page {
    title: String,
    body: String,
    /// Rules of the page's own selectors.
    rules: String,
    /// Pictures so far: the styles of each are its own.
    pictures: usize,
}

impl Page {
    /// A page with a title, `untitled` where that is empty, and a description.
    pub(crate) fn new(title: &str, description: &str) -> Self {
        let title = if title.is_empty() { "untitled" } else { title };
        let mut page = Self {
            title: title.to_owned(),
            body: String::new(),
            rules: String::new(),
            pictures: 0,
        };
        let _ = writeln!(page.body, "<h1>{}</h1>", escape(title));
        page.paragraph(description);
        page
    }

    pub(crate) fn heading(&mut self, text: &str) {
        let _ = writeln!(self.body, "<h2>{}</h2>", escape(text));
    }

    /// A paragraph; none where the text is empty.
    pub(crate) fn paragraph(&mut self, text: &str) {
        if !text.is_empty() {
            let _ = writeln!(self.body, "<p>{}</p>", escape(text));
        }
    }

    /// A text as it is, line by line.
    pub(crate) fn verbatim(&mut self, text: &str) {
        let _ = writeln!(self.body, "<pre>{}</pre>", escape(text));
    }

    pub(crate) fn list(&mut self, items: &[String]) {
        let items = items.iter().map(|i| format!("<li>{}</li>", escape(i)));
        let items: String = items.collect();
        let _ = writeln!(self.body, "<ul>{items}</ul>");
    }

    /// A picture with a caption, which is read aloud for it: what it shows is in tables, too.
    pub(crate) fn picture(&mut self, svg: &str, caption: &str) {
        self.pictures += 1;
        let id = format!("picture{}", self.pictures);
        let caption = escape(caption);
        let _ = writeln!(
            self.body,
            "<figure id=\"{id}\">\n{}<figcaption>{caption}</figcaption></figure>",
            scoped(svg, &id).replacen(
                "<svg ",
                &format!("<svg role=\"img\" aria-label=\"{caption}\" "),
                1
            )
        );
    }

    /// A table; none where there are no rows.
    pub(crate) fn table<S: AsRef<str>>(&mut self, caption: &str, head: &[&str], rows: &[Vec<S>]) {
        if rows.is_empty() {
            return;
        }
        let cells = |cells: Vec<&str>, tag: &str| {
            let each = cells
                .iter()
                .map(|c| format!("<{tag}>{}</{}>", escape(c), &tag[..2]));
            format!("<tr>{}</tr>\n", each.collect::<String>())
        };
        let _ = writeln!(self.body, "<table><caption>{}</caption>", escape(caption));
        self.body += &cells(head.to_vec(), "th scope=\"col\"");
        for row in rows {
            self.body += &cells(row.iter().map(AsRef::as_ref).collect(), "td");
        }
        self.body += "</table>\n";
    }

    /// Something to pick from, and what is shown for each: panels are drawn by `draw`. On paper all
    /// are shown.
    pub(crate) fn selector(
        &mut self,
        legend: &str,
        names: &[String],
        mut draw: impl FnMut(&mut Self, usize),
    ) {
        let legend = escape(legend);
        let _ = writeln!(
            self.body,
            "<section role=\"group\" aria-label=\"{legend}\">"
        );
        for (n, name) in names.iter().enumerate() {
            let checked = if n == 0 { " checked" } else { "" };
            let _ = writeln!(
                self.body,
                "<input type=\"radio\" name=\"pick\" id=\"pick{n}\"{checked} aria-label=\"{}\">",
                escape(name)
            );
            let _ = write!(
                self.rules,
                "#pick{n}:checked~#panel{n}{{display:block}}\
                 #pick{n}:checked~.picks label[for=pick{n}]{{background:#d7e8fb;font-weight:bold}}\
                 #pick{n}:focus-visible~.picks label[for=pick{n}]{{outline:2px solid #2a6fb0}}"
            );
        }
        let _ = writeln!(self.body, "<div class=\"picks\">{legend}: ");
        for (n, name) in names.iter().enumerate() {
            let _ = writeln!(self.body, "<label for=\"pick{n}\">{}</label>", escape(name));
        }
        self.body += "</div>\n";
        for n in 0..names.len() {
            let _ = writeln!(self.body, "<div class=\"panel\" id=\"panel{n}\">");
            draw(self, n);
            self.body += "</div>\n";
        }
        self.body += "</section>\n";
    }

    /// Moments to go through, with the mouse or the arrow keys, and a picture of all of them at
    /// once: elements of class `moment0` are seen at the first, those of `moment1` at the second,
    /// and so on. To be used once in a page. On paper it stays at the first.
    pub(crate) fn slider(&mut self, legend: &str, moments: &[String], svg: &str, caption: &str) {
        let legend = escape(legend);
        self.rules += STRIP;
        let _ = writeln!(
            self.body,
            "<section role=\"group\" aria-label=\"{legend}\">"
        );
        for (n, moment) in moments.iter().enumerate() {
            let checked = if n == 0 { " checked" } else { "" };
            let _ = writeln!(
                self.body,
                "<input type=\"radio\" name=\"moment\" id=\"at{n}\"{checked} aria-label=\"{}\">",
                escape(moment)
            );
            let _ = write!(
                self.rules,
                ".moment{n}{{display:none}}#at{n}:checked~figure .moment{n}{{display:inline}}\
                 #at{n}:checked~.strip label[for=at{n}]{{background:#2a6fb0}}\
                 #at{n}:focus-visible~.strip label[for=at{n}]{{outline:2px solid #222}}"
            );
        }
        let _ = writeln!(self.body, "<div class=\"strip\">");
        for (n, moment) in moments.iter().enumerate() {
            let moment = escape(moment);
            let _ = writeln!(
                self.body,
                "<label for=\"at{n}\" title=\"{moment}\"></label>"
            );
        }
        self.body += "</div>\n";
        self.picture(svg, caption);
        self.body += "</section>\n";
    }

    /// The document, with everything inside.
    pub(crate) fn finish(self) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
             <style>{STYLE}{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
            escape(&self.title),
            self.rules,
            self.body
        )
    }
}

/// A picture whose rules of style hold for itself only: in a page they would hold for all.
fn scoped(svg: &str, id: &str) -> String {
    let Some((before, rest)) = svg.split_once("<style>") else {
        return svg.to_owned();
    };
    let Some((rules, after)) = rest.split_once("</style>") else {
        return svg.to_owned();
    };
    let mut own = String::new();
    for rule in rules.split_inclusive('}') {
        let (selectors, rest) = rule.split_once('{').unwrap_or((rule, ""));
        let selectors = selectors.split(',').map(|s| format!("#{id} {}", s.trim()));
        let selectors: Vec<_> = selectors.collect();
        let _ = write!(own, "{}{{{rest}", selectors.join(","));
    }
    format!("{before}<style>{own}</style>{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_of_a_picture_hold_for_it_alone() {
        let svg = "<svg><style>text{fill:#222}.a,.b{x:y}</style></svg>";
        assert_eq!(
            scoped(svg, "p1"),
            "<svg><style>#p1 text{fill:#222}#p1 .a,#p1 .b{x:y}</style></svg>"
        );
    }

    #[test]
    fn texts_cannot_break_out_of_the_page() {
        let mut page = Page::new("<script>", "</p>");
        page.table("<", &["&"], &[vec!["</td>"]]);
        page.selector("\"", &["'>".into()], |page, _| page.heading("<"));
        page.list(&["<li>".into()]);
        let html = page.finish();
        for part in ["<script", "</p></p>", "</td></td>", "'>", "<li><li>"] {
            assert!(!html.contains(part), "{part}\n{html}");
        }
    }
}
