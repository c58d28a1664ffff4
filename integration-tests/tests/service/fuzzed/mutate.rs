//! What is done to bytes that are right.

use anytime::SplitMix64;

/// Bytes that mean something at many places.
const INTERESTING: [u8; 12] = [
    0, 1, 2, 0x08, 0x0a, 0x12, 0x22, 0x7b, 0x7f, 0x80, 0xfe, 0xff,
];
/// Pieces of numbers and of messages at their limits.
const PIECES: [&[u8]; 10] = [
    &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80],
    &[0xff, 0xff, 0xff, 0xff, 0x07],
    &[0x80, 0x80, 0x80, 0x80, 0xf8, 0xff, 0xff, 0xff, 0xff, 0x01],
    // Infinity, and what is no number.
    &[0, 0, 0, 0, 0, 0, 0xf0, 0x7f],
    &[0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
    // Groups, which nobody has, and empty messages.
    &[0x0b, 0x0c],
    &[0x0a, 0x00, 0x0a, 0x00, 0x0a, 0x00, 0x0a, 0x00],
    &[0xc0, 0x80],
    &[0xed, 0xa0, 0x80],
];
/// The same in JSON.
const WORDS: [&str; 16] = [
    "null",
    "-1",
    "1e999",
    "-0",
    "99999999999999999999",
    "\"\"",
    "[",
    "]",
    "{",
    "}",
    "\"\\u0000\"",
    "\"NaN\"",
    "true",
    ",",
    "\"\\ud800\"",
    "0.1",
];
/// How deep nonsense is nested.
const DEPTH_MAX: u64 = 200;
/// Bytes of a case, at most.
const BYTES_MAX: usize = 256 << 10;

/// A range within this number of bytes, mostly short.
fn range_within(rng: &mut SplitMix64, length: usize) -> std::ops::Range<usize> {
    let from = rng.below(length + 1);
    let most = if rng.chance(8) { length } else { 16 };
    let to = (from + rng.below(most + 1)).min(length);
    from..to
}

/// Up to `most` random bytes.
pub(super) fn noise(rng: &mut SplitMix64, most: usize) -> Vec<u8> {
    (0..rng.below(most + 1))
        .map(|_| rng.number() as u8)
        .collect()
}

/// A message that is nearly this one; parts of `other` may be in it.
pub(super) fn message(rng: &mut SplitMix64, seed: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..rng.below(8) {
        once(rng, &mut bytes, other);
    }
    if rng.chance(100) {
        bytes = nested(rng, bytes);
    }
    bytes.truncate(BYTES_MAX);
    bytes
}

fn once(rng: &mut SplitMix64, bytes: &mut Vec<u8>, other: &[u8]) {
    let at = rng.below(bytes.len() + 1);
    let range = range_within(rng, bytes.len());
    match rng.below(9) {
        0 | 1 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        2 if at < bytes.len() => bytes[at] = *rng.one_of(&INTERESTING),
        3 => drop(bytes.drain(range)),
        4 => {
            let again = bytes[range].to_vec();
            for _ in 0..=rng.below(3) {
                bytes.splice(at..at, again.iter().copied());
            }
        }
        5 => {
            let piece = *rng.one_of(&PIECES);
            bytes.splice(at..at, piece.iter().copied());
        }
        6 => {
            let part = range_within(rng, other.len());
            bytes.splice(range, other[part].iter().copied());
        }
        7 => bytes.truncate(at),
        _ => {
            let noise = noise(rng, 16);
            bytes.splice(at..at, noise);
        }
    }
}

/// The same, many messages deep.
fn nested(rng: &mut SplitMix64, mut bytes: Vec<u8>) -> Vec<u8> {
    let field = 1 + rng.below(5) as u32;
    for _ in 0..rng.number() % DEPTH_MAX {
        let mut outer = Vec::new();
        prost::encoding::encode_key(
            field,
            prost::encoding::WireType::LengthDelimited,
            &mut outer,
        );
        prost::encoding::encode_varint(bytes.len() as u64, &mut outer);
        outer.append(&mut bytes);
        bytes = outer;
    }
    bytes
}

/// A text that is nearly this one.
pub(super) fn text(rng: &mut SplitMix64, seed: &str) -> Vec<u8> {
    let mut bytes = seed.as_bytes().to_vec();
    for _ in 0..rng.below(6) {
        let at = rng.below(bytes.len() + 1);
        let range = range_within(rng, bytes.len());
        match rng.below(5) {
            0 => {
                let word = *rng.one_of(&WORDS);
                bytes.splice(range, word.bytes());
            }
            1 => drop(bytes.drain(range)),
            2 => {
                let again = bytes[range].to_vec();
                bytes.splice(at..at, again);
            }
            3 => {
                let depth = rng.below(DEPTH_MAX as usize * 10);
                bytes.splice(at..at, std::iter::repeat_n(b'[', depth));
            }
            _ if at < bytes.len() => bytes[at] = rng.number() as u8,
            _ => bytes.push(b','),
        }
    }
    bytes.truncate(BYTES_MAX);
    bytes
}
