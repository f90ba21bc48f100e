//! Builds games from tokens.

use super::token::{Token, Tokens};
use super::{Game, Line, Problem, Tag, TextMove};
use crate::GameResult;

/// How deep variations may nest. No real game comes near it, and deeper nesting is an error, since it could overflow
/// the stack of recursive code.
const DEEPEST: usize = 100;
/// More tags than any program writes. Looking one up is a linear search.
pub(super) const MOST_TAGS: usize = 200;

/// All games of a text, one by one: each as it is, or why it cannot be read. After a broken game, reading continues at
/// the next game that begins with a tag.
#[must_use]
pub fn games(text: &str) -> Games<'_> {
    Games { tokens: Tokens::new(text), count: 0 }
}

/// All whole games of a text. Anything after the last one, or unreadable, is skipped: a match that was killed may have
/// left half a game behind.
#[must_use]
pub fn whole_games(text: &str) -> Vec<Game> {
    games(text).flatten().filter(|game| game.is_whole).collect()
}

/// An iterator over the games of a text; see [`games`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    tokens: Tokens<'a>,
    count: usize,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, Problem>;

    fn next(&mut self) -> Option<Result<Game, Problem>> {
        let mut draft = Draft::default();
        loop {
            let token = self.tokens.next();
            let is_last = token.is_none();
            match self.take(token, &mut draft) {
                Step::More => {}
                Step::End if draft.is_nothing(is_last) => {
                    if is_last {
                        return None;
                    }
                    self.count -= usize::from(!draft.is_empty());
                    draft = Draft::default();
                }
                Step::End => return Some(draft.finish(self.tokens.end())),
                Step::Broken(reason) => {
                    let line = self.tokens.line();
                    self.tokens.skip_to_tag();
                    return Some(Err(Problem { game: self.count, line, reason: reason.to_owned() }));
                }
            }
        }
    }
}

enum Step {
    More,
    End,
    Broken(&'static str),
}

impl Games<'_> {
    fn take(&mut self, token: Option<Token<'_>>, draft: &mut Draft) -> Step {
        let Some(token) = token else {
            return if draft.open.is_empty() { Step::End } else { Step::Broken(UNCLOSED) };
        };
        if draft.is_empty() && matches!(token, Token::Result(_) | Token::Close | Token::Nag(_)) {
            return Step::More;
        }
        if let Token::Tag(name, _) = &token
            && draft.is_ended_by(name, self.tokens.follows_empty_line())
        {
            self.tokens.push_back();
            return if draft.open.is_empty() { Step::End } else { Step::Broken(UNCLOSED) };
        }
        let line = self.tokens.line();
        if draft.is_empty() {
            self.count += 1;
            (draft.game.number, draft.game.line) = (self.count, line);
        }
        draft.add(token, line)
    }
}

const UNCLOSED: &str = "a variation begins with ( and never ends";

/// A game under construction.
#[derive(Default)]
struct Draft {
    game: Game,
    /// The variations still open, outermost first.
    open: Vec<Line>,
}

impl Draft {
    fn is_empty(&self) -> bool {
        self.game.number == 0
    }

    /// Whether there is no game here. A comment alone makes one, except at the end of the file.
    fn is_nothing(&self, is_last: bool) -> bool {
        let Game { tags, main, .. } = &self.game;
        tags.is_empty() && main.moves.is_empty() && (main.comments.is_empty() || is_last)
    }

    /// Whether a tag of this name begins the next game. It does after moves or comments, and if a tag of that name is
    /// already there and an empty line separates them. A repeated name within a block is only a duplicate, and an empty
    /// line alone proves nothing, since some programs put one into the block.
    fn is_ended_by(&self, name: &str, follows_empty_line: bool) -> bool {
        let main = &self.game.main;
        !main.moves.is_empty()
            || !self.open.is_empty()
            || (!main.comments.is_empty() && !self.game.tags.is_empty())
            || (follows_empty_line && self.game.tag(name).is_some())
    }

    fn add(&mut self, token: Token<'_>, line: usize) -> Step {
        match token {
            Token::Tag(..) if self.game.tags.len() == MOST_TAGS => return Step::Broken("a game has too many tags"),
            Token::Tag(name, value) => self.game.tags.push(Tag { name, value, line }),
            Token::Comment(comment) => {
                let current = self.current();
                let comments = current.moves.last_mut().map_or(&mut current.comments, |mv| &mut mv.comments);
                comments.push(comment);
            }
            Token::Nag(nag) => {
                if let Some(mv) = self.current().moves.last_mut() {
                    mv.nags.push(nag);
                }
            }
            Token::Move(san, nag) => {
                let nags = nag.into_iter().collect();
                self.current().moves.push(TextMove { san: san.to_owned(), nags, line, ..TextMove::default() });
            }
            Token::Open if self.open.len() == DEEPEST => return Step::Broken("variations lie too deep in one another"),
            Token::Open => self.open.push(Line::default()),
            Token::Close => {
                if let Some(variation) = self.open.pop()
                    && let Some(mv) = self.current().moves.last_mut()
                {
                    mv.variations.push(variation);
                }
            }
            Token::Result(result) if self.open.is_empty() => {
                self.game.result = result;
                self.game.is_whole = true;
                return Step::End;
            }
            Token::Result(_) => {}
            Token::Broken(reason) => return Step::Broken(reason),
        }
        Step::More
    }

    fn current(&mut self) -> &mut Line {
        self.open.last_mut().unwrap_or(&mut self.game.main)
    }

    fn finish(mut self, end: usize) -> Result<Game, Problem> {
        if !self.game.is_whole {
            self.game.result = self.game.tag("Result").and_then(GameResult::read).flatten();
        }
        self.game.end = end;
        Ok(self.game)
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
