//! Properties that hold for every position of random games, by proptest.

mod common;

use std::collections::HashSet;

use proptest::prelude::*;
use stillwater_chess::{Board, Color, Move, MoveList, Observer, Piece, Position, Square};

/// A game: two start positions and a number for each move. Half of the games begin in the classical position.
fn games(plies: usize) -> impl Strategy<Value = Position> {
    let start = prop_oneof![Just((518, 518)), (0..960_u16, 0..960_u16)];
    (start, prop::collection::vec(any::<u32>(), 0..plies)).prop_map(|((white, black), choices)| {
        let mut position = Position::new(Board::chess960(white, black).expect("a start position"));
        for choice in choices {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(choice as usize % moves.len().max(1)) else { break };
            position.play(mv);
        }
        position
    })
}

fn set(list: &[Move]) -> HashSet<Move> {
    let set: HashSet<_> = list.iter().copied().collect();
    assert_eq!(set.len(), list.len(), "a move was generated twice");
    set
}

fn generated(generate: impl FnOnce(&mut MoveList)) -> HashSet<Move> {
    let mut list = MoveList::new();
    generate(&mut list);
    set(&list)
}

/// Follows the pieces by what `make` tells, and keeps what it was told.
struct Follower {
    pieces: [Option<Piece>; 64],
    removed: Vec<(Piece, Square)>,
    added: Vec<(Piece, Square)>,
}

impl Follower {
    fn new(board: &Board) -> Follower {
        Follower { pieces: mailbox(board), removed: Vec::new(), added: Vec::new() }
    }
}

impl Observer for Follower {
    fn removed(&mut self, piece: Piece, square: Square) {
        assert!(self.added.is_empty(), "all removals come before all additions");
        assert_eq!(self.pieces[square.index()].take(), Some(piece));
        self.removed.push((piece, square));
    }

    fn added(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.pieces[square.index()].replace(piece), None);
        self.added.push((piece, square));
    }
}

type Placed = Vec<(Piece, Square)>;

/// What the contract of `Observer` promises for a move: the pieces removed and the pieces added, in their order.
fn promised(board: &Board, mv: Move) -> (Placed, Placed) {
    let on = |square| (board.piece_on(square).expect("a piece"), square);
    let us = board.side_to_move();
    let mover = on(mv.from());
    if mv.is_castle() {
        let (side, rook) = (mv.castling_side(), on(mv.to()));
        return (vec![mover, rook], vec![(mover.0, side.king_target(us)), (rook.0, side.rook_target(us))]);
    }
    let victim = mv.is_capture().then(|| on(mv.capture_square()));
    let arriving = mv.promotion().map_or(mover.0, |kind| Piece::new(us, kind));
    (victim.into_iter().chain([mover]).collect(), vec![(arriving, mv.to())])
}

fn mailbox(board: &Board) -> [Option<Piece>; 64] {
    std::array::from_fn(|index| board.piece_on(Square::from_index(index)))
}

