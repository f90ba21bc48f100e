//! `rate`: computes a rating list from PGN files.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use serde_json::{Value, json};

use super::write_json;
use arena::report::table::align;
use arena::stats::Games;
use arena::stats::rating::{self, Ratings, Score};
use record::GameResult;

/// The arguments of `rate`.
#[derive(Args, Clone, Debug)]
pub(crate) struct RateArguments {
    /// Files of games
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// An engine with a known rating, NAME=RATING; without it the mean is 0
    #[arg(long, value_name = "NAME=RATING")]
    pub anchor: Option<String>,
    /// Leave out engines with fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub least: u64,
    /// Print the list as a Markdown table
    #[arg(long)]
    pub markdown: bool,
    /// Write the list to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// The results of all pairs of players.
#[derive(Clone, Default, Debug)]
pub(crate) struct Pool {
    /// Names of the engines.
    pub names: Vec<String>,
    /// By White and Black.
    scores: HashMap<(usize, usize), [u64; 3]>,
}

impl Pool {
    /// Counts all games of a text that have two players and a result; returns how many were skipped.
    pub(crate) fn add(&mut self, text: &str) -> usize {
        let games = record::pgn::whole_games(text);
        games
            .iter()
            .filter(|game| {
                let (Some(white), Some(black)) = (game.tag("White"), game.tag("Black")) else { return true };
                let Some(points) = game.result.map(GameResult::white_half_points).filter(|_| white != black) else {
                    return true;
                };
                let key = (self.index(white), self.index(black));
                let counts = self.scores.entry(key).or_default();
                if let Some(count) = counts.get_mut(usize::from(points)) {
                    *count += 1;
                }
                false
            })
            .count()
    }

    fn index(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// Losses, draws and wins of one engine.
    pub(crate) fn games(&self, engine: usize) -> Games {
        let mut games = Games::default();
        for (&(white, black), &counts) in &self.scores {
            if white == engine {
                games.absorb(&arena::stats::Results(counts));
            } else if black == engine {
                games.absorb(&arena::stats::Results(counts).reversed());
            }
        }
        games
    }

    /// The mean rating of an engine's opponents, weighted by games.
    fn opposition(&self, engine: usize, ratings: &Ratings) -> f64 {
        let (mut sum, mut games) = (0.0, 0.0);
        for (&(white, black), counts) in &self.scores {
            let other = if white == engine { black } else { white };
            if white == engine || black == engine {
                let count = counts.iter().sum::<u64>() as f64;
                sum += count * ratings.ratings.get(other).map_or(0.0, |rating| rating.value);
                games += count;
            }
        }
        sum / f64::max(games, 1.0)
    }

    /// Leaves out engines with fewer games, and their games.
    fn drop_rare(&mut self, least: u64) {
        let kept: Vec<usize> = (0..self.names.len()).filter(|&engine| self.games(engine).count() >= least).collect();
        let place = |engine: &usize| kept.iter().position(|old| old == engine);
        let renumbered =
            self.scores.iter().filter_map(|((white, black), &counts)| Some(((place(white)?, place(black)?), counts)));
        self.scores = renumbered.collect();
        self.names = kept.iter().filter_map(|&engine| self.names.get(engine).cloned()).collect();
    }

    /// Fits the ratings.
    pub(crate) fn rate(&self, anchor: Option<(usize, f64)>) -> Result<Ratings> {
        let score = |(&(white, black), &counts): (&(usize, usize), &[u64; 3])| Score { white, black, counts };
        let mut scores: Vec<Score> = self.scores.iter().map(score).collect();
        // The last digits of a floating-point sum depend on its order; the list must not.
        scores.sort_by_key(|score| (score.white, score.black));
        rating::fit(self.names.len(), &scores, anchor).ok_or_else(|| anyhow!("no ratings fit these games"))
    }
}

pub(crate) fn run(arguments: &RateArguments) -> Result<()> {
    let mut pool = Pool::default();
    for path in &arguments.files {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let passed_over = pool.add(&String::from_utf8_lossy(&bytes));
        if passed_over > 0 {
            eprintln!("{}: {passed_over} games without players or result passed over", path.display());
        }
    }
    pool.drop_rare(arguments.least);
    if pool.names.is_empty() {
        bail!("there are no games to rate by");
    }
    let anchor = arguments.anchor.as_deref().map(|text| parse_anchor(text, &pool.names)).transpose()?;
    let ratings = pool.rate(anchor)?;
    print!("{}", render(&pool, &ratings, arguments.markdown));
    write_json(arguments.json.as_deref(), &render_json(&pool, &ratings))
}

fn parse_anchor(text: &str, names: &[String]) -> Result<(usize, f64)> {
    let (name, rating) = text.rsplit_once('=').with_context(|| format!("\"{text}\" is not of the form NAME=RATING"))?;
    let rating: f64 = rating.parse().with_context(|| format!("\"{rating}\" is not a rating"))?;
    let index = names.iter().position(|known| known == name);
    let index = index.ok_or_else(|| anyhow!("{name} is not among the players: {}", names.join(", ")))?;
    Ok((index, rating))
}

/// The engines, best first.
fn order(ratings: &Ratings) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.ratings.len()).collect();
    let value = |engine: usize| ratings.ratings.get(engine).map_or(f64::NEG_INFINITY, |rating| rating.value);
    order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
    order
}

