//! The three-piece tables in the repository against our own solver; whole endings played out; missing and damaged
//! files. Tests named `shared_…` need the four-piece tables and are run by hand.

mod solver;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use chess::fen::FenError;
use chess::zobrist::splitmix;
use chess::{Color, IllegalBoard, Move, Outcome, Position};

use super::*;
use solver::Ending;

const THREE_MEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/syzygy");

fn tables() -> Tablebases {
    let (tablebases, messages) = Tablebases::open(THREE_MEN);
    assert_eq!(messages, ["found 5 WDL and 5 DTZ tablebases, up to 3 pieces"]);
    tablebases
}

fn shared_tables() -> Tablebases {
    let (tablebases, messages) = Tablebases::open(&format!("{SHARED}/3-4-men"));
    assert_eq!(messages, ["found 35 WDL and 35 DTZ tablebases, up to 4 pieces"]);
    tablebases
}

/// A board, who wins, and the plies to the next capture, pawn move or mate.
type Row = (Board, Wdl, i32);

static ENDINGS: LazyLock<[Ending; 5]> = LazyLock::new(|| {
    use PieceKind::{Bishop, Knight, Pawn, Queen, Rook};
    let [queen, rook, bishop, knight] = [Queen, Rook, Bishop, Knight].map(|kind| Ending::solve(kind, &[]));
    let pawn = Ending::solve(Pawn, &[&queen, &rook, &bishop, &knight]);
    [queen, rook, bishop, knight, pawn]
});

/// Some boards of each three-piece ending, solved without the tables.
fn rows() -> Vec<Row> {
    ENDINGS.iter().flat_map(|ending| ending.boards(499)).collect()
}

/// Boards with WDL (−2 to 2) and DTZ. Boards of more than four pieces are left out, since there are no tables for them,
/// and so are those whose en passant square contradicts a check, which no game can reach.
fn published_rows(name: &str) -> Vec<Row> {
    let text = fs::read_to_string(Path::new(SHARED).join("tests").join(name)).expect("a file of test positions");
    let parsed = text.lines().skip(1).filter_map(|line| {
        let [fen, wdl, dtz] = line.split(',').collect::<Vec<_>>().try_into().expect("three columns");
        let fen = if fen.split(' ').count() == 4 { format!("{fen} 0 1") } else { fen.to_owned() };
        let wdl = match wdl {
            "-2" => Wdl::Loss,
            "-1" => Wdl::BlessedLoss,
            "0" => Wdl::Draw,
            "1" => Wdl::CursedWin,
            _ => Wdl::Win,
        };
        let board = match fen.parse::<Board>() {
            Err(FenError::Illegal(IllegalBoard::EnPassantCheck(_))) => return None,
            parsed => parsed.expect("a board"),
        };
        Some((board, wdl, dtz.parse().expect("a distance")))
    });
    parsed.filter(|(board, ..)| board.occupied().len() <= 4).collect()
}

/// Compares the tables' value and distance with the expected ones. Returns how many boards had a move to rank.
fn compare(tablebases: &Tablebases, rows: impl IntoIterator<Item = Row>) -> usize {
    let mut count = 0;
    for (board, wdl, dtz) in rows {
        assert_eq!(tablebases.probe_wdl(&board), Some(wdl), "{board}");
        let Some(ranks) = tablebases.rank_root(&Position::new(board), true) else {
            assert!(!board.has_legal_moves(), "{board}");
            continue;
        };
        let best = ranks[0].1;
        assert_eq!(ranks.len(), board.count_legal_moves());
        assert_eq!(best.outcome, wdl, "{board}");
        // The row may have been rounded and the distance after the next move not, or vice versa.
        let found = best.dtz.expect("DTZ tables");
        assert!(found.signum() == dtz.signum() && found.abs_diff(dtz) <= 1, "{board}: {found}, not {dtz}");
        assert!(ranks.is_sorted_by_key(|(_, rank)| std::cmp::Reverse(rank.order)));
        assert!(ranks.iter().all(|(_, rank)| rank.order.signum() == rank.dtz.unwrap_or(0).signum()));
        count += 1;
    }
    assert_eq!(tablebases.take_problem(), None);
    count
}

