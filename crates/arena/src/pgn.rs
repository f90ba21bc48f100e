//! Writes a game as PGN, with a comment `{score/depth time, n=nodes}` after every engine move.

use std::time::SystemTime;

use chess::Move;
use record::pgn::{self, Line};
use record::{GameResult, date};

use crate::game::{Game, Ply, score_text};
use crate::scrutiny::MARK;

/// What a PGN needs beyond the game itself.
pub(crate) struct Header<'a> {
    /// The name of the match.
    pub event: &'a str,
    /// The number of the game in the match, from 1.
    pub number: usize,
    /// Names of White and Black.
    pub names: [&'a str; 2],
    /// Their limits, in words.
    pub limits: [String; 2],
    /// Whether it is Chess960.
    pub chess960: bool,
    /// When the game ended.
    pub ended: SystemTime,
}

/// The whole game followed by an empty line.
pub(crate) fn write_game(game: &Game, header: &Header<'_>) -> String {
    let moves: Vec<Move> = game.plies.iter().map(|ply| ply.mv).collect();
    let mut text = pgn::Game { main: Line::new(game.start, &moves), ..pgn::Game::default() };
    for (mv, ply) in text.main.moves.iter_mut().zip(&game.plies) {
        mv.comments.push(comment(ply));
    }
    let reason = game.cause.describe(game.winner);
    text.main.moves.last_mut().map_or(&mut text.main.comments, |mv| &mut mv.comments).push(reason);
    set_tags(&mut text, game, header);
    format!("{text}\n")
}

fn set_tags(text: &mut pgn::Game, game: &Game, header: &Header<'_>) {
    let [white, black] = header.names;
    let (date, round) = (date::date(header.ended), header.number.to_string());
    let roster = [("Event", header.event), ("Site", "?"), ("Date", &date), ("Round", &round)];
    for (name, value) in roster.into_iter().chain([("White", white), ("Black", black)]) {
        text.set_tag(name, value);
    }
    text.set_result((!game.cause.is_void()).then(|| GameResult::of_winner(game.winner)));
    if header.chess960 {
        text.set_tag("Variant", "Chess960");
    }
    text.set_start(&game.start);
    let [white, black] = &header.limits;
    if white == black {
        text.set_tag("TimeControl", white);
    } else {
        text.set_tag("WhiteTimeControl", white);
        text.set_tag("BlackTimeControl", black);
    }
    text.set_tag("PlyCount", &game.plies.len().to_string());
    text.set_tag("Termination", game.cause.tag());
    text.set_tag("UTCDate", &date);
    text.set_tag("UTCTime", &date::time_of_day(header.ended));
}

fn comment(ply: &Ply) -> String {
    let Some(said) = &ply.said else { return "book".to_owned() };
    let seconds = ply.time.as_secs_f64();
    let judgement = said.score.map_or_else(|| "?".to_owned(), score_text);
    let mut text = format!("{judgement}/{} {seconds:.3}s, n={}", said.depth, said.nodes);
    for warning in &ply.warnings {
        text += &format!(", {MARK}{warning}");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use chess::{Board, Color, Position};

    use super::*;
    use crate::game::Cause;
    use crate::listener::answer_of;
    use record::pgn::whole_games;

    #[test]
    fn a_game_is_written_and_read_back() {
        let said = answer_of(&["info depth 7 score mate 3 nodes 12345", "bestmove e2e4"]).said;
        let start: Board = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 4 9".parse().expect("a FEN");
        let mut position = Position::new(start);
        let mut plies = Vec::new();
        for (index, uci) in ["e8g8", "e1c1", "f8f7", "d1d8", "g8g7"].into_iter().enumerate() {
            let mv = position.parse_uci(uci).expect(uci);
            position.play(mv);
            plies.push(Ply {
                mv,
                said: (index > 0).then_some(said),
                time: Duration::from_millis(1500),
                warnings: Vec::new(),
            });
        }
        let cause = Cause::Crash("signal {11}".into());
        let game = Game { start, plies, winner: Some(Color::White), cause };
        let header = Header {
            event: "a \"test\"",
            number: 17,
            names: ["A", "B\\C"],
            limits: ["2+0.02".into(), "2+0.02".into()],
            chess960: false,
            ended: UNIX_EPOCH,
        };
        let text = write_game(&game, &header);
        assert!(text.lines().all(|line| line.len() < 80), "{text}");
        assert!(text.contains("9... O-O {book} 10. O-O-O {+M5/7 1.500s, n=12345}"), "{text}");
        let games = whole_games(&text);
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].tag("Event"), Some("a \"test\""));
        assert_eq!(games[0].tag("Black"), Some("B\\C"));
        assert_eq!(games[0].tag("Termination"), Some("abandoned"));
        assert_eq!(games[0].replay(9).expect("legal").1, game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>());
        // A comment cannot contain braces.
        assert_eq!(games[0].moves()[4].comment(), "+M5/7 1.500s, n=12345 Black crashes: signal (11)");
    }
}
