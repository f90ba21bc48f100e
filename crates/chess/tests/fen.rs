//! FEN against large lists of valid and invalid ones outside the repository; `properties.rs` and the unit tests need no lists.

mod common;

use stillwater_chess::Board;

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_valid_fens_are_taken_and_round_trip() {
    let text = common::shared("fen/cozy-chess_valid.sfens");
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
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_invalid_fens_are_refused() {
    let text = common::shared("fen/cozy-chess_invalid.sfens");
    let taken: Vec<_> = text.lines().filter(|fen| fen.parse::<Board>().is_ok()).collect();
    assert!(taken.is_empty(), "{} taken: {taken:#?}", taken.len());
    assert_eq!(text.lines().count(), 9_992);
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_malformed_fens_are_refused_with_a_reason() {
    let text = common::shared("fen/chessjs_validate_fen.tsv");
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
