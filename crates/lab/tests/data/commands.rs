//! The commands, as processes.

use std::collections::HashSet;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use chess::Position;
use data::{Game, reshape};
use serde_json::Value;

use crate::common::Room;
use crate::room::random_games;

const QUICK: &str = "--nodes 60 --hard-nodes 240";

/// A run that never ends by itself; it does not outlive the test either.
struct Run(Child);

impl Run {
    fn start(room: &Room, words: &str) -> Run {
        Run(room.command(words).stderr(Stdio::null()).spawn().expect("the laboratory runs"))
    }

    fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A busy machine may take its time.
const PATIENCE: Duration = Duration::from_secs(600);

fn wait_for_size(room: &Room, name: &str, size: u64) {
    let begin = Instant::now();
    while fs::metadata(room.path(name)).map_or(0, |data| data.len()) < size {
        assert!(begin.elapsed() < PATIENCE, "no games come");
        sleep(Duration::from_millis(5));
    }
}

fn numbers(games: &[Game]) -> HashSet<u32> {
    games.iter().map(|game| game.number).collect()
}

#[test]
fn the_rest_of_a_game_can_be_played_for_its_result_alone() {
    let room = Room::empty("data-pieces");
    room.run(&format!("datagen whole.vf --games 6 --seed 9 {QUICK}"));
    room.run(&format!("datagen part.vf --games 6 --seed 9 --min-pieces 20 {QUICK}"));
    let (whole, part) = (room.games("whole.vf"), room.games("part.vf"));
    assert_eq!((whole.len(), part.len()), (6, 6));
    for game in &part {
        assert!(game.positions().all(|position| position.board.occupied().len() >= 20));
        // The same game up to there: as many nodes as before, since there is no other limit for noisy positions.
        let other = whole.iter().find(|other| other.number == game.number).expect("the same game");
        assert!(other.moves.starts_with(&game.moves) && !game.moves.is_empty());
    }
    assert!(part.iter().zip(&whole).any(|(part, whole)| part.moves.len() < whole.moves.len()));
    let about = fs::read_to_string(room.path("part.vf.json")).expect("a description");
    assert!(about.contains("60 below 20 pieces, not recorded"), "{about}");
}

#[test]
fn a_seed_gives_the_same_games_with_any_number_of_threads() {
    let room = Room::empty("data-seed");
    room.run(&format!("datagen a.vf --games 6 --seed 9 {QUICK}"));
    room.run(&format!("datagen b.vf --games 6 --seed 9 {QUICK}"));
    room.run(&format!("datagen c.vf --games 6 --seed 9 --threads 3 {QUICK}"));
    room.run(&format!("datagen d.vf --games 6 --seed 10 {QUICK}"));
    let bytes = |name: &str| fs::read(room.path(name)).expect("a file");
    assert_eq!(bytes("a.vf"), bytes("b.vf"));
    assert_ne!(bytes("a.vf"), bytes("d.vf"));
    let mut games = room.games("c.vf");
    games.sort_by_key(|game| game.number);
    assert_eq!(games, room.games("a.vf"));
    assert_eq!(numbers(&games), (0..6).collect());
}

#[test]
fn games_are_played_to_an_end() {
    let room = Room::empty("data-ends");
    for kind in ["standard", "chess960", "double960", "endgame"] {
        let name = format!("{kind}.vf");
        room.run(&format!("datagen {name} --games 4 --start {kind} --draw-plies 1000 --win-plies 1000 {QUICK}"));
        for game in room.games(&name) {
            let mut position = Position::new(game.start);
            for &(mv, _) in &game.moves {
                assert_eq!(position.outcome(), None, "{kind}: the game went on after its end");
                position.play(mv);
            }
            let outcome = position.outcome();
            let winner = outcome.and_then(|outcome| outcome.winner());
            assert!(outcome.is_some() || game.moves.len() == 500, "{kind}: {:?}", position);
            assert_eq!(game.result, data::GameResult::of_winner(winner));
        }
    }
}

/// Kills a run without warning, tears the last record as a power cut might, and goes on.
#[test]
fn killed_and_resumed() {
    let room = Room::empty("data-kill");
    let run = format!("datagen games.vf --seed 4 --threads 2 --resume {QUICK}");
    let mut before: Vec<Game> = Vec::new();
    for round in 1..=3 {
        let mut child = Run::start(&room, &run);
        wait_for_size(&room, "games.vf", round * 2000);
        child.kill();
        let games = room.games("games.vf");
        assert_eq!(games[..before.len()], before, "earlier games are as they were");
        assert_eq!(numbers(&games).len(), games.len(), "no game was played twice");
        // Half a record, as if the kill had come while it was written.
        let mut bytes = fs::read(room.path("games.vf")).expect("a file");
        let torn = bytes[..32 + 4 * 3 + 1].to_vec();
        bytes.extend(torn);
        fs::write(room.path("games.vf"), bytes).expect("a file");
        before = games;
    }
    let count = before.len() + 5;
    let output = room.run(&format!("{run} --games {count}"));
    assert!(String::from_utf8_lossy(&output.stderr).contains(&format!("resumed after {} games", before.len())));
    let games = room.games("games.vf");
    assert_eq!((games.len(), &games[..before.len()]), (count, &before[..]));
    assert_eq!(numbers(&games).len(), count);
    room.run(&format!("{run} --games {count}"));
    assert_eq!(room.games("games.vf").len(), count, "enough is enough");
    assert!(room.fail("datagen games.vf --games 1").contains("--resume"));
}

#[test]
#[cfg(unix)]
fn an_interruption_ends_cleanly() {
    let room = Room::empty("data-interrupt");
    let mut child = Run::start(&room, &format!("datagen games.vf {QUICK}"));
    wait_for_size(&room, "games.vf", 2000);
    // Two at once count as one.
    for _ in 0..2 {
        let kill = Command::new("kill").args(["-INT", &child.0.id().to_string()]).status();
        assert!(kill.is_ok_and(|status| status.success()));
    }
    let begin = Instant::now();
    let status = loop {
        match child.0.try_wait().expect("a process") {
            Some(status) => break status,
            None => assert!(begin.elapsed() < PATIENCE, "it goes on"),
        }
        sleep(Duration::from_millis(20));
    };
    assert!(status.success());
    let games = room.games("games.vf");
    assert_eq!(numbers(&games), (0..games.len() as u32).collect(), "the running game was finished");
}

#[test]
fn statistics_count() {
    let room = Room::empty("data-stat");
    let games = random_games(30, 80, 6);
    room.file("games.vf", &games);
    let output = room.run("datastat --json games.vf games.vf");
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let positions: usize = games.iter().map(|game| game.moves.len()).sum();
    let samples = || games.iter().flat_map(Game::positions);
    assert_eq!(value["games"], 60);
    assert_eq!(value["positions"], 2 * positions);
    assert_eq!(value["white_wins"], 2 * games.iter().filter(|game| game.result.white_points() == 1.0).count());
    assert_eq!(value["in_check"], 2 * samples().filter(|sample| sample.board.in_check()).count());
    assert_eq!(value["noisy"], 2 * samples().filter(|sample| sample.mv.is_noisy()).count());
    let mates = samples().filter(|sample| sample.score >= 30_000).count();
    assert_eq!(value["scores"].as_array().and_then(|list| list.last()).expect("a class")["positions"], 2 * mates);
    let men = samples().filter(|sample| sample.board.occupied().len() == 32).count();
    assert_eq!(value["pieces"][30]["positions"], 2 * men);
    let distinct: HashSet<u64> = samples().map(|sample| sample.board.key()).collect();
    let share = 1.0 - distinct.len() as f64 / (2 * positions) as f64;
    assert!((value["duplicates"].as_f64().expect("a number") - share).abs() < 1e-9);
    let text = String::from_utf8(room.run("datastat games.vf").stdout).expect("text");
    assert!(text.starts_with(&format!("games.vf: not described\n30 games, {positions} positions\n")), "{text}");
}

#[test]
fn files_say_what_they_hold_and_stay_of_one_kind() {
    let room = Room::empty("data-about");
    room.run(&format!("datagen games.vf --games 2 --seed 4 {QUICK}"));
    let text = String::from_utf8(room.run("datastat games.vf").stdout).expect("text");
    assert!(text.starts_with("games.vf: by datagen with engine ") && text.contains("nodes 60 to 240"), "{text}");
    let before = fs::read(room.path("games.vf")).expect("a file");
    let refused = room.fail("datagen games.vf --resume --games 4 --seed 4 --nodes 70 --hard-nodes 240");
    assert!(refused.contains("nodes was 60 to 240 and is now 70 to 240"), "{refused}");
    assert_eq!(fs::read(room.path("games.vf")).expect("a file"), before);
    room.run(&format!("datagen games.vf --resume --games 4 --seed 4 {QUICK}"));
    assert_eq!(room.games("games.vf").len(), 4);
}

#[test]
fn merging_and_shuffling_keep_every_game() {
    let room = Room::empty("data-shape");
    let games = random_games(200, 30, 7);
    let (first, second) = games.split_at(70);
    let inputs = [room.file("a.vf", first), room.file("b.vf", second)];
    // A file whose writer was killed counts as far as it goes.
    let mut torn = fs::read(&inputs[1]).expect("a file");
    torn.extend([1, 2, 3]);
    fs::write(&inputs[1], torn).expect("a file");
    let output = room.run("merge a.vf b.vf -o merged.vf");
    assert!(String::from_utf8_lossy(&output.stderr).contains("b.vf"), "a warning");
    assert_eq!(room.games("merged.vf"), games);
    assert!(room.fail("merge a.vf -o merged.vf").contains("exists already"));
    room.run("shuffle merged.vf -o s1.vf --seed 1");
    let whole = fs::metadata(room.path("merged.vf")).expect("a file").len();
    for (name, memory) in [("s2.vf", whole / 5), ("s3.vf", whole)] {
        let moved = reshape::shuffle(&[room.path("merged.vf")], &room.path(name), 1, memory).expect("a shuffle");
        assert_eq!(moved.games, 200);
    }
    assert_eq!(room.games("s1.vf"), room.games("s3.vf"), "the same seed, the same order");
    for name in ["s1.vf", "s2.vf"] {
        let mut shuffled = room.games(name);
        let moved = shuffled.iter().zip(&games).filter(|(new, old)| new != old).count();
        assert!(moved > 180, "{name}: only {moved} games changed their place");
        shuffled.sort_by_key(|game| games.iter().position(|old| old == game));
        assert_eq!(shuffled, games);
    }
    let left: Vec<_> = fs::read_dir(room.path("")).expect("a room").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 6, "{left:?}");
}

