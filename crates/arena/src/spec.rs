//! Parses an engine's description on the command line: `cmd=/path/engine name=A option.Hash=16 tc=2+0.02`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::clock::{self, Limits};

/// The description of one engine.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct EngineSpec {
    /// The name in games and tables.
    pub name: String,
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its working directory.
    pub directory: Option<PathBuf>,
    /// Additions to its environment.
    pub environment: Vec<(String, String)>,
    /// UCI options, in the order they are set.
    pub options: Vec<(String, String)>,
    /// The limits of its searches.
    pub limits: Limits,
    /// Whether it is restarted for every game.
    pub restart: bool,
}

impl EngineSpec {
    /// Parses a description, or just the path of the program. The settings of `each` are applied first and can be
    /// overridden.
    pub fn parse(text: &str, each: &str) -> Result<EngineSpec> {
        let mut spec = EngineSpec::default();
        for word in words(each)? {
            spec.set(&word)?;
        }
        // A bare path is also an engine, even with blanks in it.
        if text.contains('=') {
            words(text)?.iter().try_for_each(|word| spec.set(word))?;
        } else {
            spec.command = text.trim().into();
        }
        if spec.command.as_os_str().is_empty() {
            bail!("\"{text}\" has no cmd=PROGRAM");
        }
        if !spec.limits.is_bounded() {
            bail!("\"{text}\" has none of tc=, nodes=, depth=, st=: the engine would think for ever");
        }
        if spec.name.is_empty() {
            spec.name = spec.command.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        }
        Ok(spec)
    }

    fn set(&mut self, word: &str) -> Result<()> {
        let (key, value) = word.split_once('=').with_context(|| format!("\"{word}\" is not of the form key=value"))?;
        let wrong = || format!("in \"{word}\"");
        let pair = |key: &str| (key.to_owned(), value.to_owned());
        match key {
            "cmd" => self.command = value.into(),
            "name" => self.name = value.replace(['"', '\n'], ""),
            "arg" => self.arguments.push(value.into()),
            "dir" => self.directory = Some(value.into()),
            "tc" => self.limits.clock = Some(value.parse().with_context(wrong)?),
            "nodes" => self.limits.nodes = Some(value.parse().with_context(wrong)?),
            "depth" => self.limits.depth = Some(value.parse().with_context(wrong)?),
            "st" | "time" => self.limits.move_time = Some(clock::seconds(value).with_context(wrong)?),
            "timemargin" => self.limits.margin = Some(Duration::from_millis(value.parse().with_context(wrong)?)),
            "restart" => self.restart = matches!(value, "on" | "true"),
            "proto" if value == "uci" => {}
            _ => match key.split_once('.') {
                Some(("option", name)) => replace(&mut self.options, pair(name)),
                Some(("env", name)) => replace(&mut self.environment, pair(name)),
                _ => bail!("\"{key}\" is not a property of an engine"),
            },
        }
        Ok(())
    }

    /// Sets an option, replacing an earlier value.
    pub fn set_option(&mut self, name: &str, value: &str) {
        replace(&mut self.options, (name.to_owned(), value.to_owned()));
    }

    /// The command that starts it.
    pub fn command(&self) -> Command {
        // A relative path is relative to the user's directory, not to the engine's.
        let program = if self.directory.is_some() && self.command.components().count() > 1 {
            std::path::absolute(&self.command).unwrap_or_else(|_| self.command.clone())
        } else {
            self.command.clone()
        };
        let mut command = Command::new(program);
        command.args(&self.arguments).envs(self.environment.iter().map(|(key, value)| (key, value)));
        command.current_dir(self.directory.as_deref().unwrap_or(Path::new(".")));
        command
    }
}

/// Replaces an earlier value of the same name, or appends.
fn replace(list: &mut Vec<(String, String)>, pair: (String, String)) {
    list.retain(|(name, _)| !name.eq_ignore_ascii_case(&pair.0));
    list.push(pair);
}

