//! What a policy can learn, and what it cannot.

use data::{NodeBytes, NodeWriter};
use engine::{Bound, LoggedMove};

use super::*;
use crate::schedule::{Fall, Rate};

/// A file with nodes in which a rule decides which quiet move is best; the order of the search is noise.
fn file(name: &str, games: u32, rule: impl Fn(&Board, Move) -> i32) -> PathBuf {
    let path = std::env::temp_dir().join(format!("stillwater-policy-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let mut writer = NodeWriter::open(&path, false).expect("a new file");
    for game in 0..games {
        let mut rng = Rng::new(u64::from(game) + 77);
        let mut board = Board::start();
        let mut bytes = NodeBytes::default();
        for _ in 0..40 {
            let legal = board.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mut quiets: Vec<Move> = legal.iter().copied().filter(|mv| mv.is_quiet()).collect();
            quiets.sort_by_key(|&mv| -rule(&board, mv));
            if quiets.len() > 1 && !board.in_check() {
                let quiet = |mv| LoggedMove { mv, order: rng.below(20_000) as i32 - 10_000, tried: true };
                bytes.add(&LoggedNode {
                    board,
                    evals: [0, 0],
                    beta: 0,
                    depth: 4,
                    improving: false,
                    cut_node: true,
                    score: 10,
                    bound: Bound::Lower,
                    best: quiets.first().copied(),
                    quiets: quiets.into_iter().map(quiet).collect(),
                });
            }
            board.play(legal[rng.below(legal.len())]);
        }
        writer.add(game, &bytes).expect("written");
    }
    path
}

fn plan(path: PathBuf) -> PolicyPlan {
    let rate = Rate { fall: Fall::Cosine, start: 0.02, end: 0.001, warmup: 0, step_every: 1, step_factor: 1.0 };
    PolicyPlan {
        files: vec![path],
        validation: 0.2,
        limit: None,
        untried: 0.1,
        forecast: false,
        sectors: false,
        fit: FitSettings { epochs: 6, batch: 256, rate, decay: 0.01, threads: 2, seed: 1 },
    }
}

/// Pawn moves are best, and then moves to high squares, as the side to move sees them.
fn advances(board: &Board, mv: Move) -> i32 {
    let us = board.side_to_move();
    let to = mv.to().relative_to(us).index() as i32;
    let is_pawn = board.kind_on(mv.from()) == Some(chess::PieceKind::Pawn);
    100 * i32::from(is_pawn) + to
}

#[test]
fn a_known_answer_is_learned() {
    let path = file("known", 120, advances);
    let plan = plan(path);
    let (policy, report) = train_policy(&plan, &AtomicBool::new(false), |_, _, _| {}).expect("a policy");
    assert!(report.history.first < 0.2, "the order is noise: {report:?}");
    assert!(report.policy.first > 0.8 && report.policy.first_three > 0.95, "{report:?}");
    assert!(report.both.loss < 0.5 * report.history.loss, "{report:?}");
    let board = Board::start();
    let logit = |mv: &str| policy.logit(&board, board.parse_uci(mv).expect(mv));
    let moves = board.legal_moves();
    assert!(moves.iter().all(|mv| logit("h2h4") >= policy.logit(&board, *mv)), "by the rule the best move");
    assert!(logit("h2h4") > logit("a2a4") && logit("a2a4") > logit("a2a3"));
    std::fs::remove_file(&plan.files[0]).expect("cleaned up");
}

#[test]
fn what_the_order_knows_need_not_be_learned() {
    // The order of the search is the rule itself, so nothing is left for the policy.
    let path = std::env::temp_dir().join(format!("stillwater-policy-{}-residual", std::process::id()));
    let noise = file("noise", 60, advances);
    let mut writer = NodeWriter::open(&path, false).expect("a new file");
    for game in NodeReader::open(&noise).expect("nodes") {
        let game = game.expect("a game");
        let mut bytes = NodeBytes::default();
        for mut node in game.nodes {
            let board = node.board;
            node.quiets.iter_mut().for_each(|quiet| quiet.order = 1000 * advances(&board, quiet.mv));
            bytes.add(&node);
        }
        writer.add(game.game, &bytes).expect("written");
    }
    let plan = PolicyPlan { fit: FitSettings { epochs: 1, ..plan(noise.clone()).fit }, ..plan(path.clone()) };
    let (_, report) = train_policy(&plan, &AtomicBool::new(false), |_, _, _| {}).expect("a policy");
    assert!(report.history.first > 0.99 && report.both.first > 0.95, "{report:?}");
    let (_, known) =
        train_policy(&PolicyPlan { files: vec![noise.clone()], ..plan.clone() }, &AtomicBool::new(false), |_, _, _| {})
            .expect("a policy");
    assert!(report.policy.loss > 1.5 * known.policy.loss, "less was left to learn: {report:?} {known:?}");
    [path, noise].iter().for_each(|path| std::fs::remove_file(path).expect("cleaned up"));
}

#[test]
fn games_teach_a_forecast() {
    // After a random opening, the pawn move to the highest square is played, or if there is none, another move.
    let path = std::env::temp_dir().join(format!("stillwater-policy-{}-games.vf", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let mut writer = data::Writer::create(&path).expect("a new file");
    for number in 0..120 {
        let mut rng = Rng::new(u64::from(number) + 5);
        let (start, mut board) = (Board::start(), Board::start());
        let mut moves = Vec::new();
        for ply in 0..30 {
            let legal = board.legal_moves();
            let best = legal.iter().copied().max_by_key(|&mv| advances(&board, mv));
            let Some(mv) = best.map(|best| if ply < 12 { legal[rng.below(legal.len())] } else { best }) else {
                break;
            };
            moves.push((mv, 0));
            board.play(mv);
        }
        let result = data::GameResult::Draw;
        writer.add(&data::Game { start, result, number, moves }).expect("written");
    }
    let forecast = PolicyPlan { forecast: true, ..plan(path.clone()) };
    let (_, report) = train_policy(&forecast, &AtomicBool::new(false), |_, _, _| {}).expect("a policy");
    assert!(report.policy.first > 0.4, "{report:?}");
    let error = train_policy(&plan(path.clone()), &AtomicBool::new(false), |_, _, _| {}).expect_err("no order");
    assert!(error.to_string().contains("no file of logged nodes"), "{error}");
    std::fs::remove_file(path).expect("cleaned up");
}

#[test]
fn sectors_share_their_weights() {
    let path = file("sectors", 40, advances);
    let plan = PolicyPlan { sectors: true, ..plan(path.clone()) };
    let (policy, _) = train_policy(&plan, &AtomicBool::new(false), |_, _, _| {}).expect("a policy");
    let board = Board::start();
    let logit = |mv: &str| policy.logit(&board, board.parse_uci(mv).expect(mv));
    assert_eq!(logit("a2a3"), logit("b2b4"));
    assert_ne!(logit("a2a3"), logit("c2c3"));
    std::fs::remove_file(path).expect("cleaned up");
}

#[test]
fn gradients_are_those_of_the_loss() {
    let path = file("gradient", 12, advances);
    let plan = PolicyPlan { validation: 0.4, ..plan(path.clone()) };
    let [nodes, _] = load(&plan).expect("nodes");
    let model = Model::new(&plan);
    let mut rng = Rng::new(5);
    let mut values: Vec<f32> = (0..=SLOPE).map(|_| rng.unit() as f32 * 0.2 - 0.1).collect();
    let node = Node { tried: 4, ..nodes.nodes[10] };
    let mut slopes = vec![0.0; SLOPE + 1];
    model.learn(&node, nodes.moves_of(&node), &values, &mut slopes);
    let place = (0..SLOPE).max_by(|&a, &b| slopes[a].abs().total_cmp(&slopes[b].abs())).expect("a place");
    for place in [place, SLOPE] {
        let mut loss = |change: f32| {
            let old = values[place];
            values[place] += change;
            let loss = model.learn(&node, nodes.moves_of(&node), &values, &mut vec![0.0; SLOPE + 1]);
            values[place] = old;
            loss
        };
        let expected = (loss(0.01) - loss(-0.01)) / 0.02;
        assert!((slopes[place] - expected).abs() < 0.01, "{} instead of {expected}", slopes[place]);
    }
    std::fs::remove_file(path).expect("cleaned up");
}
