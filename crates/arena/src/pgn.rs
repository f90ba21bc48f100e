//! Writing a game as PGN, with `{score/depth time, n=nodes}` behind every move of an engine.

use std::time::{SystemTime, UNIX_EPOCH};

use chess::{Board, Color, Position};
use record::pgn::{Wrapped, tag_line};

use crate::game::{Game, Ply, score_text};

/// What the game itself does not know.
pub(crate) struct Header<'a> {
    /// What the match is called.
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

/// The result as PGN writes it.
#[must_use]
pub(crate) fn result_text(winner: Option<Color>) -> &'static str {
    match winner {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    }
}

/// The whole game with an empty line behind it.
#[must_use]
pub(crate) fn write_game(game: &Game, header: &Header<'_>) -> String {
    let text = tags(game, header);
    let mut position = Position::new(game.start);
    let mut words = Wrapped::default();
    for (index, ply) in game.plies.iter().enumerate() {
        let number = position.fullmove_number();
        if position.side_to_move() == Color::White {
            words.word(&format!("{number}."));
        } else if index == 0 {
            words.word(&format!("{number}..."));
        }
        words.word(&position.san(ply.mv));
        words.word(&comment(ply));
        position.play(ply.mv);
    }
    let reason = game.cause.describe(game.winner).replace(['{', '}', '\n'], " ");
    words.word(&format!("{{{reason}}}"));
    words.word(result_text(game.winner));
    text + &words.finish() + "\n\n"
}

fn tags(game: &Game, header: &Header<'_>) -> String {
    let [white, black] = header.names;
    let [date, time] = date_and_time(header.ended);
    let mut tags = vec![
        ("Event", header.event.to_owned()),
        ("Site", "?".to_owned()),
        ("Date", date.clone()),
        ("Round", header.number.to_string()),
        ("White", white.to_owned()),
        ("Black", black.to_owned()),
        ("Result", result_text(game.winner).to_owned()),
    ];
    if header.chess960 {
        tags.push(("Variant", "fischerandom".to_owned()));
    }
    if game.start != Board::start() {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", game.start.to_string()));
    }
    let [white, black] = &header.limits;
    if white == black {
        tags.push(("TimeControl", white.clone()));
    } else {
        tags.push(("WhiteTimeControl", white.clone()));
        tags.push(("BlackTimeControl", black.clone()));
    }
    tags.push(("PlyCount", game.plies.len().to_string()));
    tags.push(("Termination", game.cause.tag().to_owned()));
    tags.push(("UTCDate", date));
    tags.push(("UTCTime", time));
    let mut text = String::new();
    for (name, value) in tags {
        text.push_str(&tag_line(name, &value));
    }
    text.push('\n');
    text
}

fn comment(ply: &Ply) -> String {
    let Some(said) = &ply.said else { return "{book}".to_owned() };
    let seconds = ply.time.as_secs_f64();
    let judgement = said.score.map_or_else(|| "?".to_owned(), score_text);
    format!("{{{judgement}/{} {seconds:.3}s, n={}}}", said.depth, said.nodes)
}

/// The date and the time of day in UTC, as PGN writes them. Days are counted from a year that begins in March, so that the
/// odd day of a leap year is its last.
fn date_and_time(moment: SystemTime) -> [String; 2] {
    let seconds = moment.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let days = seconds / 86_400 + 719_468; // since 1 March of the year 0
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let [hour, minute, second] = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60];
    [format!("{year:04}.{month:02}.{day:02}"), format!("{hour:02}:{minute:02}:{second:02}")]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::Cause;
    use crate::listener::Listener;
    use record::pgn::whole_games;

    #[test]
    fn dates() {
        for (seconds, date) in [
            (0, "1970.01.01 00:00:00"),
            (951_827_696, "2000.02.29 12:34:56"),
            (1_709_251_199, "2024.02.29 23:59:59"),
            (1_709_251_200, "2024.03.01 00:00:00"),
            (1_798_761_599, "2026.12.31 23:59:59"),
        ] {
            assert_eq!(date_and_time(UNIX_EPOCH + Duration::from_secs(seconds)).join(" "), date);
        }
    }

    #[test]
    fn a_game_is_written_and_read_back() {
        let mut listener = Listener::default();
        listener.hear("info depth 7 score mate 3 nodes 12345", std::time::Instant::now());
        let said = match listener.hear("bestmove e2e4", std::time::Instant::now()) {
            Some(crate::listener::Event::Answer(answer)) => answer.said,
            other => panic!("{other:?}"),
        };
        let start: Board = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 4 9".parse().expect("a FEN");
        let mut position = Position::new(start);
        let mut plies = Vec::new();
        for (index, uci) in ["e8g8", "e1c1", "f8f7", "d1d8", "g8g7"].into_iter().enumerate() {
            let mv = position.parse_uci(uci).expect(uci);
            position.play(mv);
            plies.push(Ply { mv, said: (index > 0).then_some(said), time: Duration::from_millis(1500) });
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
        // Braces cannot stand in a comment, and blanks are not kept as they were.
        assert_eq!(games[0].moves()[4].comment(), "+M5/7 1.500s, n=12345 Black crashes: signal 11");
    }
}
