//! Endings of king and one piece against king, solved backwards from the mates without any table: the slow twin of the
//! files. The fifty-move rule never matters with three pieces.

use chess::{Board, Color, Move, Piece, PieceKind, Setup, Square};

use crate::tablebase::Wdl;

/// One ending, White having the piece.
pub(super) struct Ending {
    kind: PieceKind,
    /// By [`index`]; `None` where the board is illegal.
    nodes: Vec<Option<Node>>,
}

struct Node {
    edges: Vec<Edge>,
    in_check: bool,
    /// For the side to move: 1 is won, −1 lost, 0 drawn.
    value: i8,
    /// Plies to the next capture, pawn move or mate, if the game is decided.
    distance: u16,
}

#[derive(Clone, Copy)]
enum Edge {
    /// A move within the ending, and whether a pawn made it.
    Inside { to: u32, zeroing: bool },
    /// A capture or promotion, and what it is worth for the side that plays it.
    Outside(i8),
}

/// The board with the piece owned by `strong`; the squares are White's and flipped for Black.
fn board(kind: PieceKind, strong: Color, index: usize) -> Option<Board> {
    let square = |shift: usize| Square::from_index(index >> shift & 63).relative_to(strong);
    let men = [
        (square(0), Piece::new(strong, kind)),
        (square(6), Piece::new(strong, PieceKind::King)),
        (square(12), Piece::new(strong.other(), PieceKind::King)),
    ];
    let mut pieces = [None; 64];
    for (square, piece) in men {
        if pieces[square.index()].replace(piece).is_some() {
            return None;
        }
    }
    let side = if index >> 18 == 0 { strong } else { strong.other() };
    Board::try_from(Setup { pieces, side, ..Setup::empty() }).ok()
}

/// The number of a board whose piece is White's: piece, White's king, Black's king and side to move, six bits a square.
fn index(board: &Board, piece: Square) -> usize {
    let side = usize::from(board.side_to_move() == Color::Black);
    piece.index() | board.king(Color::White).index() << 6 | board.king(Color::Black).index() << 12 | side << 18
}

impl Ending {
    /// Solves an ending; `promoted` are the endings that its pawn can promote into.
    pub(super) fn solve(kind: PieceKind, promoted: &[&Ending]) -> Ending {
        let node = |number| {
            let board = board(kind, Color::White, number)?;
            let edges = board.legal_moves().iter().map(|&mv| edge(kind, &board, mv, promoted)).collect();
            Some(Node { edges, in_check: board.in_check(), value: 0, distance: 0 })
        };
        let mut ending = Ending { kind, nodes: (0..1 << 19).map(node).collect() };
        while ending.sweep(|ending, node| (node.value == 0).then(|| (ending.value(node), 0)).filter(|new| new.0 != 0)) {
        }
        // What is `plies` away from being decided follows from what is one ply less away.
        let mut plies = 0;
        while ending.sweep(|ending, node| {
            let near = node.value != 0 && node.distance == 0 && !node.edges.is_empty() && ending.is_at(node, plies + 1);
            near.then_some((node.value, plies + 1))
        }) {
            plies += 1;
        }
        ending
    }

    /// Applies a rule to every node at once, and returns whether any has changed.
    fn sweep(&mut self, rule: impl Fn(&Ending, &Node) -> Option<(i8, u16)>) -> bool {
        let found: Vec<_> = (0..self.nodes.len())
            .filter_map(|number| Some((number, rule(self, self.nodes[number].as_ref()?)?)))
            .collect();
        for &(number, (value, distance)) in &found {
            if let Some(node) = &mut self.nodes[number] {
                (node.value, node.distance) = (value, distance);
            }
        }
        !found.is_empty()
    }

    fn inside(&self, to: u32) -> &Node {
        self.nodes[to as usize].as_ref().expect("legal moves lead to legal boards")
    }

    /// Who wins, as far as the values of the children show.
    fn value(&self, node: &Node) -> i8 {
        let values = node.edges.iter().map(|&edge| match edge {
            Edge::Inside { to, .. } => -self.inside(to).value,
            Edge::Outside(value) => value,
        });
        values.max().unwrap_or(-i8::from(node.in_check))
    }

    /// Whether a decided node is this many plies from the next capture, pawn move or mate, if it is no fewer.
    fn is_at(&self, node: &Node, plies: u16) -> bool {
        // Bare kings cannot be mated, so a loser who can capture does not lose, and all other moves stay inside.
        let counts = |&edge: &Edge| match edge {
            Edge::Outside(value) => value == 1 && plies == 1,
            Edge::Inside { to, zeroing } => {
                let child = self.inside(to);
                let is_over = zeroing || child.edges.is_empty();
                let known = if is_over { plies == 1 } else { child.distance != 0 && child.distance < plies };
                child.value == -node.value && known
            }
        };
        if node.value > 0 { node.edges.iter().any(counts) } else { node.edges.iter().all(counts) }
    }

    /// Every `step`th board, with the piece White's and Black's in turn, its value and plies (negative for the loser).
    pub(super) fn boards(&self, step: usize) -> impl Iterator<Item = (Board, Wdl, i32)> {
        let nodes = self.nodes.iter().enumerate().filter_map(|(number, node)| Some((number, node.as_ref()?)));
        nodes.step_by(step).enumerate().map(|(turn, (number, node))| {
            let board =
                board(self.kind, [Color::White, Color::Black][turn % 2], number).expect("the same for both colours");
            let wdl = [Wdl::Loss, Wdl::Draw, Wdl::Win][(node.value + 1) as usize];
            (board, wdl, i32::from(node.value) * i32::from(node.distance))
        })
    }
}

fn edge(kind: PieceKind, board: &Board, mv: Move, promoted: &[&Ending]) -> Edge {
    if mv.is_capture() {
        return Edge::Outside(0); // bare kings
    }
    let after = board.after(mv);
    let piece = (after.color(Color::White) & !after.kind(PieceKind::King)).first().expect("a piece");
    let to = index(&after, piece);
    match mv.promotion() {
        Some(new) => {
            let ending = promoted.iter().find(|ending| ending.kind == new);
            Edge::Outside(ending.map_or(0, |ending| -ending.inside(to as u32).value))
        }
        None => {
            let zeroing = kind == PieceKind::Pawn && after.halfmove_clock() == 0;
            Edge::Inside { to: to as u32, zeroing }
        }
    }
}