#[test]
fn rescoring_changes_scores_only_and_can_be_resumed() {
    let room = Room::empty("data-rescore");
    let games = random_games(12, 20, 8);
    room.file("old.vf", &games);
    room.run(&format!("rescore old.vf -o new.vf --threads 2 {QUICK}"));
    let new = room.games("new.vf");
    assert_eq!(new.len(), games.len());
    for (new, old) in new.iter().zip(&games) {
        let moves = |game: &Game| game.moves.iter().map(|&(mv, _)| mv).collect::<Vec<_>>();
        assert_eq!((new.start, new.result, moves(new)), (old.start, old.result, moves(old)));
        assert_ne!(new.moves, old.moves, "random scores are never right");
    }
    let whole = fs::read(room.path("new.vf")).expect("a file");
    fs::write(room.path("part.vf"), &whole[..whole.len() / 2]).expect("a file");
    assert!(room.fail("rescore old.vf -o part.vf").contains("--resume"));
    room.run(&format!("rescore old.vf -o part.vf --resume {QUICK}"));
    assert_eq!(fs::read(room.path("part.vf")).expect("a file"), whole);
    room.file("other.vf", &random_games(12, 20, 9));
    assert!(room.fail("rescore other.vf -o part.vf --resume").contains("game 1 of part.vf is not that of other.vf"));
}

