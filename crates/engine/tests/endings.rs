//! Endings that every player knows how to win, at a few thousand nodes a move or at a single one, and endings that nobody can win. Tests named `shared_…`
//! need the tables of four men and are run by hand.

use chess::zobrist::splitmix;
use chess::{Board, Color, Move, Outcome, Position};
use stillwater_engine::tablebase::{Tablebases, Wdl};
use stillwater_engine::{Control, Engine, Limits, Score, Silent};

const THREE_MEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");
const FOUR_MEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/syzygy/3-4-men");

/// The move that a defender without a fault plays: the one that holds out longest.
fn best_defence(tablebases: &Tablebases, position: &Position) -> Move {
    tablebases.rank_root(position, true).expect("the ending is in the tables")[0].0
}

/// How a game ends in which the engine plays one side at so many nodes a move, and the tables the other.
fn played_out(engine: &mut Engine, side: Color, start: Board, nodes: u64, tablebases: &Tablebases) -> Outcome {
    engine.new_game();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut position = Position::new(start);
    loop {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        let mv = if position.side_to_move() == side {
            let found = engine.search(&position, &limits, &Control::new(), &mut Silent);
            found.best_move().expect("the game goes on")
        } else {
            best_defence(tablebases, &position)
        };
        position.play(mv);
    }
}

/// Legal boards of these pieces, with White to move, of which the tables say that they are what is wanted.
fn boards(pieces: &str, count: usize, tablebases: &Tablebases, wanted: &[Wdl]) -> Vec<Board> {
    let mut seed = pieces.bytes().fold(7, |seed, letter| splitmix(seed ^ u64::from(letter)));
    let mut found = Vec::new();
    while found.len() < count {
        seed = splitmix(seed);
        let mut squares = [b'.'; 64];
        for (index, letter) in pieces.bytes().enumerate() {
            squares[(seed >> (6 * index)) as usize % 64] = letter;
        }
        let rows = squares.chunks(8).map(|row| {
            let empty =
                |run: &[u8]| if run[0] == b'.' { run.len().to_string() } else { String::from_utf8_lossy(run).into() };
            row.chunk_by(|one, other| one == other).map(empty).collect::<String>()
        });
        let rows: Vec<String> = rows.collect();
        let Ok(board) = format!("{} w - - 0 1", rows.join("/")).parse::<Board>() else { continue };
        if board.occupied().len() == pieces.len()
            && tablebases.probe_wdl(&board).is_some_and(|wdl| wanted.contains(&wdl))
        {
            found.push(board);
        }
    }
    found
}

