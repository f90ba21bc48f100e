//! The engine's work for a session: which job to run, when to replace it, and what to do with its results.

use std::time::{Duration, Instant};

use chess::{Move, Position};
use engine::{Clock, Limits, PvLine, Score};

use super::{Change, Session};
use crate::annotate::judge::judge;
use crate::annotate::think::Finding;
use crate::levels;
use crate::serve::job::{Errand, Event, Purpose};
use crate::serve::lines::Evaluation;
use crate::serve::message::{Activity, Say};
use crate::serve::pool::{Setup, Weakness};
use crate::serve::tree::Id;

impl Session {
    /// Starts or replaces the engine's job after a change.
    pub(super) fn employ(&mut self, change: Change) {
        let wanted = self.wanted();
        let same = self.job.as_ref().map(|job| job.purpose) == wanted;
        // A changed game has other positions to evaluate, and other settings give other results; neither disturbs a
        // search for the engine's move.
        let stale = match wanted {
            Some(Purpose::Evaluate) => change == Change::Moves,
            Some(Purpose::Analyse(_)) => change == Change::Search,
            _ => false,
        };
        if same && !stale {
            return;
        }
        self.keep_evaluation();
        // Results of deleted positions are no longer needed.
        self.found.retain(|&node, _| self.game.has(node));
        self.job = None;
        self.activity = Activity::Idle;
        self.jobs += 1;
        let setup = Setup {
            session: self.id,
            threads: self.settings.threads.into(),
            hash: self.settings.hash as usize,
            lines: self.settings.lines.into(),
            weakness: None,
        };
        self.job = wanted.map(|purpose| match purpose {
            Purpose::Reply(node) => {
                let weakness = self
                    .game
                    .play
                    .and_then(|play| Some(Weakness { elo: levels::elo(play.level?).ok()?, seed: play.seed }));
                let setup = Setup { weakness, lines: 1, ..setup };
                self.desk.reply(self.jobs, node, self.game.position_at(node), setup, self.move_limits())
            }
            Purpose::Analyse(node) => {
                let time = Duration::from_secs_f64(self.settings.analysis_time);
                self.desk.analyse(self.jobs, node, self.game.position_at(node), setup, time)
            }
            Purpose::Errand(place) => {
                let errand = self.errand.map_or(Errand::Hint(self.game.cursor), |(errand, _)| errand);
                let position = self.game.position_at(errand.node());
                self.desk.errand(self.jobs, errand, place, &position, Setup { lines: 1, ..setup })
            }
            Purpose::Evaluate => {
                self.desk.evaluate(self.jobs, self.game.unjudged(&self.found), Setup { lines: 1, ..setup })
            }
        });
    }

    /// The limits for the engine's move: by its clock, or the time the user chose.
    fn move_limits(&self) -> Limits {
        let clocks = self.game.play.and_then(|play| Some((play.clocks?, play.side.other())));
        match clocks {
            Some((clocks, side)) => {
                // Sending and drawing take time too.
                let remaining = clocks.left(side, Instant::now()).saturating_sub(Duration::from_millis(50));
                let clock = Clock { remaining, increment: clocks.increment(), moves_to_go: None };
                Limits { clock: Some(clock), ..Limits::default() }
            }
            None => {
                let time = Duration::from_secs_f64(self.settings.move_time);
                Limits { move_time: Some(time), ..Limits::default() }
            }
        }
    }

    /// What the engine should be doing.
    fn wanted(&self) -> Option<Purpose> {
        if let Some(play) = self.game.play.filter(|_| self.game.is_engines_turn()) {
            return Some(Purpose::Reply(play.tip));
        }
        if let Some((_, number)) = self.errand {
            return Some(Purpose::Errand(number));
        }
        if self.evaluating {
            return Some(Purpose::Evaluate);
        }
        (self.analysis && self.game.position().has_legal_moves()).then_some(Purpose::Analyse(self.game.cursor))
    }

    /// Keeps the evaluation that an analysis has found.
    fn keep_evaluation(&mut self) {
        if let Some(job) = &self.job
            && let Purpose::Analyse(node) = job.purpose
            && let Some(evaluation) = job.findings.evaluation(job.board.side_to_move())
        {
            self.game.judge(node, evaluation);
        }
    }

