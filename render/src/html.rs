//! Scenes as pages of HTML that stand alone.

use crate::scene::{Content, Part, Picture, Scene, Table};
use crate::svg::{self, escape};
use std::fmt::Write as _;

const STYLE: &str = "body{font:15px/1.45 sans-serif;color:#222;background:#fff;max-width:1200px;\
    margin:1.5em auto;padding:0 1em}h1{font-size:1.6em}h2{font-size:1.25em;margin-top:1.6em}\
    figure{margin:1em 0;overflow-x:auto}figcaption{color:#555}\
    svg{max-width:100%;height:auto}table{border-collapse:collapse;margin:1em 0}\
    caption{text-align:left;font-weight:bold;padding:.3em 0}\
    th,td{border:1px solid #bbb;padding:.25em .6em;text-align:left;vertical-align:top}\
    th{background:#f1f1f1}pre{overflow-x:auto}.clock{display:flex;gap:1em}\
    .clock input{flex:1;max-width:40em}\
    .picks label{display:block;border:1px solid #bbb;border-radius:5px;padding:.2em .7em;\
    margin:.25em 0;cursor:pointer}.panel{display:none}\
    .pick{position:absolute;opacity:0}\
    @media print{.panel{display:block}.picks,.clock{display:none}}";

/// Shows a picture at a moment, and gives each picture with a clock a slider. The playground has
/// the same file.
pub const MOMENT: &str = include_str!("moment.js");

/// What a page runs: a slider for each picture in which something moves.
const SLIDERS: &str = "for(const svg of document.querySelectorAll('svg[data-to]')){\
    const slider=document.createElement('input');const time=document.createElement('output');\
    const bar=document.createElement('div');bar.className='clock';\
    Object.assign(slider,{type:'range',min:svg.dataset.from,max:svg.dataset.to,step:'any',\
    value:svg.dataset.from,ariaLabel:'Moment'});\
    slider.oninput=()=>{time.textContent=moment(svg,Number(slider.value))};\
    bar.append(slider,time);svg.after(bar);slider.oninput()}";

/// A page under construction.
#[derive(Default)]
struct Page {
    body: String,
    /// Rules of the page's own selectors.
    rules: String,
    /// Selectors so far.
    selectors: usize,
    /// Whether something moves.
    has_clock: bool,
}

/// A scene as a page.
pub(crate) fn page(scene: &Scene) -> String {
    let title = match scene.title.as_str() {
        "" => "untitled",
        title => title,
    };
    let mut page = Page::default();
    let _ = writeln!(page.body, "<h1>{}</h1>", escape(title));
    page.paragraph(&scene.description);
    page.parts(&scene.parts);
    let script = if page.has_clock {
        format!(
            "<script>{}{SLIDERS}</script>\n",
            MOMENT.replace("export ", "")
        )
    } else {
        String::new()
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
         <style>{STYLE}{}{}</style>\n</head>\n<body>\n<main>\n{}</main>\n{script}</body>\n</html>\n",
        escape(title),
        svg::STYLE,
        page.rules,
        page.body
    )
}

impl Page {
    fn parts(&mut self, parts: &[Part]) {
        for part in parts.iter().filter(|part| part.on.is_page()) {
            self.content(&part.content);
        }
    }

    fn content(&mut self, content: &Content) {
        match content {
            Content::Picture(picture) => self.picture(picture),
            Content::Heading(text) => {
                let _ = writeln!(self.body, "<h2>{}</h2>", escape(text));
            }
            Content::Paragraph(text) => self.paragraph(text),
            Content::Verbatim(text) => {
                let _ = writeln!(self.body, "<pre>{}</pre>", escape(text));
            }
            Content::List(items) => self.list(items.iter().map(String::as_str)),
            Content::Lines(lines) => self.list(lines.iter().map(|line| line.text.trim())),
            Content::Flow(flow) => {
                let text = flow.items.join(flow.joint[0]);
                self.paragraph(&format!("{}{text}", flow.head));
            }
            Content::Table(table) => self.table(table),
            // For terminals alone.
            Content::Blocks(_) | Content::Spots(_) | Content::Rooms(_) | Content::Keys(_) => {}
            Content::Choice(choice) => {
                let names = choice.options.iter().map(|option| option.name.as_str());
                let names: Vec<&str> = names.collect();
                self.select(&choice.legend, &names);
                let first = self.selectors;
                for (n, option) in choice.options.iter().enumerate() {
                    let _ = writeln!(self.body, "<div class=\"panel\" id=\"panel{first}-{n}\">");
                    self.parts(&option.parts);
                    self.body += "</div>\n";
                }
                self.body += "</section>\n";
            }
        }
    }

