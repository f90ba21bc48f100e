//! What is fuzzed: one function for each kind of input that comes from outside. Each takes any bytes and panics only if something is
//! wrong. `crates/lab/tests/corpora.rs` replays the corpora with these very functions.

use std::cell::RefCell;
use std::path::Path;

use chess::zobrist::splitmix;
use chess::{Board, Position};
use data::{Reader, Records};
use engine::tablebase::Tablebases;
use engine::{Control, Engine, Limits, Silent};
use nnue::{LayerFile, Network};
use record::pgn;
use record::polyglot::Book;
use uci::{Command, Reply};

/// A name, and what is done with the bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All targets by their names, which are those of the folders of `fuzz/corpus`.
pub const TARGETS: [Target; 9] = [
    ("fen", fen),
    ("san", san),
    ("uci", uci_line),
    ("pgn", pgn_text),
    ("net", net_file),
    ("hash", hash_file),
    ("data", training_data),
    ("book", book),
    ("tables", tablebase_file),
];

/// A FEN that is understood is written and understood again, and its moves can be played.
pub fn fen(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(board) = text.parse::<Board>() else { return };
    assert_eq!(board.to_string().parse::<Board>().as_ref(), Ok(&board), "{text}");
    assert_eq!(board.shredder_fen().to_string().parse::<Board>().as_ref(), Ok(&board), "{text}");
    for &mv in &board.legal_moves() {
        assert!(board.is_playable(mv), "{text}: {mv:?}");
        let after = board.after(mv);
        assert_eq!(board.parse_uci(&mv.uci(true)).ok(), Some(mv), "{text}");
        assert_eq!(board.parse_san(&board.san(mv)).ok(), Some(mv), "{text}");
        assert!(after.count_legal_moves() <= 256);
    }
}

const BOARDS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
];

/// A move that is understood is legal, and what it is called means the same move.
pub fn san(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let Ok(board) = BOARDS[usize::from(first) % BOARDS.len()].parse::<Board>() else { return };
    for mv in [board.parse_san(text).ok(), board.parse_uci(text).ok()].into_iter().flatten() {
        assert!(board.is_playable(mv), "{text}");
        assert_eq!(board.parse_san(&board.san(mv)).ok(), Some(mv), "{text}");
    }
}

/// A line that is understood is written and understood again, in both directions.
pub fn uci_line(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(parsed) = Command::read(&text) {
        let written = parsed.command.to_string();
        let again = written.parse::<Command>().map(|command| command.to_string());
        assert_eq!(again.as_ref().ok(), Some(&written), "{text:?}");
    }
    if let Ok(reply) = text.parse::<Reply>() {
        let written = reply.to_string();
        let again = written.parse::<Reply>().map(|reply| reply.to_string());
        assert_eq!(again.as_ref().ok(), Some(&written), "{text:?}");
    }
}

/// What the writer writes, the reader reads as the same games.
pub fn pgn_text(bytes: &[u8]) {
    let Ok(text) = pgn::decode(bytes) else { return };
    for game in pgn::games(&text).take(20).flatten() {
        let written = game.to_string();
        let again: Vec<_> = pgn::games(&written).collect();
        assert!(again.len() <= 1, "one game has become {}: {written:?}", again.len());
        if let Some(Ok(again)) = again.first() {
            assert_eq!(again.to_string(), written);
        }
        let _ = game.replay(usize::MAX);
    }
}

/// Bytes as they are, and with the checksum that lets them in.
pub fn net_file(bytes: &[u8]) {
    let _ = Network::from_bytes(bytes);
    let sum = bytes.chunks(8).fold(bytes.len() as u64, |sum, chunk| splitmix(sum ^ word(chunk)));
    let patched = [bytes, &sum.to_le_bytes()].concat();
    if let Ok(file) = LayerFile::from_bytes(&patched) {
        assert_eq!(file.to_bytes(), patched);
        let _ = Network::from_file(file);
    }
}

