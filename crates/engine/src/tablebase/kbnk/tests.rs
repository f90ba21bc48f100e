//! The table against the rules of the game, move by move, and against Syzygy's table.

use std::time::Instant;

use chess::Position;

use super::*;
use crate::limits::Clock;
use crate::tablebase::{Tablebases, Wdl};

fn table() -> &'static Kbnk {
    SOLVED.get_or_init(|| {
        let start = Instant::now();
        let table = Kbnk::solve();
        println!("solved in {:?}, {} bytes", start.elapsed(), table.0.len());
        table
    })
}

/// The board of these squares, if it is legal.
fn board(strong: Color, king: Square, bishop: Square, knight: Square, lone: Square, to_move: Color) -> Option<Board> {
    let mut squares = [b'.'; 64];
    let letters = if strong == Color::White { b"KBNk" } else { b"kbnK" };
    for (&letter, square) in letters.iter().zip([king, bishop, knight, lone]) {
        squares[square.index()] = letter;
    }
    let row = |row: &[u8]| {
        (1..=8)
            .rev()
            .fold(String::from_utf8_lossy(row).into_owned(), |row, run| row.replace(&".".repeat(run), &run.to_string()))
    };
    let rows: Vec<String> = squares.chunks(8).rev().map(row).collect();
    let side = if to_move == Color::White { 'w' } else { 'b' };
    let board: Board = format!("{} {side} - - 0 1", rows.join("/")).parse().ok()?;
    (board.occupied().len() == 4).then_some(board)
}

/// One in `step` of all boards, of both colors and bishops, with either side to move.
fn boards(step: usize) -> impl Iterator<Item = Board> {
    (0..4 << 24).step_by(step).filter_map(|number: usize| {
        let [king, bishop, knight, lone] = [0, 1, 2, 3].map(|place| Square::from_index(number >> (6 * place) & 63));
        let color = |bit: usize| Color::ALL[number >> (24 + bit) & 1];
        board(color(0), king, bishop, knight, lone, color(1))
    })
}

#[test]
fn the_longest_mate_takes_thirty_three_moves() {
    let longest = table().0.iter().filter(|&&moves| moves != NEVER).max();
    assert_eq!(longest, Some(&33));
    assert_eq!(BISHOPS.map(|bishop| Bitboard::LIGHT.has(bishop)), [false; 10]);
    let known = [
        ("k7/8/1K6/2N5/5B2/8/8/8 b - - 0 1", None),
        ("7k/8/5BKN/8/8/8/8/8 b - - 0 1", Some(0)),
        ("7k/8/6KN/8/5B2/8/8/8 w - - 0 1", Some(1)),
        ("8/8/8/3k4/8/8/8/KQN5 w - - 0 1", None),
        ("8/8/8/3k4/8/8/8/KBNN4 w - - 0 1", None),
    ];
    for (fen, plies) in known {
        assert_eq!(fen.parse::<Board>().ok().and_then(|board| table().plies_to_mate(&board)), plies, "{fen}");
    }
}

/// Mates are at zero, and every distance follows from those of the positions after it: so all are correct.
#[test]
fn every_distance_follows_from_the_moves() {
    let mut counts = [0; 2];
    for board in boards(1009) {
        let moves = board.legal_moves();
        let next: Vec<Option<i32>> = moves.iter().map(|&mv| table().plies_to_mate(&board.after(mv))).collect();
        let is_lone = board.color(board.side_to_move()).len() == 1;
        let expected = if !is_lone {
            next.into_iter().flatten().min().map(|plies| plies + 1)
        } else if moves.is_empty() {
            board.in_check().then_some(0)
        } else {
            next.into_iter()
                .collect::<Option<Vec<i32>>>()
                .and_then(|next| next.into_iter().max())
                .map(|plies| plies + 1)
        };
        assert_eq!(table().plies_to_mate(&board), expected, "{board}");
        counts[usize::from(expected.is_some())] += 1;
    }
    assert!(counts[0] > 1000 && counts[1] > 30_000, "{counts:?}");
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_tables_say_the_same() {
    let (tables, _) = Tablebases::open(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/syzygy/3-4-men"));
    let mut count = 0;
    for board in boards(101) {
        let plies = table().plies_to_mate(&board);
        let wdl = match plies {
            None => Wdl::Draw,
            Some(plies) if plies % 2 == 0 => Wdl::Loss,
            Some(_) => Wdl::Win,
        };
        assert_eq!(tables.probe_wdl(&board), Some(wdl), "{board}");
        if let Some(plies) = plies.filter(|&plies| plies > 0) {
            // Nothing is captured on the way to mate, so the distances are equal, but for a rounded ply in theirs.
            let dtz = tables.probe_dtz(&board).expect("a table").ignore_rounding().0.abs();
            assert!((0..=1).contains(&(plies - dtz)), "{board}: {plies} {dtz}");
        }
        count += 1;
    }
    assert!(count > 400_000, "{count}");
}

#[test]
fn root_moves_are_ranked_by_distance_and_the_fifty_moves_are_counted() {
    for board in boards(20_011).filter(|board| board.has_legal_moves()) {
        let plies = table().plies_to_mate(&board);
        for clock in [0, 30, 60, 98] {
            let fen = board.to_string().replace(" 0 1", &format!(" {clock} 80"));
            let position = Position::new(fen.parse().expect("a board"));
            let ranks = table().rank_root(&position, true).expect("this ending");
            assert_eq!(ranks.len(), board.count_legal_moves());
            let (_, best) = ranks.iter().max_by_key(|(_, rank)| rank.order).expect("a move");
            let wanted = plies.map_or(0, |plies| if plies % 2 == 0 { -plies } else { plies });
            let outcome = match wanted {
                0 => Wdl::Draw,
                1.. if wanted + clock <= 100 => Wdl::Win,
                1.. => Wdl::CursedWin,
                _ if clock - wanted <= 100 => Wdl::Loss,
                _ => Wdl::BlessedLoss,
            };
            assert_eq!((best.dtz, best.outcome), (Some(wanted), outcome), "{fen}");
            assert!(ranks.iter().all(|(_, rank)| rank.order == best.order || rank.dtz != best.dtz));
        }
    }
}

#[test]
fn other_endings_and_short_clocks_need_no_table() {
    let limits = Limits::default();
    for fen in ["8/8/8/3k4/8/8/8/KQN5 w - - 0 1", "8/8/8/3kb3/8/8/8/KN6 w - - 0 1", chess::fen::START] {
        assert!(Kbnk::at_root(&fen.parse().expect(fen), &limits).is_none(), "{fen}");
    }
    let board: Board = "8/8/8/3k4/8/8/8/KBN5 b - - 0 1".parse().expect("a board");
    let before = SOLVED.get().is_some();
    let clock = Clock { remaining: Duration::from_millis(999), ..Clock::default() };
    for short in [
        Limits { clock: Some(clock), ..Limits::default() },
        Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() },
    ] {
        let there = Kbnk::at_root(&board, &short).is_some();
        assert!(there || !before, "what is there is used");
    }
    assert!(Kbnk::at_root(&board, &limits).is_some());
}
