//! Whatever comes, reading does not panic; and whatever is printed is read back as it was.

use chess::{PieceKind, Square};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use stillwater_uci::{
    Bound, Command, Go, Info, OptionInfo, OptionKind, Registration, Reply, Score, SetOption, SetPosition,
    StartPosition, Status, UciMove,
};

fn any_move() -> impl Strategy<Value = UciMove> {
    let kinds = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    (0..64_usize, 1..64_usize, of(select(kinds.to_vec()))).prop_map(|(from, step, promotion)| UciMove {
        from: Square::from_index(from),
        to: Square::from_index((from + step) % 64),
        promotion,
    })
}

/// Some words that are no words of the protocol, parted by single spaces.
fn text() -> impl Strategy<Value = String> {
    "[A-Z0-9_/;:.é☃<>]{1,9}( [A-Z0-9_/;:.é☃<>]{1,9}){0,3}".prop_filter("means empty", |text| !text.contains("<"))
}

fn fen() -> impl Strategy<Value = StartPosition> {
    prop_oneof![
        Just(StartPosition::Standard),
        "[1-8pnbrqkPNBRQK]{1,8}(/[1-8pnbrqkPNBRQK]{1,8}){0,8} [wb] -( - [0-9]{1,3} [0-9]{1,3})?"
            .prop_map(StartPosition::Fen),
    ]
}

fn go() -> impl Strategy<Value = Go> {
    let number = || of(any::<i64>());
    let clocks = (number(), number(), number(), number(), number());
    let limits = (number(), number(), number(), number(), number());
    (vec(any_move(), 0..5), any::<bool>(), any::<bool>(), clocks, limits).prop_map(
        |(searchmoves, ponder, infinite, clocks, limits)| {
            let (wtime, btime, winc, binc, movestogo) = clocks;
            let (depth, nodes, mate, movetime, perft) = limits;
            Go {
                searchmoves,
                ponder,
                wtime,
                btime,
                winc,
                binc,
                movestogo,
                depth,
                nodes,
                mate,
                movetime,
                infinite,
                perft,
            }
        },
    )
}

fn command() -> impl Strategy<Value = Command> {
    let registration = (of(text()), of(text())).prop_map(|(name, code)| match (name, code) {
        (None, None) => Registration::Later,
        (name, code) => Registration::With { name, code },
    });
    prop_oneof![
        select(vec![
            Command::Uci,
            Command::Debug(true),
            Command::Debug(false),
            Command::IsReady,
            Command::NewGame,
            Command::Stop,
            Command::PonderHit,
            Command::Quit,
            Command::Display,
            Command::Eval,
            Command::Flip,
            Command::Help,
            Command::Compiler,
        ]),
        (text(), of(text())).prop_map(|(name, value)| Command::SetOption(SetOption { name, value })),
        registration.prop_map(Command::Register),
        (fen(), vec(any_move(), 0..50)).prop_map(|(start, moves)| Command::Position(SetPosition { start, moves })),
        go().prop_map(Command::Go),
        vec("[a-z0-9]{1,4}", 0..4).prop_map(Command::Bench),
        any::<u32>().prop_map(Command::Perft),
        text().prop_map(Command::SaveHash),
        vec("[A-Za-z0-9/.]{1,9}", 0..6).prop_map(Command::GenFens),
        text().prop_map(Command::LoadHash),
        text().prop_map(Command::ExportNet),
    ]
}

fn option_info() -> impl Strategy<Value = OptionInfo> {
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        (any::<i64>(), any::<i64>(), any::<i64>()).prop_map(|(default, min, max)| OptionKind::Spin {
            default,
            min,
            max
        }),
        (text(), vec(text(), 0..4)).prop_map(|(default, vars)| OptionKind::Combo { default, vars }),
        Just(OptionKind::Button),
        of(text()).prop_map(|default| OptionKind::String { default: default.unwrap_or_default() }),
    ];
    (text(), kind).prop_map(|(name, kind)| OptionInfo { name, kind })
}

