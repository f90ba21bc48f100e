//! What a quiet move improves on the board, by exact tests: development, files, squares, pawns, the king. If no test
//! applies, the hand-crafted evaluation decides.

use chess::{Bitboard, Board, Color, File, Move, PieceKind, Rank, Square, attacks};

use super::said::{Kind, Sentence};
use super::terms;
use crate::people::words;

/// An increase of this many squares is worth mentioning.
const MORE_SQUARES: usize = 3;

/// The improvements, at most `most` sentences.
pub(super) fn improvements(board: &Board, mv: Move, most: usize) -> Vec<Sentence> {
    let next = board.after(mv);
    let (from, to, us) = (mv.from(), mv.landing(), board.side_to_move());
    let Some(kind) = board.kind_on(from).filter(|_| mv.is_quiet() && !mv.is_castle()) else { return Vec::new() };
    let found = match kind {
        PieceKind::Pawn => pawn(board, &next, from, to),
        PieceKind::King => king(board, from, to),
        PieceKind::Rook => rook(&next, us, from, to),
        PieceKind::Knight | PieceKind::Bishop | PieceKind::Queen => development(board, kind, from, to),
    };
    let mut texts: Vec<String> = found.into_iter().collect();
    texts.extend(own_squares(board, &next, kind, from, to));
    texts.extend(opened(board, &next, from, to));
    let mut said: Vec<Sentence> =
        texts.into_iter().take(most).map(|text| Sentence::exact(Kind::Improves, text)).collect();
    if said.is_empty()
        && let Some(text) = terms::most_improved(board, &next)
    {
        said.push(Sentence::exact(Kind::Evaluation, text));
    }
    said
}

fn pawn(board: &Board, next: &Board, from: Square, to: Square) -> Option<String> {
    let us = board.side_to_move();
    let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
    if is_passed(next, to, us) {
        return Some(match is_passed(board, from, us) {
            true => format!("It advances the passed pawn to {to}."),
            false => format!("It makes the pawn on {to} a passed pawn."),
        });
    }
    centre.contains(&to).then(|| format!("It puts a pawn on {to} in the centre."))
}

/// Whether no enemy pawn can stop this one or capture it on its way.
fn is_passed(board: &Board, square: Square, us: Color) -> bool {
    let enemies = board.pieces(us.other(), PieceKind::Pawn);
    enemies.into_iter().all(|enemy| {
        let ahead = match us {
            Color::White => enemy.rank() > square.rank(),
            Color::Black => enemy.rank() < square.rank(),
        };
        !ahead || enemy.file().index().abs_diff(square.file().index()) > 1
    })
}

fn king(board: &Board, from: Square, to: Square) -> Option<String> {
    // With queens on the board a king does not belong in the centre.
    let is_ending = board.kind(PieceKind::Queen).is_empty();
    let away = |square: Square| {
        let axis = |index: usize| (2 * index).abs_diff(7);
        axis(square.file().index()).max(axis(square.rank().index()))
    };
    (is_ending && away(to) < away(from)).then(|| "It brings the king nearer to the centre.".to_owned())
}

fn rook(next: &Board, us: Color, from: Square, to: Square) -> Option<String> {
    let pawns_on = |file: File, pawns: Bitboard| (pawns & file.bitboard()).any();
    let (all, own) = (next.kind(PieceKind::Pawn), next.pieces(us, PieceKind::Pawn));
    let file = to.file();
    if from.file() != file && !pawns_on(file, all) {
        return Some(format!("It puts the rook on the open {}-file.", file.letter()));
    }
    let seventh = Rank::Seventh.relative_to(us);
    let has_targets = (next.pieces(us.other(), PieceKind::Pawn) & seventh.bitboard()).any()
        || next.king(us.other()).rank() == us.other().back_rank();
    if to.rank() == seventh && from.rank() != seventh && has_targets {
        return Some("It brings the rook to the seventh rank.".to_owned());
    }
    let is_half_open = from.file() != file && !pawns_on(file, own);
    is_half_open.then(|| format!("It puts the rook on the half-open {}-file.", file.letter()))
}

fn development(board: &Board, kind: PieceKind, from: Square, to: Square) -> Option<String> {
    let back = board.side_to_move().back_rank();
    let is_opening = board.fullmove_number() <= 15 && board.occupied().len() >= 24;
    (is_opening && kind != PieceKind::Queen && from.rank() == back && to.rank() != back)
        .then(|| format!("It develops the {}.", words::kind(kind)))
}

/// The moved piece reaches more squares than before.
fn own_squares(board: &Board, next: &Board, kind: PieceKind, from: Square, to: Square) -> Option<String> {
    if matches!(kind, PieceKind::Pawn | PieceKind::King) {
        return None;
    }
    let (before, after) = (reach(board, from), reach(next, to));
    (after >= before + MORE_SQUARES)
        .then(|| format!("On {to} the {} reaches {after} squares, on {from} it reached {before}.", words::kind(kind)))
}

/// Another piece reaches more squares because this one moved.
fn opened(board: &Board, next: &Board, from: Square, to: Square) -> Option<String> {
    let us = board.side_to_move();
    let sliders = next.color(us) & (next.diagonal_sliders() | next.straight_sliders());
    let gains = sliders.into_iter().filter(|&square| square != to && square != from);
    let (gain, square) =
        gains.map(|square| (reach(next, square).saturating_sub(reach(board, square)), square)).max()?;
    let kind = next.kind_on(square).filter(|_| gain >= MORE_SQUARES)?;
    Some(format!("It opens a line for the {} on {square}.", words::kind(kind)))
}

/// How many squares not occupied by its own side a piece attacks.
fn reach(board: &Board, square: Square) -> usize {
    let Some(piece) = board.piece_on(square) else { return 0 };
    (attacks::of(piece.kind(), piece.color(), square, board.occupied()) - board.color(piece.color())).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(fen: &str, san: &str) -> String {
        let board: Board = fen.parse().expect(fen);
        let mv = board.parse_san(san).expect(san);
        let texts: Vec<String> = improvements(&board, mv, 2).into_iter().map(|sentence| sentence.text).collect();
        texts.join(" ")
    }

    #[test]
    fn what_quiet_moves_improve() {
        for (fen, san, text) in [
            (
                chess::fen::START,
                "Nf3",
                "It develops the knight. On f3 the knight reaches 5 squares, on g1 it reached 2.",
            ),
            (chess::fen::START, "e4", "It puts a pawn on e4 in the centre. It opens a line for the bishop on f1."),
            ("4k3/8/8/3P4/8/8/8/4K3 w - - 0 1", "d6", "It advances the passed pawn to d6."),
            ("4k3/pp5p/8/8/8/8/PP5P/4K2R w - - 0 1", "h3", "By the evaluation written by hand, it improves "),
            ("4k3/8/8/8/8/8/7P/4K3 w - - 0 1", "Kd2", "It brings the king nearer to the centre."),
            ("4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1", "Rd1", "It puts the rook on the open d-file."),
            ("4k3/pp6/8/8/8/8/PR6/4K3 w - - 0 1", "Rb1", ""),
        ] {
            assert!(said(fen, san).starts_with(text), "{fen} {san}: {}", said(fen, san));
        }
    }

    #[test]
    fn captures_need_no_such_reasons() {
        assert_eq!(said("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5"), "");
    }
}
