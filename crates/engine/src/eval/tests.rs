//! What the evaluation promises: symmetry, agreement of fast and slow ways, and common sense.

use chess::{Board, Color, Position, Setup};

use super::trace::Tally;
use super::weights::{TABLES, WEIGHTS};
use super::*;

/// A small random generator, so that tests need no crate and always see the same games.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = chess::zobrist::splitmix(self.0);
        (self.0 >> 20) as usize % sides
    }
}

/// Plays random games and calls `see` with every position that is quiet enough, and its incremental sums.
fn random_positions(games: u64, mut see: impl FnMut(&Board, Psq)) {
    for game in 0..games {
        let mut dice = Dice(game + 1);
        let mut board = Board::start();
        let mut psq = Psq::new(&board);
        for _ in 0..160 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[dice.roll(moves.len())];
            board.play_with(mv, &mut psq);
            if !board.in_check() {
                see(&board, psq);
            }
        }
    }
}

fn flipped(board: &Board) -> Board {
    let mut setup = Setup {
        pieces: [None; 64],
        side: !board.side_to_move(),
        castling_rooks: board.castling().rooks().flipped(),
        en_passant: board.en_passant().map(|square| square.relative_to(Color::Black)),
        halfmove_clock: board.halfmove_clock(),
        fullmove_number: board.fullmove_number(),
    };
    for square in board.occupied() {
        let piece = board.piece_on(square).expect("an occupied square");
        setup.pieces[square.relative_to(Color::Black).index()] = Some(chess::Piece::new(!piece.color(), piece.kind()));
    }
    Board::try_from(setup).expect("a legal board")
}

fn board(fen: &str) -> Board {
    fen.parse().expect("a valid FEN")
}

/// The value for White.
fn white(fen: &str) -> i32 {
    let board = board(fen);
    let value = Evaluator::new().evaluate(&board, Psq::new(&board));
    if board.side_to_move() == Color::White { value } else { -value }
}

#[test]
fn both_colors_are_judged_alike() {
    let mut evaluator = Evaluator::new();
    random_positions(150, |board, psq| {
        let mirror = flipped(board);
        let value = evaluator.evaluate(board, psq);
        assert_eq!(value, evaluator.evaluate(&mirror, Psq::new(&mirror)), "{board:?}");
        assert!(value.abs() <= LIMIT);
    });
}

#[test]
fn sums_kept_by_moves_equal_sums_from_scratch() {
    random_positions(100, |board, psq| assert_eq!(psq, Psq::new(board)));
}

#[test]
fn remembered_pawns_change_nothing() {
    let mut evaluator = Evaluator::new();
    let mut forgetful = Evaluator::new();
    random_positions(40, |board, psq| {
        let once = evaluator.evaluate(board, psq);
        assert_eq!(once, evaluator.evaluate(board, psq));
        assert_eq!(once, assess(board, psq, &PawnEntry::new(board, &mut ()), &mut ()).value);
    });
    random_positions(2, |board, psq| {
        forgetful.clear();
        assert_eq!(forgetful.evaluate(board, psq), evaluator.evaluate(board, psq));
    });
}

#[test]
fn the_explanation_adds_up() {
    let mut evaluator = Evaluator::new();
    random_positions(60, |board, psq| {
        let explanation = explain(board);
        let value = evaluator.evaluate(board, psq);
        assert_eq!(explanation.value.units(), value);
        assert_eq!(explanation.total().units(), value, "{explanation}");
    });
    let start = explain(&Board::start());
    let text = start.to_string();
    let value = format!("Value {:+} for White", start.value.units());
    assert!(start.value.units() > 0 && text.contains("Mobility") && text.contains(&value), "{text}");
}

#[test]
fn coefficients_reproduce_the_evaluation() {
    let own = Coefficients::own_weights();
    random_positions(60, |board, psq| {
        let mut tally = Tally::new();
        let pawns = PawnEntry::new(board, &mut tally);
        let assessment = assess(board, psq, &pawns, &mut tally);
        let found = coefficients(board);
        let linear = found.linear.iter().fold(S::ZERO, |sum, &(index, count)| sum + WEIGHTS[index] * count);
        assert_eq!(linear + assessment.danger[0] - assessment.danger[1], assessment.sum, "{board:?}");
        let units = found
            .danger
            .each_ref()
            .map(|counts| counts.iter().fold(S::ZERO, |sum, &(index, count)| sum + WEIGHTS[index] * count));
        assert_eq!(units.map(|units| king::value(units.middle(), units.end())), assessment.danger);

        let value = assessment.value - TEMPO;
        let value = if board.side_to_move() == Color::White { value } else { -value };
        assert!((found.value(&own) - f64::from(value)).abs() < 4.0, "{} {value}", found.value(&own));
    });
}

#[test]
fn tables_lie_end_to_end() {
    let mut start = 0;
    for table in TABLES {
        assert_eq!(table.start, start, "{}", table.name);
        start += table.len;
    }
    assert_eq!(start, WEIGHTS.len());
}

