//! Games as text: written one by one so that a kill loses none, read back to resume, to rate, and as openings.

pub mod write;

pub use record::pgn::Game as PgnGame;
pub use write::write_game;

/// All whole games of a text. What follows the last one, or cannot be understood, is passed over: a match that was killed may
/// have left half a game behind.
#[must_use]
pub fn parse(text: &str) -> Vec<PgnGame> {
    record::pgn::games(text).flatten().filter(|game| game.is_whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_game_is_none() {
        let text = "[White \"A\"]\n\n1. e4 {+0.30/12 0.1s} e5 *\n\n[White \"B\"]\n\n1. d4 {+0.1";
        let games = parse(text);
        assert_eq!(games.len(), 1);
        assert!(text[..games[0].end].ends_with("e5 *"));
        assert_eq!(parse(&text[..text.len() - 7]).len(), 1, "half a game without half a comment");
    }
}