proptest! {
    #[test]
    fn unmake_restores_everything_and_observers_can_follow(mut position in games(150)) {
        let before = *position.board();
        let (plies, repeated) = (position.plies(), position.is_repetition(4));
        for &mv in &before.legal_moves() {
            let mut follower = Follower::new(&before);
            position.play_with(mv, &mut follower);
            prop_assert_eq!(follower.pieces, mailbox(&position));
            prop_assert_eq!((follower.removed, follower.added), promised(&before, mv), "{:?}", mv);
            prop_assert_eq!(*position.board(), before.after(mv));
            prop_assert_eq!(position.previous(), Some(&before));
            position.unmake();
            prop_assert_eq!(*position.board(), before);
        }
        if !before.in_check() {
            position.make_null();
            prop_assert_eq!(position.side_to_move(), before.side_to_move().other());
            prop_assert_eq!(mailbox(&position), mailbox(&before));
            position.unmake();
        }
        prop_assert_eq!(*position.board(), before);
        prop_assert_eq!((position.plies(), position.is_repetition(4)), (plies, repeated));
    }

    /// A board read from its own FEN is made from scratch: keys, checkers, pins and bitboards must all be the same.
    #[test]
    fn what_is_kept_incrementally_equals_what_is_made_from_scratch(position in games(200)) {
        for &mv in &position.legal_moves() {
            let board = position.after(mv);
            prop_assert_eq!(board.to_string().parse::<Board>().expect("its own FEN"), board);
            prop_assert_eq!(board.shredder_fen().parse::<Board>().expect("its own FEN"), board);
            let expected = if board.en_passant().is_some() { None } else { Some(board.key()) };
            if let Some(key) = expected {
                prop_assert_eq!(position.key_after(mv), key);
            }
        }
    }

    #[test]
    fn null_moves_keep_keys_too(mut position in games(100)) {
        if !position.in_check() {
            let expected = position.key_after_null();
            position.make_null();
            prop_assert_eq!(position.key(), expected);
            prop_assert_eq!(position.to_string().parse::<Board>().expect("its own FEN"), *position.board());
        }
    }

    #[test]
    fn legality_of_every_code_equals_membership(position in games(200)) {
        let legal = set(&position.legal_moves());
        let pseudo_legal = set(&common::slow_pseudo_legal(&position));
        for mv in (1..=u16::MAX).filter_map(Move::from_bits) {
            let claimed = position.is_pseudo_legal(mv);
            prop_assert_eq!(claimed, pseudo_legal.contains(&mv), "{:?}", mv);
            prop_assert_eq!(position.is_playable(mv), legal.contains(&mv), "{:?}", mv);
        }
        // And what is legal is what leaves the king safe, found without a bitboard.
        for &mv in pseudo_legal.iter().filter(|mv| !mv.is_castle()) {
            let us = position.side_to_move();
            let next = position.after(mv);
            let safe = !common::slow_is_attacked(&next, next.king(us), us.other());
            prop_assert_eq!(safe, legal.contains(&mv), "{:?}", mv);
        }
    }

    #[test]
    fn generators_part_the_legal_moves(position in games(200)) {
        let all = set(&position.legal_moves());
        let noisy = generated(|list| position.generate_noisy(list));
        let quiet = generated(|list| position.generate_quiet(list));
        prop_assert!(noisy.iter().all(|mv| mv.is_noisy()) && quiet.iter().all(|mv| mv.is_quiet()));
        prop_assert!(noisy.is_disjoint(&quiet));
        prop_assert_eq!(noisy.union(&quiet).copied().collect::<HashSet<_>>(), all.clone());
        prop_assert_eq!(position.count_legal_moves(), all.len());
        if position.in_check() {
            prop_assert_eq!(generated(|list| position.generate_evasions(list)), all);
        } else {
            let info = position.check_info();
            let checks: HashSet<_> = quiet.into_iter().filter(|&mv| position.after(mv).in_check()).collect();
            prop_assert_eq!(generated(|list| position.generate_quiet_checks(&info, list)), checks);
        }
    }

    #[test]
    fn gives_check_equals_playing_the_move(position in games(200)) {
        let info = position.check_info();
        for &mv in &position.legal_moves() {
            prop_assert_eq!(position.gives_check(mv, &info), position.after(mv).in_check(), "{:?}", mv);
        }
    }

    #[test]
    fn notation_round_trips(position in games(150)) {
        let moves = position.legal_moves();
        let texts: HashSet<_> = moves.iter().map(|&mv| position.san(mv)).collect();
        prop_assert_eq!(texts.len(), moves.len());
        for &mv in &moves {
            prop_assert_eq!(position.parse_san(&position.san(mv)), Ok(mv));
            prop_assert_eq!(position.parse_uci(&mv.uci(true)), Ok(mv));
            prop_assert_eq!(position.find_move(mv.from(), mv.to(), mv.promotion()), Some(mv));
            let is_plain_king_step = |other: &Move| !other.is_castle() && other.uci(false) == mv.uci(false);
            if mv.is_castle() && moves.iter().any(is_plain_king_step) {
                prop_assert!(!position.is_classical_castling());
            } else {
                prop_assert_eq!(position.parse_uci(&mv.uci(false)), Ok(mv));
            }
        }
    }

    #[test]
    fn attacked_squares_equal_walking(position in games(150)) {
        let them = position.side_to_move().other();
        let attacked = position.attacked_by(them, position.occupied());
        for square in Square::all() {
            prop_assert_eq!(attacked.has(square), common::slow_is_attacked(&position, square, them));
        }
    }

    #[test]
    fn no_text_makes_parsers_panic(text in "\\PC*") {
        let start = Board::start();
        let _ = (start.parse_san(&text), start.parse_uci(&text), text.parse::<Board>());
    }

    /// Few pieces and many moves to and fro: here positions do repeat.
    #[test]
    fn repetition_equals_a_naive_count(
        start in prop_oneof![
            Just("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1"),
            Just("1n2k3/p7/8/8/8/8/P7/1N2K3 b - - 0 1"),
            Just("4k3/8/8/8/8/8/3p4/R3K2R w KQ - 0 1"),
            Just("b3k3/8/8/8/8/8/8/3QK3 w - - 3 9"),
        ],
        choices in prop::collection::vec(any::<u32>(), 0..80),
        ply in 0..20_usize,
    ) {
        let mut position = Position::new(start.parse().expect("a valid FEN"));
        let mut past = vec![placement(&position)];
        for choice in choices {
            // Two times in three, go back the way the piece came, if that can be done.
            let moves = position.legal_moves();
            let back = moves.iter().copied().find(|&mv| {
                choice % 3 != 0 && past.len() >= 3 && past.contains(&placement(&position.after(mv)))
            });
            let Some(mv) = back.or_else(|| moves.get(choice as usize / 3 % moves.len().max(1)).copied()) else { break };
            let expected = moves.iter().any(|&mv| {
                let mut with_move = past.clone();
                with_move.push(placement(&position.after(mv)));
                naive_repetition(&with_move, ply + 1)
            });
            prop_assert_eq!(position.upcoming_repetition(ply), expected, "{:?} {}", position, ply);
            position.play(mv);
            past.push(placement(&position));
            prop_assert_eq!(position.is_repetition(ply), naive_repetition(&past, ply));
            prop_assert_eq!(position.is_repetition(0), naive_repetition(&past, 0));
        }
    }
}