#[test]
fn endings_of_three_men_are_as_a_solver_finds_them() {
    assert!(compare(&tables(), rows()) > 3_000);
    // Known facts: the longest mate takes ten moves with the queen, sixteen with the rook.
    let longest = |ending: &Ending| ending.boards(1).map(|(_, _, dtz)| dtz).max();
    assert_eq!((longest(&ENDINGS[0]), longest(&ENDINGS[1])), (Some(19), Some(31)));
    let tablebases = tables();
    for (board, wdl, _) in ENDINGS.iter().flat_map(|ending| ending.boards(7)) {
        assert_eq!(tablebases.probe_wdl(&board), Some(wdl), "{board}");
    }
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_published_values() {
    let names = ["random_3-4men_wdl_dtz.csv", "kpkp_enpassant_wdl_dtz.csv", "shakmaty-chess-wdl-dtz.csv"];
    let count = compare(&shared_tables(), names.into_iter().flat_map(published_rows));
    assert!(count > 10_000, "only {count} positions");
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Style {
    /// The first move of the list.
    First,
    /// Of the highest-ranked moves, the one that makes the least progress: the worst a search can do.
    Last,
    Random,
}

fn choose(ranks: &[(Move, RootRank)], style: Style, seed: u64) -> Move {
    let best = ranks.iter().take_while(|(_, rank)| rank.order == ranks[0].1.order).count();
    match style {
        Style::First => ranks[0].0,
        Style::Last => ranks[best - 1].0,
        Style::Random => ranks[splitmix(seed) as usize % ranks.len()].0,
    }
}

fn play(tablebases: &Tablebases, board: &Board, winner: Style, loser: Style) -> (Outcome, usize) {
    let mut position = Position::new(*board);
    let strong = board.side_to_move();
    loop {
        if let Some(outcome) = position.outcome() {
            return (outcome, position.plies());
        }
        let ranks = tablebases.rank_root(&position, true).expect("ranks");
        let style = if position.side_to_move() == strong { winner } else { loser };
        let seed = board.key() ^ position.plies() as u64;
        position.play(choose(&ranks, style, seed));
    }
}

#[test]
fn elementary_mates_are_mated() {
    mates_are_mated(
        &tables(),
        &[
            ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 20),
            ("8/8/8/3k4/8/8/8/KR6 w - - 0 1", 32),
            ("kr6/8/8/3K4/8/8/8/8 b - - 0 1", 32),
        ],
    );
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_bishop_and_knight_mate() {
    let endings = [("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", 66), ("kbn5/8/8/3K4/8/8/8/8 b - - 0 1", 66)];
    mates_are_mated(&shared_tables(), &endings);
}

fn mates_are_mated(tablebases: &Tablebases, endings: &[(&str, usize)]) {
    for &(fen, longest) in endings {
        let board: Board = fen.parse().expect("a board");
        let mate = Outcome::Checkmate { winner: board.side_to_move() };
        for loser in [Style::First, Style::Last, Style::Random] {
            let (outcome, plies) = play(tablebases, &board, Style::First, loser);
            assert!(outcome == mate && plies <= longest, "{fen}: {outcome} after {plies} plies");
            let (outcome, plies) = play(tablebases, &board, Style::Last, loser);
            assert!(outcome == mate && plies <= 100, "{fen}: {outcome} after {plies} plies");
        }
    }
}

#[test]
fn won_endings_are_won_even_when_fifty_moves_are_nearly_over() {
    are_won(&tables(), &rows(), 23);
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_won_endings_are_won() {
    are_won(&shared_tables(), &published_rows("random_3-4men_wdl_dtz.csv"), 64);
}

/// Plays out every `step`th won ending, with all fifty moves ahead and with as few as suffice.
fn are_won(tablebases: &Tablebases, rows: &[Row], step: usize) {
    let won: Vec<_> = rows.iter().filter(|(_, wdl, _)| *wdl == Wdl::Win).step_by(step).collect();
    assert!(won.len() > 30, "only {} endings", won.len());
    for &&(board, _, dtz) in &won {
        let late = board.to_string().replace(" 0 1", &format!(" {} 80", 98 - dtz));
        for board in [board, late.parse().expect("a board")] {
            for style in [Style::First, Style::Last] {
                for loser in [Style::First, Style::Random] {
                    let (outcome, plies) = play(tablebases, &board, style, loser);
                    let won = outcome == Outcome::Checkmate { winner: board.side_to_move() };
                    assert!(won, "{board}, {style:?} against {loser:?}: {outcome} after {plies} plies");
                }
            }
        }
    }
}

#[test]
fn repetition_makes_haste() {
    let tablebases = tables();
    let mut position = Position::new("8/8/8/3k4/8/8/8/KR6 b - - 0 1".parse().expect("a board"));
    let mut ranks_after = |moves: &[&str]| {
        for mv in moves {
            let mv = position.parse_san(mv).expect("a move");
            position.play(mv);
        }
        let ranks = tablebases.rank_root(&position, true).expect("ranks");
        let best = ranks.iter().filter(|(_, rank)| rank.order == ranks[0].1.order);
        let king_to_a1 = position.parse_san("Ka1").ok().and_then(|mv| ranks.iter().find(|(other, _)| *other == mv));
        (best.map(|(_, rank)| rank.dtz).collect::<Vec<_>>(), king_to_a1.map(|(_, rank)| rank.outcome))
    };
    let (best, king_to_a1) = ranks_after(&["Kd6", "Ka2", "Kd5"]);
    assert!(best.first() < best.last(), "all wins are equal: {best:?}");
    assert_eq!(king_to_a1, Some(Wdl::Win));
    ranks_after(&["Ka1"]);
    let (best, _) = ranks_after(&["Kd6"]);
    assert!(best.first() == best.last(), "only the shortest are best: {best:?}");
    let (best, king_to_a1) = ranks_after(&["Ka2", "Kd5"]);
    assert!(best.first() == best.last(), "only the shortest are best: {best:?}");
    assert_eq!(king_to_a1, Some(Wdl::Draw), "for the third time");
}

#[test]
fn what_the_tables_do_not_know() {
    let none = Tablebases::default();
    let board: Board = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1".parse().expect("a board");
    assert_eq!((none.max_pieces(), none.probe_wdl(&board), none.take_problem()), (0, None, None));
    assert!(none.rank_root(&Position::new(board), true).is_none());
    let tablebases = tables();
    for fen in ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/RRR1K3 w - - 0 1", chess::fen::START] {
        let board = fen.parse().expect("a board");
        assert_eq!(tablebases.probe_wdl(&board), None, "{fen}");
        assert!(tablebases.rank_root(&Position::new(board), true).is_none(), "{fen}");
    }
    let bare: Board = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().expect("a board");
    assert_eq!(tablebases.probe_wdl(&bare), Some(Wdl::Draw));
    let mated: Board = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().expect("a board");
    assert_eq!(tablebases.probe_wdl(&mated), Some(Wdl::Loss));
    assert!(tablebases.rank_root(&Position::new(mated), true).is_none());
}

#[test]
fn threads_share_the_tables() {
    let tablebases = tables();
    let rows = rows();
    std::thread::scope(|scope| {
        for part in rows.chunks(rows.len() / 4) {
            let tablebases = &tablebases;
            scope.spawn(move || {
                for (board, wdl, _) in part {
                    assert_eq!(tablebases.probe_wdl(board), Some(*wdl));
                }
            });
        }
    });
}

/// A directory that is deleted after the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let path = std::env::temp_dir().join(format!("stillwater tables {name} {}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary directory");
        Temporary(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path")
    }

    /// Copies one of our tables, with its bytes changed.
    fn put(&self, name: &str, change: impl Fn(&mut Vec<u8>)) {
        let mut bytes = fs::read(Path::new(THREE_MEN).join(name)).expect("a table");
        change(&mut bytes);
        fs::write(self.0.join(name), bytes).expect("a file is written");
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn paths_as_users_write_them() {
    assert!(Tablebases::open("").1.is_empty() && Tablebases::open(" <empty> ").1.is_empty());
    let (tablebases, messages) = Tablebases::open("/nowhere/to be found");
    assert_eq!((tablebases.max_pieces(), messages.len()), (0, 2));
    assert!(messages[0].contains("/nowhere/to be found cannot be read"), "{messages:?}");
    let (one, two) = (Temporary::new("one"), Temporary::new("two"));
    one.put("KQvK.rtbw", |_| ());
    two.put("KRvK.rtbw", |_| ());
    two.put("KRvK.rtbz", |_| ());
    two.put("KQvK.rtbw", |bytes| bytes.truncate(7)); // hidden by the first
    fs::write(two.0.join("readme.txt"), "no table").expect("a file is written");
    fs::write(two.0.join("KKvK.rtbw"), "no table").expect("a file is written");
    let separators: &[&str] = if cfg!(windows) { &[";"] } else { &[";", ":", " ; ", "::"] };
    for separator in separators {
        let (tablebases, messages) = Tablebases::open(&format!("{}{separator}{}", one.path(), two.path()));
        assert_eq!(messages, ["found 2 WDL and 1 DTZ tablebases, up to 3 pieces"]);
        for fen in ["8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "8/8/8/3k4/8/8/8/KR6 w - - 0 1"] {
            assert_eq!(tablebases.probe_wdl(&fen.parse().expect("a board")), Some(Wdl::Win));
        }
    }
    // Half of it is there.
    let (tablebases, messages) = Tablebases::open(&format!("{};/nowhere", two.path()));
    assert_eq!((tablebases.max_pieces(), messages.len()), (3, 3), "{messages:?}");
    assert!(messages[0].contains("KQvK.rtbw is not used: unexpected file size"), "{messages:?}");
    if !cfg!(windows) {
        let odd = Temporary::new("odd;name:");
        odd.put("KQvK.rtbw", |_| ());
        assert_eq!(Tablebases::open(odd.path()).0.max_pieces(), 3);
    }
}

/// The problems found by probing all rook endings. Nothing more is reported after them.
fn probe_rook_endings(directory: &Path) -> (Tablebases, Vec<String>) {
    let (tablebases, _) = Tablebases::open(directory.to_str().expect("a path"));
    for (board, wdl, _) in rows() {
        let rook = board.pieces(Color::White, PieceKind::Rook) | board.pieces(Color::Black, PieceKind::Rook);
        if rook.any() && board.occupied().len() == 3 {
            if let Some(found) = tablebases.probe_wdl(&board) {
                assert_eq!(found, wdl, "{board}");
            }
            let _ = tablebases.rank_root(&Position::new(board), true);
        }
    }
    let problems = std::iter::from_fn(|| tablebases.take_problem()).collect();
    (tablebases, problems)
}

#[test]
fn damaged_tables_are_reported_and_survived() {
    type Damage = fn(&mut Vec<u8>);
    let directory = Temporary::new("damaged");
    let damages: [(&str, Damage); 5] = [
        ("is damaged", |bytes| bytes.truncate(16)),
        ("is damaged", |bytes| bytes.truncate(64 + 16)),
        ("is damaged", |bytes| bytes[4..].fill(0xff)),
        ("is no Syzygy table", |bytes| bytes.fill(0)),
        ("is no Syzygy table", |bytes| bytes[0] ^= 1),
    ];
    for (problem, damage) in damages {
        directory.put("KRvK.rtbw", damage);
        directory.put("KRvK.rtbz", |_| ());
        let (tablebases, problems) = probe_rook_endings(&directory.0);
        let path = directory.0.join("KRvK.rtbw");
        assert_eq!(
            problems,
            [format!("tablebase {} {problem}: endings of 3 pieces and more are searched", path.display())]
        );
        assert_eq!(tablebases.max_pieces(), 2);

        directory.put("KRvK.rtbw", |_| ());
        directory.put("KRvK.rtbz", damage);
        let (tablebases, problems) = probe_rook_endings(&directory.0);
        let path = directory.0.join("KRvK.rtbz");
        assert_eq!(problems, [format!("tablebase {} {problem}: its endings are ranked without it", path.display())]);
        let position = Position::new("8/8/8/3k4/8/8/8/KR6 w - - 0 1".parse().expect("a board"));
        let ranks = tablebases.rank_root(&position, true).expect("ranks by WDL");
        assert!(ranks[0].1.outcome == Wdl::Win && ranks[0].1.dtz.is_none() && ranks[0].1.order > 0);
    }
    // The longer the file, the more can be probed; but never wrongly.
    for length in (16..2000).step_by(64) {
        directory.put("KRvK.rtbw", |bytes| bytes.truncate(length));
        directory.put("KRvK.rtbz", |bytes| bytes.truncate(length));
        probe_rook_endings(&directory.0);
    }
}

#[test]
fn missing_tables_are_reported_once() {
    let directory = Temporary::new("missing");
    directory.put("KQvK.rtbw", |_| ());
    let (tablebases, _) = Tablebases::open(directory.path());
    for fen in ["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/8/3k4/8/8/8/KB6 w - - 0 1", "8/8/8/3k4/8/8/8/KN6 w - - 0 1"] {
        assert_eq!(tablebases.probe_wdl(&fen.parse().expect("a board")), None, "{fen}");
    }
    let problem = tablebases.take_problem().expect("a problem");
    assert_eq!(problem, "tablebase KRvK.rtbw not found: endings that need it are searched");
    assert_eq!((tablebases.take_problem(), tablebases.max_pieces()), (None, 3));
    assert_eq!(tablebases.probe_wdl(&"8/8/8/3k4/8/8/8/KQ6 w - - 0 1".parse().expect("a board")), Some(Wdl::Win));
}