/// A table of any contents behind a right header, and a search that uses it.
pub fn hash_file(bytes: &[u8]) {
    const CLUSTER: usize = 30;
    thread_local! {
        static ENGINE: RefCell<Engine> = RefCell::new(small_engine());
    }
    ENGINE.with_borrow_mut(|engine| {
        let _ = engine.load_hash(&mut &*bytes, bytes.len() as u64);
        let clusters = bytes.chunks_exact(CLUSTER);
        let sum =
            clusters.clone().flat_map(|cluster| cluster.chunks(8)).fold(0, |sum, chunk| splitmix(sum ^ word(chunk)));
        let mut file = b"SWHASH\x00\x01".to_vec();
        file.extend(Board::start().key().to_le_bytes());
        file.extend((clusters.len() as u64).to_le_bytes());
        clusters.for_each(|cluster| file.extend(cluster));
        file.extend(sum.to_le_bytes());
        let loaded = engine.load_hash(&mut &*file, file.len() as u64);
        assert_eq!(loaded.is_ok(), file.len() > 32, "{loaded:?}");
        let limits = Limits { nodes: Some(300), ..Limits::default() };
        for fen in BOARDS {
            let Ok(board) = fen.parse() else { return };
            let position = Position::new(board);
            let found = engine.search(&position, &limits, &Control::new(), &mut Silent);
            assert!(found.best_move().is_some_and(|mv| position.is_playable(mv)));
        }
    });
}

fn small_engine() -> Engine {
    let mut engine = Engine::new();
    engine.set_network(None);
    engine
}

fn word(chunk: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..chunk.len()].copy_from_slice(chunk);
    u64::from_le_bytes(word)
}

/// Games that are read are written as they were.
pub fn training_data(bytes: &[u8]) {
    let records = Records::new(Box::new(std::io::Cursor::new(bytes.to_vec())), Path::new("fuzz"));
    let mut written = Vec::new();
    for record in records.flatten() {
        record.write_into(&mut written);
        let _ = record.walk(|board, mv, _| assert!(board.is_playable(mv)));
    }
    assert!(bytes.starts_with(&written));
    let records = Records::new(Box::new(std::io::Cursor::new(bytes.to_vec())), Path::new("fuzz"));
    for game in Reader::new(records).flatten() {
        assert!(game.positions().count() <= 20_000);
    }
}

/// Moves of a book are legal.
pub fn book(bytes: &[u8]) {
    let Ok(book) = Book::parse(bytes) else { return };
    assert_eq!(book.bytes(), bytes);
    for fen in BOARDS {
        let Ok(board) = fen.parse::<Board>() else { return };
        for found in book.moves(&board) {
            assert!(board.is_playable(found.mv));
        }
    }
}

/// A damaged table is no table, or gives wrong values; it does no harm.
pub fn tablebase_file(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let folder = std::env::temp_dir().join(format!("stillwater-fuzz-{}", std::process::id()));
    if std::fs::create_dir_all(&folder).is_err() {
        return;
    }
    let name = ["KQvK", "KRvK", "KPvK", "KBvK"][usize::from(first >> 1) % 4];
    let extension = if first & 1 == 0 { "rtbw" } else { "rtbz" };
    let magic: [u8; 4] = if first & 1 == 0 { [0x71, 0xe8, 0x23, 0x5d] } else { [0xd7, 0x66, 0x0c, 0xa5] };
    let path = folder.join(format!("{name}.{extension}"));
    let mut file = magic.to_vec();
    file.extend(rest);
    if std::fs::write(&path, &file).is_ok() {
        let (tables, _) = Tablebases::open(&folder.to_string_lossy());
        for fen in ["8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "8/8/8/3k4/8/8/8/KR6 b - - 0 1", "8/8/8/3k4/4P3/8/8/K7 w - - 0 1"]
        {
            let Ok(board) = fen.parse::<Board>() else { return };
            let _ = tables.probe_wdl(&board);
            let _ = tables.rank_root(&Position::new(board), true);
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}
