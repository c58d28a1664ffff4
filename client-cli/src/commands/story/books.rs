//! Books for `story learn`: the text, and the part of relations and WordNet that concerns it.

use crate::args::LearnStoryArgs;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{Display, numbers, progress};
use flate2::read::MultiGzDecoder;
use lexicon::{BookError, Relation, Relations, Vocabulary, WordNet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use stratagem_proto::v1::StoryBooks;

/// What names of books on the server's disk begin with.
const SERVER: &str = "server:";
/// Bytes that are read in one piece.
const PIECE: usize = 1 << 20;

/// What is to be sent, and what the server has.
pub(super) fn books(args: &LearnStoryArgs, display: &Display) -> Result<StoryBooks, Failure> {
    let mut books = StoryBooks::default();
    match args.book.strip_prefix(SERVER) {
        Some(name) => books.text_name = name.into(),
        None => books.text = input::plain(&args.book)?,
    }
    let named = |given: &Option<String>| {
        let name = given.as_deref().and_then(|it| it.strip_prefix(SERVER));
        name.unwrap_or_default().to_owned()
    };
    books.relations_name = named(&args.relations);
    books.wordnet_name = named(&args.wordnet);
    let here = |given: &'_ Option<String>| given.clone().filter(|it| !it.starts_with(SERVER));
    let (relations, wordnet) = (here(&args.relations), here(&args.wordnet));
    if relations.is_none() && wordnet.is_none() {
        return Ok(books);
    }
    if books.text.is_empty() {
        let why = "a text on the server is not known here: name its relations and WordNet as server:NAME, too";
        return Err(Failure::usage(why));
    }
    let words = Vocabulary::of_text(books.text.as_bytes());
    let words = words.map_err(|error| invalid(&args.book, &error))?;
    if let Some(file) = &relations {
        books.relations = filtered(file, words.clone(), display)?;
    }
    if let Some(folder) = &wordnet {
        [books.wordnet_data, books.wordnet_index] = nouns(folder, words, display)?;
    }
    Ok(books)
}

/// The relations of a file that say something about a word.
fn filtered(file: &str, words: Vocabulary, display: &Display) -> Result<String, Failure> {
    let mut used = String::new();
    let mut keep = |relation: Relation<'_>| {
        // Writing into a string does not fail.
        let _ = writeln!(used, "{relation}");
    };
    let mut relations = Relations::new(words);
    let bytes = read(file, display, |piece| relations.push(piece, &mut keep))?;
    let counts = relations.finish(&mut keep);
    counts.map_err(|error| invalid(file, &error))?;
    kept(file, display, [used.len(), bytes]);
    Ok(used)
}

/// `data.noun` and `index.noun` of a folder, with the senses of the words.
fn nouns(folder: &str, words: Vocabulary, display: &Display) -> Result<[String; 2], Failure> {
    let mut wordnet = WordNet::new(words);
    let data = format!("{folder}/data.noun");
    let mut bytes = read(&data, display, |piece| wordnet.data(piece))?;
    let index = format!("{folder}/index.noun");
    bytes += read(&index, display, |piece| wordnet.index(piece))?;
    let nouns = wordnet.finish().map_err(|error| invalid(folder, &error))?;
    let files = nouns.files();
    kept(folder, display, [files[0].len() + files[1].len(), bytes]);
    Ok(files)
}

/// Reads a file in pieces, unpacked if it ends in `.gz`, or stdin for `-`; returns how many bytes
/// it has.
fn read(
    name: &str,
    display: &Display,
    mut look: impl FnMut(&[u8]) -> Result<(), BookError>,
) -> Result<usize, Failure> {
    let fail = |e: std::io::Error| Failure::usage(format!("cannot read {name}: {e}"));
    let mut reader: Box<dyn Read> = if name == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        let file = File::open(name).map_err(fail)?;
        let bytes = file.metadata().map_err(fail)?.len();
        let file = progress::reading(display, name, bytes).wrap_read(file);
        if name.ends_with(".gz") {
            Box::new(MultiGzDecoder::new(file))
        } else {
            Box::new(file)
        }
    };
    let mut piece = vec![0; PIECE];
    let mut bytes = 0;
    loop {
        match reader.read(&mut piece).map_err(fail)? {
            0 => return Ok(bytes),
            count => {
                bytes += count;
                look(&piece[..count]).map_err(|error| invalid(name, &error))?;
            }
        }
    }
}

fn invalid(name: &str, error: &BookError) -> Failure {
    Failure::new(Exit::INVALID, format!("{name}: {}", error.reason))
}

/// Reports how much of a file was kept.
fn kept(name: &str, display: &Display, bytes: [usize; 2]) {
    if !display.quiet {
        let [kept, all] = bytes.map(|count| numbers::count(count as i64));
        eprintln!("{name}: {kept} of {all} bytes are about words of the text");
    }
}
