//! Starts of self-play games: an initial position and some random moves, so that no two games are alike.

use chess::{Board, Color, Piece, PieceKind, Position, Setup, Square};

use crate::Rng;

/// The kind of initial position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Variety {
    /// The standard initial position.
    Standard,
    /// One of the 960 Chess960 positions, the same for both sides.
    Chess960,
    /// Two Chess960 positions, one for each side.
    Double960,
    /// A few pieces on random squares.
    Endgame,
}

impl Variety {
    /// A board of this kind; none if the random choice is illegal.
    #[must_use]
    pub fn pick(self, rng: &mut Rng) -> Option<Board> {
        let mut number = || rng.below(960) as u16;
        match self {
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

/// Plays random legal moves; none if the game ends on the way.
#[must_use]
pub fn random_walk(board: Board, plies: usize, rng: &mut Rng) -> Option<Board> {
    let mut position = Position::new(board);
    for _ in 0..plies {
        let moves = position.legal_moves();
        let mv = *moves.get(rng.below(moves.len()))?;
        position.play(mv);
    }
    position.outcome().is_none().then(|| *position.board())
}

/// Kings, up to four pieces for each side and some pawns on random squares; none if the position is illegal.
fn endgame(rng: &mut Rng) -> Option<Board> {
    let mut setup = Setup::empty();
    setup.side = if rng.below(2) == 0 { Color::White } else { Color::Black };
    // Both sides get about the same material, or all games would be decided from the start.
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
