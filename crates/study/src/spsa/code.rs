//! Formats tuned values as lines of the engine's source, and writes them into it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::subject::Tunable;

/// A line of the engine's parameter table, as in its source.
pub(super) fn line(tunable: &Tunable, value: i32) -> String {
    let Tunable { name, min, max, step, .. } = tunable;
    format!("{name} = {value}, {min}..={max}, step {step};")
}

/// Writes new defaults into the engine's source. Nothing is written unless every parameter is found exactly once.
pub(super) fn write(path: &Path, values: &[(&Tunable, i32)]) -> Result<()> {
    let mut text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    for (tunable, value) in values {
        text = with_default(&text, tunable, *value).with_context(|| format!("in {}", path.display()))?;
    }
    toolkit::files::replace(path, &text)
}

fn with_default(text: &str, tunable: &Tunable, value: i32) -> Result<String> {
    let head = format!("{} = ", tunable.name);
    let is_line = |line: &&str| line.trim_start().starts_with(&head) && line.contains("..=");
    match text.lines().filter(is_line).count() {
        1 => {}
        0 => bail!("there is no line \"{head}…\""),
        _ => bail!("there are several lines \"{head}…\""),
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let after = line.split_once(&head).filter(|_| is_line(&line)).and_then(|(before, rest)| {
            let (_, rest) = rest.split_once(',')?;
            Some(format!("{before}{head}{value},{rest}"))
        });
        after.unwrap_or_else(|| line.to_owned())
    });
    Ok(lines.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tunable(name: &str) -> Tunable {
        Tunable { name: name.into(), default: 850, min: 200, max: 1800, step: 80, is_switch: false }
    }

    #[test]
    fn lines_are_replaced_and_nothing_else() {
        let text = "params! {\n    numbers {\n        // lmr_base = 1 is a comment\n        lmr_base = 850, 200..=1800, step 80;\n        \
                    quiesce_see = -30, -150..=50, step 15;\n    }\n}\n";
        let changed = with_default(text, &tunable("lmr_base"), 901).expect("a line");
        assert_eq!(changed, text.replace("lmr_base = 850", "lmr_base = 901"));
        let changed = with_default(text, &tunable("quiesce_see"), -7).expect("a line");
        assert_eq!(changed, text.replace("see = -30,", "see = -7,"));
        assert!(with_default(text, &tunable("base"), 1).is_err(), "no part of a name");
        assert_eq!(line(&tunable("lmr_base"), 901), "lmr_base = 901, 200..=1800, step 80;");
    }

    #[test]
    fn the_engines_own_source_can_be_written() {
        let text = include_str!("../../../engine/src/search/params.rs");
        for own in engine::params::ALL.iter().filter(|own| !own.is_switch) {
            let tunable = tunable(own.name);
            assert_eq!(with_default(text, &tunable, own.default).expect(own.name), text, "{}", own.name);
        }
    }
}