/// One character of a text dropped, put in or replaced.
fn mutated(text: &str, alphabet: &[char], random: &mut common::Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let (place, letter) = (random.below(letters.len()), alphabet[random.below(alphabet.len())]);
    match random.below(3) {
        0 => drop(letters.remove(place)),
        1 => letters.insert(place, letter),
        _ => letters[place] = letter,
    }
    letters.into_iter().collect()
}

#[test]
fn what_is_almost_a_fen_is_refused_or_understood() {
    let alphabet: Vec<char> = "pnbrqkPNBRQK12345678/wb-ACHach360 9é".chars().collect();
    let mut random = common::Random(14);
    let (mut taken, mut refused) = (0, 0);
    common::random_boards(15, 30, |board| {
        for fen in [board.to_string(), board.shredder_fen()] {
            match mutated(&fen, &alphabet, &mut random).parse::<Board>() {
                Ok(board) => {
                    assert_eq!(board.to_string().parse(), Ok(board));
                    assert_eq!(board.shredder_fen().parse(), Ok(board));
                    taken += 1;
                }
                Err(error) => {
                    assert!(error.to_string().len() > 20, "{error}");
                    refused += 1;
                }
            }
        }
    });
    assert!(taken > 1000 && refused > 1000, "{taken} taken, {refused} refused");
}

#[test]
fn what_is_almost_a_move_is_refused_or_understood() {
    let alphabet: Vec<char> = "KQRBNPabcdefgh12345678xO0-=()+#!é".chars().collect();
    let mut random = common::Random(16);
    let (mut taken, mut refused) = ([0; 2], [0; 2]); // algebraic notation, UCI
    common::random_boards(17, 30, |board| {
        let Some(mv) = random.legal_move(board) else { return };
        let blind: String = (0..2 + random.below(4)).map(|_| alphabet[random.below(alphabet.len())]).collect();
        for text in
            [mutated(&board.san(mv), &alphabet, &mut random), mutated(&mv.uci(true), &alphabet, &mut random), blind]
        {
            for (index, read) in [board.parse_san(&text), board.parse_uci(&text)].into_iter().enumerate() {
                match read {
                    Ok(mv) => {
                        assert!(board.is_playable(mv), "{text} in {board}");
                        taken[index] += 1;
                    }
                    Err(_) => refused[index] += 1,
                }
            }
        }
    });
    assert!(taken.into_iter().chain(refused).all(|count| count > 100), "{taken:?} taken, {refused:?} refused");
}

/// All of a position that counts for repetition.
fn placement(board: &Board) -> String {
    board.to_string().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Whether the last position occurred once before within the last `ply` plies (the root itself not counting), or twice at all.
fn naive_repetition(past: &[String], ply: usize) -> bool {
    let (last, earlier) = past.split_last().expect("a position");
    let distances: Vec<_> = (1..=earlier.len()).filter(|back| earlier[earlier.len() - back] == *last).collect();
    distances.len() >= 2 || distances.iter().any(|&back| back < ply)
}

#[test]
fn draws_and_outcomes() {
    let outcome = |fen: &str| Position::new(fen.parse().expect(fen)).outcome().map(|outcome| outcome.to_string());
    for (fen, expected) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some("White mates")),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some("draw by stalemate")),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", Some("draw by insufficient material")),
        ("7k/8/6K1/8/8/3N4/8/8 b - - 0 1", Some("draw by insufficient material")),
        ("7k/8/6K1/8/8/3NN3/8/8 b - - 0 1", None),
        ("7k/8/6K1/1b6/8/3B4/8/8 b - - 0 1", Some("draw by insufficient material")),
        ("7k/8/6K1/b7/8/3B4/8/8 b - - 0 1", None),
        ("7k/8/6K1/8/8/8/8/R7 b - - 99 80", None),
        ("7k/8/6K1/8/8/8/8/R7 b - - 100 80", Some("draw by the fifty-move rule")),
        // Mate on the hundredth half-move is mate.
        ("R6k/8/6K1/8/8/8/8/8 b - - 100 80", Some("White mates")),
    ] {
        assert_eq!(outcome(fen).as_deref(), expected, "{fen}");
    }
    let mut position = Position::start();
    for _ in 0..2 {
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            assert_eq!(position.outcome(), None);
            let mv = position.parse_uci(text).expect("a legal move");
            position.play(mv);
        }
    }
    assert_eq!(position.outcome().map(|outcome| outcome.to_string()).as_deref(), Some("draw by threefold repetition"));
    assert_eq!(position.outcome().and_then(stillwater_chess::Outcome::winner), None);
    assert!(position.is_draw(0) && position.side_to_move() == Color::White);
}
