//! Reads and writes games as PGN, with variations, comments and evaluations.

use chess::Board;
use record::GameResult;
use record::pgn::{self, Command, Comment, Game, TextMove};

use super::lines::Evaluation;
use super::tree::{Id, ROOT, Tree};

/// The result of reading a text.
pub(super) struct Found {
    pub(super) game: Game,
    pub(super) tree: Tree,
    /// Names of all games of the text, if there are several.
    pub(super) names: Vec<String>,
    /// What had to be left out.
    pub(super) problem: Option<String>,
}

/// The most games offered in a list.
const MOST_GAMES: usize = 500;

/// Reads the game at this index of a text.
pub(super) fn read(text: &str, index: usize) -> Result<Found, String> {
    let mut names = Vec::new();
    let mut chosen = None;
    for (place, game) in pgn::games(text).take(MOST_GAMES).enumerate() {
        names.push(match &game {
            Ok(game) => name(game),
            Err(problem) => format!("cannot be read ({problem})"),
        });
        if place == index {
            chosen = Some(game);
        }
    }
    let game = match chosen {
        Some(game) => game.map_err(|problem| problem.to_string())?,
        None if names.is_empty() => return Err("there is no game in this text".into()),
        None => return Err(format!("there are only {} games in this text", names.len())),
    };
    if game.moves().is_empty() && game.tags.is_empty() {
        return Err("there is no game in this text".into());
    }
    let start = game.start().map_err(|problem| problem.to_string())?;
    let mut reader = Reader { tree: Tree::new(start), problem: None };
    if let Some(node) = reader.tree.get_mut(ROOT) {
        node.comments.clone_from(&game.main.comments);
        node.evaluation = take_evaluation(&mut node.comments);
    }
    reader.line(ROOT, start, &[], game.moves(), &game);
    if !game.moves().is_empty() && reader.tree.main_line().len() == 1 {
        return Err(reader.problem.unwrap_or_else(|| "the first move cannot be played".into()));
    }
    if names.len() == 1 {
        names.clear();
    }
    Ok(Found { tree: reader.tree, names, problem: reader.problem, game })
}

fn name(game: &Game) -> String {
    let tag = |name| game.tag(name).filter(|value| !value.is_empty() && *value != "?");
    let players = format!("{} – {}", tag("White").unwrap_or("?"), tag("Black").unwrap_or("?"));
    let event = tag("Event").map(|event| format!(", {event}")).unwrap_or_default();
    let text = format!("{players}, {}{event}", GameResult::text(game.result));
    text.chars().take(120).collect()
}

struct Reader {
    tree: Tree,
    problem: Option<String>,
}

impl Reader {
    /// Plays the moves of a line as far as possible and reports the first that cannot be played. The comments in
    /// `before` are added to the first move.
    fn line(&mut self, from: Id, start: Board, mut before: &[String], moves: &[TextMove], game: &Game) {
        let (mut id, mut board) = (from, start);
        for text in moves {
            let mv = match board.parse_san(&text.san) {
                Ok(mv) => mv,
                Err(error) => return self.tell(game.problem(text.line, error.to_string()).to_string()),
            };
            let next = match self.tree.play(id, &board, mv) {
                Ok(next) => next,
                Err(reason) => return self.tell(reason),
            };
            if let Some(node) = self.tree.get_mut(next) {
                node.comments.extend(std::mem::take(&mut before).iter().chain(&text.comments).cloned());
                node.nags.clone_from(&text.nags);
                node.evaluation = take_evaluation(&mut node.comments);
            }
            for variation in &text.variations {
                self.line(id, board, &variation.comments, &variation.moves, game);
            }
            id = next;
            board = board.after(mv);
        }
    }

    fn tell(&mut self, problem: String) {
        self.problem.get_or_insert(format!("{problem}; what follows is left out"));
    }
}

/// Takes the evaluation out of the comments.
fn take_evaluation(comments: &mut Vec<String>) -> Option<Evaluation> {
    let mut found = None;
    for text in comments.iter_mut() {
        let mut comment = Comment::parse(text);
        if let Some(evaluation) = comment.eval().and_then(Evaluation::of_eval) {
            found.get_or_insert(evaluation);
            comment.commands.retain(|command| !matches!(command, Command::Eval(..)));
            *text = comment.to_string();
        }
    }
    comments.retain(|comment| !comment.is_empty());
    found
}

