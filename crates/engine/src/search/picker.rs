//! The move picker: `next()` returns the most promising move first and generates moves only when it has to.
//!
//! There are three kinds, as in Stockfish's picker of 2016: main search, quiescence (which narrows with depth: captures
//! and quiet checks, captures, recaptures on one square) and ProbCut (captures above an SEE threshold). In check, the
//! first two try all evasions. The SEE of a capture waits until the capture is picked, since most are never reached.
//!
//! ```text
//! main        hash → good noisy → mate killer → killer 1 → killer 2 → countermove → quiet → bad noisy
//! evasion     hash → all evasions          probcut     hash → noisy above the threshold
//! quiescence  hash → noisy [→ quiet checks at depth 0]      from −5 down: recaptures only
//!
//! pool:  … | bad noisy | (picked) | noisy left │ quiet … |
//!          base        bad_end    cursor       end
//! ```

use chess::{Board, CheckInfo, Move, Square};

use super::guide;
use super::order::{best_of, bring_best, check_score, evasion_score, good_first, noisy_score};
use super::params;
use super::stack::{MovePool, Scored};
use super::worker::Worker;

/// From this depth down quiescence tries no quiet checks.
pub(crate) const NO_CHECKS: i32 = -1;
/// From this depth down quiescence tries recaptures only.
pub(crate) const RECAPTURES: i32 = -5;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Stage {
    MainHash,
    MainNoisyInit,
    GoodNoisy,
    MateKiller,
    FirstKiller,
    SecondKiller,
    Countermove,
    QuietInit,
    Quiet,
    BadNoisy,

    EvasionHash,
    EvasionInit,
    Evasion,

    ProbcutHash,
    ProbcutInit,
    ProbcutNoisy,

    QuiesceHash,
    QuiesceInit,
    QuiesceNoisy,
    QuiesceChecksInit,
    QuiesceChecks,

    RecaptureInit,
    Recapture,

    Done,
}

impl Stage {
    /// The first stage if there is no hash move.
    #[inline]
    fn without_hash(self) -> Stage {
        match self {
            Stage::MainHash => Stage::MainNoisyInit,
            Stage::EvasionHash => Stage::EvasionInit,
            Stage::ProbcutHash => Stage::ProbcutInit,
            Stage::QuiesceHash => Stage::QuiesceInit,
            _ => self,
        }
    }

    /// Whether moves of this stage are killers or countermoves.
    #[inline]
    pub(crate) fn is_refutation(self) -> bool {
        matches!(self, Stage::MateKiller | Stage::FirstKiller | Stage::SecondKiller | Stage::Countermove)
    }
}

/// Moves that are scored in the same way.
#[derive(Clone, Copy)]
enum Generated {
    Noisy,
    Quiet,
    Evasions,
}

pub(crate) struct Picker {
    stage: Stage,
    /// The stage the last move came from.
    picked: Stage,
    /// What the policy thinks of the last move, if it was asked.
    policy: i32,
    hash: Option<Move>,
    /// The killers and the countermove, in the order they are tried.
    refutations: [Option<Move>; 4],
    ply: usize,
    depth: i32,
    threshold: i32,
    recapture: Option<Square>,
    /// Which moves give check, computed when first needed.
    check_info: Option<CheckInfo>,
    checks: bool,
    skip_quiets: bool,
    base: usize,
    bad_end: usize,
    cursor: usize,
    /// The quiet moves before this are picked in order of their scores, the others as they come.
    good_end: usize,
    end: usize,
}

impl Picker {
    fn new(worker: &Worker, stage: Stage, hash: Option<Move>, ply: usize) -> Picker {
        let base = worker.pool.0.len();
        Picker {
            stage: if hash.is_none() { stage.without_hash() } else { stage },
            picked: stage,
            policy: 0,
            hash,
            refutations: [None; 4],
            ply,
            depth: 0,
            threshold: 0,
            recapture: None,
            check_info: None,
            checks: false,
            skip_quiets: false,
            base,
            bad_end: base,
            cursor: base,
            good_end: base,
            end: base,
        }
    }

