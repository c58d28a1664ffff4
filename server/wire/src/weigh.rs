//! Messages from bytes, weighed before anything is allocated for them.
//!
//! A legal message of a few megabytes can ask for a hundred times as much memory: an empty
//! sub-message takes two bytes on the wire and hundreds in memory. So the raw bytes are walked
//! first, by the schema, and refused when they hold more than [`LIMITS`].

mod schema;
#[cfg(test)]
mod tests;

use crate::method::Incoming;
use prost::encoding::{WireType, decode_key, decode_varint};
use schema::{Kind, SCHEMA};

/// Why bytes are no message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// They hold more than a request may: which limit.
    TooLarge(String),
    /// They are no message of the type: why.
    Malformed(String),
}

/// Decodes a message, if it is not too heavy.
///
/// # Errors
/// When it holds too much, or cannot be decoded.
pub fn decode<M: Incoming>(bytes: &[u8]) -> Result<M, Unreadable> {
    let weight = weigh(&M::full_name(), bytes)?;
    weight.check(&LIMITS)?;
    M::decode(bytes).map_err(|error| Unreadable::Malformed(error.to_string()))
}

/// Refuses JSON that would take far more memory than its bytes: as raw messages are weighed.
///
/// # Errors
/// What there is too much of, as in `3 objects, at most 2 are allowed`.
pub fn check_json(json: &[u8]) -> Result<(), String> {
    let (mut objects, mut values, mut depth, mut deepest) = (0, 0, 0_usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' | b'[' => {
                objects += usize::from(*byte == b'{');
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
    }
    check_counts([
        ("objects", objects, LIMITS.elements),
        ("values", values, LIMITS.fields),
        // Lists and messages nest by turns.
        ("levels of nesting", deepest, 2 * LIMITS.depth),
    ])
}

/// The same of a text that is no JSON, which may be YAML: elements are in braces, or lines with a
/// dash and a key.
///
/// # Errors
/// Those of [`check_json`].
pub(crate) fn check_lines(text: &str) -> Result<(), String> {
    let count = |letter| text.bytes().filter(|byte| *byte == letter).count();
    let begins = |line: &&str| line.trim_start().starts_with('-') && line.contains(':');
    let elements = text.lines().filter(begins).count() + count(b'{');
    let values = count(b'\n') + count(b',');
    check_counts([
        ("elements", elements, LIMITS.elements),
        ("lines and values", values, LIMITS.fields),
    ])
}

fn check_counts<const N: usize>(counts: [(&str, usize, usize); N]) -> Result<(), String> {
    let over = counts.into_iter().find(|(_, given, max)| given > max);
    over.map_or(Ok(()), |(what, given, max)| {
        Err(format!("{given} {what}, at most {max} are allowed"))
    })
}

/// What may be in one request.
pub const LIMITS: Weight = Weight {
    elements: 200_000,
    scalars: 4_000_000,
    fields: 2_000_000,
    depth: 32,
};

/// What is in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Weight {
    /// Sub-messages and texts in lists: each takes some hundred bytes in memory, whatever it took
    /// on the wire. One that there is once in its message is part of that.
    pub elements: usize,
    /// Numbers in lists: eight bytes each in memory, maybe one on the wire.
    pub scalars: usize,
    /// Fields on the wire, those included that nobody knows and those that overwrite each other:
    /// they take time, if no memory.
    pub fields: usize,
    /// Deepest nesting; 0 for a message without sub-messages.
    pub depth: usize,
}

impl Weight {
    /// Whether this is within limits.
    pub(crate) fn check(&self, limits: &Self) -> Result<(), Unreadable> {
        let over = [
            ("elements", self.elements, limits.elements),
            ("numbers in lists", self.scalars, limits.scalars),
            ("fields", self.fields, limits.fields),
            ("levels of nesting", self.depth, limits.depth),
        ];
        let over = over.into_iter().find(|(_, given, max)| given > max);
        over.map_or(Ok(()), |(what, given, max)| {
            let why = format!("the message has at least {given} {what}, at most {max} are allowed");
            Err(Unreadable::TooLarge(why))
        })
    }

    fn beyond(&self, limits: &Self) -> bool {
        self.check(limits).is_err()
    }
}

/// A message that is being walked: its shape, and what follows it in its parent.
struct Level<'b> {
    message: usize,
    rest: &'b [u8],
}

