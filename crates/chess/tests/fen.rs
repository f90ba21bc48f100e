//! FEN against large lists of valid and invalid ones.

mod common;

use stillwater_chess::Board;

#[test]
fn shared_valid_fens_are_taken_and_round_trip() {
    let Some(text) = common::shared("fen/cozy-chess_valid.sfens") else { return };
    let mut count = 0;
    for fen in text.lines() {
        let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        // The list keeps en passant squares that no pawn can use; we do not.
        let mut fields: Vec<_> = fen.split(' ').collect();
        if board.en_passant().is_none() {
            fields[3] = "-";
        }
        assert_eq!(board.shredder_fen(), fields.join(" "));
        assert_eq!(board.shredder_fen().parse(), Ok(board));
        assert_eq!(board.to_string().parse(), Ok(board));
        count += 1;
    }
    assert_eq!(count, 10_000);
}

#[test]
fn shared_invalid_fens_are_refused() {
    let Some(text) = common::shared("fen/cozy-chess_invalid.sfens") else { return };
    let taken: Vec<_> = text.lines().filter(|fen| fen.parse::<Board>().is_ok()).collect();
    assert!(taken.is_empty(), "{} taken: {taken:#?}", taken.len());
    assert_eq!(text.lines().count(), 9_992);
}

#[test]
fn shared_malformed_fens_are_refused_with_a_reason() {
    let Some(text) = common::shared("fen/chessjs_validate_fen.tsv") else { return };
    let mut compared = 0;
    for line in text.lines() {
        let fields: Vec<_> = line.split('\t').collect();
        let (expected, fen) = (fields[0] == "true", fields[1]);
        // The list wants all six fields; we let the counters be missing, as they are in EPD.
        if fen.split_whitespace().count() < 6 {
            continue;
        }
        match fen.parse::<Board>() {
            Ok(_) => assert!(expected, "taken: {fen}"),
            Err(error) => assert!(!expected, "{fen}: {error}"),
        }
        compared += 1;
    }
    assert_eq!(compared, 130);
}
