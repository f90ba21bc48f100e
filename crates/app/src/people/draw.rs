//! Terminal drawings of the board and of the bar of chances, in Unicode where possible and otherwise in ASCII.

use std::io::IsTerminal;

use chess::{Bitboard, Board, Color, File, Move, Piece, PieceKind, Rank, Square};

/// The characters to draw with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Charset {
    Unicode,
    Ascii,
}

impl Charset {
    /// What the locale supports; the first of these variables that is set decides.
    pub(crate) fn of_locale() -> Charset {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| {
            let value = std::env::var(name).ok()?;
            (!value.is_empty()).then_some(value)
        });
        let name = locale.unwrap_or_default().to_ascii_lowercase();
        if name.contains("utf-8") || name.contains("utf8") { Charset::Unicode } else { Charset::Ascii }
    }

    /// A piece as a character: White's are outlined, Black's filled.
    fn piece(self, piece: Piece) -> char {
        if self == Charset::Ascii {
            return piece.letter();
        }
        let [white, black] = match piece.kind() {
            PieceKind::Pawn => ['♙', '♟'],
            PieceKind::Knight => ['♘', '♞'],
            PieceKind::Bishop => ['♗', '♝'],
            PieceKind::Rook => ['♖', '♜'],
            PieceKind::Queen => ['♕', '♛'],
            PieceKind::King => ['♔', '♚'],
        };
        if piece.color() == Color::White { white } else { black }
    }

    fn empty(self) -> char {
        if self == Charset::Unicode { '·' } else { '.' }
    }
}

/// The ranks from the top and the files from the left, from one side's point of view.
fn seen_from(side: Color) -> ([Rank; 8], [File; 8]) {
    let (mut ranks, mut files) = (Rank::ALL, File::ALL);
    match side {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    (ranks, files)
}

/// The board as ten lines, seen from one side.
pub(crate) fn board(board: &Board, from: Color, charset: Charset) -> Vec<String> {
    let (ranks, files) = seen_from(from);
    let mut lines = Vec::new();
    for rank in ranks {
        let squares = files.iter().map(|&file| {
            let piece = board.piece_on(Square::new(file, rank));
            piece.map_or(charset.empty(), |piece| charset.piece(piece)).to_string()
        });
        lines.push(format!("  {}  {}", rank.digit(), squares.collect::<Vec<_>>().join(" ")));
    }
    let letters: Vec<String> = files.iter().map(|file| file.letter().to_string()).collect();
    lines.push(String::new());
    lines.push(format!("     {}", letters.join(" ")));
    lines
}

/// The board in terminal colours, with the squares of the last move marked.
pub(crate) fn coloured(board: &Board, from: Color, charset: Charset, last: Option<Move>) -> Vec<String> {
    let (ranks, files) = seen_from(from);
    let is_marked = |square: Square| last.is_some_and(|mv| square == mv.from() || square == mv.landing());
    let mut lines = Vec::new();
    for rank in ranks {
        let mut line = format!("  {}  ", rank.digit());
        for square in files.iter().map(|&file| Square::new(file, rank)) {
            let is_light = Bitboard::LIGHT.has(square);
            let ground = match (is_marked(square), is_light) {
                (true, true) => 186,
                (true, false) => 143,
                (false, true) => 180,
                (false, false) => 137,
            };
            let piece = board.piece_on(square);
            // Filled shapes for both sides, told apart by colour.
            let letter = piece.map_or(' ', |piece| match charset {
                Charset::Ascii => piece.letter(),
                Charset::Unicode => charset.piece(Piece::new(Color::Black, piece.kind())),
            });
            let ink = if piece.is_some_and(|piece| piece.color() == Color::White) { 231 } else { 16 };
            line.push_str(&format!("\x1b[48;5;{ground};38;5;{ink}m {letter} "));
        }
        lines.push(line + "\x1b[0m");
    }
    let letters: Vec<String> = files.iter().map(|file| format!(" {} ", file.letter())).collect();
    lines.push(format!("     {}", letters.concat()));
    lines
}

/// Whether to use colours on standard output: only on a terminal, and not if the user has turned them off.
pub(crate) fn has_colours() -> bool {
    let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_none_or(|name| name == "dumb");
    std::io::stdout().is_terminal() && !is_unwanted && !is_dumb
}

/// Chances of White, of a draw and of Black as a bar of this width.
pub(crate) fn bar(wdl: [u16; 3], side: Color, width: usize, charset: Charset) -> String {
    let [win, draw, loss] = wdl;
    let [white, black] = if side == Color::White { [win, loss] } else { [loss, win] };
    let [full, half, none] = if charset == Charset::Unicode { ['█', '▒', '░'] } else { ['#', '=', '.'] };
    let cells = |share: u16| (usize::from(share) * width + 500) / 1000;
    let left = cells(white);
    let middle = cells(white + draw).saturating_sub(left);
    let right = width.saturating_sub(left + middle);
    let part = |mark: char, length: usize| mark.to_string().repeat(length);
    let percent = |share: u16| f64::from(share) / 10.0;
    format!(
        "White [{}{}{}] Black   White wins {:.0} %, draw {:.0} %, Black wins {:.0} %",
        part(full, left),
        part(half, middle),
        part(none, right),
        percent(white),
        percent(draw),
        percent(black)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_and_both_charsets() {
        let start = Board::start();
        let white = board(&start, Color::White, Charset::Ascii);
        assert_eq!(white.first().map(String::as_str), Some("  8  r n b q k b n r"));
        assert_eq!(white.last().map(String::as_str), Some("     a b c d e f g h"));
        let black = board(&start, Color::Black, Charset::Unicode);
        assert_eq!(black.first().map(String::as_str), Some("  1  ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖"));
        assert_eq!(black.last().map(String::as_str), Some("     h g f e d c b a"));
    }

    #[test]
    fn the_last_move_is_marked() {
        let start = Board::start();
        let mv = start.parse_uci("e2e4").expect("legal");
        let plain = coloured(&start, Color::White, Charset::Ascii, None).join("\n");
        let marked = coloured(&start.after(mv), Color::White, Charset::Ascii, Some(mv)).join("\n");
        let count = |text: &str| text.matches("48;5;186").count() + text.matches("48;5;143").count();
        assert_eq!((count(&plain), count(&marked)), (0, 2));
        assert!(marked.contains("38;5;231m P ") && marked.contains("38;5;16m p "), "{marked}");
    }

    #[test]
    fn the_bar_is_as_wide_as_said() {
        for wdl in [[1000, 0, 0], [0, 1000, 0], [0, 0, 1000], [333, 334, 333], [1, 998, 1], [499, 3, 498]] {
            let text = bar(wdl, Color::Black, 30, Charset::Ascii);
            let inside = text.split(['[', ']']).nth(1).expect("a bar");
            assert_eq!(inside.len(), 30, "{text}");
        }
        let text = bar([700, 200, 100], Color::Black, 10, Charset::Ascii);
        assert!(text.starts_with("White [#==.......] Black") && text.ends_with("Black wins 70 %"), "{text}");
    }
}
