//! Where games of self-play begin: a start position and some random moves, so that no two games are alike.

use chess::{Board, Color, Piece, PieceKind, Position, Setup, Square};

use toolkit::Rng;

/// What kind of start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Variety {
    /// The classical array.
    Standard,
    /// One of the 960 arrays, the same for both sides.
    Chess960,
    /// Two of the 960 arrays.
    Double960,
    /// Few pieces at random places.
    Endgame,
}

/// How games begin.
#[derive(Clone, Debug)]
pub struct Starts {
    /// What kind of start.
    pub variety: Variety,
    /// Positions to start from instead, if there are any.
    pub book: Vec<Board>,
    /// So many random moves follow, or one more.
    pub plies: usize,
}

impl Starts {
    /// A random start from which the game can go on; none if the dice made something else of it.
    #[must_use]
    pub fn pick(&self, rng: &mut Rng) -> Option<Board> {
        let plies = self.plies + if self.plies > 0 { rng.below(2) } else { 0 };
        walk(self.root(rng)?, plies, rng)
    }

    fn root(&self, rng: &mut Rng) -> Option<Board> {
        if !self.book.is_empty() {
            return self.book.get(rng.below(self.book.len())).copied();
        }
        let mut number = || rng.below(960) as u16;
        match self.variety {
            Variety::Standard => Some(Board::start()),
            Variety::Chess960 => {
                let number = number();
                Board::chess960(number, number)
            }
            Variety::Double960 => Board::chess960(number(), number()),
            Variety::Endgame => endgame(rng),
        }
    }
}

/// Plays random legal moves; none if the game ends meanwhile.
fn walk(board: Board, plies: usize, rng: &mut Rng) -> Option<Board> {
    let mut position = Position::new(board);
    for _ in 0..plies {
        let moves = position.legal_moves();
        let mv = *moves.get(rng.below(moves.len()))?;
        position.play(mv);
    }
    position.outcome().is_none().then(|| *position.board())
}

/// Kings, up to four pieces of each side and some pawns, anywhere they may stand; none if the dice made something illegal.
fn endgame(rng: &mut Rng) -> Option<Board> {
    let mut setup = Setup::empty();
    setup.side = if rng.below(2) == 0 { Color::White } else { Color::Black };
    // Both sides get about the same, or all games would be decided before they begin.
    let (pieces, pawns) = (rng.below(4), rng.below(7));
    for color in Color::ALL {
        place(&mut setup, Piece::new(color, PieceKind::King), rng);
        for _ in 0..pieces {
            let kinds = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Rook, PieceKind::Queen];
            place(&mut setup, Piece::new(color, kinds[rng.below(kinds.len())]), rng);
        }
        for _ in 0..(pawns + rng.below(3)).saturating_sub(1) {
            place(&mut setup, Piece::new(color, PieceKind::Pawn), rng);
        }
    }
    Board::try_from(setup).ok()
}

fn place(setup: &mut Setup, piece: Piece, rng: &mut Rng) {
    let (first, count) = if piece.kind() == PieceKind::Pawn { (8, 48) } else { (0, 64) };
    let square = Square::from_index(first + rng.below(count));
    match &mut setup.pieces[square.index()] {
        Some(_) => place(setup, piece, rng),
        empty => *empty = Some(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_differ_and_can_be_played() {
        for variety in [Variety::Standard, Variety::Chess960, Variety::Double960, Variety::Endgame] {
            let starts = Starts { variety, book: Vec::new(), plies: 8 };
            let mut rng = Rng::new(3);
            let boards: Vec<Board> = std::iter::repeat_with(|| starts.pick(&mut rng)).take(200).flatten().collect();
            assert!(boards.len() > 90, "{variety:?}: {}", boards.len());
            let keys: std::collections::HashSet<u64> = boards.iter().map(|board| board.key()).collect();
            assert!(keys.len() + 5 > boards.len(), "{variety:?}: {} different", keys.len());
            assert!(boards.iter().all(|&board| Position::new(board).outcome().is_none()));
            assert!(boards.iter().any(|board| board.side_to_move() == Color::Black), "{variety:?}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_starts() {
        let starts = Starts { variety: Variety::Double960, book: Vec::new(), plies: 8 };
        let picks = |seed| (0..20).scan(Rng::new(seed), |rng, _| Some(starts.pick(rng))).collect::<Vec<_>>();
        assert_eq!(picks(1), picks(1));
        assert_ne!(picks(1), picks(2));
    }
}
