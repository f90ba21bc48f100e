//! The bytes: what is written is read back, by us and by the crate that defines the format, and nothing else is.

use std::fs;
use std::io::Cursor;

use chess::{Board, Move};
use data::{FormatError, Game, Reader, Records, Writer, decode_move, encode_move, pack, unpack};
use viriformat::dataformat::{Game as OtherGame, WDL};

use crate::common::Room;
use crate::room::{bytes, random_games};

#[test]
fn games_are_read_back() {
    let room = Room::empty("data-round");
    let games = random_games(120, 400, 1);
    let castles = |game: &&Game| game.moves.iter().any(|(mv, _)| mv.is_castle());
    let has = |is: fn(Move) -> bool| games.iter().flat_map(|game| &game.moves).any(|&(mv, _)| is(mv));
    assert!(has(Move::is_en_passant) && has(Move::is_promotion));
    assert!(games.iter().filter(castles).any(|game| !game.start.is_classical_castling()), "Chess960 castling");
    room.file("games.vf", &games);
    assert_eq!(room.games("games.vf"), games);
    for (record, game) in Records::open(&room.path("games.vf")).expect("a file").zip(&games) {
        let record = record.expect("a record");
        let mut samples = game.positions();
        let result = record.walk(|board, mv, score| {
            let sample = samples.next().expect("as many positions");
            assert_eq!((sample.board, sample.mv, sample.score), (*board, mv, score));
        });
        assert_eq!(result, Ok(game.result));
        assert!(samples.next().is_none());
    }
}

/// The crate's own reader checks that every move is legal in builds like this one.
#[test]
fn an_independent_reader_agrees() {
    let games = random_games(90, 300, 2);
    let bytes = bytes(&games);
    let mut input = Cursor::new(bytes.as_slice());
    for game in &games {
        let other = OtherGame::deserialise_from(&mut input, Vec::new()).expect("a game");
        let result = match other.outcome() {
            WDL::Win => 1.0,
            WDL::Draw => 0.5,
            WDL::Loss => 0.0,
        };
        assert_eq!(game.result.white_points(), result);
        let moves: Vec<String> = other.moves().map(|mv| mv.display(true).to_string()).collect();
        assert_eq!(moves, game.moves.iter().map(|(mv, _)| mv.uci(true)).collect::<Vec<_>>());
        let mut samples = game.positions();
        other.visit_positions(|board, score| {
            let sample = samples.next().expect("as many positions");
            assert_eq!((fields(&board.to_string()), score), (fields(&sample.board.to_string()), sample.score.into()));
        });
        assert!(samples.next().is_none());
        let mut again = Vec::new();
        other.serialise_into(&mut again).expect("bytes");
        let mut ours = Vec::new();
        game.write_into(&mut ours);
        assert_eq!(again, ours);
    }
    assert_eq!(input.position(), bytes.len() as u64);
}

/// What all dialects of FEN agree on: pieces, side, how many castling rights, half-move clock, move number.
fn fields(fen: &str) -> (String, String, usize, String, String) {
    let field = |index: usize| fen.split(' ').nth(index).expect("a field").to_owned();
    (field(0), field(1), field(2).trim_matches('-').len(), field(4), field(5))
}

#[test]
fn every_code_of_a_move_is_judged() {
    for fen in [
        "r3k2r/pPppqpb1/bn2pnp1/4N3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnb2rk1/ppp2ppp/8/3pP3/8/8/PPP2PPP/RNB2RK1 w - d6 0 9",
    ] {
        let board: Board = fen.parse().expect(fen);
        let legal = board.legal_moves();
        let mut found: Vec<u16> = (0..=u16::MAX).filter_map(|bits| decode_move(&board, bits)).map(Move::bits).collect();
        found.sort_unstable();
        found.dedup();
        let mut expected: Vec<u16> = legal.iter().map(|mv| mv.bits()).collect();
        expected.sort_unstable();
        assert_eq!(found, expected);
        assert!(legal.iter().all(|&mv| decode_move(&board, encode_move(mv)) == Some(mv)));
    }
}

/// A file that ends anywhere: all whole games, then an error that says where, and resuming cuts off just that.
#[test]
fn torn_records() {
    let room = Room::empty("data-torn");
    let games = random_games(3, 6, 3);
    let ends: Vec<usize> = (0..=3).map(|count| bytes(&games[..count]).len()).collect();
    let whole = bytes(&games);
    for length in 0..=whole.len() {
        let path = room.path("torn.vf");
        fs::write(&path, &whole[..length]).expect("a file");
        let complete = ends.iter().filter(|&&end| end <= length).count() - 1;
        let read: Vec<_> = Reader::open(&path).expect("a file").collect();
        assert!(read.iter().take(complete).zip(&games).all(|(read, game)| read.as_ref().ok() == Some(game)));
        if ends.contains(&length) {
            assert_eq!(read.len(), complete);
        } else {
            let error = read.last().expect("an error").as_ref().expect_err("an error").to_string();
            assert!(error.ends_with(&format!("the record at byte {} is cut off", ends[complete])), "{error}");
        }
        let (mut writer, found) = Writer::resume(&path).expect("a file to go on with");
        assert_eq!((found.games as usize, found.cut as usize), (complete, length - ends[complete]));
        writer.add(&games[0]).expect("room on the disk");
        let mut expected = whole[..ends[complete]].to_vec();
        games[0].write_into(&mut expected);
        assert_eq!(fs::read(&path).expect("a file"), expected);
    }
}

#[test]
fn what_is_no_file_of_games_is_refused_and_left_alone() {
    let room = Room::empty("data-foreign");
    let mut illegal = bytes(&random_games(1, 10, 4));
    illegal[32..34].copy_from_slice(&[0xff, 0x0f]);
    let foreign = [
        "[Event \"?\"]\n\n1. e4 e5 2. Nf3 *\n".repeat(200).into_bytes(),
        vec![0; 5000],
        vec![0xff; 5000],
        (0..5000_u32).map(|index| ((index * index) >> 3) as u8).collect(),
        illegal,
    ];
    for (index, bytes) in foreign.iter().enumerate() {
        let path = room.path("foreign.vf");
        fs::write(&path, bytes).expect("a file");
        for words in
            ["datagen foreign.vf --resume --games 1 --nodes 10", "datastat foreign.vf", "merge foreign.vf -o x"]
        {
            let text = room.fail(words);
            assert!(text.contains("foreign.vf") && text.contains("at byte 0"), "{index} {words}: {text}");
        }
        assert_eq!(&fs::read(&path).expect("a file"), bytes, "it was changed");
        assert!(!room.path("x").exists() && !room.path("x.part").exists());
    }
    assert!(room.fail("datastat missing.vf").contains("cannot open missing.vf"));
    assert!(room.fail("datastat .").contains("is a directory"));
}

#[test]
fn boards_that_cannot_be_are_errors() {
    let game = &random_games(1, 4, 5)[0];
    let good = pack(&game.start, game.result, 77);
    assert_eq!(unpack(&good), Ok((game.start, game.result, 77)));
    let with = |index: usize, byte: u8| {
        let mut bytes = good;
        bytes[index] = byte;
        unpack(&bytes)
    };
    assert_eq!(with(30, 3), Err(FormatError::Result(3)));
    assert_eq!(with(8, 7), Err(FormatError::Piece(7)));
    assert_eq!(with(3, 1), Err(FormatError::TooManyPieces(33)));
    assert!(matches!(with(8, 0x53), Err(FormatError::Board(_))), "two kings");
}
