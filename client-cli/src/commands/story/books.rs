//! Books for `story learn`: the text, and the part of relations and WordNet that concerns it.

use crate::args::LearnStoryArgs;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{Display, numbers, progress};
use flate2::read::MultiGzDecoder;
use lexicon::{Fault, Relation, Relations, Unnamed, Vocabulary, WordNet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use stratagem_proto::v1::StoryBooks;

/// What names of books on the server's disk begin with.
const SERVER: &str = "server:";
/// Bytes that are read in one piece.
const PIECE: usize = 1 << 20;
/// Maximum number of bytes of each part that is sent, as in the contract's `StoryBooks`.
const SENT_BYTES_MAX: usize = 4 << 20;
/// The words of the error about too many bytes of relations and WordNet.
const CONCERN: &str = "concern the text";

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
    if args.book.starts_with(SERVER) {
        if relations.is_some() || wordnet.is_some() {
            let why = "a text on the server is not known here: name its relations and WordNet as server:NAME, too";
            return Err(Failure::usage(why));
        }
        return Ok(books);
    }
    // A text that no server takes is refused before anything else is read.
    let words = vocabulary(&args.book, &books.text)?;
    if let Some(file) = &relations {
        books.relations = filtered(file, words.clone(), display)?;
    }
    if let Some(folder) = &wordnet {
        [books.wordnet_data, books.wordnet_index] = nouns(folder, words, display)?;
    }
    Ok(books)
}

/// The nouns of a text that can be sent.
fn vocabulary(book: &str, text: &str) -> Result<Vocabulary, Failure> {
    if text.is_empty() {
        return Err(Failure::new(Exit::INVALID, format!("{book} is empty")));
    }
    sendable(text.len(), book, "are in it")?;
    Vocabulary::of_text(text.as_bytes()).map_err(|fault| invalid(book, &fault))
}

/// Refuses a part that no server takes; `why`: what the bytes are.
fn sendable(bytes: usize, name: &str, why: &str) -> Result<(), Failure> {
    if bytes <= SENT_BYTES_MAX {
        return Ok(());
    }
    let mib = SENT_BYTES_MAX >> 20;
    let text = format!(
        "{name}: more than {mib} MiB {why}, more than can be sent: put the books into the server's \
         folder of books and name them as {SERVER}NAME"
    );
    Err(Failure::new(Exit::INVALID, text))
}

/// The relations of a file that contain a word of the text.
fn filtered(file: &str, words: Vocabulary, display: &Display) -> Result<String, Failure> {
    let mut used = String::new();
    let keep = |used: &mut String, relation: Relation<'_>| {
        // Writing into a string does not fail.
        let _ = writeln!(used, "{relation}");
    };
    let mut relations = Relations::new(words);
    let bytes = read(file, display, |piece| {
        let pushed = relations.push(piece, &mut |relation| keep(&mut used, relation));
        pushed.map_err(|fault| invalid(file, &fault))?;
        sendable(used.len(), file, CONCERN)
    })?;
    let counts = relations.finish(&mut |relation| keep(&mut used, relation));
    counts.map_err(|fault| invalid(file, &fault))?;
    sendable(used.len(), file, CONCERN)?;
    kept(file, display, [used.len(), bytes]);
    Ok(used)
}

/// `data.noun` and `index.noun` of a folder, with the senses of the words.
fn nouns(folder: &str, words: Vocabulary, display: &Display) -> Result<[String; 2], Failure> {
    let mut wordnet = WordNet::new(words);
    let names = [
        format!("{folder}/data.noun"),
        format!("{folder}/index.noun"),
    ];
    let [data, index] = &names;
    let mut bytes = read(data, display, |piece| {
        wordnet.data(piece).map_err(|fault| invalid(data, &fault))
    })?;
    bytes += read(index, display, |piece| {
        wordnet.index(piece).map_err(|fault| invalid(index, &fault))
    })?;
    let nouns = wordnet.finish().map_err(|fault| invalid(folder, &fault))?;
    let files = nouns.files();
    for (name, file) in names.iter().zip(&files) {
        sendable(file.len(), name, CONCERN)?;
    }
    kept(folder, display, [files[0].len() + files[1].len(), bytes]);
    Ok(files)
}

