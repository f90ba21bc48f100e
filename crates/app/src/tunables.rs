//! `tunables`: what the laboratory may change, one line each. UCI's own list does not tell these options from others, nor how far a
//! tuner should step.
//!
//! ```text
//! number NAME DEFAULT MIN MAX STEP
//! switch NAME DEFAULT
//! ```

use std::io::Write;

use engine::params::{ALL, Tunable};

pub(crate) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    anyhow::ensure!(cfg!(feature = "tune"), "this build has no feature \"tune\"");
    for tunable in ALL {
        writeln!(out, "{}", line(tunable))?;
    }
    Ok(())
}

fn line(tunable: &Tunable) -> String {
    let Tunable { name, default, min, max, step, is_switch } = tunable;
    if *is_switch { format!("switch {name} {default}") } else { format!("number {name} {default} {min} {max} {step}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_its_fields() {
        for tunable in ALL {
            let fields = if tunable.is_switch { 3 } else { 6 };
            assert_eq!(line(tunable).split(' ').count(), fields, "{tunable:?}");
        }
        assert!(ALL.iter().any(|tunable| line(tunable) == "switch null_move 1"));
        assert!(ALL.iter().any(|tunable| line(tunable).starts_with("number lmr_base ")));
    }
}
