//! Ranks the moves at the root so that a won ending is won.
//!
//! It is not enough to know that a move wins: a search that sees wins everywhere may shuffle until the fifty-move rule
//! or a repetition ends the game. As in Stockfish, all moves that surely win rank alike, so that the search may choose
//! the one that mates soonest; but once the fifty moves run short or a position has been repeated, the distance to the
//! next capture, pawn move or mate decides.

use std::cmp::{Ordering, Reverse};

use chess::{Board, Move, Position};

use super::kbnk::{self, Kbnk};
use super::{Tablebases, Wdl};

/// The tablebase result of a root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootRank {
    /// Higher is better; only moves of the highest order should be played. Positive for a win, cursed or not, 0 for a
    /// draw, negative otherwise.
    pub order: i32,
    /// What the move leads to, for the side that plays it, with the half-move clock as it stands.
    pub outcome: Wdl,
    /// Plies from the root to the next capture, pawn move or mate, negative if losing, 0 if drawn; sometimes one too
    /// few, as the tables round. None if DTZ tables were missing: then the search itself must make progress.
    pub dtz: Option<i32>,
}

/// The order of a sure win: above half of it minus any distance.
const SURE: i32 = 1 << 18;
/// Plies without capture or pawn move after which a game is drawn.
const FIFTY_MOVES: i32 = 100;

/// The distance to the next capture, pawn move or mate: positive if winning, negative if losing, 0 if drawn.
#[derive(Clone, Copy)]
struct Distance {
    plies: i32,
    /// Some tables count in moves; the true distance may then be one ply more.
    is_exact: bool,
    /// The half-move clock.
    clock: i32,
}

impl Tablebases {
    /// All legal moves with their ranks, best first: by DTZ, or by WDL if a DTZ table is missing. None if the tables do
    /// not cover the position, a table is missing or damaged, or there is no legal move.
    #[must_use]
    pub fn rank_root(&self, position: &Position, use_50_move_rule: bool) -> Option<Vec<(Move, RootRank)>> {
        if !position.has_legal_moves() || !self.covers(position) {
            return None;
        }
        let repeated = has_repeated(position);
        let clock = i32::from(position.halfmove_clock());
        let mut ranks = rank_all(position, |after| {
            let distance = self.distance(after, clock, use_50_move_rule)?;
            let outcome = outcome(distance);
            Some(RootRank {
                order: order(distance, repeated),
                outcome: if use_50_move_rule { outcome } else { outcome.without_50_move_rule() },
                dtz: Some(distance.plies),
            })
        })
        .or_else(|| rank_all(position, |after| self.rank_by_wdl(after, use_50_move_rule)))?;
        ranks.sort_by_key(|(_, rank)| Reverse((rank.order, rank.dtz.map(brevity))));
        Some(ranks)
    }

    /// The distance after the move that led to this position, for the side that played it.
    fn distance(&self, after: &Position, clock: i32, use_50_move_rule: bool) -> Option<Distance> {
        let exact = |plies| Distance { plies, is_exact: true, clock };
        if let Some(wdl) = ended(after, use_50_move_rule) {
            return Some(exact(i32::from(wdl == Wdl::Win)));
        }
        if after.halfmove_clock() == 0 {
            let plies = match self.probe_wdl(after)?.reversed() {
                Wdl::Loss => -1,
                Wdl::BlessedLoss => -FIFTY_MOVES - 1,
                Wdl::Draw => 0,
                Wdl::CursedWin => FIFTY_MOVES + 1,
                Wdl::Win => 1,
            };
            return Some(Distance { clock: 0, ..exact(plies) });
        }
        let dtz = self.probe_dtz(after)?;
        let plies = -dtz.ignore_rounding().0;
        Some(Distance { plies: plies + plies.signum(), is_exact: dtz.precise().is_some(), clock })
    }

    fn rank_by_wdl(&self, after: &Position, use_50_move_rule: bool) -> Option<RootRank> {
        let wdl = match ended(after, use_50_move_rule) {
            Some(wdl) => wdl,
            None => self.probe_wdl(after)?.reversed(),
        };
        let outcome = if use_50_move_rule { wdl } else { wdl.without_50_move_rule() };
        let order = match outcome {
            Wdl::Loss => -SURE,
            Wdl::BlessedLoss => -1,
            Wdl::Draw => 0,
            Wdl::CursedWin => 1,
            Wdl::Win => SURE,
        };
        Some(RootRank { order, outcome, dtz: None })
    }
}

impl Kbnk {
    /// All legal moves with their ranks, in no order; none if it is another ending. The distance to mate is known, so
    /// it alone decides: the shortest way wins without search, and the longest holds out.
    pub(crate) fn rank_root(&self, position: &Position, use_50_move_rule: bool) -> Option<Vec<(Move, RootRank)>> {
        if !kbnk::is_kbnk(position) {
            return None;
        }
        let clock = i32::from(position.halfmove_clock());
        rank_all(position, |after| {
            let plies = match (ended(after, use_50_move_rule), self.plies_to_mate(after)) {
                (Some(Wdl::Win), _) => 1,
                (Some(_), _) | (None, None) => 0,
                (None, Some(plies)) if plies % 2 == 0 => plies + 1,
                (None, Some(plies)) => -plies - 1,
            };
            let outcome = outcome(Distance { plies, is_exact: true, clock });
            let outcome = if use_50_move_rule { outcome } else { outcome.without_50_move_rule() };
            Some(RootRank { order: plies.signum() * SURE - plies, outcome, dtz: Some(plies) })
        })
    }
}

