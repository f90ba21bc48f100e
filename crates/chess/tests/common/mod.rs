//! What the tests share: random games, a slow pseudo-legal generator to compare with, and the data outside the repository.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::path::PathBuf;

use stillwater_chess::zobrist::splitmix;
use stillwater_chess::{Board, CastlingSide, Color, File, Move, MoveKind, Piece, PieceKind, Rank, Square};

/// Random numbers that are the same on every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        ((u128::from(splitmix(self.0)) * limit as u128) >> 64) as usize
    }

    /// A legal move, if there is one.
    pub(crate) fn legal_move(&mut self, board: &Board) -> Option<Move> {
        let moves = board.legal_moves();
        (!moves.is_empty()).then(|| moves[self.below(moves.len())])
    }
}

/// The boards of `games` random games from random start positions: classical, Chess960 and double Chess960 in turn.
pub(crate) fn random_boards(seed: u64, games: usize, mut visit: impl FnMut(&Board)) {
    let mut random = Random(seed);
    for game in 0..games {
        let white = random.below(960) as u16;
        let black = random.below(960) as u16;
        let (white, black) = [(518, 518), (white, white), (white, black)][game % 3];
        let mut board = Board::chess960(white, black).expect("a start position");
        for _ in 0..300 {
            visit(&board);
            match random.legal_move(&board) {
                Some(mv) if !board.is_insufficient_material() => board = board.after(mv),
                _ => break,
            }
        }
    }
}

/// A file of the collection outside the repository, for the tests named `shared_…` that are run by hand.
pub(crate) fn shared(name: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../../shared/data", name].iter().collect();
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The FEN and the expected counts of a line of `FEN ;D1 20 ;D2 400 …`.
pub(crate) fn perft_line(line: &str) -> (&str, Vec<(u32, u64)>) {
    let mut parts = line.split(';').map(str::trim);
    let fen = parts.next().expect("a FEN");
    let counts = parts.map(|part| {
        let (depth, count) = part.trim_start_matches('D').split_once(' ').expect("depth and count");
        (depth.parse().expect("a depth"), count.parse().expect("a count"))
    });
    (fen, counts.collect())
}

/// All moves that obey the way the pieces move, found square by square without a bitboard: the slow twin.
pub(crate) fn slow_pseudo_legal(board: &Board) -> Vec<Move> {
    let us = board.side_to_move();
    let mut moves = Vec::new();
    for from in Square::all() {
        let Some(piece) = board.piece_on(from).filter(|piece| piece.color() == us) else { continue };
        match piece.kind() {
            PieceKind::Pawn => slow_pawn(board, from, &mut moves),
            kind => {
                for to in slow_attacks(board, kind, from) {
                    match board.piece_on(to) {
                        None => moves.push(Move::new(from, to, MoveKind::Quiet)),
                        Some(other) if other.color() != us => moves.push(Move::new(from, to, MoveKind::Capture)),
                        Some(_) => {}
                    }
                }
            }
        }
    }
    slow_castling(board, &mut moves);
    moves
}

fn step(from: Square, files: i8, ranks: i8) -> Option<Square> {
    let (file, rank) = (from.file() as i8 + files, from.rank() as i8 + ranks);
    let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
    on_board.then(|| Square::new(File::from_index(file as usize), Rank::from_index(rank as usize)))
}

/// The squares a piece other than a pawn attacks.
pub(crate) fn slow_attacks(board: &Board, kind: PieceKind, from: Square) -> Vec<Square> {
    let mut reached = Vec::new();
    for files in -2_i8..=2 {
        for ranks in -2_i8..=2 {
            let (x, y) = (files.abs(), ranks.abs());
            let (leaps, slides) = match kind {
                PieceKind::Knight => (x * y == 2, false),
                PieceKind::Bishop => (x == 1 && y == 1, true),
                PieceKind::Rook => (x + y == 1, true),
                PieceKind::Queen => (x.max(y) == 1, true),
                _ => (x.max(y) == 1, false),
            };
            let mut square = from;
            while let Some(next) = step(square, files, ranks).filter(|_| leaps) {
                reached.push(next);
                square = next;
                if !slides || board.piece_on(next).is_some() {
                    break;
                }
            }
        }
    }
    reached
}

fn slow_pawn(board: &Board, from: Square, moves: &mut Vec<Move>) {
    let us = board.side_to_move();
    let up = if us == Color::White { 1 } else { -1 };
    let (start, last) = if us == Color::White { (Rank::Second, Rank::Eighth) } else { (Rank::Seventh, Rank::First) };
    let mut arrive = |to: Square, capture: bool| {
        if to.rank() == last {
            for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
                moves.push(Move::new(from, to, MoveKind::promotion(kind, capture)));
            }
        } else {
            moves.push(Move::new(from, to, if capture { MoveKind::Capture } else { MoveKind::Quiet }));
        }
    };
    let ahead = step(from, 0, up).filter(|&to| board.piece_on(to).is_none());
    if let Some(to) = ahead {
        arrive(to, false);
    }
    let sides: Vec<_> = [-1, 1].into_iter().filter_map(|files| step(from, files, up)).collect();
    for &to in &sides {
        if board.piece_on(to).is_some_and(|piece| piece.color() != us) {
            arrive(to, true);
        }
    }
    let two = ahead.filter(|_| from.rank() == start).and_then(|to| step(to, 0, up));
    if let Some(to) = two.filter(|&to| board.piece_on(to).is_none()) {
        moves.push(Move::new(from, to, MoveKind::DoublePush));
    }
    if let Some(to) = board.en_passant().filter(|to| sides.contains(to)) {
        moves.push(Move::new(from, to, MoveKind::EnPassant));
    }
}

fn slow_castling(board: &Board, moves: &mut Vec<Move>) {
    let us = board.side_to_move();
    let king = board.king(us);
    for rook in board.castling().of(us) {
        let side = CastlingSide::of(king, rook);
        let (king_target, rook_target) = (side.king_target(us), side.rook_target(us));
        let span = [(king, king_target), (rook, rook_target)];
        let free = Square::all().filter(|&square| square != king && square != rook).all(|square| {
            let passed = span.iter().any(|&(a, b)| square >= a.min(b) && square <= a.max(b));
            !passed || board.piece_on(square).is_none()
        });
        if free {
            moves.push(Move::new(king, rook, MoveKind::Castle));
        }
    }
}

/// Whether a piece of `by` attacks the square, found square by square.
pub(crate) fn slow_is_attacked(board: &Board, target: Square, by: Color) -> bool {
    Square::all().any(|from| match board.piece_on(from) {
        Some(piece) if piece.color() == by => match piece {
            Piece::WhitePawn => [-1, 1].iter().any(|&files| step(from, files, 1) == Some(target)),
            Piece::BlackPawn => [-1, 1].iter().any(|&files| step(from, files, -1) == Some(target)),
            piece => slow_attacks(board, piece.kind(), from).contains(&target),
        },
        _ => false,
    })
}
