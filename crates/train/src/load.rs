//! Reads files of games into samples in memory.
//!
//! A hash of a game's start and moves decides whether it is used for training or validation. So all positions of a game
//! are on the same side, a game is on the same side whatever file it comes from, and the order of the files does not
//! affect the split.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use chess::{Color, Move};

use super::filter::{Filter, Reason};
use super::sample::Sample;
use data::{FormatError, Record, Records, Torn};
use toolkit::Rng;

/// How many games are read before the threads decode them.
const CHUNK: usize = 8192;
/// The bytes of a packed board that define the position; the rest are counters and results.
const BOARD_PROPER: usize = 25;

/// How to read.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Files of games.
    pub files: Vec<PathBuf>,
    /// Which positions to keep.
    pub filter: Filter,
    /// The share of games used for validation.
    pub validation: f64,
    /// Stop after this many training positions.
    pub limit: Option<usize>,
    /// How many threads decode the games.
    pub threads: usize,
}

/// What was read.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct DataSet {
    /// Training positions.
    pub training: Vec<Sample>,
    /// Validation positions, from other games.
    pub validation: Vec<Sample>,
    /// Counts of what was read.
    pub counts: Counts,
    /// Things the user should know.
    pub warnings: Vec<String>,
}

/// Counts of games and positions.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Games used for training.
    pub training_games: u64,
    /// Games used for validation.
    pub validation_games: u64,
    /// Positions in all of them.
    pub positions: u64,
    /// Positions left out, for each reason.
    pub left_out: [u64; Reason::ALL.len()],
}

impl DataSet {
    /// A number that tells data sets apart; a resumed run requires the same one.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let sum = self.training.iter().fold(self.training.len() as u64, |sum, sample| sample.mix_into(sum));
        self.validation.iter().fold(sum, |sum, sample| sample.mix_into(sum))
    }

    fn absorb(&mut self, part: DataSet) {
        self.training.extend_from_slice(&part.training);
        self.validation.extend_from_slice(&part.validation);
        let (sum, more) = (&mut self.counts, part.counts);
        sum.training_games += more.training_games;
        sum.validation_games += more.validation_games;
        sum.positions += more.positions;
        sum.left_out.iter_mut().zip(more.left_out).for_each(|(sum, more)| *sum += more);
    }
}

/// Reads all files and calls `progress` now and then with what there is so far.
pub fn load(plan: &Plan, mut progress: impl FnMut(&DataSet)) -> Result<DataSet> {
    let mut data = DataSet::default();
    for path in &plan.files {
        if is_enough(plan, &data) {
            break;
        }
        load_file(path, plan, &mut data, &mut progress)?;
    }
    if let Some(limit) = plan.limit {
        data.training.truncate(limit);
    }
    data.training.shrink_to_fit();
    if data.training.is_empty() {
        bail!("there is no position to learn from: {}", summary(&data.counts));
    }
    if data.validation.is_empty() && plan.validation > 0.0 {
        bail!("there is no position to test with: more games are needed, or a larger share of them for validation");
    }
    Ok(data)
}

fn is_enough(plan: &Plan, data: &DataSet) -> bool {
    plan.limit.is_some_and(|limit| data.training.len() >= limit)
}

fn load_file(path: &Path, plan: &Plan, data: &mut DataSet, progress: &mut impl FnMut(&DataSet)) -> Result<()> {
    let mut records = Records::open(path)?;
    let mut is_over = false;
    while !is_over && !is_enough(plan, data) {
        let mut chunk = Vec::with_capacity(CHUNK);
        while chunk.len() < CHUNK && !is_over {
            let offset = records.offset();
            match records.next() {
                Some(Ok(record)) => chunk.push((offset, record)),
                // The file is still being written, or its writer was killed: all earlier games are good. If there are
                // none, the file is probably something else.
                Some(Err(error)) if error.is::<Torn>() && offset > 0 => {
                    data.warnings.push(format!("{error}; it is left out"));
                }
                Some(Err(error)) => return Err(error),
                None => is_over = true,
            }
        }
        for part in look_into(&chunk, plan) {
            data.absorb(part.with_context(|| path.display().to_string())?);
        }
        progress(data);
    }
    Ok(())
}