/// Parses all engines and checks that no two have the same name.
pub fn parse_engines(texts: &[String], each: &str) -> Result<Vec<EngineSpec>> {
    let mut engines: Vec<EngineSpec> = Vec::new();
    for text in texts {
        let spec = EngineSpec::parse(text, each)?;
        if engines.iter().any(|engine| engine.name == spec.name) {
            bail!("two engines are called {}: give them names with name=", spec.name);
        }
        engines.push(spec);
    }
    Ok(engines)
}

/// Splits at blanks outside single or double quotes.
pub fn words(text: &str) -> Result<Vec<String>> {
    let (mut words, mut word, mut quote, mut begun) = (Vec::new(), String::new(), None, false);
    for letter in text.chars() {
        match quote {
            Some(mark) if letter == mark => quote = None,
            Some(_) => word.push(letter),
            None if letter == '"' || letter == '\'' => (quote, begun) = (Some(letter), true),
            None if letter.is_whitespace() => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            None => {
                word.push(letter);
                begun = true;
            }
        }
    }
    if quote.is_some() {
        bail!("a quote is not closed in: {text}");
    }
    if begun {
        words.push(word);
    }
    Ok(words)
}

/// Parses `key=value` pairs of numbers and switches, such as `movecount=3 score=500`, for options other than engines.
pub(crate) fn settings<'a>(text: &'a str, known: &[&str]) -> Result<Vec<(&'a str, &'a str)>> {
    text.split_whitespace()
        .map(|word| {
            let pair = word.split_once('=').with_context(|| format!("\"{word}\" is not of the form key=value"))?;
            if !known.contains(&pair.0) {
                bail!("\"{}\" is not one of {}", pair.0, known.join(", "));
            }
            Ok(pair)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_description() {
        let text = "cmd=/bin/engine name='My Engine' option.Hash=32 option.SyzygyPath=\"/a b\" arg=--uci dir=/tmp env.X=Y=Z \
                    tc=2+0.02 timemargin=5";
        let spec = EngineSpec::parse(text, "tc=9+9 option.hash=16 option.Threads=1").expect("a good description");
        assert_eq!(spec.name, "My Engine");
        assert_eq!(spec.limits.clock.expect("a clock").to_string(), "2+0.02");
        assert_eq!(spec.limits.margin(), Duration::from_millis(5));
        let options: Vec<_> = spec.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["Threads=1", "Hash=32", "SyzygyPath=/a b"]);
        assert_eq!(spec.environment, [("X".into(), "Y=Z".into())]);
        assert_eq!(spec.arguments, ["--uci"]);
    }

    #[test]
    fn a_path_is_enough() {
        let spec = EngineSpec::parse("bin/my engine", "nodes=9 option.Hash=1").expect("a path");
        assert_eq!((spec.command, spec.name.as_str()), ("bin/my engine".into(), "my engine"));
        assert_eq!((spec.limits.nodes, spec.options), (Some(9), vec![("Hash".into(), "1".into())]));
        assert!(EngineSpec::parse(" ", "nodes=9").is_err(), "nothing is no engine");
    }

    #[test]
    fn mistakes_are_named() {
        for (text, hint) in [
            ("name=A depth=1", "no cmd"),
            ("cmd=x", "for ever"),
            ("cmd=x depth=1 colour=blue", "colour"),
            ("cmd=x depth", "key=value"),
            ("cmd=x depth=-1", "depth=-1"),
            ("cmd='x depth=1", "quote"),
        ] {
            let error = format!("{:#}", EngineSpec::parse(text, "").expect_err(text));
            assert!(error.contains(hint), "{error}");
        }
        let twice = ["cmd=/a/x".to_owned(), "cmd=/b/x".to_owned()];
        assert!(parse_engines(&twice, "depth=1").expect_err("same names").to_string().contains("two engines"));
    }
}
