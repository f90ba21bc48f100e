//! Names of the commonest openings. A position is looked for, not the moves, so that transpositions are found; the latest position
//! of a game that has a name gives the name.

use std::collections::HashMap;
use std::sync::LazyLock;

use chess::{Board, Move};

/// How far into a game names can lie.
const DEEPEST: usize = 20;

/// The name of the opening that these moves from the usual start position lead into.
pub(crate) fn name(moves: &[Move]) -> Option<&'static str> {
    static BY_KEY: LazyLock<HashMap<u64, &'static str>> = LazyLock::new(|| {
        let key = |moves: &str| read(moves).map(|(_, board)| board.key());
        TABLE.iter().filter_map(|(name, moves)| Some((key(moves)?, *name))).collect()
    });
    let mut board = Board::start();
    let mut name = None;
    for &mv in moves.iter().take(DEEPEST) {
        board = board.after(mv);
        name = BY_KEY.get(&board.key()).copied().or(name);
    }
    name
}

fn read(moves: &str) -> Option<(Vec<Move>, Board)> {
    let mut board = Board::start();
    let mut found = Vec::new();
    for text in moves.split_whitespace() {
        let mv = board.parse_san(text).ok()?;
        board = board.after(mv);
        found.push(mv);
    }
    Some((found, board))
}