    /// For a node of the main search.
    pub(crate) fn main(worker: &Worker, hash: Option<Move>, depth: i32, ply: usize) -> Picker {
        let board = worker.position.board();
        let hash = playable(board, hash);
        let stage = if board.in_check() { Stage::EvasionHash } else { Stage::MainHash };
        let mut picker = Picker::new(worker, stage, hash, ply);
        picker.depth = depth;
        if board.in_check() {
            return picker;
        }
        let frame = worker.stack.at(ply);
        let [first, second] = if params::killers() { frame.killers } else { [None; 2] };
        let mate_killer = frame.mate_killer.filter(|_| params::mate_killers());
        let last = worker.stack.before(ply, 1).piece_to;
        let countermove = worker.histories.countermove(last).filter(|_| params::countermove());
        // Drop duplicates.
        let mut refutations = [mate_killer, first, second, countermove];
        for index in 0..refutations.len() {
            let mv = refutations[index];
            if mv == hash || refutations[..index].contains(&mv) {
                refutations[index] = None;
            }
        }
        picker.refutations = refutations;
        picker
    }

    /// For a quiescence node; `depth` is zero or negative, `recapture` is the target of the last move.
    pub(crate) fn quiescence(
        worker: &Worker,
        hash: Option<Move>,
        depth: i32,
        recapture: Option<Square>,
        ply: usize,
    ) -> Picker {
        debug_assert!(depth <= 0);
        let board = worker.position.board();
        if board.in_check() {
            return Picker::new(worker, Stage::EvasionHash, playable(board, hash), ply);
        }
        if depth <= RECAPTURES {
            let mut picker = Picker::new(worker, Stage::RecaptureInit, None, ply);
            picker.recapture = recapture;
            return picker;
        }
        let checks = depth > NO_CHECKS && params::quiesce_checks();
        // Where only captures are tried, a quiet hash move is ignored.
        let hash = hash.filter(|mv| checks || mv.is_noisy());
        let mut picker = Picker::new(worker, Stage::QuiesceHash, playable(board, hash), ply);
        picker.checks = checks;
        picker
    }

    /// For ProbCut: captures that gain more than `threshold`.
    pub(crate) fn probcut(worker: &Worker, hash: Option<Move>, threshold: i32, ply: usize) -> Picker {
        let board = worker.position.board();
        debug_assert!(!board.in_check());
        let hash = playable(board, hash.filter(|mv| mv.is_capture())).filter(|&mv| board.see_ge(mv, threshold + 1));
        let mut picker = Picker::new(worker, Stage::ProbcutHash, hash, ply);
        picker.threshold = threshold;
        picker
    }

    /// All quiet moves of a node with the scores they are ordered by.
    #[cfg(feature = "log")]
    pub(super) fn score_quiets(worker: &mut Worker, ply: usize) -> Vec<Scored> {
        let mut picker = Picker::new(worker, Stage::QuietInit, None, ply);
        picker.generate_quiet(worker);
        let moves = worker.pool.0[picker.base..].to_vec();
        picker.finish(worker.pool);
        moves
    }

    /// Skips the remaining quiet moves.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The stage the last move came from.
    pub(crate) fn last_stage(&self) -> Stage {
        self.picked
    }

    /// What the policy thinks of the last move, above the mean of the node's quiet moves; 0 if it was not asked.
    #[inline]
    pub(crate) fn policy(&self) -> i32 {
        self.policy
    }

    /// Which moves of the node give check.
    #[inline]
    pub(crate) fn check_info(&mut self, board: &Board) -> &CheckInfo {
        self.check_info.get_or_insert_with(|| board.check_info())
    }

    /// Returns the moves to the pool.
    #[inline]
    pub(crate) fn finish(&self, pool: &mut MovePool) {
        pool.0.truncate(self.base);
    }

