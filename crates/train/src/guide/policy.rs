//! Trains the policy: which quiet move will cut off a node? It learns beside the histories, not instead of them.
//!
//! The chance of a move is the softmax of `slope · order + logit` over the quiet moves of its node, where the order is
//! the score by which the search ordered the move at that moment (histories, threats and checks), and the loss is
//! minus the logarithm of the chance of the move that was best. So the logits learn what the histories do not know.
//! Moves that were not tried are weak evidence, since nobody knows whether they were worse: they count a little only.
//!
//! A forecast is a policy for people, who want to see all moves. It learns from games which legal move will be played,
//! and knows no order.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};
use chess::{Board, Move};
use engine::LoggedNode;
use nnue::arch::{FEATURES, MAX_FEATURE_WEIGHT, MOVES, QP};
use nnue::{Policy, move_index};

use super::fit::{FitSettings, fit};
use crate::net::Group;
use crate::sample::{MAX_PIECES, Sample};
use data::{NodeReader, Reader};
use toolkit::Rng;

/// What the policy is trained on, and how.
#[derive(Clone, Debug)]
pub struct PolicyPlan {
    /// Files of logged nodes; for a forecast, of games.
    pub files: Vec<PathBuf>,
    /// The share of games used for validation.
    pub validation: f64,
    /// The most nodes to train on.
    pub limit: Option<usize>,
    /// How much a move counts that was not tried, from 0 to 1.
    pub untried: f32,
    /// Whether it is a forecast.
    pub forecast: bool,
    /// Whether the squares of a sector (two by two) share their weights, as in the Chessmaps heuristic.
    pub sectors: bool,
    /// The settings of the fit.
    pub fit: FitSettings,
}

/// How well the quiet move that was best is predicted.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Prediction {
    /// The mean loss.
    pub loss: f64,
    /// How often it comes first among all quiet moves of its node.
    pub first: f64,
    /// How often it is among the first three.
    pub first_three: f64,
}

/// The result of a training.
#[derive(Clone, Debug)]
pub struct PolicyReport {
    /// The nodes learned from and tested with.
    pub nodes: [usize; 2],
    /// Held-out predictions by the order of the search alone, by the policy alone, and by both.
    pub history: Prediction,
    /// By the policy alone.
    pub policy: Prediction,
    /// By both.
    pub both: Prediction,
    /// What a logit of one is worth in the units of the search's order.
    pub worth: f64,
}

/// The unit of orders in the model, so that its slope is near one.
const ORDER_UNIT: f32 = 16_384.0;

/// The place of the slope in the list of numbers: after the weights and the biases.
const SLOPE: usize = FEATURES * MOVES + MOVES;

/// A quiet move of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Candidate {
    /// Its index among all moves.
    place: u16,
    order: f32,
}

/// A node: the position, and where its moves are in the list of all moves, the best one first.
#[derive(Clone, Copy)]
struct Node {
    sample: Sample,
    first: u32,
    count: u8,
    tried: u8,
}

#[derive(Default)]
struct Nodes {
    nodes: Vec<Node>,
    moves: Vec<Candidate>,
}

impl Nodes {
    fn add(&mut self, logged: &LoggedNode) {
        if logged.quiets.len() < 2 {
            return;
        }
        let quiets = &logged.quiets[..logged.quiets.len().min(u8::MAX.into())];
        self.nodes.push(Node {
            sample: Sample::new(&logged.board, 0, 0),
            first: self.moves.len() as u32,
            count: quiets.len() as u8,
            tried: quiets.iter().filter(|quiet| quiet.tried).count() as u8,
        });
        self.moves.extend(quiets.iter().map(|quiet| Candidate {
            place: move_index(&logged.board, quiet.mv) as u16,
            order: quiet.order as f32 / ORDER_UNIT,
        }));
    }

    /// Adds a position of a game, with all its legal moves.
    fn add_played(&mut self, board: &Board, played: Move) {
        let legal = board.legal_moves();
        let others = legal.iter().copied().filter(|&mv| mv != played);
        let count = legal.len().min(u8::MAX.into());
        if count < 2 {
            return;
        }
        let first = self.moves.len() as u32;
        self.nodes.push(Node { sample: Sample::new(board, 0, 0), first, count: count as u8, tried: count as u8 });
        let candidate = |mv| Candidate { place: move_index(board, mv) as u16, order: 0.0 };
        self.moves.extend([played].into_iter().chain(others).take(count).map(candidate));
    }

    fn moves_of(&self, node: &Node) -> &[Candidate] {
        &self.moves[node.first as usize..][..usize::from(node.count)]
    }
}