const TABLE: &[(&str, &str)] = &[
    ("King's Pawn", "e4"),
    ("Open Game", "e4 e5"),
    ("King's Knight", "e4 e5 Nf3"),
    ("King's Gambit", "e4 e5 f4"),
    ("King's Gambit Accepted", "e4 e5 f4 exf4"),
    ("King's Gambit Declined", "e4 e5 f4 Bc5"),
    ("Falkbeer Countergambit", "e4 e5 f4 d5"),
    ("Vienna Game", "e4 e5 Nc3"),
    ("Vienna Gambit", "e4 e5 Nc3 Nf6 f4"),
    ("Bishop's Opening", "e4 e5 Bc4"),
    ("Centre Game", "e4 e5 d4 exd4 Qxd4"),
    ("Danish Gambit", "e4 e5 d4 exd4 c3"),
    ("Philidor Defence", "e4 e5 Nf3 d6"),
    ("Petrov Defence", "e4 e5 Nf3 Nf6"),
    ("Latvian Gambit", "e4 e5 Nf3 f5"),
    ("Elephant Gambit", "e4 e5 Nf3 d5"),
    ("Scotch Game", "e4 e5 Nf3 Nc6 d4"),
    ("Scotch Gambit", "e4 e5 Nf3 Nc6 d4 exd4 Bc4"),
    ("Ponziani Opening", "e4 e5 Nf3 Nc6 c3"),
    ("Three Knights Game", "e4 e5 Nf3 Nc6 Nc3"),
    ("Four Knights Game", "e4 e5 Nf3 Nc6 Nc3 Nf6"),
    ("Italian Game", "e4 e5 Nf3 Nc6 Bc4"),
    ("Italian Game: Giuoco Piano", "e4 e5 Nf3 Nc6 Bc4 Bc5"),
    ("Italian Game: Giuoco Pianissimo", "e4 e5 Nf3 Nc6 Bc4 Bc5 d3"),
    ("Evans Gambit", "e4 e5 Nf3 Nc6 Bc4 Bc5 b4"),
    ("Two Knights Defence", "e4 e5 Nf3 Nc6 Bc4 Nf6"),
    ("Two Knights Defence: Knight Attack", "e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5"),
    ("Two Knights Defence: Fried Liver Attack", "e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5 d5 exd5 Nxd5 Nxf7"),
    ("Hungarian Defence", "e4 e5 Nf3 Nc6 Bc4 Be7"),
    ("Ruy Lopez", "e4 e5 Nf3 Nc6 Bb5"),
    ("Ruy Lopez: Berlin Defence", "e4 e5 Nf3 Nc6 Bb5 Nf6"),
    ("Ruy Lopez: Berlin Endgame", "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 d4 Nd6 Bxc6 dxc6 dxe5 Nf5 Qxd8+ Kxd8"),
    ("Ruy Lopez: Schliemann Defence", "e4 e5 Nf3 Nc6 Bb5 f5"),
    ("Ruy Lopez: Steinitz Defence", "e4 e5 Nf3 Nc6 Bb5 d6"),
    ("Ruy Lopez: Bird Defence", "e4 e5 Nf3 Nc6 Bb5 Nd4"),
    ("Ruy Lopez: Morphy Defence", "e4 e5 Nf3 Nc6 Bb5 a6"),
    ("Ruy Lopez: Exchange Variation", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6"),
    ("Ruy Lopez: Open Variation", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4"),
    ("Ruy Lopez: Closed Variation", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7"),
    ("Ruy Lopez: Marshall Attack", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 O-O c3 d5"),
    ("Sicilian Defence", "e4 c5"),
    ("Sicilian Defence: Closed", "e4 c5 Nc3"),
    ("Sicilian Defence: Alapin", "e4 c5 c3"),
    ("Sicilian Defence: Smith-Morra Gambit", "e4 c5 d4 cxd4 c3"),
    ("Sicilian Defence: Grand Prix Attack", "e4 c5 Nc3 Nc6 f4"),
    ("Sicilian Defence: Rossolimo", "e4 c5 Nf3 Nc6 Bb5"),
    ("Sicilian Defence: Moscow", "e4 c5 Nf3 d6 Bb5+"),
    ("Sicilian Defence: Open", "e4 c5 Nf3 d6 d4"),
    ("Sicilian Defence: Najdorf", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"),
    ("Sicilian Defence: Dragon", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6"),
    ("Sicilian Defence: Scheveningen", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 e6"),
    ("Sicilian Defence: Classical", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 Nc6"),
    ("Sicilian Defence: Accelerated Dragon", "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 g6"),
    ("Sicilian Defence: Sveshnikov", "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5"),
    ("Sicilian Defence: Taimanov", "e4 c5 Nf3 e6 d4 cxd4 Nxd4 Nc6"),
    ("Sicilian Defence: Kan", "e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6"),
    ("French Defence", "e4 e6"),
    ("French Defence: Advance Variation", "e4 e6 d4 d5 e5"),
    ("French Defence: Exchange Variation", "e4 e6 d4 d5 exd5 exd5"),
    ("French Defence: Tarrasch Variation", "e4 e6 d4 d5 Nd2"),
    ("French Defence: Winawer Variation", "e4 e6 d4 d5 Nc3 Bb4"),
    ("French Defence: Classical Variation", "e4 e6 d4 d5 Nc3 Nf6"),
    ("French Defence: Rubinstein Variation", "e4 e6 d4 d5 Nc3 dxe4"),
    ("Caro-Kann Defence", "e4 c6"),
    ("Caro-Kann Defence: Advance Variation", "e4 c6 d4 d5 e5"),
    ("Caro-Kann Defence: Exchange Variation", "e4 c6 d4 d5 exd5 cxd5"),
    ("Caro-Kann Defence: Panov Attack", "e4 c6 d4 d5 exd5 cxd5 c4"),
    ("Caro-Kann Defence: Classical Variation", "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5"),
    ("Caro-Kann Defence: Two Knights", "e4 c6 Nc3 d5 Nf3"),
    ("Scandinavian Defence", "e4 d5"),
    ("Scandinavian Defence: Main Line", "e4 d5 exd5 Qxd5 Nc3 Qa5"),
    ("Alekhine Defence", "e4 Nf6"),
    ("Pirc Defence", "e4 d6 d4 Nf6 Nc3 g6"),
    ("Modern Defence", "e4 g6"),
    ("Nimzowitsch Defence", "e4 Nc6"),
    ("Owen Defence", "e4 b6"),
    ("St. George Defence", "e4 a6"),
    ("Queen's Pawn", "d4"),
    ("Closed Game", "d4 d5"),
    ("London System", "d4 d5 Bf4"),
    ("London System", "d4 d5 Nf3 Nf6 Bf4"),
    ("London System", "d4 Nf6 Bf4"),
    ("London System", "d4 Nf6 Nf3 e6 Bf4"),
    ("London System", "d4 Nf6 Nf3 g6 Bf4"),
    ("Colle System", "d4 d5 Nf3 Nf6 e3"),
    ("Trompowsky Attack", "d4 Nf6 Bg5"),
    ("Torre Attack", "d4 Nf6 Nf3 e6 Bg5"),
    ("Blackmar-Diemer Gambit", "d4 d5 e4"),
    ("Jobava London", "d4 d5 Nc3 Nf6 Bf4"),
    ("Queen's Gambit", "d4 d5 c4"),
    ("Queen's Gambit Accepted", "d4 d5 c4 dxc4"),
    ("Queen's Gambit Declined", "d4 d5 c4 e6"),
    ("Queen's Gambit Declined: Exchange Variation", "d4 d5 c4 e6 Nc3 Nf6 cxd5 exd5"),
    ("Queen's Gambit Declined: Tarrasch Defence", "d4 d5 c4 e6 Nc3 c5"),
    ("Albin Countergambit", "d4 d5 c4 e5"),
    ("Chigorin Defence", "d4 d5 c4 Nc6"),
    ("Slav Defence", "d4 d5 c4 c6"),
    ("Slav Defence: Exchange Variation", "d4 d5 c4 c6 cxd5 cxd5"),
    ("Semi-Slav Defence", "d4 d5 c4 c6 Nf3 Nf6 Nc3 e6"),
    ("Semi-Slav Defence: Meran Variation", "d4 d5 c4 c6 Nf3 Nf6 Nc3 e6 e3 Nbd7 Bd3 dxc4 Bxc4 b5"),
    ("Catalan Opening", "d4 Nf6 c4 e6 g3"),
    ("Catalan Opening", "d4 d5 c4 e6 Nf3 Nf6 g3"),
    ("Indian Game", "d4 Nf6"),
    ("Nimzo-Indian Defence", "d4 Nf6 c4 e6 Nc3 Bb4"),
    ("Queen's Indian Defence", "d4 Nf6 c4 e6 Nf3 b6"),
    ("Bogo-Indian Defence", "d4 Nf6 c4 e6 Nf3 Bb4+"),
    ("King's Indian Defence", "d4 Nf6 c4 g6 Nc3 Bg7"),
    ("King's Indian Defence: Classical Variation", "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5"),
    ("King's Indian Defence: Sämisch Variation", "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 f3"),
    ("King's Indian Defence: Four Pawns Attack", "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 f4"),
    ("Grünfeld Defence", "d4 Nf6 c4 g6 Nc3 d5"),
    ("Grünfeld Defence: Exchange Variation", "d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5 e4"),
    ("Benoni Defence", "d4 Nf6 c4 c5 d5"),
    ("Modern Benoni", "d4 Nf6 c4 c5 d5 e6"),
    ("Benko Gambit", "d4 Nf6 c4 c5 d5 b5"),
    ("Budapest Gambit", "d4 Nf6 c4 e5"),
    ("Old Indian Defence", "d4 Nf6 c4 d6"),
    ("Dutch Defence", "d4 f5"),
    ("English Opening", "c4"),
    ("English Opening: Symmetrical Variation", "c4 c5"),
    ("English Opening: Reversed Sicilian", "c4 e5"),
    ("Réti Opening", "Nf3"),
    ("Réti Opening", "Nf3 d5 c4"),
    ("King's Indian Attack", "Nf3 d5 g3"),
    ("Bird Opening", "f4"),
    ("From Gambit", "f4 e5"),
    ("Larsen Opening", "b3"),
    ("Polish Opening", "b4"),
    ("Grob Opening", "g4"),
    ("Hungarian Opening", "g3"),
    ("Van 't Kruijs Opening", "e3"),
    ("Mieses Opening", "d3"),
    ("Saragossa Opening", "c3"),
    ("Barnes Opening", "f3"),
    ("Anderssen Opening", "a3"),
    ("Dunst Opening", "Nc3"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_legal_and_gives_its_name() {
        for (expected, text) in TABLE {
            let (moves, _) = read(text).expect(text);
            assert!(moves.len() <= DEEPEST, "{text}");
            assert_eq!(name(&moves), Some(*expected), "{text}");
        }
    }

    #[test]
    fn transpositions_and_games_without_a_name() {
        let named = |text: &str| name(&read(text).expect(text).0);
        assert_eq!(named("Nf3 Nf6 d4 e6 c4 b6 g3"), Some("Queen's Indian Defence"));
        assert_eq!(named("h4 h5"), None);
        assert_eq!(named(""), None);
    }
}