/// Decodes games on all threads; the parts come in the order of the games.
fn look_into(chunk: &[(u64, Record)], plan: &Plan) -> Vec<Result<DataSet>> {
    let share = chunk.len().div_ceil(plan.threads.max(1)).max(1);
    let gather = |records: &[(u64, Record)]| {
        let mut part = DataSet::default();
        for (offset, record) in records {
            add_game(&mut part, record, plan).with_context(|| format!("the record at byte {offset} is no game"))?;
        }
        Ok(part)
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = chunk.chunks(share).map(|records| scope.spawn(move || gather(records))).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, Result<DataSet>>| match handle.join() {
            Ok(part) => part,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        handles.into_iter().map(join).collect()
    })
}

fn add_game(part: &mut DataSet, record: &Record, plan: &Plan) -> Result<(), FormatError> {
    // The result is needed before the game is stepped through.
    let result = record.result()?;
    let is_validation = is_validation(record, plan.validation);
    let counts = &mut part.counts;
    let samples = if is_validation { &mut part.validation } else { &mut part.training };
    record.walk(|board, mv: Move, white_score| {
        counts.positions += 1;
        match plan.filter.reason(board, mv, white_score) {
            Some(reason) => counts.left_out[reason as usize] += 1,
            None => {
                let (score, half_points) = match board.side_to_move() {
                    Color::White => (white_score, result as u8),
                    Color::Black => (white_score.saturating_neg(), 2 - result as u8),
                };
                samples.push(Sample::new(board, score, half_points));
            }
        }
    })?;
    if is_validation {
        counts.validation_games += 1;
    } else {
        counts.training_games += 1;
    }
    Ok(())
}

/// Whether a game is used for validation.
fn is_validation(record: &Record, share: f64) -> bool {
    let mix = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    let start = record.board[..BOARD_PROPER].iter().fold(0xCBF2_9CE4_8422_2325, mix);
    let sum = record.moves.iter().flat_map(|bytes| &bytes[..2]).fold(start, mix);
    Rng::new(sum).unit() < share
}