/// Reads the files, and splits what they hold by game into what to learn from and what to test with.
fn load(plan: &PolicyPlan) -> Result<[Nodes; 2]> {
    let mut sets = [Nodes::default(), Nodes::default()];
    for path in &plan.files {
        if plan.forecast {
            load_games(path, plan, &mut sets)?;
        } else {
            load_nodes(path, plan, &mut sets)?;
        }
    }
    if sets.iter().any(|set| set.nodes.is_empty()) {
        bail!("too few nodes or games to learn from and to test with: give more, or hold out another share of them");
    }
    Ok(sets)
}

/// The set that a game belongs to: 0 to learn from, 1 to test with.
fn set_of(game: u32, plan: &PolicyPlan) -> usize {
    usize::from(Rng::new(u64::from(game)).unit() < plan.validation)
}

fn is_full(sets: &[Nodes; 2], plan: &PolicyPlan) -> bool {
    plan.limit.is_some_and(|limit| sets[0].nodes.len() >= limit)
}

/// Reads the logged nodes whose best move is quiet.
fn load_nodes(path: &Path, plan: &PolicyPlan, sets: &mut [Nodes; 2]) -> Result<()> {
    for game in NodeReader::open(path)? {
        if is_full(sets, plan) {
            break;
        }
        let game = game?;
        let set = &mut sets[set_of(game.game, plan)];
        game.nodes.iter().for_each(|node| set.add(node));
    }
    Ok(())
}

/// Reads the positions of games.
fn load_games(path: &Path, plan: &PolicyPlan, sets: &mut [Nodes; 2]) -> Result<()> {
    for game in Reader::open(path)? {
        if is_full(sets, plan) {
            break;
        }
        let game = game?;
        let set = &mut sets[set_of(game.number, plan)];
        game.positions().for_each(|found| set.add_played(&found.board, found.mv));
    }
    Ok(())
}

/// Trains a policy, and reports after each epoch: its number, its loss, and the held-out loss.
pub fn train_policy(
    plan: &PolicyPlan,
    called_off: &AtomicBool,
    mut progress: impl FnMut(u64, f64, f64),
) -> Result<(Policy, PolicyReport)> {
    let [training, test] = load(plan)?;
    let model = Model::new(plan);
    let mut values = vec![0.0; SLOPE + 1];
    let all = |values: &[f32], sources| model.predict(&test, values, sources);
    values[SLOPE] = if plan.forecast { 0.0 } else { model.fit_slope(&training) };
    let history = all(&values, Sources { order: true, logits: false });
    let learn = |values: &[f32], index: usize, slopes: &mut [f32]| {
        let node = &training.nodes[index];
        model.learn(node, training.moves_of(node), values, slopes)
    };
    fit(&mut values, &groups(), training.nodes.len(), &plan.fit, called_off, learn, |epoch, loss, values| {
        let loss_of_test = model.predict(&test, values, Sources { order: true, logits: true }).loss;
        progress(epoch, loss, loss_of_test);
    })?;
    let policy = model.policy(&values)?;
    let report = PolicyReport {
        nodes: [training.nodes.len(), test.nodes.len()],
        history,
        policy: all(&values, Sources { order: false, logits: true }),
        both: all(&values, Sources { order: true, logits: true }),
        worth: f64::from(ORDER_UNIT / values[SLOPE]),
    };
    Ok((policy, report))
}

/// The parts of the list of numbers.
fn groups() -> [Group; 3] {
    let group = |range, decays, limit| Group { range, decays, limit, grid: QP as f32 };
    let largest = f32::from(MAX_FEATURE_WEIGHT) / QP as f32;
    [
        group(0..FEATURES * MOVES, true, largest),
        group(FEATURES * MOVES..SLOPE, false, largest),
        group(SLOPE..SLOPE + 1, false, f32::INFINITY),
    ]
}

/// What a prediction may use.
#[derive(Clone, Copy)]
struct Sources {
    order: bool,
    logits: bool,
}

struct Model {
    /// The column of the weights that a move uses. [move]
    column: Vec<u16>,
    /// The logarithm of how much a move counts that was not tried.
    untried: f32,
    forecast: bool,
}

impl Model {
    fn new(plan: &PolicyPlan) -> Model {
        let column = |place: usize| match plan.sectors {
            // The lower left square of the sector stands for all four.
            true => (place & !0b1001) as u16,
            false => place as u16,
        };
        Model {
            column: (0..MOVES).map(column).collect(),
            untried: plan.untried.max(1e-6).ln(),
            forecast: plan.forecast,
        }
    }

    /// The logits of moves, plus what the search's order says.
    fn scores(&self, features: &[u16], moves: &[Candidate], values: &[f32], sources: Sources, out: &mut Vec<f32>) {
        let slope = if sources.order { values[SLOPE] } else { 0.0 };
        out.clear();
        out.extend(moves.iter().map(|mv| slope * mv.order));
        if sources.logits {
            let rows = features.iter().map(|&feature| usize::from(feature)).chain([FEATURES]);
            for row in rows {
                let row = &values[row * MOVES..][..MOVES];
                for (score, mv) in out.iter_mut().zip(moves) {
                    *score += row[usize::from(self.column[usize::from(mv.place)])];
                }
            }
        }
    }