/// Every legal move with the rank of the position after it; none if any of them has none.
fn rank_all(position: &Position, mut rank: impl FnMut(&Position) -> Option<RootRank>) -> Option<Vec<(Move, RootRank)>> {
    let (moves, mut scratch) = (position.legal_moves(), position.clone());
    let ranked = moves.iter().map(|&mv| {
        scratch.play(mv);
        let rank = rank(&scratch);
        scratch.unmake();
        Some((mv, rank?))
    });
    ranked.collect()
}

/// The result for the side that played the last move, if that ended the game.
fn ended(after: &Position, use_50_move_rule: bool) -> Option<Wdl> {
    if !after.has_legal_moves() {
        return Some(if after.in_check() { Wdl::Win } else { Wdl::Draw });
    }
    let drawn = after.is_repetition(0) || (use_50_move_rule && after.is_fifty_moves());
    drawn.then_some(Wdl::Draw)
}

/// Whether any position since the last capture or pawn move was repeated.
fn has_repeated(position: &Position) -> bool {
    let mut past = position.clone();
    loop {
        // With a root this far back, one earlier occurrence is enough.
        if past.is_repetition(usize::MAX) {
            return true;
        }
        if past.plies() == 0 || Board::halfmove_clock(&past) == 0 {
            return false;
        }
        past.unmake();
    }
}

/// Shorter wins are greater, and so are longer losses.
fn brevity(dtz: i32) -> i32 {
    if dtz > 0 { SURE - dtz } else { -dtz }
}

fn outcome(distance: Distance) -> Wdl {
    let in_time = distance.plies.abs() + distance.clock <= FIFTY_MOVES;
    match (distance.plies.cmp(&0), in_time) {
        (Ordering::Less, true) => Wdl::Loss,
        (Ordering::Less, false) => Wdl::BlessedLoss,
        (Ordering::Equal, _) => Wdl::Draw,
        (Ordering::Greater, false) => Wdl::CursedWin,
        (Ordering::Greater, true) => Wdl::Win,
    }
}

fn order(distance: Distance, repeated: bool) -> i32 {
    let Distance { plies, is_exact, clock } = distance;
    let total = plies.abs() + clock;
    match plies.cmp(&0) {
        Ordering::Greater => {
            // Where distances are rounded, one ply may be hidden here and another be wasted later on the shortest way.
            let reserve = if is_exact { 0 } else { 2 };
            if total + reserve <= FIFTY_MOVES && !repeated { SURE } else { SURE / 2 - total }
        }
        Ordering::Equal => 0,
        // While the fifty-move draw is far, the search knows best how to set problems; near it, the longest way counts.
        Ordering::Less if total - plies < FIFTY_MOVES => -SURE,
        Ordering::Less => total - SURE / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(plies: i32, clock: i32) -> Distance {
        Distance { plies, is_exact: true, clock }
    }

    #[test]
    fn cursed_wins_lie_between_wins_and_draws() {
        let ladder = [
            exact(-1, 0),    // loses at once
            exact(-20, 10),  // loses
            exact(-60, 30),  // loses, but a rescue is in sight
            exact(-61, 40),  // would lose, but the fifty moves will have passed
            exact(-101, 0),  // the same from the start
            exact(-101, 70), // even more surely
            exact(0, 0),
            exact(130, 60),
            exact(101, 0),
            exact(61, 40),
            exact(60, 41),
        ];
        let winning = [exact(60, 40), exact(1, 99), exact(20, 0)];
        for pair in ladder.windows(2) {
            assert!(order(pair[0], false) <= order(pair[1], false));
            assert!(order(pair[0], true) <= order(pair[1], true));
            assert!(outcome(pair[0]) <= outcome(pair[1]));
        }
        for win in winning {
            assert_eq!((outcome(win), order(win, false)), (Wdl::Win, SURE));
            assert!(order(win, true) > order(ladder[10], true) && order(win, true) < SURE);
        }
        assert_eq!(outcome(ladder[10]), Wdl::CursedWin);
        assert_eq!(outcome(ladder[3]), Wdl::BlessedLoss);
        assert_eq!(outcome(ladder[2]), Wdl::Loss);
    }

    #[test]
    fn rounded_distances_keep_a_reserve() {
        let rounded = |plies| Distance { plies, is_exact: false, clock: 50 };
        assert_eq!(order(rounded(48), false), SURE);
        assert!(order(rounded(49), false) < SURE);
        assert!(order(rounded(49), false) > order(rounded(50), false));
    }
}