    /// The next move. Each is legal and comes only once.
    pub(crate) fn next(&mut self, worker: &mut Worker) -> Option<Move> {
        loop {
            self.picked = self.stage;
            match self.stage {
                Stage::MainHash => {
                    self.stage = Stage::MainNoisyInit;
                    return self.hash;
                }
                Stage::MainNoisyInit => {
                    self.generate_noisy(worker);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some(picked) = self.pick_best(worker.pool) {
                        let Scored { mv, score, .. } = picked;
                        if Some(mv) == self.hash {
                            continue;
                        }
                        if !params::exchange_ordering() || worker.position.see_ge(mv, -score / 32) {
                            return Some(mv);
                        }
                        worker.pool.0[self.bad_end] = picked;
                        self.bad_end += 1;
                    }
                    self.stage = Stage::MateKiller;
                }
                Stage::MateKiller | Stage::FirstKiller | Stage::SecondKiller | Stage::Countermove => {
                    if let Some(mv) = self.next_refutation(worker.position.board()) {
                        return Some(mv);
                    }
                    self.stage = Stage::QuietInit;
                }
                Stage::QuietInit => {
                    if !self.skip_quiets {
                        self.generate_quiet(worker);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    while !self.skip_quiets && self.cursor < self.end {
                        if self.cursor < self.good_end {
                            bring_best(&mut worker.pool.0[self.cursor..self.good_end]);
                        }
                        let Scored { mv, policy, .. } = worker.pool.0[self.cursor];
                        self.cursor += 1;
                        if Some(mv) != self.hash && !self.refutations.contains(&Some(mv)) {
                            self.policy = policy.into();
                            return Some(mv);
                        }
                    }
                    self.policy = 0;
                    self.cursor = self.base;
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => {
                    if self.cursor < self.bad_end {
                        self.cursor += 1;
                        return Some(worker.pool.0[self.cursor - 1].mv);
                    }
                    self.stage = Stage::Done;
                }

                Stage::EvasionHash => {
                    self.stage = Stage::EvasionInit;
                    return self.hash;
                }
                Stage::EvasionInit => {
                    self.generate_evasions(worker);
                    self.stage = Stage::Evasion;
                }
                Stage::Evasion => {
                    while let Some(Scored { mv, .. }) = self.pick_best(worker.pool) {
                        if Some(mv) != self.hash && !(self.skip_quiets && mv.is_quiet()) {
                            return Some(mv);
                        }
                    }
                    self.stage = Stage::Done;
                }

                Stage::ProbcutHash => {
                    self.stage = Stage::ProbcutInit;
                    return self.hash;
                }
                Stage::ProbcutInit => {
                    self.generate_noisy(worker);
                    self.stage = Stage::ProbcutNoisy;
                }
                Stage::ProbcutNoisy => {
                    while let Some(Scored { mv, .. }) = self.pick_best(worker.pool) {
                        if Some(mv) != self.hash && mv.is_capture() && worker.position.see_ge(mv, self.threshold + 1) {
                            return Some(mv);
                        }
                    }
                    self.stage = Stage::Done;
                }

                Stage::QuiesceHash => {
                    self.stage = Stage::QuiesceInit;
                    return self.hash;
                }
                Stage::QuiesceInit => {
                    self.generate_noisy(worker);
                    self.stage = Stage::QuiesceNoisy;
                }
                Stage::QuiesceNoisy => {
                    while let Some(Scored { mv, .. }) = self.pick_best(worker.pool) {
                        if Some(mv) != self.hash {
                            return Some(mv);
                        }
                    }
                    self.stage = if self.checks { Stage::QuiesceChecksInit } else { Stage::Done };
                }
                Stage::QuiesceChecksInit => {
                    self.generate_quiet_checks(worker);
                    self.stage = Stage::QuiesceChecks;
                }
                Stage::QuiesceChecks => {
                    while self.cursor < self.end {
                        let mv = worker.pool.0[self.cursor].mv;
                        self.cursor += 1;
                        if Some(mv) != self.hash {
                            return Some(mv);
                        }
                    }
                    self.stage = Stage::Done;
                }

                Stage::RecaptureInit => {
                    self.generate_noisy(worker);
                    self.stage = Stage::Recapture;
                }
                Stage::Recapture => {
                    while let Some(Scored { mv, .. }) = self.pick_best(worker.pool) {
                        if mv.is_capture() && Some(mv.to()) == self.recapture {
                            return Some(mv);
                        }
                    }
                    self.stage = Stage::Done;
                }

                Stage::Done => return None,
            }
        }
    }

    /// The next killer or countermove that can be played here.
    #[inline]
    fn next_refutation(&mut self, board: &Board) -> Option<Move> {
        const STAGES: [Stage; 5] =
            [Stage::MateKiller, Stage::FirstKiller, Stage::SecondKiller, Stage::Countermove, Stage::QuietInit];
        let first = self.stage as usize - Stage::MateKiller as usize;
        for index in first..self.refutations.len() {
            let mv = self.refutations[index].filter(|mv| mv.is_quiet() && !self.skip_quiets);
            // One that is not tried here must still come among the quiet moves.
            self.refutations[index] = playable(board, mv);
            if self.refutations[index].is_some() {
                (self.picked, self.stage) = (STAGES[index], STAGES[index + 1]);
                return self.refutations[index];
            }
        }
        None
    }

    // The generators stay out of `next`, which runs for every move and needs few registers without them.

    #[inline(never)]
    fn generate_noisy(&mut self, worker: &mut Worker) {
        worker.position.board().generate_noisy(worker.pool);
        self.score(worker, Generated::Noisy);
    }

    #[inline(never)]
    fn generate_quiet(&mut self, worker: &mut Worker) {
        self.cursor = self.end;
        worker.position.board().generate_quiet(worker.pool);
        self.score(worker, Generated::Quiet);
        // Near the leaves most quiet moves are never reached, so only the good ones are sorted.
        let limit = if self.depth < 3 { -params::sort_limit() * self.depth } else { i32::MIN };
        self.good_end = self.cursor + good_first(&mut worker.pool.0[self.cursor..self.end], limit);
    }

    #[inline(never)]
    fn generate_quiet_checks(&mut self, worker: &mut Worker) {
        let board = worker.position.board();
        self.cursor = self.end;
        board.generate_quiet_checks(self.check_info(board), worker.pool);
        self.end = worker.pool.0.len();
    }

    #[inline(never)]
    fn generate_evasions(&mut self, worker: &mut Worker) {
        worker.position.board().generate_evasions(worker.pool);
        self.score(worker, Generated::Evasions);
    }

    /// Scores the moves just generated.
    #[inline]
    fn score(&mut self, worker: &mut Worker, generated: Generated) {
        let Worker { position, histories, pool, stack, move_map, .. } = worker;
        let board = position.board();
        self.end = pool.0.len();
        let moves = &mut pool.0[self.cursor..self.end];
        match generated {
            Generated::Noisy => moves.iter_mut().for_each(|it| it.score = noisy_score(board, histories, it.mv)),
            Generated::Quiet => {
                let context = stack.context(self.ply);
                let (quiets, checks) = (histories.quiets(board, &context), *self.check_info(board));
                for it in moves.iter_mut() {
                    it.score =
                        quiets.score(it.mv) + context.danger.score(board, it.mv) + check_score(board, &checks, it.mv);
                }
                if self.depth >= params::policy_depth()
                    && let Some(map) = move_map
                {
                    guide::add_policy(map, board, moves);
                }
            }
            Generated::Evasions => {
                let quiets = histories.quiets(board, &stack.context(self.ply));
                moves.iter_mut().for_each(|it| it.score = evasion_score(board, &quiets, it.mv));
            }
        }
        lab!(super::lab::hint(worker, self.cursor..self.end, self.ply));
    }

    /// Takes the best of the moves left.
    #[inline]
    fn pick_best(&mut self, pool: &mut MovePool) -> Option<Scored> {
        let left = &mut pool.0[self.cursor..self.end];
        if left.is_empty() {
            return None;
        }
        left.swap(0, best_of(left));
        self.cursor += 1;
        Some(left[0])
    }
}

/// The move, if it can be played here: hash moves, killers and countermoves come from other positions.
#[inline]
fn playable(board: &Board, mv: Option<Move>) -> Option<Move> {
    mv.filter(|&mv| board.is_playable(mv))
}
