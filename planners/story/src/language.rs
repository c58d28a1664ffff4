//! Domains as text: expressions, effects, rules of believability and values, as people write them.
//!
//! ```text
//! expression = "if" expression "then" expression "else" expression | or
//! or         = and { "or" and }
//! and        = not { "and" not }
//! not        = "not" not | comparison
//! comparison = sum [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum ]
//! sum        = product { ( "+" | "-" ) product }
//! product    = primary { "*" primary | "/" number }
//! primary    = simple { "." name }
//! simple     = [ "-" ] number | "true" | "false" | "null" | name | name "[" expression "]"
//!            | "(" expression ")"
//!            | ( "exists" | "forall" | "count" ) "(" name ":" name "," expression ")"
//!            | ( "min" | "max" ) "(" expression { "," expression } ")"
//! effect     = primary ( "=" | "+=" | "-=" ) expression
//!            | "if" expression "{" effects "}"
//!            | "each" "(" name ":" name [ "," expression ] ")" "{" effects "}"
//! effects    = effect { ";" effect } [ ";" ]
//! rule       = ( "set" | "multiply" ) expression [ "if" expression ]
//! setting    = name "." name "=" literal
//! literal    = [ "-" ] number | "true" | "false" | "null" | name
//! values     = "bool" | "number" | number ".." number | "{" name { "," name } "}" | name
//! ```
//!
//! `a.place` is an attribute, `greed[a]` the number of an entity in a table, `count(x: actor, not
//! x.alive)` how many actors are dead. A name is a letter or `_`, then letters, digits and `_`; any
//! other name, and one that is a word of the language, is written in quotes, a quote in it twice:
//! `'the king''s men'`. A divisor is a number that is written out.
//!
//! Texts have at most [`TEXT_BYTES_MAX`] bytes and are nested at most [`NESTING_MAX`] deep, so that
//! reading takes little stack. [`Problem::new`](crate::Problem::new) checks what a text means;
//! [`position`] returns where in the text its mistakes are.

mod errors;
mod parse;
mod phrases;
mod print;
mod spans;
mod tokens;

pub use errors::{SyntaxError, SyntaxReason};
pub use phrases::{effect, expression, literal, rule, setting, values};
pub use print::{show_effect, show_expression, show_literal, show_rule, show_setting, show_values};
pub use spans::{Form, position};

/// Most bytes of a text.
pub const TEXT_BYTES_MAX: usize = 4_000;
/// How deeply texts are nested at most, brackets and prefixes counted.
pub const NESTING_MAX: usize = 64;

/// Words of the language.
const RESERVED: [&str; 17] = [
    "and", "count", "each", "else", "exists", "false", "forall", "if", "max", "min", "multiply",
    "not", "null", "or", "set", "then", "true",
];
