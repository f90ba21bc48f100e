//! Decodes bytes to text. PGN was defined for Latin-1, is mostly UTF-8 today, and some programs write UTF-16.

use std::borrow::Cow;
use std::fmt;

/// The bytes are not text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotText;

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is not a text file")
    }
}

impl std::error::Error for NotText {}

/// The text of a file. Bytes that are not valid UTF-8 are read as Latin-1, one by one, so that a file joined from
/// several sources loses nothing; a byte order mark is removed.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, NotText> {
    let wide = |bytes: &[u8], number: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).map(number);
        char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect::<String>()
    };
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return Ok(wide(rest, u16::from_le_bytes).into());
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return Ok(wide(rest, u16::from_be_bytes).into());
    }
    // Text contains no zero bytes, and nearly every binary file does.
    if bytes.contains(&0) {
        return Err(NotText);
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(text.into());
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().copied().map(char::from));
    }
    Ok(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding() {
        for bytes in [
            &b"\xef\xbb\xbfCaf\xc3\xa9"[..],
            b"Caf\xc3\xa9",
            b"Caf\xe9",
            b"\xff\xfeC\0a\0f\0\xe9\0",
            b"\xfe\xff\0C\0a\0f\0\xe9",
        ] {
            assert_eq!(decode(bytes).as_deref(), Ok("Café"), "{bytes:?}");
        }
        assert_eq!(decode(b"Caf\xe9 \xc3\xa9 \xff").as_deref(), Ok("Café é ÿ"), "both in one file");
        assert_eq!(decode(b"\x7fELF\0\0"), Err(NotText));
        assert_eq!(decode(b"").as_deref(), Ok(""));
        assert_eq!(decode(b"\xff\xfe\0\xd8").as_deref(), Ok("\u{fffd}"), "half a pair");
    }
}
