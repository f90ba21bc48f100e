//! Tests games against a level: moves, clocks, draw offers and endings.

use super::*;

fn sans(game: &Game) -> String {
    game.view().moves.iter().map(|mv| mv.san.as_str()).collect::<Vec<_>>().join(" ")
}

fn reply(game: &mut Game, san: &str) {
    let mv = game.position().parse_san(san).expect(san);
    game.engine_move(mv).expect(san);
}

#[test]
fn a_game_with_take_back() {
    let mut game = Game::new(Board::start());
    game.begin(Color::White, Some(3), None).expect("begins");
    assert!(game.take_back().is_err() && !game.is_engines_turn());
    game.user_move("e4").expect("legal");
    assert!(game.is_engines_turn());
    assert!(game.user_move("e5").expect_err("not ours").contains("engine's turn"));
    reply(&mut game, "e5");
    game.user_move("g1f3").expect("legal");
    reply(&mut game, "Nc6");
    game.take_back().expect("two moves");
    assert_eq!(sans(&game), "e4 e5");
    game.user_move("Bc4").expect("legal");
    game.take_back().expect("one move, while the engine thinks");
    assert_eq!((sans(&game).as_str(), game.is_engines_turn()), ("e4 e5", false));
    game.go_to(ROOT).expect("the start");
    assert!(game.user_move("d4").expect_err("not the tip").contains("latest"));
    game.take_back().expect("to the start");
    assert_eq!((sans(&game).as_str(), game.cursor), ("", ROOT));
    game.resign().expect("gives up");
    assert_eq!(game.view().result, "0-1");
    assert!(game.resign().is_err());
}

#[test]
fn the_engine_begins_if_the_user_plays_black() {
    let mut game = Game::new(Board::start());
    game.begin(Color::Black, None, None).expect("begins");
    assert!(game.is_engines_turn());
    reply(&mut game, "e4");
    assert!(game.take_back().is_err(), "the user has not moved");
    game.user_move("e5").expect("legal");
    game.take_back().expect("one");
    assert_eq!(sans(&game), "e4");
    assert!(!game.is_engines_turn());
}

#[test]
fn mate_ends_a_game() {
    let mut game = Game::new(Board::start());
    game.begin(Color::Black, None, None).expect("begins");
    reply(&mut game, "f3");
    game.user_move("e5").expect("legal");
    reply(&mut game, "g4");
    game.user_move("Qh4").expect("legal");
    assert_eq!((game.view().result, game.is_engines_turn()), ("0-1", false));
    assert!(game.begin(Color::White, None, None).is_err());
    assert!(game.position_view().outcome.is_some_and(|text| text == "Black mates"));
}

#[test]
fn clocks_and_draws_end_games() {
    let mut game = Game::new(Board::start());
    game.begin(Color::White, Some(3), Some(Clocks::new(60.0, 0.0, 0.0))).expect("begins");
    assert!(!game.look_at_clocks(), "no clock runs before the first move");
    game.user_move("e4").expect("legal");
    assert!(game.look_at_clocks() && !game.is_engines_turn(), "Black had no time");
    assert_eq!(game.view().result, "1-0");
    assert!(game.view().pgn.contains("[%clk 0:01:00]") || game.view().pgn.contains("[%clk 0:00:59]"));
    assert!(game.finished_view().is_some_and(|end| end.text == "Black has no time left"));
    // White has lost its only pawn when Black's flag falls, while the user looks at an earlier position.
    let mut game = Game::new("8/p7/8/4k3/4P3/8/8/4K3 w - - 0 1".parse().expect("a FEN"));
    game.begin(Color::White, Some(3), Some(Clocks::new(60.0, 0.0, 0.0))).expect("begins");
    game.user_move("Kd2").expect("legal");
    reply(&mut game, "Kxe4");
    game.user_move("Ke2").expect("legal");
    game.go_to(ROOT).expect("the start");
    assert!(game.look_at_clocks());
    assert_eq!(game.view().result, "1/2-1/2", "White's king is alone");
    let mut game = Game::new(Board::start());
    assert!(game.offer_draw().is_err());
    game.begin(Color::White, None, None).expect("begins");
    for _ in 0..8 {
        for san in ["Nf3", "Ng1"].into_iter().zip(["Nf6", "Ng8"]) {
            if game.play.is_none() {
                break;
            }
            game.user_move(san.0).expect("legal");
            if game.play.is_some() {
                reply(&mut game, san.1);
            }
        }
    }
    assert_eq!(game.view().result, "1/2-1/2", "three times the same position");
    assert!(game.finished_view().is_some_and(|end| end.winner.is_none()));
}

#[test]
fn numbers_and_order_of_moves() {
    let mut game = Game::new("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7".parse().expect("a FEN"));
    for san in ["Kd7", "e4"] {
        game.user_move(san).expect(san);
    }
    game.go_to(ROOT).expect("the start");
    game.user_move("Kf7").expect("legal");
    let told: Vec<_> =
        game.view().moves.into_iter().map(|mv| format!("{}{:?}{}", mv.number, mv.side, mv.san)).collect();
    assert_eq!(told, ["7BlackKd7", "8Whitee4", "7BlackKf7"]);
}
