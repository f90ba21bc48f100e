//! A description of a file of games: who played, how, and with which network. It is a JSON file beside the games
//! (`games.vf` has `games.vf.json`), because the games file itself is plain viriformat.
//!
//! A run that resumes a file must match its description, so no file ever mixes two kinds of games.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::judge_by::JudgeBy;

/// What is known about the games in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct About {
    /// The command that made the file.
    pub made_by: String,
    /// The version of the engine that played.
    pub engine: String,
    /// The network that evaluated, as its file describes itself.
    pub network: String,
    /// All other settings that decided what was played.
    pub settings: BTreeMap<String, String>,
}

impl About {
    /// The description of a file that a command makes with these settings.
    #[must_use]
    pub fn new<const N: usize>(made_by: &str, judge_by: &JudgeBy, settings: [(&str, String); N]) -> About {
        About {
            made_by: made_by.to_owned(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            network: judge_by.describe(),
            settings: settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        }
    }

    /// The path of a file's description.
    #[must_use]
    pub fn path(games: &Path) -> PathBuf {
        let mut name = games.as_os_str().to_owned();
        name.push(".json");
        PathBuf::from(name)
    }

    /// The description of a file; none if it has none, like files from elsewhere.
    ///
    /// # Errors
    /// If there is a description that cannot be read.
    pub fn read(games: &Path) -> Result<Option<About>> {
        let path = About::path(games);
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text)
            .with_context(|| format!("{} does not describe a file of games", path.display()))
            .map(Some)
    }

    /// Describes a new file, or checks that a file to be resumed is of the same kind.
    ///
    /// # Errors
    /// If the file holds games made in a different way; the message names the difference.
    pub fn claim(&self, games: &Path) -> Result<()> {
        let has_games = fs::metadata(games).is_ok_and(|data| data.len() > 0);
        match About::read(games)? {
            Some(found) if has_games => match found.difference(self) {
                Some(difference) => bail!("{} holds other games: {difference}", games.display()),
                None => Ok(()),
            },
            // How these games were made is unknown, so they stay undescribed.
            None if has_games => Ok(()),
            _ => toolkit::files::replace(&About::path(games), serde_json::to_string_pretty(self)?),
        }
    }

    /// The first thing that differs, in words.
    fn difference(&self, other: &About) -> Option<String> {
        let differ =
            |name: &str, old: &str, new: &str| (old != new).then(|| format!("{name} was {old} and is now {new}"));
        let none = String::from("nothing");
        let names = self.settings.keys().chain(other.settings.keys());
        differ("the command", &self.made_by, &other.made_by)
            .or_else(|| differ("the engine", &self.engine, &other.engine))
            .or_else(|| differ("the network", &self.network, &other.network))
            .or_else(|| {
                names.into_iter().find_map(|name| {
                    let value = |about: &About| about.settings.get(name).unwrap_or(&none).clone();
                    differ(name, &value(self), &value(other))
                })
            })
    }

    /// In a few lines, for people.
    #[must_use]
    pub fn describe(&self) -> String {
        let settings: Vec<String> = self.settings.iter().map(|(name, value)| format!("{name} {value}")).collect();
        format!("by {} with engine {}, {}; {}", self.made_by, self.engine, self.network, settings.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_of_one_kind_for_ever() {
        let games = std::env::temp_dir().join(format!("stillwater-about-{}.vf", std::process::id()));
        let about = |nodes: u64| About::new("datagen", &JudgeBy::Hand, [("nodes", nodes.to_string())]);
        let _ = fs::remove_file(&games);
        about(100).claim(&games).expect("a new file");
        about(200).claim(&games).expect("a file without games can still change its mind");
        fs::write(&games, "some games").expect("a file");
        about(200).claim(&games).expect("the same again");
        let error = about(300).claim(&games).expect_err("other games").to_string();
        assert!(error.contains("nodes was 200 and is now 300"), "{error}");
        fs::write(About::path(&games), "{}").expect("a file");
        assert!(format!("{:#}", about(200).claim(&games).expect_err("damaged")).contains("does not describe"));
        fs::remove_file(About::path(&games)).expect("a file");
        about(300).claim(&games).expect("games from elsewhere");
        assert_eq!(About::read(&games).expect("nothing wrong"), None);
        fs::remove_file(&games).expect("a file");
    }
}
