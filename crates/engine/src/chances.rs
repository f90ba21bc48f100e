//! The chances of win, draw and loss that a score means, fitted to the engine's own games. The same score means more
//! when little material is left, so both parameters of the curve depend on it. The form is that of Stockfish's model.

use chess::{Board, Color, PieceKind};

use crate::score::{MAX_CENTIPAWNS, Score, SearchScore, WhiteScore};

/// Two logistic curves, one for winning and one for losing, mirror images of each other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// The score at which half of the games are won: a cubic of the material, lowest power first.
    pub half: [f64; 4],
    /// The width of the curve, a cubic likewise.
    pub width: [f64; 4],
}

/// The material at which the cubics' argument is one.
const USUAL_MATERIAL: f64 = 58.0;
/// Outside this range nothing was fitted.
const MATERIAL_RANGE: (i32, i32) = (10, 78);

/// The pieces of both sides on the usual scale of 1, 3, 3, 5, 9.
#[must_use]
pub fn material(board: &Board) -> i32 {
    let count = |kind| board.kind(kind).len() as i32;
    count(PieceKind::Pawn)
        + 3 * (count(PieceKind::Knight) + count(PieceKind::Bishop))
        + 5 * count(PieceKind::Rook)
        + 9 * count(PieceKind::Queen)
}

/// The argument of the cubics.
#[must_use]
pub fn argument(material: i32) -> f64 {
    f64::from(material.clamp(MATERIAL_RANGE.0, MATERIAL_RANGE.1)) / USUAL_MATERIAL
}

impl Model {
    /// Half and width for this material; neither is ever too small to divide by.
    #[must_use]
    pub fn curve(&self, material: i32) -> (f64, f64) {
        let x = argument(material);
        let cubic = |c: &[f64; 4]| ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
        (cubic(&self.half).max(10.0), cubic(&self.width).max(5.0))
    }

    /// The chances of win, draw and loss for the side whose score it is.
    #[must_use]
    pub fn chances(&self, score: SearchScore, material: i32) -> [f64; 3] {
        let (half, width) = self.curve(material);
        let units = f64::from(score.units());
        let chance = |units: f64| 1.0 / (1.0 + ((half - units) / width).exp());
        let (win, loss) = (chance(units), chance(-units));
        [win, (1.0 - win - loss).max(0.0), loss]
    }
}

/// For the hand-crafted evaluation: 846,914 positions of its own games at 1,000 to 2,000 nodes a move.
pub const HAND: Model =
    Model { half: [202.074, -280.184, 238.759, -73.610], width: [28.069, 164.118, -130.471, 56.950] };

/// For networks: 2,378,480 positions of games at 1,500 nodes a move, by two ancestors of the embedded network.
pub const NETWORK: Model =
    Model { half: [217.974, -276.699, 239.785, -66.625], width: [28.798, 104.302, -61.538, 35.196] };

/// How scores of one position are shown: the model that belongs to the evaluation, and the material at the root. The
/// only way from the search's units to centipawns.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    model: Model,
    material: i32,
    /// Neither side can win any more.
    dead: bool,
}

/// The most by which the search's draw scores differ from zero; it varies them to tell draws apart.
const DRAW_NOISE: u32 = 1;

impl Scale {
    /// For scores of this board.
    #[must_use]
    pub fn new(model: Model, board: &Board) -> Scale {
        Scale { model, material: material(board), dead: board.is_insufficient_material() }
    }

    /// The score as it is shown: 100 centipawns mean an even chance to win. Mates and tablebase results are kept.
    #[must_use]
    pub fn show(&self, score: SearchScore) -> Score {
        Score::of_decisive(score.units()).unwrap_or_else(|| {
            if self.dead || score.units().unsigned_abs() <= DRAW_NOISE {
                return Score::Centipawns(0);
            }
            let centipawns = 100.0 * f64::from(score.units()) / self.model.curve(self.material).0;
            Score::Centipawns((centipawns.round() as i32).clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS))
        })
    }

    /// Chances of win, draw and loss per mille, for the side whose score it is.
    #[must_use]
    pub fn wdl(&self, score: SearchScore) -> [u16; 3] {
        if self.dead {
            return [0, 1000, 0];
        }
        let [win, _, loss] = self.model.chances(score, self.material);
        let (win, loss) = ((1000.0 * win).round() as u16, (1000.0 * loss).round() as u16);
        [win, 1000_u16.saturating_sub(win + loss), loss]
    }
}