#[test]
fn a_teacher_changes_scores_only_and_says_what_it_taught() {
    let room = Room::empty("data-relabel");
    let games = random_games(5, 30, 8);
    room.file("old.vf", &games);
    room.run("relabel old.vf -o new.vf --hand 0.3 --term mobility=0.9 --term space=1.2 --keep 0.5");
    room.run("relabel old.vf -o plain.vf");
    let (new, plain) = (room.games("new.vf"), room.games("plain.vf"));
    assert_eq!((new.len(), plain.len()), (5, 5));
    for (new, old) in new.iter().zip(&games) {
        let moves = |game: &Game| game.moves.iter().map(|&(mv, _)| mv).collect::<Vec<_>>();
        assert_eq!((new.start, new.result, moves(new)), (old.start, old.result, moves(old)));
        assert_ne!(new.moves, old.moves);
    }
    assert_ne!(new, plain);
    room.run("relabel new.vf -o again.vf --keep 1");
    let apart = |a: &Game, b: &Game| a.moves.iter().zip(&b.moves).map(|(a, b)| a.1.abs_diff(b.1)).max();
    let apart: Vec<_> = room.games("again.vf").iter().zip(&new).filter_map(|(again, new)| apart(again, new)).collect();
    assert!(apart.iter().all(|&most| most <= 1), "what was taught is kept but for rounding: {apart:?}");
    room.run("relabel new.vf -o ahead.vf --keep 1 --ahead 0.8");
    let mean_size = |games: &[Game]| -> f64 {
        let sizes: Vec<f64> =
            games.iter().flat_map(|game| &game.moves).map(|(_, s)| f64::from(s.unsigned_abs())).collect();
        sizes.iter().sum::<f64>() / sizes.len() as f64
    };
    assert!(mean_size(&room.games("ahead.vf")) < mean_size(&new), "means of scores that differ are smaller");
    let about = fs::read_to_string(room.path("new.vf.json")).expect("a description");
    assert!(about.contains("relabel") && about.contains("Mobility, 0.9"), "{about}");
    let refused = room.command("relabel old.vf -o x.vf --term tempo=1").output().expect("the laboratory runs");
    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && text.contains("mobility"), "it names the terms: {text}");
    assert!(room.fail("relabel old.vf -o x.vf --hand 2").contains("between 0 and 1"));
    assert!(room.fail("relabel old.vf -o x.vf --ahead 1.5").contains("between 0 and 1"));
    assert!(room.fail("relabel old.vf -o x.vf --network <none>").contains("needs a network"));
    assert!(!room.path("x.vf").exists(), "nothing is begun");
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let room = Room::empty("data-arguments");
    for words in ["--nodes 0", "--nodes 100 --hard-nodes 50", "--random-plies 0", "--win-plies 0", "--book missing.epd"]
    {
        let text = room.fail(&format!("datagen x.vf --games 1 {words}"));
        assert!(text.starts_with("stillwater-lab: "), "{words}: {text}");
        assert!(!room.path("x.vf").exists(), "{words}: nothing is begun");
    }
    fs::write(room.path("won.epd"), "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1\n").expect("a book");
    let text = room.fail("datagen x.vf --games 1 --book won.epd --random-plies 0 --nodes 10");
    assert!(text.contains("of 1000 openings none"), "{text}");
}