/// Reads a file in pieces, unpacked if it ends in `.gz`, or stdin for `-`; returns how many bytes
/// it has.
fn read(
    name: &str,
    display: &Display,
    mut look: impl FnMut(&[u8]) -> Result<(), Failure>,
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
                look(&piece[..count])?;
            }
        }
    }
}

fn invalid(name: &str, fault: &Fault) -> Failure {
    Failure::new(Exit::INVALID, format!("{name}: {}", fault.text(&Unnamed)))
}

/// Reports how much of a file was kept.
fn kept(name: &str, display: &Display, bytes: [usize; 2]) {
    if !display.quiet {
        let [kept, all] = bytes.map(|count| numbers::count(count as i64));
        eprintln!("{name}: {kept} of {all} bytes are about words of the text");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::{Path, PathBuf};

    /// A folder for one test, which takes it away.
    fn folder(test: &str) -> PathBuf {
        let name = format!("stratagem-books-{test}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn file(folder: &Path, name: &str, text: &str) -> String {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn king() -> Vocabulary {
        std::iter::once("king".to_owned()).collect()
    }

    #[test]
    fn a_text_that_no_server_takes_is_refused() {
        let refused = |text: &str| vocabulary("tale.txt", text).unwrap_err().message;
        assert_eq!(refused(""), "tale.txt is empty");
        assert_eq!(
            refused("A \u{1}."),
            "tale.txt: byte 2 is a control character"
        );
        let long = "é\n".repeat(SENT_BYTES_MAX / 3 + 1);
        assert!(refused(&long).starts_with("tale.txt: more than 4 MiB are in it, "));
        assert!(vocabulary("tale.txt", &"\n".repeat(SENT_BYTES_MAX)).is_ok());
    }

    #[test]
    fn relations_that_do_not_fit_into_a_request_are_refused() {
        let folder = folder("relations");
        let line = "IsA\tking\tperson\n";
        let fit = SENT_BYTES_MAX / line.len();
        let quiet = Display::PLAIN;
        let dropped = "IsA\tdog\tanimal\n".repeat(fit);
        let name = file(&folder, "fit.tsv", &(line.repeat(fit) + &dropped));
        assert_eq!(
            filtered(&name, king(), &quiet).unwrap().len(),
            fit * line.len()
        );
        let name = file(&folder, "long.tsv", &line.repeat(fit + 1));
        let refused = filtered(&name, king(), &quiet).unwrap_err();
        assert_eq!(refused.exit, Exit::INVALID);
        let wanted = format!("{name}: more than 4 MiB concern the text, ");
        assert!(refused.message.starts_with(&wanted), "{}", refused.message);
        // Nothing after what is too much is read.
        let name = file(
            &folder,
            "wrong.tsv",
            &(line.repeat(2 * fit) + "no relation\n"),
        );
        assert!(
            filtered(&name, king(), &quiet)
                .unwrap_err()
                .message
                .contains("4 MiB")
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn wordnet_that_does_not_fit_into_a_request_is_refused() {
        let folder = folder("wordnet");
        let data = "00000001 03 n 01 location 0 000 | where\n";
        file(&folder, "data.noun", data);
        let senses = " 00000001".repeat(6_000);
        let words: Vec<String> = (0..100).map(|index| format!("w{index}")).collect();
        let entry = |word: &String| format!("{word} n 6000 0 6000 0{senses}\n");
        let index: String = words.iter().map(entry).collect();
        file(
            &folder,
            "index.noun",
            &format!("location n 1 0 1 0 00000001\n{index}"),
        );
        let name = folder.to_str().unwrap();
        assert!(nouns(name, king(), &Display::PLAIN).is_ok());
        let words: Vocabulary = words.into_iter().collect();
        let refused = nouns(name, words, &Display::PLAIN).unwrap_err().message;
        assert!(
            refused.starts_with(&format!("{name}/index.noun: more than 4 MiB ")),
            "{refused}"
        );
        fs::remove_dir_all(folder).unwrap();
    }
}