fn info() -> impl Strategy<Value = Info> {
    let score = prop_oneof![any::<i32>().prop_map(Score::Centipawns), any::<i32>().prop_map(Score::Mate)];
    let bound = select(vec![Bound::Exact, Bound::Lower, Bound::Upper]);
    let small = || of(any::<u32>());
    let large = || of(any::<u64>());
    let first = (small(), small(), small(), of((score, bound)), of(any::<[u16; 3]>()), large(), large());
    let second = (small(), large(), large(), small(), large(), of(any_move()), small());
    let line = || vec(any_move(), 0..6);
    let third = (line(), of((small(), line())), line(), of(text()));
    (first, second, third).prop_map(|(first, second, third)| {
        let (depth, seldepth, multipv, score, wdl, nodes, nps) = first;
        let (hashfull, tbhits, sbhits, cpuload, time, currmove, currmovenumber) = second;
        let (refutation, currline, pv, string) = third;
        Info {
            depth,
            seldepth,
            multipv,
            score,
            wdl,
            nodes,
            nps,
            hashfull,
            tbhits,
            sbhits,
            cpuload,
            time,
            currmove,
            currmovenumber,
            refutation,
            currline,
            pv,
            string,
        }
    })
}

fn reply() -> impl Strategy<Value = Reply> {
    let status = || select(vec![Status::Checking, Status::Ok, Status::Error]);
    let best = prop_oneof![
        Just(Reply::BestMove { best: None, ponder: None }),
        (any_move(), of(any_move())).prop_map(|(best, ponder)| Reply::BestMove { best: Some(best), ponder }),
    ];
    prop_oneof![
        text().prop_map(Reply::IdName),
        text().prop_map(Reply::IdAuthor),
        option_info().prop_map(Reply::Option),
        Just(Reply::UciOk),
        Just(Reply::ReadyOk),
        status().prop_map(Reply::CopyProtection),
        status().prop_map(Reply::Registration),
        info().prop_map(Reply::Info),
        best,
    ]
}

/// Lines made of the protocol's own words in any order, which reach further into the parsers than noise does.
fn word_salad() -> impl Strategy<Value = String> {
    let words = "uci debug on off isready setoption name value register later code ucinewgame position fen startpos \
                 moves go searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite perft \
                 stop ponderhit quit d eval bench genfens flip help savehash loadhash id author uciok readyok bestmove (none) \
                 0000 option type check spin combo button string default min max var info seldepth multipv score cp \
                 lowerbound upperbound wdl nps hashfull tbhits time pv currmove currline refutation e2e4 e7e8q é \
                 4k3/8/8/8/8/8/8/4K3 w - 99999999999999999999 -1 0 1.5 true <empty>";
    let word = select(words.split_whitespace().collect::<Vec<_>>());
    vec((word, select(vec![" ", "\t", "  ", "\u{feff}"])), 0..20)
        .prop_map(|pairs| pairs.into_iter().flat_map(|(word, space)| [word, space]).collect())
}

/// Reads a line in every way; what is read must survive printing and reading again.
fn digest(line: &str) {
    // What comes over the wire has no line ends in it.
    let line = &line.replace(['\n', '\r'], " ");
    if let Ok(parsed) = Command::read(line) {
        let again = Command::read(&parsed.command.to_string());
        assert_eq!(again.map(|again| again.command).as_ref(), Ok(&parsed.command), "{line:?}");
        parsed.problems.iter().for_each(|problem| assert!(!problem.to_string().contains('\n')));
    }
    if let Err(error) = line.parse::<Command>() {
        assert!(error.to_string().chars().count() < 200 && !error.to_string().contains('\n'));
    }
    let _ = line.parse::<Reply>().map(|reply| reply.to_string());
    let _ = line.parse::<UciMove>();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_parsers_panic(line in any::<String>()) {
        digest(&line);
    }

    #[test]
    fn no_bytes_make_the_parsers_panic(bytes in vec(any::<u8>(), 0..200)) {
        digest(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_salad_of_its_own_words_makes_the_parsers_panic(line in word_salad()) {
        digest(&line);
    }

    #[test]
    fn commands_are_read_as_they_were_printed(command in command()) {
        prop_assert_eq!(command.to_string().parse::<Command>(), Ok(command));
    }

    #[test]
    fn replies_are_read_as_they_were_printed(reply in reply()) {
        prop_assert_eq!(reply.to_string().parse::<Reply>(), Ok(reply));
    }
}
