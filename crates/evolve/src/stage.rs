//! The commands of each stage, as they could be typed. All paths include the loop's directory.

use std::path::{Path, PathBuf};

use crate::recipe::Recipe;
use crate::state::{Stage, State};

/// The paths of the files in a loop's directory.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    directory: PathBuf,
}

impl Places {
    pub(crate) fn new(directory: &Path) -> Places {
        Places { directory: directory.to_owned() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.directory
    }

    pub(crate) fn generation(&self, number: u32) -> PathBuf {
        self.directory.join(format!("gen-{number:03}"))
    }

    /// The games of a generation: from the initial position, and from the book if the recipe has one.
    pub(crate) fn games(&self, number: u32) -> [PathBuf; 2] {
        ["random.vf", "book.vf"].map(|name| self.generation(number).join(name))
    }

    pub(crate) fn training(&self, number: u32) -> PathBuf {
        self.generation(number).join("train")
    }

    pub(crate) fn network(&self, number: u32) -> PathBuf {
        self.training(number).join("net.nnue")
    }

    pub(crate) fn match_file(&self, number: u32, stage: Stage, ending: &str) -> PathBuf {
        let name = if stage == Stage::Clock { "clock" } else { "nodes" };
        self.generation(number).join(format!("{name}.{ending}"))
    }
}

/// What the user decides apart from the recipe.
#[derive(Clone, Debug)]
pub(crate) struct Means {
    /// The engine program, which plays the matches.
    pub(crate) engine: PathBuf,
    /// Threads for playing and training, and concurrent games in matches.
    pub(crate) threads: usize,
    /// The seed of all random numbers.
    pub(crate) seed: u64,
}

/// The commands of the current stage. Judging needs none, nor does a match that the recipe leaves out.
pub(crate) fn commands(recipe: &Recipe, state: &State, places: &Places, means: &Means) -> Vec<Vec<String>> {
    match state.stage {
        Stage::Play => play(recipe, state, places, means),
        Stage::Train => vec![train(recipe, state, places, means)],
        Stage::Nodes => vec![duel(recipe, state, places, means, format!("nodes={}", recipe.matches.nodes))],
        Stage::Clock if recipe.matches.clock.is_empty() => Vec::new(),
        Stage::Clock => vec![duel(recipe, state, places, means, format!("tc={}", recipe.matches.clock))],
        Stage::Judge => Vec::new(),
    }
}

fn play(recipe: &Recipe, state: &State, places: &Places, means: &Means) -> Vec<Vec<String>> {
    let play = &recipe.play;
    let [random, book] = places.games(state.generation);
    let kinds = if play.book.is_some() { 2 } else { 1 };
    let command = |file: &Path, number: u64, plies: u32, from: Option<&PathBuf>| {
        let mut words = Words::new("datagen").word(file.display()).word("--resume");
        words = words.option("--positions", play.positions / kinds).option("--threads", means.threads);
        // Every file of every generation gets its own seed.
        let seed = means.seed.wrapping_add(u64::from(state.generation) * 1000 + number);
        words = words.option("--seed", seed).option("--nodes", play.nodes).option("--hard-nodes", play.hard_nodes);
        words = words.option("--random-plies", plies);
        if !state.champion.is_empty() {
            words = words.option("--network", places.root().join(&state.champion).display());
        }
        if let Some(book) = from {
            words = words.option("--book", book.display());
        }
        if let Some(tables) = &play.tablebases {
            words = words.option("--tablebases", tables.display());
        }
        words.all(&play.extra)
    };
    let mut list = vec![command(&random, 0, play.random_plies, None)];
    if play.book.is_some() {
        list.push(command(&book, 1, play.book_plies, play.book.as_ref()));
    }
    list
}

fn train(recipe: &Recipe, state: &State, places: &Places, means: &Means) -> Vec<String> {
    let train = &recipe.train;
    let newest = match train.generations {
        0 => 1,
        count => (state.generation + 1).saturating_sub(count).max(1),
    };
    let own = (newest..=state.generation).flat_map(|number| places.games(number)).filter(|file| file.exists());
    let mut words = Words::new("train");
    for file in train.games.iter().cloned().chain(own) {
        words = words.word(file.display());
    }
    let directory = places.training(state.generation);
    words = words.option("--out", directory.display()).option("--hidden", train.hidden);
    words = words.option("--epochs", train.epochs).option("--threads", means.threads).option("--seed", means.seed);
    if !state.champion.is_empty() {
        words = words.option("--like", places.root().join(&state.champion).display());
    }
    if directory.join("checkpoint.bin").exists() {
        words = words.word("--resume");
    }
    words.all(&train.extra)
}

fn duel(recipe: &Recipe, state: &State, places: &Places, means: &Means, limit: String) -> Vec<String> {
    let matches = &recipe.matches;
    let engine = |name: &str, network: &Path| {
        let eval = if network.as_os_str().is_empty() {
            String::new()
        } else {
            format!(" option.EvalFile=\"{}\"", network.display())
        };
        format!("cmd=\"{}\" name={name}{eval}", means.engine.display())
    };
    let champion = if state.champion.is_empty() { PathBuf::new() } else { places.root().join(&state.champion) };
    let [pgn, json] = ["pgn", "json"].map(|ending| places.match_file(state.generation, state.stage, ending));
    let mut words = Words::new("sprt");
    words = words.option("--engine", engine("candidate", &places.network(state.generation)));
    words = words.option("--engine", engine("champion", &champion));
    words = words.option("--each", format!("{limit} option.Hash=16 option.Threads=1"));
    words = words.option("--elo0", matches.elo[0]).option("--elo1", matches.elo[1]);
    words = words.option("--rounds", matches.rounds).option("--concurrency", means.threads);
    words = words.option("--seed", means.seed.wrapping_add(u64::from(state.generation)));
    if let Some(openings) = &matches.openings {
        words = words.option("--openings", openings.display());
    }
    words = words.option("--pgn", pgn.display()).option("--json", json.display()).word("--resume");
    words.all(&matches.extra)
}

/// A command under construction.
struct Words(Vec<String>);

impl Words {
    fn new(name: &str) -> Words {
        Words(vec![name.to_owned()])
    }

    fn word(mut self, word: impl ToString) -> Words {
        self.0.push(word.to_string());
        self
    }

    fn option(self, name: &str, value: impl ToString) -> Words {
        self.word(name).word(value)
    }

    fn all(mut self, words: &[String]) -> Vec<String> {
        self.0.extend_from_slice(words);
        self.0
    }
}

/// A command quoted for a shell.
pub(crate) fn as_line(words: &[String]) -> String {
    let plain =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=+:,".contains(c));
    let quoted =
        words.iter().map(|word| if plain(word) { word.clone() } else { format!("'{}'", word.replace('\'', r"'\''")) });
    quoted.collect::<Vec<_>>().join(" ")
}
