//! Random games beside shakmaty, an independent library: same moves, same check, same outcome, same FEN at every step.

mod common;

use std::collections::BTreeSet;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, KnownOutcome, Outcome, Position as _, Role};
use stillwater_chess::{Board, Color, PieceKind};

fn role_index(role: Role) -> usize {
    match role {
        Role::Pawn => PieceKind::Pawn,
        Role::Knight => PieceKind::Knight,
        Role::Bishop => PieceKind::Bishop,
        Role::Rook => PieceKind::Rook,
        Role::Queen => PieceKind::Queen,
        Role::King => PieceKind::King,
    }
    .index()
}

type Comparable = (usize, usize, Option<usize>, bool);

fn theirs(position: &Chess) -> BTreeSet<Comparable> {
    position
        .legal_moves()
        .iter()
        .map(|mv| {
            let from = mv.from().expect("no drops in chess");
            (usize::from(from), usize::from(mv.to()), mv.promotion().map(role_index), mv.is_capture())
        })
        .collect()
}

fn ours(board: &Board) -> BTreeSet<Comparable> {
    let comparable = |mv: &stillwater_chess::Move| {
        (mv.from().index(), mv.to().index(), mv.promotion().map(PieceKind::index), mv.is_capture())
    };
    board.legal_moves().iter().map(comparable).collect()
}

fn our_outcome(board: &Board) -> Option<Option<Color>> {
    match (board.has_legal_moves(), board.in_check()) {
        (false, true) => Some(Some(board.side_to_move().other())),
        (false, false) => Some(None),
        (true, _) => board.is_insufficient_material().then_some(None),
    }
}

fn their_outcome(position: &Chess) -> Option<Option<Color>> {
    match position.outcome() {
        Outcome::Unknown => None,
        Outcome::Known(KnownOutcome::Draw) => Some(None),
        Outcome::Known(KnownOutcome::Decisive { winner }) => {
            Some(Some(if winner == shakmaty::Color::White { Color::White } else { Color::Black }))
        }
    }
}

fn compare(board: &Board, position: &Chess) {
    assert_eq!(ours(board), theirs(position), "{board}");
    assert_eq!(board.legal_moves().len(), position.legal_moves().len(), "a move twice in {board}");
    assert_eq!(board.in_check(), position.is_check(), "{board}");
    assert_eq!(our_outcome(board), their_outcome(position), "{board}");
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    assert_eq!(board.to_string(), fen);
}

#[test]
fn random_games_agree_with_shakmaty() {
    let mut compared = 0;
    let mut random = common::Random(2026);
    for game in 0..1500 {
        let (white, black) = (random.below(960) as u16, random.below(960) as u16);
        let (white, black) = [(518, 518), (white, white), (white, black)][game % 3];
        let mut board = Board::chess960(white, black).expect("a start position");
        let start: Fen = board.shredder_fen().parse().expect("a FEN");
        let mut position: Chess = start.into_position(CastlingMode::Chess960).expect("a start position");
        for _ in 0..400 {
            compare(&board, &position);
            compared += 1;
            if our_outcome(&board).is_some() {
                break;
            }
            let Some(mv) = random.legal_move(&board) else { break };
            let uci: shakmaty::uci::UciMove = mv.uci(true).parse().expect("UCI text");
            let theirs = uci.to_move(&position).expect("the same move");
            assert_eq!(
                board.san(mv),
                shakmaty::san::SanPlus::from_move(position.clone(), theirs).to_string(),
                "{board}"
            );
            position.play_unchecked(theirs);
            board = board.after(mv);
        }
    }
    assert!(compared > 200_000, "only {compared} positions");
}
