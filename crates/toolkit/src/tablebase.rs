//! Adjudication by Syzygy tablebases, which takes the fifty-move rule into account.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use chess::{Board, Color};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy::{Tablebase, Wdl};

/// Tables, read from disk when probed.
pub struct Tables {
    tables: Tablebase<Chess>,
}

impl Tables {
    /// Finds the tables in some directories.
    pub fn open(directories: &[PathBuf]) -> Result<Tables> {
        let mut tables = Tablebase::new();
        for path in directories {
            let found = tables.add_directory(path).with_context(|| format!("cannot read {}", path.display()))?;
            if found == 0 {
                bail!("{} has no tablebases", path.display());
            }
        }
        Ok(Tables { tables })
    }

    /// The winner of a position, or `Some(None)` for a draw; none if the tables cannot decide it for certain.
    pub fn winner(&self, board: &Board) -> Option<Option<Color>> {
        if board.occupied().len() > self.tables.max_pieces() || !board.castling().rooks().is_empty() {
            return None;
        }
        let fen: Fen = board.to_string().parse().ok()?;
        let position: Chess = fen.into_position(CastlingMode::Standard).ok()?;
        let us = board.side_to_move();
        Some(match self.tables.probe_wdl(&position).ok()?.unambiguous()? {
            Wdl::Win => Some(us),
            Wdl::Loss => Some(us.other()),
            // Cursed wins and blessed losses are draws by the fifty-move rule.
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_endings() {
        let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy"));
        let tables = Tables::open(&[path]).expect("tables");
        let winner = |fen: &str| tables.winner(&fen.parse().expect(fen));
        assert_eq!(winner("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"), Some(Some(Color::White)));
        assert_eq!(winner("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1"), Some(Some(Color::White)));
        assert_eq!(winner("4k3/8/8/8/8/8/8/Q3K3 b - - 99 90"), Some(None), "too late for mate");
        assert_eq!(winner("4k3/8/8/8/8/8/8/N3K3 b - - 0 1"), Some(None));
        assert_eq!(winner("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None, "castling is beyond the tables");
        assert_eq!(winner("4k3/pppp4/8/8/8/8/8/4K2R w - - 0 1"), None, "too many pieces");
    }

    #[test]
    fn missing_tables_are_a_mistake() {
        assert!(Tables::open(&["/no/such/directory".into()]).is_err());
        assert!(Tables::open(&["src".into()]).is_err());
    }
}