    fn picture(&mut self, picture: &Picture) {
        let svg = svg::element(picture, &picture.caption);
        let caption = escape(&picture.caption);
        self.has_clock |= picture.clock.is_some();
        let _ = writeln!(
            self.body,
            "<figure>\n{svg}<figcaption>{caption}</figcaption></figure>"
        );
    }

    /// A paragraph; none where the text is empty.
    fn paragraph(&mut self, text: &str) {
        if !text.is_empty() {
            let _ = writeln!(self.body, "<p>{}</p>", escape(text));
        }
    }

    fn list<'a>(&mut self, items: impl Iterator<Item = &'a str>) {
        let items = items.map(|item| format!("<li>{}</li>", escape(item)));
        let items: String = items.collect();
        if !items.is_empty() {
            let _ = writeln!(self.body, "<ul>{items}</ul>");
        }
    }

    /// A table; none where there are no rows.
    fn table(&mut self, table: &Table) {
        if table.rows.is_empty() {
            return;
        }
        let cells = |cells: Vec<&str>, tag: &str| {
            let each = cells.iter();
            let each = each.map(|c| format!("<{tag}>{}</{}>", escape(c), &tag[..2]));
            format!("<tr>{}</tr>\n", each.collect::<String>())
        };
        let caption = escape(&table.caption);
        let _ = writeln!(self.body, "<table><caption>{caption}</caption>");
        self.body += &cells(table.head.clone(), "th scope=\"col\"");
        for row in &table.rows {
            self.body += &cells(row.iter().map(String::as_str).collect(), "td");
        }
        self.body += "</table>\n";
        if table.more > 0 {
            self.paragraph(&format!("and {} more", table.more));
        }
    }

    /// Begins a section with something to select. On paper all is shown.
    fn select(&mut self, legend: &str, names: &[&str]) {
        self.selectors += 1;
        let (set, legend) = (self.selectors, escape(legend));
        let _ = writeln!(
            self.body,
            "<section role=\"group\" aria-label=\"{legend}\">"
        );
        for (n, name) in names.iter().enumerate() {
            let checked = if n == 0 { " checked" } else { "" };
            let _ = writeln!(
                self.body,
                "<input class=\"pick\" type=\"radio\" name=\"pick{set}\" id=\"pick{set}-{n}\"\
                 {checked} aria-label=\"{}\">",
                escape(name)
            );
            let id = format!("{set}-{n}");
            let _ = write!(
                self.rules,
                "#pick{id}:checked~#panel{id}{{display:block}}\
                 #pick{id}:checked~.picks label[for=pick{id}]{{background:#d7e8fb;font-weight:bold}}\
                 #pick{id}:focus-visible~.picks label[for=pick{id}]{{outline:2px solid #2a6fb0}}"
            );
        }
        let _ = writeln!(self.body, "<div class=\"picks\">{legend}: ");
        for (n, name) in names.iter().enumerate() {
            let name = escape(name);
            let _ = writeln!(self.body, "<label for=\"pick{set}-{n}\">{name}</label>");
        }
        self.body += "</div>\n";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Choice, ChoiceOption, On, part, table};

    #[test]
    fn texts_cannot_break_out_of_the_page() {
        let mut scene = Scene::new("<script>", "</p>");
        let rows = std::iter::once(vec!["</td>".to_owned()]);
        scene.push(On::Page, table("<", &["&"], rows, 9));
        scene.push(On::Page, Content::List(vec!["<li>".into()]));
        let options = vec![ChoiceOption {
            name: "'>".into(),
            parts: vec![part(On::Page, Content::Heading("<".into()))],
        }];
        let legend = "\"".to_owned();
        scene.push(On::Page, Choice { legend, options });
        let html = scene.html();
        for part in ["<script", "</p></p>", "</td></td>", "'>", "<li><li>"] {
            assert!(!html.contains(part), "{part}\n{html}");
        }
    }
}
