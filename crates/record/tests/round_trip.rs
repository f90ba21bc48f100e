//! What the writer writes, the reader reads back equal: for games made of arbitrary parts, and for games read from arbitrary
//! text.

use proptest::collection::vec;
use proptest::prelude::*;
use stillwater_record::GameResult;
use stillwater_record::pgn::{Comment, Game, Line, Tag, TextMove, games};

/// The game as it can be read back: white space made single, no braces within comments, no places.
fn plain(mut game: Game) -> Game {
    for tag in &mut game.tags {
        tag.line = 0;
        tag.value = tag.value.replace(['\n', '\r'], " ");
    }
    plain_line(&mut game.main);
    Game { number: 0, line: 0, end: 0, is_whole: true, ..game }
}

fn plain_line(line: &mut Line) {
    plain_comments(&mut line.comments);
    for mv in &mut line.moves {
        mv.line = 0;
        plain_comments(&mut mv.comments);
        mv.variations.iter_mut().for_each(plain_line);
    }
}

fn plain_comments(comments: &mut [String]) {
    for comment in comments {
        let text = comment.replace('{', "(").replace('}', ")");
        *comment = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
}

/// Comments of pieces that a reader may take for something else, so long that they are broken into lines.
fn comment() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("[Event \"x\"]".to_owned()),
        Just("[Event".to_owned()),
        Just("\"".to_owned()),
        Just("\n[Event \"".to_owned()),
        Just("% escape".to_owned()),
        Just("[%clk 0:01:00]".to_owned()),
        Just("[%eval".to_owned()),
        "[a-z]{1,12}",
        "[{}()\\[\\];$%1*. -]{1,3}",
        "\\PC{0,10}",
        any::<String>(),
    ];
    vec(piece, 0..25).prop_map(|pieces| pieces.join(" "))
}

fn text_move() -> impl Strategy<Value = TextMove> {
    let san = prop_oneof!["[KQRBNa-h][a-h1-8x]{1,4}[+#]?", "O-O(-O)?", "0-0", "--", "[a-h]8=[QRBN]"];
    let parts = (san, vec(any::<u8>(), 0..3), vec(comment(), 0..3)).boxed();
    let leaf = parts.clone().prop_map(|(san, nags, comments)| TextMove { san, nags, comments, ..TextMove::default() });
    leaf.prop_recursive(4, 40, 5, move |inner| {
        let line = (vec(comment(), 0..2), vec(inner, 0..4)).prop_map(|(comments, moves)| Line { comments, moves });
        (parts.clone(), vec(line, 0..3)).prop_map(|((san, nags, comments), variations)| TextMove {
            san,
            nags,
            comments,
            variations,
            line: 0,
        })
    })
}

fn game() -> impl Strategy<Value = Game> {
    let value = prop_oneof![any::<String>(), "[\"\\\\\\]\\[ a\n]{0,20}"];
    let tag = ("[A-Za-z0-9_]{1,8}", value).prop_map(|(name, value)| Tag { name, value, line: 0 });
    let result = prop_oneof![Just(None), proptest::sample::select(&GameResult::ALL[..]).prop_map(Some)];
    // A game of nothing at all is none.
    let moves = (vec(comment(), 0..2), vec(text_move(), 1..30));
    (vec(tag, 0..12), moves, result).prop_map(|(tags, (comments, moves), result)| Game {
        tags,
        main: Line { comments, moves },
        result,
        ..Game::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn games_are_read_back_as_they_were(first in game(), second in game()) {
        let text = format!("{first}\n{second}");
        let found: Vec<Game> = games(&text).map(|game| plain(game.expect("what was written can be read"))).collect();
        prop_assert_eq!(found, [plain(first), plain(second)], "{}", text);
    }

    #[test]
    fn whatever_was_read_is_read_back(text in vec(prop_oneof![
        "[\\[\\]\"{}();$%*.!?=+\\\\ \n\ra-hN0-9-]{0,12}",
        Just("[Event \"x\"]\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("\u{feff}½…1-0 ".to_owned()),
        Just("1. e4 e5 ".to_owned()),
        any::<String>(),
    ], 0..40)) {
        for game in games(&text.concat()).flatten() {
            let written = game.to_string();
            let again: Vec<_> = games(&written).collect();
            prop_assert_eq!(again.len(), 1, "{}", written);
            prop_assert_eq!(again.into_iter().flatten().map(plain).next(), Some(plain(game)), "{}", written);
        }
    }

    #[test]
    fn comments_keep_their_commands_and_words(text in comment()) {
        let comment = Comment::parse(&text);
        prop_assert_eq!(Comment::parse(&comment.to_string()).commands, comment.commands);
    }
}