/// The likelihood that an engine of a ranking is better than the next.
fn better_than_next(ratings: &Ratings, order: &[usize], place: usize) -> Option<f64> {
    let (engine, next) = (*order.get(place)?, *order.get(place + 1)?);
    ratings.superiority.get(engine)?.get(next).copied()
}

fn render(pool: &Pool, ratings: &Ratings, markdown: bool) -> String {
    let header = ["engine", "rating", "± 95 %", "games", "score", "draws", "opponents", "> next"];
    let mut rows = vec![header.map(str::to_owned)];
    if markdown {
        rows.push(["---", "--:", "--:", "--:", "--:", "--:", "--:", "--:"].map(str::to_owned));
    }
    let order = order(ratings);
    for (place, &engine) in order.iter().enumerate() {
        let Some(rating) = ratings.ratings.get(engine) else { continue };
        let games = pool.games(engine);
        let draws = 100.0 * games.0[1] as f64 / games.count().max(1) as f64;
        let next = better_than_next(ratings, &order, place);
        rows.push([
            pool.names.get(engine).cloned().unwrap_or_default(),
            format!("{:.0}", rating.value),
            format!("{:.0}", rating.error()),
            games.count().to_string(),
            format!("{:.1} %", 100.0 * games.mean()),
            format!("{draws:.1} %"),
            format!("{:.0}", pool.opposition(engine, ratings)),
            next.map_or_else(String::new, |chance| format!("{:.1} %", 100.0 * chance)),
        ]);
    }
    let notes = format!(
        "White's advantage {:.0} ± {:.0} Elo, draws between equals {:.1} %\n",
        ratings.white_advantage.value,
        ratings.white_advantage.error(),
        100.0 * ratings.draw_chance
    );
    if markdown {
        let lines = rows.iter().map(|row| format!("| {} |\n", row.join(" | ")));
        lines.collect::<String>() + "\n" + &notes
    } else {
        align(&rows) + "\n" + &notes
    }
}

fn render_json(pool: &Pool, ratings: &Ratings) -> Value {
    let engines: Vec<Value> = order(ratings)
        .into_iter()
        .filter_map(|engine| {
            let (rating, name) = (ratings.ratings.get(engine)?, pool.names.get(engine)?);
            let [losses, draws, wins] = pool.games(engine).0;
            Some(json!({
                "name": name, "rating": rating.value, "error": rating.error(), "wins": wins, "losses": losses, "draws": draws,
                "opposition": pool.opposition(engine, ratings),
            }))
        })
        .collect();
    json!({
        "engines": engines,
        "white_advantage": ratings.white_advantage.value,
        "white_advantage_error": ratings.white_advantage.error(),
        "draw_chance": ratings.draw_chance,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 1-0\n\n[White \"B\"]\n[Black \"A\"]\n\n1/2-1/2\n\n[White \"A\"]\n[Black \
        \"C\"]\n\n0-1\n\n[White \"A\"]\n\n1-0\n[White \"A\"]\n[Black \"C\"]\n\n*\n";

    #[test]
    fn games_are_pooled() {
        let mut pool = Pool::default();
        assert_eq!(pool.add(GAMES), 2, "one without Black, one without a result");
        assert_eq!(pool.names, ["A", "B", "C"]);
        assert_eq!(pool.games(0).0, [1, 1, 1]);
        assert_eq!(pool.games(1).0, [1, 1, 0]);
        let ratings = pool.rate(Some((0, 2500.0))).expect("ratings");
        assert_eq!(order(&ratings), [2, 0, 1]);
        assert!((ratings.ratings[0].value - 2500.0).abs() < 1e-9);
        let text = render(&pool, &ratings, true);
        assert!(text.contains("| A | 2500 | 0 | 3 | 50.0 % | 33.3 % |"), "{text}");
        pool.drop_rare(2);
        assert_eq!((pool.names.as_slice(), pool.games(0).0), (&["A".to_owned(), "B".to_owned()][..], [0, 1, 1]));
    }

    #[test]
    fn anchors() {
        let names = ["A=B".to_owned(), "C".to_owned()];
        assert_eq!(parse_anchor("A=B=2700", &names).expect("an anchor"), (0, 2700.0));
        assert!(parse_anchor("D=2700", &names).is_err());
        assert!(parse_anchor("C", &names).is_err());
        assert!(parse_anchor("C=x", &names).is_err());
    }
}
