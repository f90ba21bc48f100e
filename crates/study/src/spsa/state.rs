//! The state of a tuning run in a file, replaced atomically after every iteration.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};

use super::method::Spsa;
use crate::journal::compare;

/// About how many points are kept of each path.
const POINTS: u64 = 500;

/// Everything needed to resume a run.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The settings; only a run with the same settings can resume.
    pub(super) header: Value,
    pub(super) spsa: Spsa,
    /// The number of games played.
    pub(super) games: u64,
    /// Iterations, and the values of all parameters after them.
    pub(super) path: Vec<(u64, Vec<f64>)>,
}

impl State {
    /// A new run.
    pub(super) fn new(header: Value, spsa: Spsa) -> State {
        State { header, games: 0, path: vec![(0, spsa.values())], spsa }
    }

    /// Records the current values now and then.
    pub(super) fn note(&mut self) {
        let every = (self.spsa.schedule.iterations / POINTS).max(1);
        if self.spsa.done.is_multiple_of(every) || self.spsa.is_finished() {
            self.path.push((self.spsa.done, self.spsa.values()));
        }
    }

    pub(super) fn save(&self, path: &Path) -> Result<()> {
        let values = self.spsa.values();
        let names: Vec<&str> = self.spsa.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let state = json!({
            "header": self.header, "done": self.spsa.done, "games": self.games, "names": names, "values": values,
            "path": self.path,
        });
        toolkit::files::replace(path, format!("{state}\n"))
    }

    /// Resumes the run in a file.
    pub(super) fn resume(&mut self, path: &Path) -> Result<()> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let value: Value = serde_json::from_str(&text).with_context(|| format!("{} is no state", path.display()))?;
        self.take(&value).with_context(|| format!("cannot resume {}", path.display()))
    }

    fn take(&mut self, value: &Value) -> Result<()> {
        compare(&value["header"], &self.header)?;
        let numbers = |value: &Value| -> Option<Vec<f64>> { value.as_array()?.iter().map(Value::as_f64).collect() };
        let damaged = || anyhow!("the file is damaged");
        let values = numbers(&value["values"]).filter(|values| values.len() == self.spsa.parameters.len());
        for (parameter, value) in self.spsa.parameters.iter_mut().zip(values.ok_or_else(damaged)?) {
            parameter.value = value.clamp(parameter.min, parameter.max);
        }
        self.spsa.done = value["done"].as_u64().ok_or_else(damaged)?;
        self.games = value["games"].as_u64().ok_or_else(damaged)?;
        let point = |point: &Value| Some((point[0].as_u64()?, numbers(&point[1])?));
        let path: Option<Vec<_>> = value["path"].as_array().and_then(|path| path.iter().map(point).collect());
        self.path = path.ok_or_else(damaged)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::method::{Parameter, Schedule};
    use super::*;

    fn state(header: Value) -> State {
        let parameter =
            |name: &str| Parameter { name: name.into(), start: 10.0, value: 10.0, min: 0.0, max: 20.0, step: 2.0 };
        let parameters = vec![parameter("a"), parameter("b")];
        State::new(header, Spsa { schedule: Schedule::new(10), parameters, done: 0, seed: 1 })
    }

    #[test]
    fn no_number_loses_a_digit() {
        let path = std::env::temp_dir().join(format!("lab-spsa-digits-{}.json", std::process::id()));
        let mut rng = toolkit::Rng::new(18);
        for _ in 0..200 {
            let mut first = state(json!({}));
            for parameter in &mut first.spsa.parameters {
                parameter.value = rng.below(1 << 53) as f64 / (1_u64 << 53) as f64 * 20.0;
            }
            first.save(&path).expect("a file");
            let mut second = state(json!({}));
            second.resume(&path).expect("the same run");
            for (one, other) in first.spsa.parameters.iter().zip(&second.spsa.parameters) {
                assert_eq!(one.value.to_bits(), other.value.to_bits());
            }
        }
        let _ = fs::remove_file(&path);
    }

    #[test]
    fn a_run_goes_on_where_it_was() {
        let path = std::env::temp_dir().join(format!("lab-spsa-{}.json", std::process::id()));
        let mut first = state(json!({ "nodes": 5000 }));
        for points in [2.0, -1.0, 0.0, 1.5] {
            let trial = first.spsa.trial();
            first.spsa.learn(&trial, points);
            first.games += 2;
            first.note();
        }
        first.save(&path).expect("a file");
        let mut second = state(json!({ "nodes": 5000 }));
        second.resume(&path).expect("the same run");
        assert_eq!((second.spsa.done, second.games), (4, 8));
        let values = |state: &State| state.spsa.parameters.iter().map(|p| p.value).collect::<Vec<_>>();
        assert_eq!(values(&second), values(&first), "to the last digit");
        assert_ne!(values(&second), [10.0, 10.0]);
        assert_eq!(second.path, first.path);
        assert_eq!(second.spsa.trial().plus, first.spsa.trial().plus);
        let error = format!("{:#}", state(json!({ "nodes": 1 })).resume(&path).expect_err("another run"));
        assert!(error.contains("nodes was 5000 and is now 1"), "{error}");
        fs::write(&path, "{\"header\":{\"nodes\":5000},\"done\":3").expect("a file");
        assert!(state(json!({ "nodes": 5000 })).resume(&path).is_err());
        let _ = fs::remove_file(&path);
    }
}
