//! Writer of PNG pictures: one block of compressed pixels. Specification: W3C, "Portable Network
//! Graphics", third edition.

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::Write as _;
use stratagem_render::puzzle::Pixels;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A picture as a PNG file.
///
/// # Errors
/// More than 2^31 - 1 pixels in a row or a column, which the format does not have.
pub fn write(picture: &Pixels) -> std::io::Result<Vec<u8>> {
    let side = |pixels: usize| i32::try_from(pixels).map_err(std::io::Error::other);
    let mut header = Vec::new();
    header.extend(side(picture.width)?.to_be_bytes());
    header.extend(side(picture.height)?.to_be_bytes());
    // Eight bits, red, green and blue; the only compression and filtering there are; not
    // interlaced.
    header.extend([8, 2, 0, 0, 0]);
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    for row in picture.rgb.chunks_exact((3 * picture.width).max(1)) {
        // Not filtered.
        packed.write_all(&[0])?;
        packed.write_all(row)?;
    }
    let packed = packed.finish()?;
    let mut file = SIGNATURE.to_vec();
    for (kind, data) in [(b"IHDR", header), (b"IDAT", packed), (b"IEND", Vec::new())] {
        let long = u32::try_from(data.len()).map_err(std::io::Error::other)?;
        file.extend(long.to_be_bytes());
        let mut check = Crc::new();
        for part in [&kind[..], &data] {
            check.update(part);
            file.extend(part);
        }
        file.extend(check.sum().to_be_bytes());
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use std::io::Read as _;

    #[test]
    fn pixels_can_be_read_again() {
        let picture = Pixels {
            width: 2,
            height: 2,
            rgb: (0..12).collect(),
        };
        let file = write(&picture).unwrap();
        let mut rest = file.strip_prefix(SIGNATURE).unwrap();
        let mut kinds = Vec::new();
        let mut pixels = Vec::new();
        while let Some((long, after)) = rest.split_first_chunk::<4>() {
            let (kind, after) = after.split_at(4);
            let (data, after) = after.split_at(u32::from_be_bytes(*long) as usize);
            kinds.push(String::from_utf8(kind.to_vec()).unwrap());
            if kind == b"IDAT" {
                ZlibDecoder::new(data).read_to_end(&mut pixels).unwrap();
            }
            rest = &after[4..];
        }
        assert_eq!(kinds, ["IHDR", "IDAT", "IEND"]);
        assert_eq!(pixels, [0, 0, 1, 2, 3, 4, 5, 0, 6, 7, 8, 9, 10, 11]);
        // The end of every PNG file, its check included.
        assert!(file.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82"));
    }
}
