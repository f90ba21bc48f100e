//! Relations found by sets, compared with the same found square by square.

use chess::zobrist::splitmix;

use super::*;

fn relations(fen: &str) -> Vec<(Color, usize)> {
    let board: Board = fen.parse().expect(fen);
    let mut list: Vec<_> = Relations::of(&Pieces::of(&board)).iter().collect();
    list.sort_unstable_by_key(|&(color, relation)| (color.index(), relation));
    list
}

/// Positions of random games.
fn walk(mut visit: impl FnMut(&Board)) {
    let mut seed = 1;
    for _ in 0..40 {
        let mut board = Board::start();
        for _ in 0..150 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            seed = splitmix(seed);
            board.play(moves[seed as usize % moves.len()]);
            visit(&board);
        }
    }
}

/// The slow twin: every square is asked one by one.
fn slowly(board: &Board) -> Vec<(Color, usize)> {
    let occupied = board.occupied();
    let attackers = |color: Color, square: Square| board.attackers_to(square, occupied) & board.color(color);
    let of = |color: Color, square: Square, kind: PieceKind| (attackers(color, square) & board.kind(kind)).any();
    let mut list = Vec::new();
    for color in Color::ALL {
        let them = color.other();
        let pawn_on = |color: Color, file: i32, rank: i32| {
            (0..8).contains(&file)
                && (0..8).contains(&rank)
                && board.pieces(color, PieceKind::Pawn).has(Square::from_index((rank * 8 + file) as usize))
        };
        let next_to = |a: Square, b: Square| attacks::king(a).has(b);
        for from in board.color(color) {
            let kind = board.kind_on(from).expect("a piece");
            let (file, rank) = (from.file().index() as i32, from.rank().index() as i32);
            let step = if color == Color::White { 1 } else { -1 };
            if !matches!(kind, PieceKind::Pawn | PieceKind::King) {
                let king = board.king(them);
                let reached: Vec<Square> =
                    Square::all().filter(|&to| attacks::of(kind, color, from, occupied).has(to)).collect();
                let may = |to: Square| !board.color(color).has(to) && !of(them, to, PieceKind::Pawn);
                let moves = reached.iter().filter(|&&to| may(to)).count();
                let moves = if kind == PieceKind::Queen { moves / 2 } else { moves };
                let near = reached.iter().filter(|&&to| to == king || next_to(king, to)).count();
                let pawns = |on: &dyn Fn(Square) -> bool| {
                    board.pieces(color, PieceKind::Pawn).into_iter().filter(|&at| on(at)).count()
                };
                let file_has = |of: Color| (0..8).any(|at| pawn_on(of, file, at));
                let standing = match kind {
                    PieceKind::Knight if of(color, from, PieceKind::Pawn) => {
                        let chased = (0..8)
                            .any(|steps| [-1, 1].iter().any(|by| pawn_on(them, file + by, rank + (steps + 1) * step)));
                        if chased { 1 } else { 2 }
                    }
                    PieceKind::Bishop => {
                        let light = |at: Square| (at.file().index() + at.rank().index()) % 2;
                        (pawns(&|at| light(at) == light(from)) / 2).min(2)
                    }
                    PieceKind::Rook if !file_has(color) => 1 + usize::from(!file_has(them)),
                    _ => 0,
                };
                let row = (kind.index() - 1) * 3 + standing;
                list.push((color, MOBILITY + (row * 16 + moves.min(15)) * 4 + near.min(3)));
            }
            if kind != PieceKind::King && (attackers(them, from).any() || attackers(color, from).is_empty()) {
                let minor = of(them, from, PieceKind::Knight) || of(them, from, PieceKind::Bishop);
                let other = of(them, from, PieceKind::Queen) || of(them, from, PieceKind::King);
                let classes = [of(them, from, PieceKind::Pawn), minor, of(them, from, PieceKind::Rook), other];
                let classes: usize = (0..4).map(|class| usize::from(classes[class]) << class).sum();
                let defence = match attackers(color, from) {
                    set if (set & board.kind(PieceKind::Pawn)).any() => 1,
                    set => 2 * usize::from(set.any()),
                };
                list.push((color, ATTACKED + (kind.index() * 16 + classes) * 3 + defence));
            }
            if kind == PieceKind::Pawn {
                let ahead = |of: Color, files: &[i32]| {
                    (1..8).any(|steps| files.iter().any(|by| pawn_on(of, file + by, rank + steps * step)))
                };
                let beside = |by: i32| pawn_on(color, file + by, rank) || pawn_on(color, file + by, rank - step);
                let supported = beside(-1) || beside(1);
                let next = Square::from_index((from.index() as i32 + 8 * step) as usize);
                if ahead(them, &[-1, 0, 1]) {
                    let isolated = !(0..8).any(|at| pawn_on(color, file - 1, at) || pawn_on(color, file + 1, at));
                    let doubled = ahead(color, &[0]);
                    let backward = !supported && of(them, next, PieceKind::Pawn);
                    let weak = usize::from(isolated) | usize::from(doubled) << 1 | usize::from(backward) << 2;
                    if weak > 0 {
                        list.push((color, WEAK + (weak | usize::from(ahead(them, &[0])) << 3)));
                    }
                } else {
                    let rank = (if color == Color::White { rank } else { 7 - rank }) as usize - 1;
                    let facts = usize::from(supported)
                        | usize::from(occupied.has(next)) << 1
                        | usize::from(attackers(them, next).any()) << 2;
                    list.push((color, PASSED + rank * 8 + facts));
                }
            }
            if kind == PieceKind::King {
                let king = board.kind(PieceKind::King);
                let lost = |to: Square| attackers(them, to).any() && (attackers(color, to) - king).is_empty();
                let lost = Square::all().filter(|&to| next_to(from, to) && lost(to)).count();
                let can_check = |kind: PieceKind| {
                    let safe = |to: Square| attackers(color, to).is_empty() && !board.color(them).has(to);
                    let see = |to: Square| attacks::of(kind, them, to, occupied).has(from);
                    Square::all().any(|to| see(to) && safe(to) && of(them, to, kind))
                };
                let kinds = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
                let checks: usize = (0..4).map(|index| usize::from(can_check(kinds[index])) << index).sum();
                list.push((color, KING + lost.min(7) * 16 + checks));
                let middle = file.clamp(1, 6);
                for at in middle - 1..=middle + 1 {
                    let first = |of: Color| (0..8).find(|steps| pawn_on(of, at, rank + steps * step)).unwrap_or(9);
                    let ours = match first(color) {
                        0 | 1 => 0,
                        2 => 1,
                        9 => 3,
                        _ => 2,
                    };
                    let theirs = match first(them) {
                        0 | 1 => 0,
                        2 => 1,
                        3 => 2,
                        9 => 4,
                        _ => 3,
                    };
                    list.push((color, SHELTER + (usize::from(at == 0 || at == 7) * 4 + ours) * 5 + theirs));
                }
                let home = if color == Color::White { 0 } else { 7 };
                let mut space = 0;
                for (at, up) in (2..6).flat_map(|at| (1..4).map(move |up| (at, up))) {
                    let square = Square::from_index(((home + up * step) * 8 + at) as usize);
                    let guarded = pawn_on(color, at, home + up * step) || of(them, square, PieceKind::Pawn);
                    let behind = (up..8).any(|up| pawn_on(color, at, home + up * step));
                    space += usize::from(!guarded) * (1 + usize::from(behind));
                }
                list.push((color, SPACE + space.min(15)));
            }
        }
    }
    list.sort_unstable_by_key(|&(color, relation)| (color.index(), relation));
    list
}

