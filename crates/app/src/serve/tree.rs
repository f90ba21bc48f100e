//! The moves of a game with all variations: a tree whose nodes are positions.
//!
//! The first child of a node continues the main line, the others are variations. Node ids are never reused, so a page
//! that asks for a deleted node never gets another one.

use std::collections::BTreeMap;

use chess::{Board, Move, Position};

use super::lines::Evaluation;

/// The id of a node; the start of the game is 0.
pub(super) type Id = u32;

pub(super) const ROOT: Id = 0;
/// More moves than any game has, with room for variations. It bounds a session's memory.
const MOST_NODES: usize = 4000;

/// A position, and the move that led to it.
pub(super) struct Node {
    pub(super) parent: Id,
    /// None for the start.
    pub(super) mv: Option<Move>,
    pub(super) san: String,
    pub(super) children: Vec<Id>,
    pub(super) comments: Vec<String>,
    pub(super) nags: Vec<u8>,
    pub(super) evaluation: Option<Evaluation>,
}

impl Node {
    fn new(parent: Id, mv: Option<Move>, san: String) -> Node {
        let (children, comments, nags) = (Vec::new(), Vec::new(), Vec::new());
        Node { parent, mv, san, children, comments, nags, evaluation: None }
    }
}

pub(super) struct Tree {
    start: Board,
    nodes: BTreeMap<Id, Node>,
    next: Id,
}

impl Tree {
    pub(super) fn new(start: Board) -> Tree {
        Tree { start, nodes: BTreeMap::from([(ROOT, Node::new(ROOT, None, String::new()))]), next: ROOT + 1 }
    }

    pub(super) fn start(&self) -> &Board {
        &self.start
    }

    pub(super) fn get(&self, id: Id) -> Option<&Node> {
        self.nodes.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: Id) -> Option<&mut Node> {
        self.nodes.get_mut(&id)
    }

    pub(super) fn has(&self, id: Id) -> bool {
        self.nodes.contains_key(&id)
    }

    /// The node that this legal move leads to, created if necessary.
    pub(super) fn play(&mut self, from: Id, board: &Board, mv: Move) -> Result<Id, String> {
        let node = self.nodes.get(&from).ok_or("this position is gone")?;
        if let Some(&child) = node.children.iter().find(|&&child| self.get(child).is_some_and(|c| c.mv == Some(mv))) {
            return Ok(child);
        }
        if self.nodes.len() >= MOST_NODES {
            return Err(format!("a game can have no more than {MOST_NODES} moves here, variations included"));
        }
        let id = self.next;
        self.next += 1;
        self.nodes.insert(id, Node::new(from, Some(mv), board.san(mv)));
        if let Some(node) = self.nodes.get_mut(&from) {
            node.children.push(id);
        }
        Ok(id)
    }

    /// Removes a node and everything after it; the start stays. Returns its parent.
    pub(super) fn remove(&mut self, id: Id) -> Id {
        if id == ROOT {
            return ROOT;
        }
        let parent = self.get(id).map_or(ROOT, |node| node.parent);
        if let Some(node) = self.nodes.get_mut(&parent) {
            node.children.retain(|&child| child != id);
        }
        let mut doomed = vec![id];
        while let Some(id) = doomed.pop() {
            if let Some(node) = self.nodes.remove(&id) {
                doomed.extend(node.children);
            }
        }
        parent
    }

    /// Makes the path to a node the main line.
    pub(super) fn promote(&mut self, id: Id) {
        for id in self.path(id) {
            let Some(parent) = self.get(id).map(|node| node.parent) else { continue };
            if let Some(children) = self.nodes.get_mut(&parent).map(|node| &mut node.children)
                && let Some(place) = children.iter().position(|&child| child == id)
            {
                children.get_mut(..=place).unwrap_or_default().rotate_right(1);
            }
        }
    }

    /// The nodes on the path to this one, including it but not the start.
    pub(super) fn path(&self, id: Id) -> Vec<Id> {
        let (mut path, mut id) = (Vec::new(), id);
        while id != ROOT {
            let Some(node) = self.get(id) else { break };
            path.push(id);
            id = node.parent;
        }
        path.reverse();
        path
    }

    /// The path from the start along first children.
    pub(super) fn main_line(&self) -> Vec<Id> {
        let mut line = vec![ROOT];
        let mut id = ROOT;
        while let Some(&child) = self.get(id).and_then(|node| node.children.first()) {
            line.push(child);
            id = child;
        }
        line
    }

    /// The main line as moves, to step through: the positions of a long game, each with its history, would fill the
    /// memory.
    pub(super) fn steps(&self) -> Vec<(Id, Option<Move>)> {
        self.main_line().into_iter().filter_map(|id| Some((id, self.get(id)?.mv))).collect()
    }

    /// The total size of all comments.
    pub(super) fn comment_bytes(&self) -> usize {
        self.nodes.values().flat_map(|node| &node.comments).map(String::len).sum()
    }

    /// The position at a node, with its history.
    pub(super) fn position(&self, id: Id) -> Position {
        let moves: Vec<Move> = self.path(id).into_iter().filter_map(|id| self.get(id)?.mv).collect();
        Position::new(self.start).along(&moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays moves from a node.
    fn play(tree: &mut Tree, from: Id, moves: &str) -> Id {
        moves.split(' ').fold(from, |id, san| {
            let position = tree.position(id);
            let mv = position.parse_san(san).expect(san);
            tree.play(id, position.board(), mv).expect(san)
        })
    }

    fn line(tree: &Tree) -> String {
        let sans = tree.main_line().into_iter().filter_map(|id| tree.get(id)).map(|node| node.san.clone());
        sans.skip(1).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn variations_are_kept_promoted_and_removed() {
        let mut tree = Tree::new(Board::start());
        let tip = play(&mut tree, ROOT, "e4 e5 Nf3");
        assert_eq!(play(&mut tree, ROOT, "e4 e5 Nf3"), tip, "the same moves are the same node");
        let sicilian = play(&mut tree, ROOT, "e4 c5 c3");
        assert_eq!(line(&tree), "e4 e5 Nf3");
        tree.promote(sicilian);
        assert_eq!(line(&tree), "e4 c5 c3");
        assert_eq!(tree.path(sicilian).len(), 3);
        let first = tree.path(sicilian)[1];
        let parent = tree.remove(first);
        assert_eq!((line(&tree).as_str(), tree.path(parent).len()), ("e4 e5 Nf3", 1));
        assert!(!tree.has(sicilian) && tree.has(tip));
        let again = play(&mut tree, parent, "c5");
        assert!(again > sicilian, "names are not used twice");
        assert_eq!(tree.remove(ROOT), ROOT);
    }

    #[test]
    fn a_tree_does_not_grow_for_ever() {
        let mut tree = Tree::new(Board::start());
        let mut id = ROOT;
        for count in 1.. {
            let position = tree.position(id);
            let san = ["Nf3", "Nf6", "Ng1", "Ng8"][(count - 1) % 4];
            match tree.play(id, position.board(), position.parse_san(san).expect(san)) {
                Ok(next) => id = next,
                Err(reason) => {
                    assert_eq!(count, MOST_NODES, "{reason}");
                    break;
                }
            }
        }
    }
}
