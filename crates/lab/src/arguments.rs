//! Arguments from files: `@FILE` on the command line stands for the words of that file. Quotes enclose words with
//! blanks, and lines that begin with `#` are comments.

use std::fs;

use anyhow::{Context, Result};

/// Replaces each `@FILE` by the words of that file.
pub(crate) fn expand(arguments: impl Iterator<Item = String>) -> Result<Vec<String>> {
    let mut expanded = Vec::new();
    for argument in arguments {
        match argument.strip_prefix('@') {
            Some(path) => {
                let text = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
                expanded.extend(in_file(&text).with_context(|| format!("in {path}"))?);
            }
            None => expanded.push(argument),
        }
    }
    Ok(expanded)
}

fn in_file(text: &str) -> Result<Vec<String>> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    arena::words(&lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_words() {
        let text =
            "# both engines\n--engine 'cmd=new name=a'\n  # and more\n--each \"tc=1+0.01 option.Hash=16\" --resume\n";
        let words = in_file(text).expect("words");
        assert_eq!(words, ["--engine", "cmd=new name=a", "--each", "tc=1+0.01 option.Hash=16", "--resume"]);
        assert!(in_file("--event 'open").is_err());
        let missing = expand(["match", "@/no/such/file"].map(str::to_owned).into_iter());
        assert!(missing.is_err_and(|error| error.to_string().contains("/no/such/file")));
    }
}
