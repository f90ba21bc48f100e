//! Draws boards as SVG. The pieces are our own, made of simple shapes, defined once per page and used by reference.

use std::fmt::Write;

use chess::{Board, Color, Move, Rank, Square};

/// The side of a square in pixels.
const SIDE: usize = 45;

/// The shapes of the pieces, without their common base.
const SHAPES: [(char, &str); 6] = [
    ('p', "<circle cx='22.5' cy='15' r='6'/><path d='M17 34c0-6 3-9 3.500-13h4c.5 4 3.500 7 3.500 13z'/>"),
    ('r', "<path d='M12 8h5v4h3V8h5v4h3V8h5v9l-4 3v12H16V20l-4-3z'/><path d='M14 36l1-4h15l1 4z'/>"),
    (
        'n',
        "<path d='M15 36c0-9 9-11 9-18-3 4-7 4-9 7l-4-3c1-7 5-11 11-14l1-4 4 4c6 3 8 11 7 28z'/><circle cx='20.500' cy='15' r='1' class='dot'/>",
    ),
    (
        'b',
        "<circle cx='22.5' cy='7' r='2.500'/><path d='M22.500 9.500c6 5 8 9 8 13 0 3-2 5-4 6h-8c-2-1-4-3-4-6 0-4 2-8 8-13z'/><path d='M20 17h5M22.500 14.500v5' class='line'/><path d='M15 36l3-7h9l3 7z'/>",
    ),
    (
        'q',
        "<path d='M9 13l5 9 3-13 5.500 12L28 9l3 13 5-9-4 20H13z'/><circle cx='9' cy='11' r='2.200'/><circle cx='17' cy='7.500' r='2.200'/><circle cx='28' cy='7.500' r='2.200'/><circle cx='36' cy='11' r='2.200'/><path d='M13 36l1-3h17l1 3z'/>",
    ),
    (
        'k',
        "<path d='M21 4h3v3h3v3h-3v5h-3v-5h-3V7h3z'/><path d='M22.500 18c2-4 13-5 13 3 0 5-4 7-5 12h-16c-1-5-5-7-5-12 0-8 11-7 13-3z'/><path d='M14 36l.500-3h16l.500 3z'/>",
    ),
];

/// The piece definitions, to be included in a page once. The class of the element that uses one sets its colours.
pub(super) fn definitions() -> String {
    let mut text = String::from("<svg width='0' height='0' class='shapes' aria-hidden='true'><defs>");
    for (letter, shape) in SHAPES {
        let _ = write!(text, "<g id='piece-{letter}'>{shape}<path d='M11 40h23v-4H11z'/></g>");
    }
    text.push_str(
        "<marker id='head' viewBox='0 0 4 4' refX='2.200' refY='2' markerWidth='3' markerHeight='3' orient='auto'>\
         <path d='M0 0l4 2-4 2z' fill='context-stroke'/></marker></defs></svg>\n",
    );
    text
}

/// A board seen from one side, with arrows for moves.
pub(super) fn board(board: &Board, below: Color, arrows: &[(Move, &str)], title: &str) -> String {
    let mut text = format!(
        "<svg class='board' viewBox='0 0 {0} {0}' role='img' aria-label='{1}'><rect width='{0}' height='{0}' class='dark'/>",
        8 * SIDE,
        super::escape(title)
    );
    for square in Square::all() {
        let (x, y) = place(square, below);
        if (square.file().index() + square.rank().index()) % 2 == 1 {
            let _ = write!(text, "<rect x='{x}' y='{y}' width='{SIDE}' height='{SIDE}' class='light'/>");
        }
        if square.rank() == if below == Color::White { Rank::First } else { Rank::Eighth } {
            let _ = write!(text, "<text x='{}' y='{}'>{}</text>", x + 37, y + 43, square.file().letter());
        }
        if x == 0 {
            let _ = write!(text, "<text x='2' y='{}'>{}</text>", y + 10, square.rank().digit());
        }
    }
    for square in board.occupied() {
        let Some(piece) = board.piece_on(square) else { continue };
        let (x, y) = place(square, below);
        let color = if piece.color() == Color::White { "white" } else { "black" };
        let letter = piece.kind().letter().to_ascii_lowercase();
        let _ = write!(text, "<use href='#piece-{letter}' x='{x}' y='{y}' class='{color}'/>");
    }
    for (mv, class) in arrows {
        text.push_str(&arrow(*mv, below, class));
    }
    text.push_str("</svg>");
    text
}

/// The upper left corner of a square.
fn place(square: Square, below: Color) -> (usize, usize) {
    let (file, rank) = (square.file().index(), square.rank().index());
    let (column, row) = if below == Color::White { (file, 7 - rank) } else { (7 - file, rank) };
    (column * SIDE, row * SIDE)
}

fn arrow(mv: Move, below: Color, class: &str) -> String {
    let middle = |square| {
        let (x, y) = place(square, below);
        ((x + SIDE / 2) as f64, (y + SIDE / 2) as f64)
    };
    let ((x, y), (to_x, to_y)) = (middle(mv.from()), middle(mv.landing()));
    // The arrowhead should lie on the square without covering the piece there.
    let length = (to_x - x).hypot(to_y - y).max(1.0);
    let short = (length - 8.0) / length;
    let (end_x, end_y) = (x + (to_x - x) * short, y + (to_y - y) * short);
    format!("<line x1='{x}' y1='{y}' x2='{end_x:.1}' y2='{end_y:.1}' class='{class}' marker-end='url(#head)'/>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::PieceKind;

    #[test]
    fn every_piece_stands_on_its_square() {
        let start = Board::start();
        let mv = start.parse_uci("e2e4").expect("legal");
        let text = super::board(&start, Color::White, &[(mv, "best")], "a 'title'");
        assert_eq!(text.matches("<use ").count(), 32);
        assert_eq!(text.matches("class='light'").count(), 32);
        assert!(text.contains("<use href='#piece-k' x='180' y='315' class='white'/>"), "{text}");
        assert!(text.contains("<line x1='202' y1='292' x2='202.0' y2='210.0' class='best'"), "{text}");
        assert!(text.contains("aria-label='a &#39;title&#39;'"));
        let turned = super::board(&start, Color::Black, &[], "");
        assert!(turned.contains("<use href='#piece-k' x='135' y='0' class='white'/>"), "{turned}");
        let shapes = definitions();
        for kind in
            [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen, PieceKind::King]
        {
            assert!(shapes.contains(&format!("id='piece-{}'", kind.letter().to_ascii_lowercase())));
        }
    }
}
