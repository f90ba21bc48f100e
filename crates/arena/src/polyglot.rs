//! Openings from a Polyglot book: a random walk through the book that picks each move in proportion to its weight.

use chess::{Board, Move};
use record::polyglot::{Book, pick, total_weight};

use super::opening::Opening;
use toolkit::Rng;

/// An opening of at most `plies` plies; shorter if the book ends earlier.
pub(crate) fn walk(book: &Book, plies: usize, rng: &mut Rng) -> Opening {
    let mut opening = Opening::classical();
    let mut board = opening.start;
    for _ in 0..plies {
        let Some(mv) = choose(book, &board, rng) else { break };
        board = board.after(mv);
        if !board.has_legal_moves() {
            break;
        }
        opening.moves.push(mv);
    }
    opening
}

fn choose(book: &Book, board: &Board, rng: &mut Rng) -> Option<Move> {
    let moves = book.moves(board);
    let total = usize::try_from(total_weight(&moves)).ok()?;
    pick(&moves, rng.below(total) as u64)
}

#[cfg(test)]
mod tests {
    use chess::Position;
    use record::polyglot::Builder;

    use super::*;

    #[test]
    fn moves_come_as_often_as_their_weights_say() {
        let (start, mut after) = (Position::start(), Position::start());
        after.play(start.parse_uci("e2e4").expect("legal"));
        let mut builder = Builder::default();
        for (position, text, half_points) in
            [(&start, "e2e4", 2), (&start, "e2e4", 1), (&start, "d2d4", 1), (&after, "e7e5", 0)]
        {
            builder.add(position, position.parse_uci(text).expect("legal"), half_points);
        }
        let book = builder.finish(1);
        let mut rng = Rng::new(1);
        let walks: Vec<Opening> = (0..400).map(|_| walk(&book, 4, &mut rng)).collect();
        let kings_pawn = walks.iter().filter(|opening| opening.moves.len() == 2).count();
        assert!((260..340).contains(&kings_pawn), "{kings_pawn}");
        assert!(walks.iter().all(|opening| matches!(opening.moves.len(), 1 | 2)));
    }
}
