//! Texts for people: the board, its evaluation, help.

use std::fmt::Write;

use chess::fen::FenError;
use chess::{Board, Color, File, Position, Rank, Square};
use engine::{Network, eval};

pub(super) const GREETING: &str = concat!(
    "Stillwater ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine. It waits for UCI commands, as a chess program would send them: help lists them, quit leaves.\n",
    "Try here:      position startpos moves e2e4, then go movetime 1000; d shows the board, eval explains it.\n",
    "In the shell:  stillwater play, stillwater analyse FEN, stillwater explain FEN, stillwater --help."
);

pub(super) const HELP: &str = "\
The protocol:
  uci                                who I am, and my options
  setoption name NAME [value VALUE]  change an option
  isready                            answered when everything before is done
  ucinewgame                         forget what was learned
  position startpos|fen FEN [moves MOVE...]
  go [searchmoves MOVE...] [ponder] [infinite] [depth N] [nodes N] [mate N] [movetime MS]
     [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [perft N]
  stop, ponderhit                    end a search; the expected move was played
  debug on|off, register ..., quit
For people:
  d                                  show the board
  eval                               explain the evaluation of the board
  flip                               change sides
  perft N                            count the lines of play of N plies
  bench [DEPTH [HASH [THREADS]]]     search fixed positions; a fingerprint of the search, and its speed
  genfens N seed S book None|PATH [plies N] [limit CP] [chess960|double960]
                                     openings for self-play
  savehash PATH, loadhash PATH       keep the hash table in a file
  export_net PATH                    write the network to a file
  compiler                           how I was built
  help                               this text";

/// A drawing of the board with further facts about it.
pub(super) fn board(position: &Position) -> String {
    let rule = "  +---+---+---+---+---+---+---+---+\n";
    let mut text = String::from(rule);
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{} |", rank.digit());
        for file in File::ALL {
            let letter = position.piece_on(Square::new(file, rank)).map_or(' ', |piece| piece.letter());
            let _ = write!(text, " {letter} |");
        }
        text.push('\n');
        text.push_str(rule);
    }
    text.push_str("    a   b   c   d   e   f   g   h\n\n");
    let checkers: Vec<_> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    let moves = position.legal_moves();
    let mut moves: Vec<_> = moves.iter().map(|&mv| position.san(mv)).collect();
    moves.sort_unstable();
    let _ = writeln!(text, "Fen: {}", position.board());
    let _ = writeln!(text, "Key: {:016X}", position.key());
    let _ = writeln!(text, "Checkers: {}", checkers.join(" "));
    let _ = writeln!(text, "Moves ({}): {}", moves.len(), moves.join(" "));
    match position.outcome() {
        Some(outcome) => text + &format!("Game over: {outcome}"),
        None => text + &format!("{} to move", position.side_to_move()),
    }
}

/// The network's value, if there is a network, and the terms of the hand-crafted evaluation.
pub(super) fn evaluation(board: &Board, network: Option<&Network>) -> String {
    if board.in_check() {
        return "A position in check is not evaluated, only searched.".into();
    }
    let by_hand = eval::explain(board);
    match network {
        None => by_hand.to_string(),
        Some(network) => format!("{}\n\nBy hand:\n{by_hand}", eval::contributions(board, network)),
    }
}

/// The board with colours swapped, without its history.
pub(super) fn flipped(board: &Board) -> Result<Board, FenError> {
    let fen = board.shredder_fen();
    let mut fields = fen.split(' ');
    let mut field = || fields.next().unwrap_or("-");
    let swap = |text: &str| -> String {
        text.chars()
            .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
            .collect()
    };
    let pieces: Vec<String> = field().split('/').rev().map(swap).collect();
    let side = if field() == "w" { "b" } else { "w" };
    let castling = swap(field());
    let passing = match board.en_passant() {
        Some(square) => square.relative_to(Color::Black).to_string(),
        None => "-".into(),
    };
    format!("{} {side} {castling} {passing} {} {}", pieces.join("/"), board.halfmove_clock(), board.fullmove_number())
        .parse()
}

/// How the program was built.
pub(super) fn compiler() -> String {
    let unit = if cfg!(target_feature = "bmi2") { "BMI2" } else { "no BMI2" };
    let vector = if cfg!(target_feature = "avx512f") {
        "AVX-512"
    } else if cfg!(target_feature = "avx2") {
        "AVX2"
    } else {
        "no AVX2"
    };
    let mut features: Vec<&str> = vec![unit, vector];
    features.extend(cfg!(debug_assertions).then_some("debug assertions"));
    features.extend(cfg!(feature = "tune").then_some("tune"));
    features.extend(cfg!(feature = "stats").then_some("stats"));
    format!(
        "Stillwater {}\nCompiled by {} ({}) for {}\nWith {}",
        env!("CARGO_PKG_VERSION"),
        env!("STILLWATER_COMPILER"),
        env!("STILLWATER_PROFILE"),
        env!("STILLWATER_TARGET"),
        features.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipping_twice_changes_nothing() {
        for fen in [
            chess::fen::START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq - 3 9",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "1r2k1r1/8/8/8/8/8/8/1R2KR1R w Fb - 0 1",
        ] {
            let board: Board = fen.parse().expect(fen);
            let other = flipped(&board).expect(fen);
            assert_ne!(other.side_to_move(), board.side_to_move());
            assert_eq!(other.count_legal_moves(), board.count_legal_moves());
            assert_eq!(flipped(&other).as_ref(), Ok(&board));
        }
    }

    #[test]
    fn the_board_is_shown_with_its_moves() {
        let text = board(&Position::start());
        assert!(text.contains("1 | R | N | B | Q | K | B | N | R |"), "{text}");
        assert!(text.contains("Moves (20): Na3 Nc3"), "{text}");
        assert!(text.ends_with("White to move"), "{text}");
    }
}
