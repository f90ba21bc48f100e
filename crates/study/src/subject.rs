//! The engine under study: lists its tunables, starts variants of it and runs its bench.
//!
//! Nothing about the engine is hard-coded here. A build with the feature `tune` lists its own numbers and switches, so
//! whatever is added to the engine can be measured and tuned without a change to the laboratory.

use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;
use uci::{OptionInfo, OptionKind, Reply, SetOption};

use arena::{EngineSpec, Limits};

/// A number or switch of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tunable {
    /// Its name, also that of its UCI option.
    pub name: String,
    /// Its default value.
    pub default: i32,
    /// The smallest sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
    /// The step size for a tuner.
    pub step: i32,
    /// Whether it is a switch: 0 off, 1 on.
    pub is_switch: bool,
}

impl Tunable {
    /// Reads a line of the engine's own list: `number NAME DEFAULT MIN MAX STEP` or `switch NAME DEFAULT`.
    fn parse(line: &str) -> Option<Tunable> {
        let mut words = line.split_ascii_whitespace();
        let (kind, name) = (words.next()?, words.next()?.to_owned());
        let numbers: Vec<i32> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
        match (kind, numbers[..].as_ref()) {
            ("number", &[default, min, max, step]) if min < max && (min..=max).contains(&default) && step > 0 => {
                Some(Tunable { name, default, min, max, step, is_switch: false })
            }
            ("switch", &[default]) if (0..=1).contains(&default) => {
                Some(Tunable { name, default, min: 0, max: 1, step: 1, is_switch: true })
            }
            _ => None,
        }
    }
}

/// Values of tunables by name.
pub(crate) type Settings = Vec<(String, i32)>;

/// The result of a bench run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Bench {
    /// The depth of every search.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The time it took.
    pub seconds: f64,
    /// The share of cutoffs by the first move tried, if the build counts it.
    pub first_move_share: Option<f64>,
}

impl Bench {
    /// Reads what the engine or [`Self::to_json`] wrote.
    pub(crate) fn from_json(value: &Value) -> Option<Bench> {
        Some(Bench {
            depth: value["depth"].as_u64()?.try_into().ok()?,
            nodes: value["nodes"].as_u64()?,
            seconds: value["seconds"].as_f64()?,
            // Zero means that there were no cutoffs.
            first_move_share: value["first_move_share"].as_f64().filter(|share| *share > 0.0),
        })
    }

    /// The same values as JSON, for a file.
    pub(crate) fn to_json(self) -> Value {
        let Bench { depth, nodes, seconds, first_move_share } = self;
        serde_json::json!({ "depth": depth, "nodes": nodes, "seconds": seconds, "first_move_share": first_move_share })
    }
}

/// An engine whose tunables are known.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    spec: EngineSpec,
    /// Everything that can be tuned.
    pub tunables: Vec<Tunable>,
    has_stats: bool,
}

/// How long the engine may take to answer a query.
const QUESTION: Duration = Duration::from_secs(30);

/// The depth of the bench that identifies an engine.
const FINGERPRINT: u32 = 5;

impl Subject {
    /// Starts the engine and asks for its tunables. `text` is a path, or a description as for matches but without
    /// limits: `cmd=PATH option.Hash=16`.
    pub(crate) fn ask(text: &str) -> Result<Subject> {
        // The parser requires a limit; each match replaces it.
        let spec = EngineSpec::parse(text, "depth=1 option.Hash=16 option.Threads=1")?;
        let mut command = spec.command();
        command.arg("tunables");
        let never = AtomicBool::new(false);
        let output = run(command, QUESTION, &never)?.ok_or_else(|| anyhow!("{} does not answer", spec.name))?;
        let lines = output.lines().filter(|line| !line.trim().is_empty());
        let tunables = lines.map(|line| Tunable::parse(line).ok_or_else(|| anyhow!("what is \"{line}\"?")));
        let tunables: Vec<Tunable> = tunables.collect::<Result<_>>().context("the engine's list of tunables")?;
        if tunables.is_empty() {
            bail!("{} has nothing to change: build the engine with --features tune,stats", spec.name);
        }
        let mut subject = Subject { spec, tunables, has_stats: true };
        subject.has_stats = subject.bench(&[], 1, QUESTION, &never).is_ok();
        Ok(subject)
    }

    /// A bench signature that identifies the engine: it differs for any version that searches differently.
    pub(crate) fn fingerprint(&self) -> Result<u64> {
        let bench = self.bench(&[], FINGERPRINT, QUESTION, &AtomicBool::new(false))?;
        Ok(bench.ok_or_else(|| anyhow!("{} takes too long over its bench", self.spec.name))?.nodes)
    }

    /// The default of one of its UCI string options; none if there is no such option.
    pub(crate) fn option_default(&self, name: &str) -> Result<Option<String>> {
        let mut command = self.spec.command();
        command.arg("uci");
        let output = run(command, QUESTION, &AtomicBool::new(false))?.unwrap_or_default();
        Ok(output.lines().find_map(|line| match line.parse() {
            Ok(Reply::Option(OptionInfo { name: found, kind: OptionKind::String { default } })) if found == name => {
                Some(default)
            }
            _ => None,
        }))
    }

