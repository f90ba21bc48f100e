//! Full-width proof of short mates. The main search prunes, and may miss a quiet key move or a sacrifice; a mate in two
//! or three can be searched without pruning. The attacker tries everything, checks first; the defender starts with the
//! reply that refuted the last try, so a failing try costs little.

use chess::{Board, Move, MoveList};

/// Proves a mate in at most `moves` moves. Returns the line with the longest defence; `Err` if out of nodes.
pub(crate) fn find(
    board: &Board,
    root: &[Move],
    moves: usize,
    nodes: &mut Allowance,
) -> Result<Option<Vec<Move>>, Exhausted> {
    let mut search = Search { nodes, refutations: [None; MOST + 1] };
    let mut list = MoveList::new();
    root.iter().for_each(|&mv| list.push(mv));
    search.attack(board, list, moves.min(MOST))
}

/// The longest mate that is looked for.
pub(crate) const MOST: usize = 8;

/// The node limit, and the nodes used.
pub(crate) struct Allowance {
    pub(crate) limit: u64,
    pub(crate) used: u64,
}

/// The node limit was reached.
#[derive(Debug)]
pub(crate) struct Exhausted;

struct Search<'a> {
    nodes: &'a mut Allowance,
    refutations: [Option<Move>; MOST + 1], // [moves left] the defender's last good answer
}

impl Search<'_> {
    fn play(&mut self, board: &Board, mv: Move) -> Result<Board, Exhausted> {
        self.nodes.used += 1;
        if self.nodes.used > self.nodes.limit { Err(Exhausted) } else { Ok(board.after(mv)) }
    }

    /// A line that mates in at most `left` moves, whatever the defender does.
    fn attack(&mut self, board: &Board, mut moves: MoveList, left: usize) -> Result<Option<Vec<Move>>, Exhausted> {
        let info = board.check_info();
        moves.sort_by_cached_key(|&mv| (!board.gives_check(mv, &info), !mv.is_noisy()));
        for &mv in &moves {
            // The last move must give check.
            if left == 1 && !board.gives_check(mv, &info) {
                break;
            }
            let next = self.play(board, mv)?;
            if let Some(mut line) = self.defend(&next, left)? {
                line.insert(0, mv);
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// The longest line to mate, if every reply is mated within `left` − 1 moves; empty if it is mate already.
    fn defend(&mut self, board: &Board, left: usize) -> Result<Option<Vec<Move>>, Exhausted> {
        if left == 1 {
            return Ok((board.in_check() && !board.has_legal_moves()).then(Vec::new));
        }
        let mut answers = board.legal_moves();
        if answers.is_empty() {
            return Ok(board.in_check().then(Vec::new));
        }
        let refutation = self.refutations[left];
        answers.sort_by_key(|&mv| (Some(mv) != refutation, !mv.is_noisy()));
        let mut longest = Vec::new();
        for &answer in &answers {
            let next = self.play(board, answer)?;
            let Some(line) = self.attack(&next, next.legal_moves(), left - 1)? else {
                self.refutations[left] = Some(answer);
                return Ok(None);
            };
            if longest.is_empty() || line.len() + 1 > longest.len() {
                longest = line;
                longest.insert(0, answer);
            }
        }
        Ok(Some(longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mate(fen: &str, moves: usize) -> Option<String> {
        let board: Board = fen.parse().expect(fen);
        let mut nodes = Allowance { limit: 1_000_000, used: 0 };
        let line = find(&board, &board.legal_moves(), moves, &mut nodes).expect("enough nodes")?;
        Some(line.iter().map(|mv| mv.uci(false)).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn short_mates_are_proven() {
        assert_eq!(mate("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1).as_deref(), Some("a1a8"));
        // Morphy's problem: a quiet rook move puts Black in zugzwang.
        let morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
        assert_eq!(mate(morphy, 1), None);
        assert!(mate(morphy, 2).is_some_and(|line| line.starts_with("a1a6 ")));
        assert_eq!(mate(chess::fen::START, 2), None);
    }

    #[test]
    fn the_allowance_is_kept() {
        let mut nodes = Allowance { limit: 100, used: 0 };
        let board = Board::start();
        assert!(find(&board, &board.legal_moves(), 3, &mut nodes).is_err());
        assert!(nodes.used <= 101);
    }
}