/// Plays so many games of each ending; all must be won.
fn are_mated(endings: &[&str], count: usize, nodes: u64, path: &str) {
    let (tablebases, _) = Tablebases::open(path);
    let mut engine = Engine::new();
    let mut failures = Vec::new();
    for pieces in endings {
        for board in boards(pieces, count, &tablebases, &[Wdl::Win]) {
            let outcome = played_out(&mut engine, Color::White, board, nodes, &tablebases);
            if outcome != (Outcome::Checkmate { winner: Color::White }) {
                failures.push(format!("{pieces}: {board}: {outcome}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} not won:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn queen_and_rook_mate_at_a_thousand_nodes() {
    are_mated(&["KQk", "KRk"], 20, 1_000, THREE_MEN);
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_basic_mates_at_three_thousand_nodes() {
    are_mated(&["KBBk", "KQPk", "KRPk", "KQNk", "KRBk", "KRRk"], 10, 3_000, FOUR_MEN);
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_bishop_and_knight_mate_at_any_number_of_nodes() {
    for nodes in [1, 100, 3_000] {
        are_mated(&["KBNk"], 200, nodes, FOUR_MEN);
    }
}

/// White mates with bishop and knight: far from the corners and near them, of either color of bishop.
const BISHOP_AND_KNIGHT: [&str; 6] = [
    "8/8/8/3k4/8/8/8/KBN5 w - - 0 1",
    "8/8/8/8/5k2/8/8/KBN5 w - - 0 1",
    "k7/8/8/8/8/8/8/KBN5 w - - 0 1",
    "7k/8/8/8/8/8/8/KNB5 w - - 0 1",
    "8/1N6/8/3k4/8/8/5B2/6K1 w - - 0 1",
    "8/8/3k4/8/8/1N6/6B1/7K w - - 0 1",
];

/// Both sides know the ending, so the defence is as good as the attack. Between them nothing is lost of the shortest way.
#[test]
fn bishop_and_knight_mate() {
    let black = ["kbn5/8/8/8/3K4/8/8/8 b - - 0 1", "knb5/8/8/8/8/8/8/7K w - - 30 60"];
    let few = [1, 100, 3_000].map(|nodes| Limits { nodes: Some(nodes), ..Limits::default() });
    let shallow = Limits { depth: Some(1), ..Limits::default() };
    let mut engine = Engine::new();
    for fen in BISHOP_AND_KNIGHT.into_iter().chain(black) {
        let lengths = few.iter().chain([&shallow]).map(|limits| {
            let mut position = Position::new(fen.parse().expect(fen));
            let strong = if fen.contains('N') { Color::White } else { Color::Black };
            while position.outcome().is_none() {
                let found = engine.search(&position, limits, &Control::new(), &mut Silent);
                position.play(found.best_move().expect("the game goes on"));
            }
            assert_eq!(position.outcome(), Some(Outcome::Checkmate { winner: strong }), "{fen}: {limits:?}");
            position.plies()
        });
        let lengths: Vec<usize> = lengths.collect();
        assert!(lengths.iter().all(|&length| length == lengths[0] && length <= 66), "{fen}: {lengths:?}");
    }
}

/// With hardly any time on the clock the ending is not solved. The defender is a search, too. At few nodes a win may take more than the fifty moves there are.
#[test]
fn bishop_and_knight_mate_by_search() {
    let won = |fen: &&str, nodes: u64| {
        let mut position = Position::new(fen.parse().expect(fen));
        let mut sides = [(Engine::new(), nodes), (Engine::new(), 20_000)];
        sides.iter_mut().for_each(|(engine, _)| engine.options.solve_endings = false);
        while position.outcome().is_none() {
            let (engine, nodes) = &mut sides[position.plies() % 2];
            let limits = Limits { nodes: Some(*nodes), ..Limits::default() };
            let found = engine.search(&position, &limits, &Control::new(), &mut Silent);
            position.play(found.best_move().expect("the game goes on"));
        }
        position.outcome() == Some(Outcome::Checkmate { winner: Color::White })
    };
    let count = |nodes| BISHOP_AND_KNIGHT.iter().filter(|fen| won(fen, nodes)).count();
    assert_eq!(count(30_000), BISHOP_AND_KNIGHT.len());
    assert!(count(3_000) >= 4);
}

#[test]
fn what_nobody_can_win_is_worth_nothing() {
    let mut engine = Engine::new();
    for fen in [
        "8/8/3k4/8/8/3K4/8/8 w - - 0 1",
        "8/8/3k4/8/8/3KB3/8/8 w - - 0 1",
        "8/8/3k4/8/8/3KN3/8/8 b - - 0 1",
        "8/8/3k4/8/8/3KNN2/8/8 w - - 0 1",
    ] {
        let position = Position::new(fen.parse().expect(fen));
        let limits = Limits { nodes: Some(5_000), ..Limits::default() };
        let found = engine.search(&position, &limits, &Control::new(), &mut Silent);
        assert_eq!(found.best.score, Score::Centipawns(0), "{fen}");
    }
}

/// Plays White from won and drawn boards with the tables at hand, against a defender without a fault: what is won is won within fifty
/// moves, what is drawn is not lost. Returns the number of games.
fn results_are_kept(endings: &[&str], count: usize, path: &str) -> usize {
    let (tablebases, _) = Tablebases::open(path);
    let mut engine = Engine::new();
    engine.set_syzygy_path(path);
    let mut games = 0;
    for pieces in endings {
        for board in boards(pieces, count, &tablebases, &[Wdl::Win, Wdl::Draw]) {
            let outcome = played_out(&mut engine, Color::White, board, 500, &tablebases);
            let won = outcome == (Outcome::Checkmate { winner: Color::White });
            let kept = match tablebases.probe_wdl(&board) {
                Some(Wdl::Win) => won,
                _ => !matches!(outcome, Outcome::Checkmate { winner: Color::Black }),
            };
            assert!(kept, "{board}: {outcome}");
            games += 1;
        }
    }
    games
}

#[test]
fn results_of_three_men_are_kept() {
    assert_eq!(results_are_kept(&["KQk", "KRk", "KPk", "Kpk"], 25, THREE_MEN), 100);
}

#[test]
#[ignore = "needs ../shared/data; run `cargo test --workspace -- --ignored shared`"]
fn shared_results_of_four_men_are_kept() {
    let endings = ["KQkr", "KRkb", "KRkn", "KPkp", "KRkp", "KQkp", "KBNk", "KBPk", "KNPk", "KRkr"];
    assert_eq!(results_are_kept(&endings, 50, FOUR_MEN), 500);
}

#[test]
fn a_win_in_the_tables_is_a_win_on_the_principal_variation() {
    // The king takes the knight, and the tables know that the rook wins, though the mate is far away.
    let position = Position::new("8/8/8/4k3/3N4/8/8/1K5R b - - 0 1".parse().expect("a FEN"));
    let capture = position.parse_uci("e5d4").expect("legal");
    let mut engine = Engine::new();
    engine.set_syzygy_path(THREE_MEN);
    for depth in 2..=8 {
        let limits = Limits { depth: Some(depth), search_moves: vec![capture], ..Limits::default() };
        let found = engine.search(&position, &limits, &Control::new(), &mut Silent);
        assert!(found.best.search_score.units() < -20_000, "depth {depth}: {:?}", found.best);
    }
}

#[test]
fn a_weaker_player_does_not_look_into_the_tables() {
    for (fen, technique) in [("8/8/8/4k3/8/8/4P3/4K3 b - - 0 1", false), ("8/8/8/4k3/8/8/8/1Q2K3 w - - 0 1", true)] {
        let position = Position::new(fen.parse().expect(fen));
        let hits = |elo| {
            let mut engine = Engine::new();
            engine.set_syzygy_path(THREE_MEN);
            engine.options.elo = elo;
            let limits = Limits { nodes: Some(2_000), ..Limits::default() };
            engine.search(&position, &limits, &Control::new(), &mut Silent).tb_hits
        };
        assert!(hits(None) > 0, "{fen}");
        assert_eq!(hits(Some(1200)) > 0, technique, "{fen}: only a lone king is mated like this");
    }
}