    /// Turns scores into chances, with little weight for moves that were not tried; returns the loss of the first.
    fn chances(&self, scores: &mut [f32], tried: usize) -> f32 {
        scores.iter_mut().skip(tried.max(1)).for_each(|score| *score += self.untried);
        let largest = scores.iter().copied().fold(f32::MIN, f32::max);
        scores.iter_mut().for_each(|score| *score = (*score - largest).exp());
        let sum: f32 = scores.iter().sum();
        scores.iter_mut().for_each(|score| *score /= sum);
        -scores.first().map_or(0.0, |chance| chance.max(1e-12).ln())
    }

    /// Adds the gradient of one node, and returns its loss.
    fn learn(&self, node: &Node, moves: &[Candidate], values: &[f32], slopes: &mut [f32]) -> f32 {
        let (mut features, mut unused) = (Vec::with_capacity(MAX_PIECES), Vec::with_capacity(MAX_PIECES));
        node.sample.features(&mut features, &mut unused);
        let mut chances = Vec::with_capacity(moves.len());
        self.scores(&features, moves, values, Sources { order: true, logits: true }, &mut chances);
        let loss = self.chances(&mut chances, node.tried.into());
        chances[0] -= 1.0;
        for row in features.iter().map(|&feature| usize::from(feature)).chain([FEATURES]) {
            let row = &mut slopes[row * MOVES..][..MOVES];
            for (chance, mv) in chances.iter().zip(moves) {
                row[usize::from(self.column[usize::from(mv.place)])] += chance;
            }
        }
        if !self.forecast {
            slopes[SLOPE] += chances.iter().zip(moves).map(|(chance, mv)| chance * mv.order).sum::<f32>();
        }
        loss
    }

    /// The slope with which the order alone predicts best, by Newton's method: the loss is convex in it.
    fn fit_slope(&self, nodes: &Nodes) -> f32 {
        const USED: usize = 50_000;
        const STEPS: usize = 12;
        let mut values = vec![0.0; SLOPE + 1];
        let mut chances = Vec::new();
        for _ in 0..STEPS {
            let (mut first, mut second) = (0.0_f64, 1e-9_f64);
            for node in nodes.nodes.iter().take(USED) {
                let moves = nodes.moves_of(node);
                self.scores(&[], moves, &values, Sources { order: true, logits: false }, &mut chances);
                self.chances(&mut chances, node.tried.into());
                let mean: f32 = chances.iter().zip(moves).map(|(chance, mv)| chance * mv.order).sum();
                let spread: f32 =
                    chances.iter().zip(moves).map(|(chance, mv)| chance * (mv.order - mean).powi(2)).sum();
                first += f64::from(mean - moves[0].order);
                second += f64::from(spread);
            }
            values[SLOPE] -= (first / second).clamp(-1.0, 1.0) as f32;
        }
        values[SLOPE]
    }

    fn predict(&self, nodes: &Nodes, values: &[f32], sources: Sources) -> Prediction {
        let (mut features, mut unused, mut scores) = (Vec::new(), Vec::new(), Vec::new());
        let mut sum = Prediction::default();
        for node in &nodes.nodes {
            features.clear();
            unused.clear();
            node.sample.features(&mut features, &mut unused);
            self.scores(&features, nodes.moves_of(node), values, sources, &mut scores);
            // Moves with equal scores come before it, so that knowing nothing is worth nothing.
            let better = scores[1..].iter().filter(|score| **score >= scores[0]).count();
            sum.first += f64::from(u8::from(better == 0));
            sum.first_three += f64::from(u8::from(better < 3));
            sum.loss += f64::from(self.chances(&mut scores, node.tried.into()));
        }
        let count = nodes.nodes.len().max(1) as f64;
        Prediction { loss: sum.loss / count, first: sum.first / count, first_three: sum.first_three / count }
    }

    /// The policy in the engine's integers.
    fn policy(&self, values: &[f32]) -> Result<Policy> {
        let rounded = |rows: &[f32]| -> Vec<i16> {
            let whole = |row: &[f32]| {
                let number = |column: &u16| (row[usize::from(*column)] * QP as f32).round_ties_even() as i16;
                self.column.iter().map(number).collect::<Vec<_>>()
            };
            rows.chunks(MOVES).flat_map(whole).collect()
        };
        Ok(Policy::new(rounded(&values[..FEATURES * MOVES]), rounded(&values[FEATURES * MOVES..SLOPE]))?)
    }
}

#[cfg(test)]
mod tests;