#[test]
fn sets_and_squares_agree() {
    walk(|board| {
        let mut found: Vec<_> = Relations::of(&Pieces::of(board)).iter().collect();
        found.sort_unstable_by_key(|&(color, relation)| (color.index(), relation));
        assert_eq!(found, slowly(board), "{board}");
        assert!(found.iter().all(|&(_, relation)| relation < RELATIONS));
    });
}

#[test]
fn structure_depends_on_pawns_and_kings_alone() {
    walk(|board| {
        let pieces = Pieces::of(board);
        let others = !(board.kind(PieceKind::Pawn) | board.kind(PieceKind::King));
        let (relations, structure) = Relations::of_structure(&pieces);
        let (bare, same) = Relations::of_structure(&pieces.without(others));
        assert_eq!((relations.packed(), structure), (bare.packed(), same), "{board}");
    });
}

#[test]
fn flipped_and_mirrored_boards_have_the_same_relations() {
    let original = relations("r3k3/1p3pp1/2n5/4P3/3Q4/5N2/PP3P2/2K4R w - - 0 1");
    assert_eq!(original, relations("3k3r/1pp3p1/5n2/3P4/4Q3/2N5/2P3PP/R4K2 w - - 0 1"));
    let mut flipped = relations("2k4r/pp3p2/5n2/3q4/4p3/2N5/1P3PP1/R3K3 b - - 0 1");
    flipped.iter_mut().for_each(|(color, _)| *color = color.other());
    flipped.sort_unstable_by_key(|&(color, relation)| (color.index(), relation));
    assert_eq!(original, flipped);
}