    /// Whether its build counts move-ordering statistics.
    pub(crate) fn has_stats(&self) -> bool {
        self.has_stats
    }

    /// The tunable with this name.
    pub(crate) fn tunable(&self, name: &str) -> Result<&Tunable> {
        self.tunables.iter().find(|tunable| tunable.name == name).ok_or_else(|| anyhow!("the engine has no {name}"))
    }

    /// The engine with some values changed and limits for its searches.
    pub(crate) fn variant(&self, name: &str, settings: &[(String, i32)], limits: Limits) -> Result<EngineSpec> {
        let mut spec = EngineSpec { name: name.to_owned(), limits, ..self.spec.clone() };
        for (name, value) in settings {
            let tunable = self.tunable(name)?;
            if !(tunable.min..=tunable.max).contains(value) {
                bail!("{name} goes from {} to {}, not to {value}", tunable.min, tunable.max);
            }
            let text = if tunable.is_switch { (*value != 0).to_string() } else { value.to_string() };
            spec.set_option(name, &text);
        }
        Ok(spec)
    }

    /// Runs the bench with some values changed; none if it took longer than `patience` or was called off.
    pub(crate) fn bench(
        &self,
        settings: &[(String, i32)],
        depth: u32,
        patience: Duration,
        called_off: &AtomicBool,
    ) -> Result<Option<Bench>> {
        let spec = self.variant("bench", settings, Limits::default())?;
        let mut command = spec.command();
        for (name, value) in &spec.options {
            let option = SetOption { name: name.clone(), value: Some(value.clone()) };
            command.arg(uci::Command::SetOption(option).to_string());
        }
        let stats = if self.has_stats { " --stats" } else { "" };
        command.arg(format!("bench {depth} 16 1 --json{stats}"));
        let Some(output) = run(command, patience, called_off)? else { return Ok(None) };
        let line = output.lines().find(|line| line.starts_with('{'));
        let bench = line.and_then(|line| serde_json::from_str(line).ok()).and_then(|value| Bench::from_json(&value));
        let said = || output.lines().last().unwrap_or("nothing").to_owned();
        Ok(Some(bench.ok_or_else(|| anyhow!("{}: bench said: {}", self.spec.name, said()))?))
    }
}

/// Runs a program to its end and returns its output; none if it took too long or was called off.
fn run(mut command: Command, patience: Duration, called_off: &AtomicBool) -> Result<Option<String>> {
    let name = command.get_program().to_string_lossy().into_owned();
    // In a process group of its own: Ctrl-C at the terminal is for the laboratory, which ends its engines itself.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {name}"))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let read = |stream: Option<Box<dyn Read + Send>>| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // If a stream breaks, what it delivered so far counts.
            let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let output = read(stdout.map(|stream| Box::new(stream) as _));
    let complaints = read(stderr.map(|stream| Box::new(stream) as _));
    let deadline = Instant::now() + patience;
    let status = loop {
        match child.try_wait().with_context(|| format!("cannot wait for {name}"))? {
            Some(status) => break Some(status),
            None if Instant::now() >= deadline || called_off.load(Ordering::Relaxed) => break None,
            None => thread::sleep(Duration::from_millis(10)),
        }
    };
    if status.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let text = |reader: thread::JoinHandle<String>| reader.join().unwrap_or_default();
    let (output, complaints) = (text(output), text(complaints));
    match status {
        None => Ok(None),
        Some(status) if status.success() => Ok(Some(output)),
        Some(status) => bail!("{name} failed ({status}): {}", complaints.lines().next().unwrap_or("no reason given")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_list() {
        let number = Tunable::parse("number lmr_base 850 200 1800 80").expect("a number");
        assert_eq!(
            (number.default, number.min, number.max, number.step, number.is_switch),
            (850, 200, 1800, 80, false)
        );
        let switch = Tunable::parse("switch null_move 1").expect("a switch");
        assert_eq!((switch.name.as_str(), switch.default, switch.is_switch), ("null_move", 1, true));
        for line in
            ["", "number a 1 2 3", "number a 9 1 5 1", "switch a 2", "switch a", "option a 1", "number a 1 0 5 0"]
        {
            assert_eq!(Tunable::parse(line), None, "{line}");
        }
    }

    #[test]
    fn programs_end_or_are_ended() {
        let never = AtomicBool::new(false);
        let shell = |text: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", text]);
            command
        };
        let patience = Duration::from_secs(20);
        assert_eq!(run(shell("echo a; echo b"), patience, &never).expect("it runs").as_deref(), Some("a\nb\n"));
        let error = run(shell("echo oh >&2; exit 3"), patience, &never).expect_err("it fails").to_string();
        assert!(error.contains("oh") && error.contains('3'), "{error}");
        let start = Instant::now();
        assert_eq!(run(shell("exec sleep 60"), Duration::from_millis(50), &never).expect("it runs"), None);
        let called_off = AtomicBool::new(true);
        assert_eq!(run(shell("exec sleep 60"), patience, &called_off).expect("it runs"), None);
        assert!(start.elapsed() < Duration::from_secs(15));
        assert!(run(Command::new("/no/such/engine"), patience, &never).is_err());
    }
}
