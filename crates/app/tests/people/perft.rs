//! `stillwater perft` as a user runs it.

use crate::common::{run, run_unheard};

#[test]
fn counts_below_each_move_and_in_total() {
    let lines = run(&["perft", "3"]).good().out;
    assert!(lines.contains("e2e4: 600\n") && lines.contains("\nNodes searched: 8902\n"), "{lines}");
    let hashed = run(&["perft", "4", "--hash", "8", "--threads", "2"]).good().out;
    assert!(hashed.contains("\nNodes searched: 197281\n"), "{hashed}");
    assert!(run(&["perft", "0"]).good().out.starts_with("Nodes searched: 1\n"));
}

#[test]
fn castling_is_written_as_asked() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert!(run(&["perft", "1", fen]).good().out.contains("e1g1: 1\n"));
    assert!(run(&["perft", "1", fen, "--chess960"]).good().out.contains("e1h1: 1\n"));
    // Where the king's way would be mistaken for a step, it is never written.
    let fen = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
    let lines = run(&["perft", "1", fen]).good().out;
    assert!(lines.contains("f1h1: 1\n") && lines.matches("f1g1").count() == 1, "{lines}");
}

#[test]
fn bad_input_gets_a_reason() {
    for (arguments, reason) in [
        (&["perft", "3", "8/8/8/8/8/8/8/8 w - - 0 1"][..], "White has 0 kings instead of one"),
        (&["perft", "3", "nonsense"], "the board has 1 ranks instead of 8"),
        (&["perft", "many"], "invalid value 'many'"),
        (&["perft", "3", "--hash", "0"], "0 is not in 1..=1048576"),
        (&["perft", "3", "--threads", "2"], "--hash <HASH>"),
        (&["perft", "3", "--hash", "1", "--threads", "0"], "0 is not in 1..=1024"),
        (&["perft", "3", "--hash", "1", "--threads", "1025"], "1025 is not in 1..=1024"),
        (&["perft", "60", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--hash", "8"], "does not fit into 64 bits"),
        (&["swim"], "unrecognized subcommand 'swim'"),
    ] {
        run(arguments).bad(reason);
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    run_unheard(&["perft", "5"], "");
}