/// The game with these tags and this result, ready to print.
pub(super) fn write(tree: &Tree, tags: &[(String, String)], result: Option<GameResult>) -> Game {
    let mut game = Game::default();
    let skipped = |name: &str| ["SetUp", "FEN", "Variant", "Result"].iter().any(|skip| skip.eq_ignore_ascii_case(name));
    for (name, value) in tags.iter().filter(|(name, _)| !skipped(name)) {
        game.set_tag(name, value);
    }
    game.set_result(result);
    game.set_start(tree.start());
    game.main.comments = comments(tree, ROOT);
    game.main.moves = moves(tree, ROOT);
    game
}

/// The moves after a node: first children, with their siblings as variations.
fn moves(tree: &Tree, from: Id) -> Vec<TextMove> {
    let (mut found, mut id) = (Vec::new(), from);
    while let Some((&next, others)) = tree.get(id).and_then(|node| node.children.split_first()) {
        let variation = |&other: &Id| {
            let first = text(tree, other);
            pgn::Line { comments: Vec::new(), moves: [first].into_iter().chain(moves(tree, other)).collect() }
        };
        found.push(TextMove { variations: others.iter().map(variation).collect(), ..text(tree, next) });
        id = next;
    }
    found
}

fn text(tree: &Tree, id: Id) -> TextMove {
    let Some(node) = tree.get(id) else { return TextMove::default() };
    TextMove { san: node.san.clone(), nags: node.nags.clone(), comments: comments(tree, id), ..TextMove::default() }
}

fn comments(tree: &Tree, id: Id) -> Vec<String> {
    let Some(node) = tree.get(id) else { return Vec::new() };
    let evaluation = node.evaluation.map(|evaluation| Command::Eval(evaluation.eval(), None).to_string());
    evaluation.into_iter().chain(node.comments.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[White \"Anna\"]\n[Black \"Bea\"]\n[Result \"*\"]\n\n{before} 1. e4 {[%eval 0.30] fine} 1... e5 $2 (1... c5 {sharp} 2. Nf3) (1... e6) \
        2. Nf3 *\n";

    fn written(found: &Found) -> String {
        let tags: Vec<_> = found.game.tags.iter().map(|tag| (tag.name.clone(), tag.value.clone())).collect();
        write(&found.tree, &tags, found.game.result).to_string()
    }

    #[test]
    fn a_game_is_read_and_written_with_all_it_has() {
        let found = read(GAME, 0).expect("a game");
        assert!(found.problem.is_none() && found.names.is_empty());
        let text = written(&found);
        for part in
            ["{before} 1. e4 {[%eval 0.30]} {fine}", "e5 $2 (1... c5 {sharp} 2. Nf3) (1... e6)", "[White \"Anna\"]"]
        {
            assert!(text.replace('\n', " ").contains(part), "{part}: {text}");
        }
        assert_eq!(written(&read(&text, 0).expect("again")), text);
    }

    #[test]
    fn a_place_among_several() {
        let text = format!("{GAME}\n[White \"Carl\"]\n\n1. d4 1-0\n");
        let found = read(&text, 1).expect("the second");
        assert_eq!((found.names.len(), found.game.result), (2, Some(GameResult::WhiteWins)));
        assert!(found.names[1].starts_with("Carl – ?, 1-0"), "{:?}", found.names);
        assert!(read(&text, 2).err().expect("no third").contains("only 2 games"));
    }

    #[test]
    fn bad_games_are_told() {
        for text in ["", "hello", "\u{0}\u{1}", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *", "1. e5 *"] {
            assert!(read(text, 0).is_err(), "{text}");
        }
        let cut = read("1. e4 e5 2. Ke3 Nc6 *", 0).expect("two moves");
        assert_eq!(cut.tree.main_line().len(), 3);
        assert!(cut.problem.expect("told").contains("Ke3"));
    }

    #[test]
    fn chess960_says_so() {
        let tree = Tree::new(Board::chess960(7, 7).expect("below 960"));
        let text = write(&tree, &[], None).to_string();
        assert!(text.contains("[Variant \"Chess960\"]") && text.contains("[FEN \""), "{text}");
        assert_eq!(read(&text, 0).expect("a game").tree.start(), tree.start());
    }
}
