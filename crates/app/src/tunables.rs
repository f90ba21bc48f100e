//! `tunables`: lists what the laboratory may change, one per line. UCI's own option list does not distinguish these
//! from other options and has no step sizes.
//!
//! ```text
//! number NAME DEFAULT MIN MAX STEP
//! switch NAME DEFAULT
//! ```

use std::io::Write;

use engine::params::{ALL, Tunable};

/// List the numbers and switches of the search for the laboratory (needs a build with the feature "tune")
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only the numbers, in OpenBench's format for SPSA
    #[arg(long)]
    openbench: bool,
}

pub(crate) fn run(options: &Options, out: &mut impl Write) -> anyhow::Result<()> {
    anyhow::ensure!(cfg!(feature = "tune"), "this build has no feature \"tune\"");
    for tunable in ALL {
        match options.openbench {
            true if tunable.is_switch => {}
            true => writeln!(out, "{}", openbench(tunable))?,
            false => writeln!(out, "{}", line(tunable))?,
        }
    }
    Ok(())
}

/// Name, type, default, minimum, maximum, the final step size of the tuning, and its learning rate.
fn openbench(tunable: &Tunable) -> String {
    let Tunable { name, default, min, max, step, .. } = tunable;
    format!("{name}, int, {default}, {min}, {max}, {step}, 0.002")
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
        let base = ALL.iter().find(|tunable| tunable.name == "lmr_base").expect("a number");
        let text = openbench(base);
        assert!(text.starts_with("lmr_base, int, ") && text.split(", ").count() == 7, "{text}");
        assert!(ALL.iter().any(|tunable| line(tunable) == "switch null_move 1"));
        assert!(ALL.iter().any(|tunable| line(tunable).starts_with("number lmr_base ")));
    }
}