/// The counts in words.
#[must_use]
pub fn summary(counts: &Counts) -> String {
    let games = counts.training_games + counts.validation_games;
    let mut text = format!("{games} games with {} positions", counts.positions);
    for (reason, count) in Reason::ALL.iter().zip(counts.left_out).filter(|(_, count)| *count > 0) {
        text += &format!("; {}: {count}", reason.words());
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;

    use chess::Board;

    use super::*;
    use data::{Game, GameResult};

    /// Games of random moves, in which each position's score is its number in the game.
    fn games(count: usize, seed: u64) -> Vec<Game> {
        let mut rng = Rng::new(seed);
        let game = |number| {
            let (start, mut board) = (Board::start(), Board::start());
            let mut moves = Vec::new();
            for ply in 0..40 {
                let legal = board.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[rng.below(legal.len())];
                moves.push((mv, ply));
                board.play(mv);
            }
            Game { start, result: GameResult::WhiteWins, number, moves }
        };
        (0..count as u32).map(game).collect()
    }

    struct File(PathBuf);

    impl File {
        fn new(name: &str, bytes: &[u8]) -> File {
            let path = std::env::temp_dir().join(format!("stillwater-load-{}-{name}", std::process::id()));
            fs::write(&path, bytes).expect("a file");
            File(path)
        }

        fn of(name: &str, games: &[Game]) -> File {
            let mut bytes = Vec::new();
            games.iter().for_each(|game| game.write_into(&mut bytes));
            File::new(name, &bytes)
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    /// A plan without files.
    fn plan() -> Plan {
        Plan { files: Vec::new(), filter: Filter::default(), validation: 0.2, limit: None, threads: 2 }
    }

    fn read(files: &[&File]) -> Result<DataSet> {
        let files = files.iter().map(|file| file.0.clone()).collect();
        load(&Plan { files, ..plan() }, |_| {})
    }

    #[test]
    fn samples_are_those_of_the_games() {
        let games = games(200, 1);
        let data = read(&[&File::of("games", &games)]).expect("good games");
        let counts = data.counts;
        assert_eq!(counts.training_games + counts.validation_games, 200);
        assert!((20..60).contains(&counts.validation_games), "{counts:?}");
        let positions: usize = games.iter().map(|game| game.moves.len()).sum();
        assert_eq!(counts.positions, positions as u64);
        let kept = data.training.len() + data.validation.len();
        assert_eq!(kept as u64 + counts.left_out.iter().sum::<u64>(), counts.positions);
        assert_eq!(counts.left_out[Reason::Early as usize], 16 * 200);
        assert!(counts.left_out[Reason::Noisy as usize] > 0 && counts.left_out[Reason::Check as usize] > 0);
        // White won and has the even plies with White's own scores; Black lost and sees the sign reversed.
        for sample in data.training.iter().chain(&data.validation) {
            let is_white = sample.score() > 0;
            assert_eq!(sample.score() % 2 == 0, is_white);
            assert_eq!(sample.result(), if is_white { 1.0 } else { 0.0 });
        }
    }

    #[test]
    fn games_are_split_whole_and_wherever_they_come_from() {
        let games = games(100, 2);
        let (left, right) = games.split_at(50);
        let [a, b] = [File::of("a", left), File::of("b", right)];
        let (one, other) = (read(&[&a, &b]).expect("games"), read(&[&b, &a]).expect("games"));
        let sorted = |samples: &[Sample]| {
            let mut list: Vec<u64> = samples.iter().map(|sample| sample.mix_into(0)).collect();
            list.sort_unstable();
            list
        };
        assert_eq!(sorted(&one.validation), sorted(&other.validation));
        assert_eq!(sorted(&one.training), sorted(&other.training));
        assert_ne!(one.fingerprint(), other.fingerprint(), "the order of learning is another");
        let expected = |side: bool| {
            let games = games.iter().filter(|game| is_of_validation(game) == side);
            let positions = games.flat_map(Game::positions);
            let kept =
                positions.filter(|found| Filter::default().reason(&found.board, found.mv, found.score).is_none());
            let samples = kept.map(|found| match found.board.side_to_move() {
                Color::White => Sample::new(&found.board, found.score, 2),
                Color::Black => Sample::new(&found.board, -found.score, 0),
            });
            sorted(&samples.collect::<Vec<_>>())
        };
        assert_eq!((sorted(&one.training), sorted(&one.validation)), (expected(false), expected(true)));
    }

    fn is_of_validation(game: &Game) -> bool {
        let mut bytes = Vec::new();
        game.write_into(&mut bytes);
        let mut records = Records::new(Box::new(std::io::Cursor::new(bytes)), Path::new("memory"));
        is_validation(&records.next().expect("a record").expect("a good one"), 0.2)
    }

    #[test]
    fn a_limit_stops_the_reading() {
        let file = File::of("limit", &games(300, 3));
        let plan = Plan { files: vec![file.0.clone(), file.0.clone()], limit: Some(500), ..plan() };
        let data = load(&plan, |_| {}).expect("games");
        assert_eq!(data.training.len(), 500);
        assert!(data.counts.training_games + data.counts.validation_games <= 300);
    }

    #[test]
    fn bad_files_are_reported() {
        let message = |outcome: Result<DataSet>| format!("{:#}", outcome.expect_err("a fault"));
        let games = games(50, 4);
        let mut bytes = Vec::new();
        games.iter().for_each(|game| game.write_into(&mut bytes));
        let torn = read(&[&File::new("torn", &bytes[..bytes.len() - 7])]).expect("the other games are good");
        assert_eq!(torn.counts.training_games + torn.counts.validation_games, 49);
        assert!(torn.warnings.len() == 1 && torn.warnings[0].contains("cut off"), "{:?}", torn.warnings);

        let length = 32 + 4 * (games[0].moves.len() + 1);
        let mut illegal = bytes.clone();
        illegal[length + 32..length + 34].copy_from_slice(&[0xFF, 0x3F]);
        let text = message(read(&[&File::new("illegal", &illegal)]));
        assert!(text.contains(&format!("byte {length}")) && text.contains("move 1 is illegal"), "{text}");
        let mut result = bytes.clone();
        result[30] = 9;
        let text = message(read(&[&File::new("result", &result)]));
        assert!(text.contains("9 is the code of no result"), "{text}");
        let text = message(read(&[&File::new("junk", b"1. e4 e5 2. Nf3 Nc6, a text that is no training data")]));
        assert!(text.contains("cut off") || text.contains("no game"), "{text}");
        assert!(message(read(&[&File::new("empty", b"")])).contains("no position to learn from: 0 games"));
        assert!(message(read(&[&File(PathBuf::from("does-not-exist.vf"))])).contains("cannot open does-not-exist.vf"));
    }
}