/// Counts what the message `name` holds. Counts at least what prost would build; of a single
/// sub-message that is sent in several pieces, all. Stops early, with a weight beyond [`LIMITS`],
/// once that is certain.
///
/// # Errors
/// When the bytes are no such message. What passes here may still not decode: texts may be no
/// UTF-8.
///
/// # Panics
/// When there is no message of that name: names are written next to their types, and tests use
/// each.
pub(crate) fn weigh(name: &str, bytes: &[u8]) -> Result<Weight, Unreadable> {
    let message = SCHEMA
        .find(name)
        .expect("the name of a message of the contract");
    let mut weight = Weight::default();
    let mut levels = vec![Level {
        message,
        rest: bytes,
    }];
    while let Some(level) = levels.last_mut() {
        if level.rest.is_empty() {
            levels.pop();
            continue;
        }
        if let Some(inner) = field(level, &mut weight)? {
            levels.push(inner);
            weight.depth = weight.depth.max(levels.len() - 1);
        }
        if weight.beyond(&LIMITS) {
            break;
        }
    }
    Ok(weight)
}

fn malformed(why: &str) -> Unreadable {
    Unreadable::Malformed(why.into())
}

/// Takes one field off a level; gives the sub-message to walk, if it is one.
fn field<'b>(level: &mut Level<'b>, weight: &mut Weight) -> Result<Option<Level<'b>>, Unreadable> {
    let (number, wire) = key(&mut level.rest)?;
    weight.fields += 1;
    let Some(kind) = SCHEMA.field(level.message, number) else {
        weight.fields += skip(&mut level.rest, number, wire)?;
        return Ok(None);
    };
    match (kind, wire) {
        (Kind::Message { index, repeated }, WireType::LengthDelimited) => {
            weight.elements += usize::from(repeated);
            let rest = take(&mut level.rest)?;
            return Ok(Some(Level {
                message: index,
                rest,
            }));
        }
        (Kind::Text { repeated }, WireType::LengthDelimited) => {
            weight.elements += usize::from(repeated);
            take(&mut level.rest)?;
        }
        (Kind::Varint { repeated }, WireType::Varint) => {
            varint(&mut level.rest)?;
            weight.scalars += usize::from(repeated);
        }
        (Kind::Varint { repeated: true }, WireType::LengthDelimited) => {
            let list = take(&mut level.rest)?;
            // A varint ends with the byte whose top bit is clear.
            weight.scalars += list.iter().filter(|byte| **byte < 0x80).count();
        }
        (Kind::Fixed { bytes: 8, repeated }, WireType::SixtyFourBit)
        | (Kind::Fixed { bytes: 4, repeated }, WireType::ThirtyTwoBit) => {
            skip(&mut level.rest, number, wire)?;
            weight.scalars += usize::from(repeated);
        }
        (
            Kind::Fixed {
                bytes,
                repeated: true,
            },
            WireType::LengthDelimited,
        ) => {
            weight.scalars += take(&mut level.rest)?.len() / bytes;
        }
        _ => return Err(malformed("a field has a value of another kind")),
    }
    Ok(None)
}

fn key(rest: &mut &[u8]) -> Result<(u32, WireType), Unreadable> {
    decode_key(rest).map_err(|error| malformed(&error.to_string()))
}

fn varint(rest: &mut &[u8]) -> Result<u64, Unreadable> {
    decode_varint(rest).map_err(|error| malformed(&error.to_string()))
}

/// A value with its length in front.
fn take<'b>(rest: &mut &'b [u8]) -> Result<&'b [u8], Unreadable> {
    let length = varint(rest)?;
    let length = usize::try_from(length).ok();
    let (value, after) = length
        .and_then(|length| rest.split_at_checked(length))
        .ok_or_else(|| malformed("a length is beyond the end"))?;
    *rest = after;
    Ok(value)
}

/// Skips an unknown field; returns the number of fields inside it. Groups may nest; a list of the
/// open ones replaces recursion.
fn skip(rest: &mut &[u8], number: u32, wire: WireType) -> Result<usize, Unreadable> {
    let (mut open, mut inside) = (Vec::new(), 0);
    let (mut number, mut wire) = (number, wire);
    loop {
        match wire {
            WireType::Varint => drop(varint(rest)?),
            WireType::SixtyFourBit => advance(rest, 8)?,
            WireType::ThirtyTwoBit => advance(rest, 4)?,
            WireType::LengthDelimited => drop(take(rest)?),
            WireType::StartGroup if open.len() < LIMITS.depth * 4 => open.push(number),
            WireType::StartGroup => return Err(malformed("groups nest too deeply")),
            WireType::EndGroup => {
                if open.pop() != Some(number) {
                    return Err(malformed("a group ends that has not begun"));
                }
            }
        }
        if open.is_empty() {
            return Ok(inside);
        }
        (number, wire) = key(rest)?;
        inside += 1;
    }
}

fn advance(rest: &mut &[u8], bytes: usize) -> Result<(), Unreadable> {
    *rest = rest
        .get(bytes..)
        .ok_or_else(|| malformed("it ends within a number"))?;
    Ok(())
}
