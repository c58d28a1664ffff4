//! `story`: believable stories that reach their goals.

use super::SearchArgs;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Stories.
#[derive(Debug, Subcommand)]
pub enum StoryCommand {
    /// Learn a domain from a text: actors, items, places, actions and their believability.
    Learn(Box<LearnStoryArgs>),
}

/// What `story learn` takes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EDITS are a `LearnStoryDomainRequest` without books, in JSON or YAML:
  edits:
    - rename: { word: holmes, name: Sherlock Holmes }
    - word_class: { word: study, word_class: STORY_WORD_CLASS_PLACE }
    - remove: { word: way }
    - merge: { words: [knife], into: dagger }

Examples:
  stratagem story learn tale.txt --relations assertions.csv.gz --wordnet /usr/share/wordnet
  stratagem story learn tale.txt --relations assertions.csv.gz --request request.json
  stratagem story learn server:tales/manor.txt --wordnet server:wordnet
  stratagem story learn tale.txt --edits edits.yaml --max-actors 5 --out domain.json
  stratagem story plan domain.json

Exit codes:
  0 learned, 3 no domain can be learned from this text, 4 no time to learn, 5 invalid request,
  130 Ctrl-C.")]
pub struct LearnStoryArgs {
    /// The text, UTF-8; `-` for stdin, server:NAME for one in the server's folder of books.
    pub book: String,
    /// Relations of words: lines of relation, head and tail separated by tabs, or assertions of
    /// ConceptNet; a file of any size, also `.gz`, or server:NAME. Only lines about the text are
    /// sent.
    #[arg(long, value_name = "FILE")]
    pub relations: Option<String>,
    /// Senses of nouns: a folder with `data.noun` and `index.noun` of WordNet 3, or server:NAME.
    /// Only what concerns the text is sent.
    #[arg(long, value_name = "FOLDER")]
    pub wordnet: Option<String>,
    /// Corrections, and how to learn: a JSON or YAML file.
    #[arg(long, value_name = "FILE")]
    pub edits: Option<String>,
    /// Write the domain as JSON; `-` for stdout.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write the request as JSON, for clients in other languages, and do not send it; `-` for
    /// stdout.
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub request: Option<PathBuf>,
    /// Most actors, 1 to 60. Default: 8.
    #[arg(
        long = "max-actors",
        alias = "actors",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=60)
    )]
    pub actors: Option<i32>,
    /// Most items, 1 to 60. Default: 8.
    #[arg(
        long = "max-items",
        alias = "items",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=60)
    )]
    pub items: Option<i32>,
    /// Most places, 1 to 60. Default: 8.
    #[arg(
        long = "max-places",
        alias = "places",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=60)
    )]
    pub places: Option<i32>,
    /// Most rounds of learning, 1 to 100. Default: 3.
    #[arg(
        long = "max-rounds",
        alias = "rounds",
        value_name = "N",
        value_parser = clap::value_parser!(i32).range(1..=100)
    )]
    pub rounds: Option<i32>,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
}