#[test]
fn common_sense() {
    assert_eq!(white("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), TEMPO);
    assert!(white("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 700);
    assert!(white("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1") < -200);
    assert!(white("rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1") > 30);
    // A passed pawn nearer to its goal.
    assert!(white("6k1/P4ppp/8/8/8/8/5PPP/R5K1 w - - 0 1") > white("6k1/5ppp/8/8/P7/8/5PPP/R5K1 w - - 0 1"));
    // The same king with and without its pawns.
    let safe = white("r1bqr2k/pppn1ppp/3p1n2/4p3/4P1Q1/2N2N2/PPP2PPP/R1B1R1K1 w - - 0 1");
    let bare = white("r1bqr2k/pppn4/3p1n2/1p2p3/4P1Q1/2N2N2/PPP2PPP/R1B1R1K1 w - - 0 1");
    assert!(bare > safe + 150, "{bare} {safe}");
    // A pawn that no king catches, and one that is caught.
    assert!(white("8/8/8/P7/8/8/8/K5k1 w - - 0 1") > white("8/2k5/8/P7/8/8/8/7K w - - 0 1") + 200);
    // A knight that a pawn attacks.
    assert!(white("4k3/pp4pp/8/3n4/4P3/8/PP4PP/4K3 w - - 0 1") > white("4k3/pp4pp/3n4/8/4P3/8/PP4PP/4K3 w - - 0 1"));
}

#[test]
fn nine_queens_stay_within_bounds() {
    let value = white("4k3/pppppppp/8/8/8/8/QQQQ4/QQQQQK2 w - - 0 1");
    assert!((7000..LIMIT).contains(&value), "{value}");
    const { assert!(LIMIT < crate::score::MAX_EVAL) };
}

#[test]
fn drawn_endings_are_near_zero() {
    for (fen, most) in [
        ("8/8/4k3/8/8/2NNK3/8/8 w - - 0 1", 20),          // two knights
        ("8/8/4k3/2b5/8/3RK3/8/8 w - - 0 1", 60),         // rook against bishop
        ("8/8/4k3/2r5/8/3RKB2/8/8 w - - 0 1", 120),       // rook and bishop against rook
        ("7k/8/8/6KP/8/3B4/8/8 w - - 0 1", 60),           // the bishop does not rule h8
        ("7k/8/8/6KP/8/8/8/8 w - - 0 1", 60),             // a rook pawn alone
        ("8/8/2b1k3/4p3/4P1p1/4K1B1/7P/8 w - - 0 1", 60), // bishops of opposite colors
    ] {
        let value = white(fen);
        assert!(value.abs() <= most, "{fen}: {value}");
    }
    assert!(white("7k/8/8/6KP/8/4B3/8/8 w - - 0 1") > 300);
    let same = white("8/5k2/2p1b3/2P5/3PB1p1/4K3/5P2/8 w - - 0 1");
    let opposite = white("8/5k2/2p2b2/2P5/3PB1p1/4K3/5P2/8 w - - 0 1");
    assert!(same > opposite, "{same} {opposite}");
}

/// A plain search, just good enough to test whether the evaluation leads to mate.
fn negamax(position: &mut Position, evaluator: &mut Evaluator, depth: i32, mut alpha: i32, beta: i32) -> i32 {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return if position.in_check() { -25_000 - depth } else { 0 };
    }
    if position.is_draw(8) {
        return 0;
    }
    if depth == 0 && !position.in_check() {
        return evaluator.evaluate(position, Psq::new(position));
    }
    for &mv in &moves {
        position.play(mv);
        let value = -negamax(position, evaluator, (depth - 1).max(0), -beta, -alpha);
        position.unmake();
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// Plays both sides with a shallow search until the game is over; the number of moves White needed to mate.
fn moves_to_mate(fen: &str, depth: i32) -> Option<usize> {
    let mut position = Position::new(board(fen));
    let mut evaluator = Evaluator::new();
    for ply in 0..110 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return (position.in_check() && position.side_to_move() == Color::Black).then_some(ply / 2);
        }
        let mut best = (i32::MIN, moves[0]);
        for &mv in &moves {
            position.play(mv);
            let draw = position.is_repetition(1) || position.is_insufficient_material();
            let value = if draw { 0 } else { -negamax(&mut position, &mut evaluator, depth - 1, -30_000, 30_000) };
            position.unmake();
            if value > best.0 {
                best = (value, mv);
            }
        }
        position.play(best.1);
    }
    None
}

#[test]
fn lone_kings_are_mated() {
    for (fen, depth) in [
        ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 4),
        ("8/8/8/3k4/8/8/8/KR6 w - - 0 1", 5),
        ("8/8/8/3k4/8/8/8/KBB5 w - - 0 1", 5),
        ("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", 6),
    ] {
        let moves = moves_to_mate(fen, depth);
        assert!(moves.is_some_and(|moves| moves <= 50), "{fen}: {moves:?}");
    }
}