/// Chances of White's win, a draw and Black's win per mille for a score from elsewhere, when the board is unknown:
/// those of an ordinary middle game.
#[must_use]
pub fn usual_wdl(score: WhiteScore) -> [u16; 3] {
    const MATERIAL: i32 = 50;
    match score {
        WhiteScore::Mate { winner: Color::White, .. } => [1000, 0, 0],
        WhiteScore::Mate { winner: Color::Black, .. } => [0, 0, 1000],
        WhiteScore::Centipawns(centipawns) => {
            let units = f64::from(centipawns) * HAND.curve(MATERIAL).0 / 100.0;
            let scale = Scale { model: HAND, material: MATERIAL, dead: false };
            scale.wdl(SearchScore::new(units.round() as i32))
        }
    }
}

/// The same chances as the other side sees them.
#[must_use]
pub fn reversed([win, draw, loss]: [u16; 3]) -> [u16; 3] {
    [loss, draw, win]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score;

    fn scale() -> Scale {
        Scale::new(HAND, &Board::start())
    }

    fn show(units: i32) -> Score {
        scale().show(SearchScore::new(units))
    }

    fn wdl(units: i32) -> [u16; 3] {
        scale().wdl(SearchScore::new(units))
    }

    #[test]
    fn chances_add_up_and_mirror() {
        for score in [-score::MATE, -500, -1, 0, 1, 77, 500, score::MATE] {
            assert_eq!(wdl(score).iter().sum::<u16>(), 1000);
            assert_eq!(wdl(-score), reversed(wdl(score)));
        }
        assert_eq!(wdl(score::mate_in(3)), [1000, 0, 0]);
    }

    #[test]
    fn a_pawn_is_an_even_chance_to_win() {
        for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/5k2/5p2/8/3R4/8/4r1PK/8 w - - 0 1"] {
            let board: Board = fen.parse().expect("a legal position");
            let scale = Scale::new(HAND, &board);
            let mut scores = (0..1000).map(SearchScore::new);
            let half = scores.find(|&score| scale.show(score) >= Score::Centipawns(100)).expect("some is worth a pawn");
            assert!(scale.wdl(half)[0].abs_diff(500) <= 10, "{fen}: {half:?}");
        }
    }

    #[test]
    fn a_pawn_of_other_programs_is_an_even_chance_too() {
        let usual = |centipawns| usual_wdl(WhiteScore::Centipawns(centipawns));
        assert!(usual(100)[0].abs_diff(500) <= 10 && usual(-100)[2].abs_diff(500) <= 10);
        assert_eq!(usual(0)[0], usual(0)[2]);
        assert_eq!(usual_wdl(WhiteScore::Mate { winner: Color::Black, moves: 3 }), [0, 0, 1000]);
    }

    #[test]
    fn what_is_decided_is_shown_as_it_is() {
        assert_eq!(show(score::mate_in(7)), Score::Mate(4));
        assert_eq!(show(score::mated_in(7)), Score::Mate(-4));
        assert_eq!(show(score::TB_WIN - 3), Score::Centipawns(19_997));
        assert!(!show(score::MAX_EVAL).is_decisive());
    }

    #[test]
    fn dead_positions_are_draws() {
        for fen in ["8/8/3k4/8/8/3K4/8/8 w - - 0 1", "8/8/3k4/8/8/3KB3/8/8 b - - 0 1", "8/8/3k4/8/8/3KN3/8/8 w - - 0 1"]
        {
            let scale = Scale::new(NETWORK, &fen.parse().expect(fen));
            for units in [-20, -1, 0, 1, 20] {
                let score = SearchScore::new(units);
                assert_eq!((scale.show(score), scale.wdl(score)), (Score::Centipawns(0), [0, 1000, 0]), "{fen}");
            }
        }
        assert_eq!((show(1), show(-1)), (Score::Centipawns(0), Score::Centipawns(0)), "draws of the search");
    }

    #[test]
    fn more_is_never_worse() {
        let all: Vec<_> = (-3000..3000).map(|score| (show(score), wdl(score))).collect();
        assert!(all.is_sorted_by(|a, b| a.0 <= b.0 && a.1[0] <= b.1[0] && a.1[2] >= b.1[2]));
    }
}