    pub(super) fn hear(&mut self, number: u64, event: Event) {
        let Some(purpose) = self.job.as_ref().filter(|job| job.number == number).map(|job| job.purpose) else { return };
        match event {
            Event::Waiting => self.activity = Activity::Waiting,
            Event::Running => {
                self.activity = match purpose {
                    Purpose::Reply(_) => Activity::Thinking,
                    Purpose::Analyse(_) => Activity::Analysing,
                    Purpose::Evaluate => Activity::Evaluating,
                    Purpose::Errand(_) => Activity::Answering,
                };
            }
            Event::Reply(mv, score) => {
                self.job = None;
                self.activity = Activity::Idle;
                // A move after the flag fell does not save the game.
                if self.game.look_at_clocks() {
                    self.employ(Change::Moves);
                    return self.show(Change::Moves);
                }
                if let Some(play) = &mut self.game.play {
                    play.opinion = score.map(|score| match score {
                        Score::Centipawns(centipawns) => centipawns,
                        Score::Mate(moves) => 100_000 * moves.signum(),
                    });
                }
                match mv.ok_or_else(|| "the engine found no move".to_owned()).and_then(|mv| self.game.engine_move(mv)) {
                    Ok(()) => {
                        self.employ(Change::Moves);
                        return self.show(Change::Moves);
                    }
                    Err(text) => {
                        self.game.play = None;
                        self.say(&Say::Note { text });
                    }
                }
            }
            Event::Evaluated { node, evaluation, found, done, all } => {
                self.game.judge(node, evaluation);
                self.found.insert(node, found);
                return self.say(&Say::Evaluated { node, evaluation, done, all });
            }
            Event::Done => {
                self.report();
                self.keep_evaluation();
                self.activity = Activity::Idle;
                if purpose == Purpose::Evaluate {
                    self.evaluating = false;
                    self.employ(Change::Nothing);
                    self.show(Change::Moves);
                    if let Some(review) = self.game.main_line().review(&self.found) {
                        self.say(&Say::Review(review));
                    }
                    return;
                }
            }
            Event::Explained(node, why) => {
                self.job = None;
                self.errand = None;
                self.activity = Activity::Idle;
                if let Some(why) = why {
                    self.say(&Say::Why { node, why: &why });
                }
                self.employ(Change::Nothing);
            }
            Event::Answer(errand, found) => {
                self.job = None;
                self.errand = None;
                self.activity = Activity::Idle;
                self.answer(errand, found);
                self.employ(Change::Nothing);
            }
            Event::Problem(text) => return self.say(&Say::Note { text }),
        }
        self.show(Change::Nothing);
    }

    fn answer(&mut self, errand: Errand, found: Option<PvLine>) {
        let node = errand.node();
        let Ok(position) = self.game.find(node) else { return };
        match errand {
            Errand::Hint(_) => {
                let Some(mv) = found.and_then(|line| line.moves.first().copied()) else { return };
                self.say(&Say::Hint { node, uci: mv.uci(true), san: position.san(mv) });
            }
            Errand::Threat(_) => {
                let mut board = *position.board();
                let best = found.and_then(|line| {
                    let mv = *line.moves.first()?;
                    board.make_null();
                    Some((mv.uci(true), board.san(mv), Evaluation::of(&line, board.side_to_move())))
                });
                let (uci, san, evaluation) = match best {
                    Some((uci, san, evaluation)) => (Some(uci), Some(san), Some(evaluation)),
                    None => (None, None, None),
                };
                self.say(&Say::Threat { node, uci, san, evaluation });
            }
            Errand::Try(_, mv) => self.judge_try(node, &position, mv, found),
            // Explanations have an event of their own.
            Errand::Why(..) => {}
        }
    }

    /// Reports how good a move is compared with the best one, which the review has.
    fn judge_try(&mut self, node: Id, position: &Position, mv: Move, found: Option<PvLine>) {
        let after = position.along(&[mv]);
        let Some(best) = self.found.get(&node) else { return };
        let tried = found.map(|line| Finding::of(&line, after.side_to_move()));
        let Some(tried) = tried.or_else(|| Finding::of_outcome(&after, true)) else { return };
        let is_bad = judge(best.eval, tried.eval, position.side_to_move()).is_some();
        let verdict = if is_bad { "worse" } else { "good" };
        let evaluation = Some(Evaluation::of_end(tried.eval));
        self.say(&Say::Tried { node, uci: mv.uci(true), san: position.san(mv), verdict, evaluation });
    }

    /// Sends what an analysis has found since the last report.
    pub(in crate::serve) fn report(&mut self) {
        let Some(job) = &self.job else { return };
        let Purpose::Analyse(node) = job.purpose else { return };
        if let Some(report) = job.findings.take(&job.board) {
            self.say(&Say::Analysis { node, report });
        }
    }
}
