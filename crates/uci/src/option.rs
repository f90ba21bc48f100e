//! UCI options: how an engine declares them, and which values they take.

use std::fmt;

use crate::error::excerpt;
use crate::words::{number, one_line};

/// How an engine writes an empty text default.
const EMPTY: &str = "<empty>";

/// An option as an engine declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionInfo {
    /// Its name, which may have spaces.
    pub name: String,
    /// Its type, default and range.
    pub kind: OptionKind,
}

/// The types of options.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields are those of the protocol")]
pub enum OptionKind {
    /// True or false.
    Check { default: bool },
    /// A number within a range.
    Spin { default: i64, min: i64, max: i64 },
    /// One of several words.
    Combo { default: String, vars: Vec<String> },
    /// An action without a value.
    Button,
    /// Any text.
    String { default: String },
}

/// The value of an option, of the right type and within its range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// For a check.
    Check(bool),
    /// For a spin.
    Spin(i64),
    /// For a combo or a string; an empty string may have come as `<empty>`.
    Text(String),
    /// For a button.
    Pressed,
}

/// Why an option rejects a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueError {
    /// There is no value.
    Missing,
    /// It is neither `true` nor `false`.
    NotCheck(String),
    /// It is not a number.
    NotNumber(String),
    /// It is outside this range.
    Range(String, i64, i64),
    /// It is none of these.
    NotAmong(String, Vec<String>),
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("a value is missing"),
            Self::NotCheck(text) => write!(f, "\"{}\" is neither true nor false", excerpt(text)),
            Self::NotNumber(text) => write!(f, "\"{}\" is not a whole number", excerpt(text)),
            Self::Range(text, min, max) => write!(f, "{} is not between {min} and {max}", excerpt(text)),
            Self::NotAmong(text, vars) => write!(f, "\"{}\" is none of: {}", excerpt(text), vars.join(", ")),
        }
    }
}

impl std::error::Error for ValueError {}

impl OptionInfo {
    /// Whether this is the option's name. Case and spaces do not matter: `OwnBook` is `Own Book`.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        let letters = |text: &str| text.replace(' ', "").to_ascii_lowercase();
        letters(&self.name) == letters(name)
    }

    /// Parses a value for this option.
    pub fn read(&self, value: Option<&str>) -> Result<OptionValue, ValueError> {
        if self.kind == OptionKind::Button {
            return Ok(OptionValue::Pressed);
        }
        let text = value.ok_or(ValueError::Missing)?.trim();
        Ok(match &self.kind {
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("true") => OptionValue::Check(true),
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("false") => OptionValue::Check(false),
            OptionKind::Check { .. } => return Err(ValueError::NotCheck(text.into())),
            OptionKind::Spin { min, max, .. } => {
                let number = number(text).ok_or_else(|| ValueError::NotNumber(text.into()))?;
                if !(min..=max).contains(&&number) {
                    return Err(ValueError::Range(text.into(), *min, *max));
                }
                OptionValue::Spin(number)
            }
            OptionKind::Combo { vars, .. } => {
                let var = vars.iter().find(|var| var.eq_ignore_ascii_case(text));
                let none = || ValueError::NotAmong(text.into(), vars.clone());
                OptionValue::Text(var.ok_or_else(none)?.clone())
            }
            OptionKind::String { .. } if text == EMPTY => OptionValue::Text(String::new()),
            OptionKind::String { .. } => OptionValue::Text(text.into()),
            OptionKind::Button => OptionValue::Pressed,
        })
    }
}

impl fmt::Display for OptionInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", one_line(&self.name))?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionKind::Combo { default, vars } => {
                write!(f, "combo default {}", one_line(default))?;
                vars.iter().try_for_each(|var| write!(f, " var {}", one_line(var)))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } if default.is_empty() => write!(f, "string default {EMPTY}"),
            OptionKind::String { default } => write!(f, "string default {}", one_line(default)),
        }
    }
}

/// A text default as an engine declared it.
pub(crate) fn declared_text(text: &str) -> String {
    if text == EMPTY { String::new() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked() {
        let spin =
            OptionInfo { name: "Move Overhead".into(), kind: OptionKind::Spin { default: 10, min: 0, max: 5000 } };
        assert!(spin.is_named("move overhead") && !spin.is_named("move"));
        assert_eq!(spin.read(Some(" 5000 ")), Ok(OptionValue::Spin(5000)));
        for (value, reason) in [
            (None, "a value is missing"),
            (Some("5001"), "5001 is not between 0 and 5000"),
            (Some("-99999999999999999999"), "-99999999999999999999 is not between 0 and 5000"),
            (Some("ten"), "\"ten\" is not a whole number"),
            (Some(""), "\"\" is not a whole number"),
        ] {
            assert_eq!(spin.read(value).map_err(|error| error.to_string()), Err(reason.into()));
        }
        let check = OptionInfo { name: "Ponder".into(), kind: OptionKind::Check { default: false } };
        assert_eq!(check.read(Some("TRUE")), Ok(OptionValue::Check(true)));
        assert_eq!(check.read(Some("1")), Err(ValueError::NotCheck("1".into())));
        let button = OptionInfo { name: "Clear Hash".into(), kind: OptionKind::Button };
        assert_eq!(button.read(Some("whatever")), Ok(OptionValue::Pressed));
        let text = OptionInfo { name: "Path".into(), kind: OptionKind::String { default: String::new() } };
        assert_eq!(text.read(Some("<empty>")), Ok(OptionValue::Text(String::new())));
        let vars = vec!["Calm".to_owned(), "Wild".to_owned()];
        let combo = OptionInfo { name: "Style".into(), kind: OptionKind::Combo { default: "Calm".into(), vars } };
        assert_eq!(combo.read(Some("wild")), Ok(OptionValue::Text("Wild".into())));
        assert_eq!(combo.read(Some("x")).map_err(|e| e.to_string()), Err("\"x\" is none of: Calm, Wild".into()));
    }
}
