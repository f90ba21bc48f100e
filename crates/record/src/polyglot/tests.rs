//! Tests keys against the published ones, and books in both directions.

use std::fs;
use std::path::Path;

use super::*;

fn board(fen: &str) -> Board {
    fen.parse().expect(fen)
}

/// The keys published in the format's description.
const KNOWN: [(&str, u64); 9] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
    ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
    ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
    ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
    ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a_607c_a3f2_42c1),
    ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
    ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c81_23ea_7b06_7637),
    ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
];

#[test]
fn keys_are_those_of_the_standard() {
    for (fen, expected) in KNOWN {
        assert_eq!(key(&board(fen)), expected, "{fen}");
    }
}

#[test]
fn keys_agree_with_another_library_along_games() {
    use shakmaty::Position as _;
    let mut random = 7_u64;
    for _ in 0..40 {
        let mut position = Position::start();
        let mut twin = shakmaty::Chess::default();
        for _ in 0..60 {
            let twin_key: shakmaty::zobrist::Zobrist64 = twin.zobrist_hash(shakmaty::EnPassantMode::PseudoLegal);
            assert_eq!(key_in_game(&position), twin_key.0, "{}", position.board());
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let mv = moves[(random >> 33) as usize % moves.len()];
            let other: shakmaty::uci::UciMove = mv.uci(false).parse().expect("a move");
            twin = twin.clone().play(other.to_move(&twin).expect("legal")).expect("legal");
            position.play(mv);
        }
    }
}

#[test]
fn a_pinned_pawn_counts_for_en_passant() {
    // The pawn on e4 may not take on d3, but it stands beside the pawn that made the double step.
    let mut position = Position::new(board("4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1"));
    position.play(position.parse_uci("d2d4").expect("legal"));
    assert_eq!(position.en_passant(), None);
    let plain = key(&position);
    let file = 0x1c99_ded3_3cb8_90a1; // the fourth of the eight words for files
    assert_eq!(key_in_game(&position), plain ^ file);
}

#[test]
fn codes_go_there_and_back() {
    for fen in [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/1P6/8/8/8/8/6p1/R3K2R b KQkq - 0 1",
        "r1n1k2r/1P6/8/8/8/8/6p1/R3K2R w KQkq - 0 1",
        "1rk3r1/8/8/8/8/8/8/1RK3R1 w BGbg - 0 1",
    ] {
        let board = board(fen);
        for &mv in &board.legal_moves() {
            assert_eq!(decode(encode(mv), &board), Some(mv), "{fen} {mv:?}");
        }
    }
    let castling = board("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let castle = castling.parse_uci("e1g1").expect("legal");
    assert_eq!(encode(castle), 0o0407, "e1h1");
    assert_eq!(decode(0, &Board::start()), None);
    assert_eq!(decode(5 << 12 | 0o1434, &Board::start()), None, "no such promotion");
}

#[test]
fn a_book_is_built_written_and_read() {
    let mut builder = Builder::default();
    let start = Position::start();
    let mut after = Position::start();
    let e4 = start.parse_uci("e2e4").expect("legal");
    let d4 = start.parse_uci("d2d4").expect("legal");
    let a3 = start.parse_uci("a2a3").expect("legal");
    after.play(e4);
    let e5 = after.parse_uci("e7e5").expect("legal");
    for _ in 0..3 {
        builder.add(&start, e4, 2);
        builder.add(&after, e5, 1);
    }
    builder.add(&start, d4, 1);
    builder.add(&start, a3, 0);
    let book = builder.finish(1);
    let weights = |board: &Board| book.moves(board).iter().map(|found| (found.mv, found.weight)).collect::<Vec<_>>();
    assert_eq!(weights(&start), [(e4, 6), (d4, 1)], "what never scored is left out");
    assert_eq!(weights(&after), [(e5, 3)]);
    assert_eq!((book.len(), book.positions(), book.is_empty()), (3, 2, false));
    assert_eq!(Book::parse(&book.bytes()), Ok(book.clone()));
    assert_eq!(builder.finish(2).len(), 2, "one game is too little for d4");
    let moves = book.moves(&start);
    assert_eq!(total_weight(&moves), 7);
    let picked: Vec<_> = (0..8).map(|number| pick(&moves, number)).collect();
    assert_eq!(picked[..6], [Some(e4); 6]);
    assert_eq!(picked[6..], [Some(d4), None]);
}

#[test]
fn weights_are_scaled_to_fit() {
    let mut builder = Builder::default();
    let start = Position::start();
    let [e4, d4] = ["e2e4", "d2d4"].map(|text| start.parse_uci(text).expect("legal"));
    for _ in 0..65_535 {
        builder.add(&start, e4, 2);
    }
    builder.add(&start, d4, 1);
    let weights: Vec<_> = builder.finish(1).moves(&start).iter().map(|found| found.weight).collect();
    assert_eq!(weights, [65_535, 1]);
}

#[test]
fn what_is_no_book_is_refused() {
    assert_eq!(Book::parse(&[]), Err(BookError::Empty));
    assert_eq!(Book::parse(&[0; 17]), Err(BookError::Length(17)));
    let text = b"[Event \"a game\"]and some more text behind itand one entry beside";
    assert_eq!(Book::parse(&text[..64]), Err(BookError::Order(4)));
}

/// A book that `stillwater book build` made from 40 of the engine's own games.
#[test]
fn a_book_on_file() {
    let book = Book::parse(include_bytes!("../../../../tests/data/book.bin")).expect("a book");
    assert_eq!((book.len(), book.positions()), (200, 179));
    assert_eq!(book.bytes(), include_bytes!("../../../../tests/data/book.bin"));
    let moves: Vec<_> = book.moves(&Board::start()).iter().map(|found| (found.mv.uci(false), found.weight)).collect();
    assert_eq!(moves[..2], [("d2d4".to_owned(), 13), ("b1c3".to_owned(), 9)]);
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_book_made_by_others() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/books/gnuchess-book.bin");
    let bytes = fs::read(path).expect("a file");
    let book = Book::parse(&bytes).expect("a book");
    assert_eq!(book.bytes(), bytes);
    let moves = book.moves(&Board::start());
    assert!(moves.iter().any(|found| found.mv.uci(false) == "e2e4") && moves.len() > 3, "{moves:?}");
}
