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

/// A set of facts as a number.
fn set(facts: &[bool]) -> usize {
    facts.iter().enumerate().map(|(index, &fact)| usize::from(fact) << index).sum()
}

/// How many moves a king needs, counted move by move.
fn steps_between(from: Square, to: Square) -> usize {
    let mut reached = from.bitboard();
    let mut steps = 0;
    while !reached.has(to) {
        reached = reached.into_iter().fold(reached, |reached, square| reached | attacks::king(square));
        steps += 1;
    }
    steps
}

/// The slow twin: every square is asked one by one.
fn slowly(board: &Board) -> Vec<(Color, usize)> {
    let occupied = board.occupied();
    let attackers = |color: Color, square: Square| board.attackers_to(square, occupied) & board.color(color);
    let of = |color: Color, square: Square, kind: PieceKind| (attackers(color, square) & board.kind(kind)).any();
    let twice = |color: Color, square: Square| attackers(color, square).is_several();
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
            if !matches!(kind, PieceKind::Pawn | PieceKind::King) && twice(them, from) {
                list.push((color, TWICE + (kind.index() - 1) * 2 + usize::from(twice(color, from))));
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
                let isolated = !(0..8).any(|at| pawn_on(color, file - 1, at) || pawn_on(color, file + 1, at));
                let phalanx = pawn_on(color, file - 1, rank) || pawn_on(color, file + 1, rank);
                let backward = !supported && of(them, next, PieceKind::Pawn);
                let defended = of(color, from, PieceKind::Pawn);
                let lever = of(them, from, PieceKind::Pawn);
                let (doubled, opposed) = (ahead(color, &[0]), ahead(them, &[0]));
                let facts = set(&[isolated, doubled, backward, opposed, defended, phalanx, lever]);
                let up = (if color == Color::White { rank } else { 7 - rank }) as usize - 1;
                list.push((color, PAWN + up * 128 + facts));
                if !ahead(them, &[-1, 0, 1]) {
                    let facts = set(&[supported, occupied.has(next), attackers(them, next).any()]);
                    list.push((color, PASSED + up * 8 + facts));
                    let way: Vec<Square> = (1..8)
                        .map(|steps| rank + steps * step)
                        .filter(|rank| (0..8).contains(rank))
                        .map(|rank| Square::from_index((rank * 8 + file) as usize))
                        .collect();
                    let some = |is: &dyn Fn(Square) -> bool| way.iter().any(|&at| is(at));
                    let facts = set(&[
                        some(&|at| occupied.has(at)),
                        some(&|at| attackers(them, at).any()),
                        some(&|at| attackers(color, at).is_empty()),
                        some(&|at| attackers(them, at).any() && attackers(color, at).is_empty()),
                    ]);
                    list.push((color, WAY + up * 16 + facts));
                    if board.pieces(color, PieceKind::Queen).is_empty() {
                        let last = *way.last().expect("a square ahead");
                        let [own, other] = [color, them].map(|color| steps_between(board.king(color), last));
                        list.push((color, RACE + own * 8 + other));
                    }
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
                let count = |is: &dyn Fn(Square) -> bool| Square::all().filter(|&at| is(at)).count();
                let ring = |at: Square| next_to(from, at);
                let siege = count(&|at| ring(at) && twice(them, at) && !twice(color, at));
                let escapes = count(&|at| ring(at) && !board.color(color).has(at) && attackers(them, at).is_empty());
                list.push((color, SIEGE + siege.min(7) * 9 + escapes));
                let enemy_king = board.king(them);
                let column = (enemy_king.file().index() as i32).clamp(1, 6);
                let zone = |at: Square| {
                    let up = if color == Color::White { at.rank().index() } else { 7 - at.rank().index() };
                    (at.file().index() as i32 - column).abs() <= 1 && up >= 3
                };
                let flank =
                    count(&|at| zone(at) && attackers(color, at).any()) + count(&|at| zone(at) && twice(color, at));
                list.push((color, FLANK + flank.min(31)));
                let controlled = count(&|at| attackers(color, at).any());
                let contested = count(&|at| attackers(color, at).any() && attackers(them, at).any());
                list.push((color, CONTROL + (controlled / 4).min(15) * 16 + (contested / 2).min(15)));
                for attacker in board.color(them) {
                    let kind = board.kind_on(attacker).expect("a piece");
                    if !matches!(kind, PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen)
                        || !attacks::of(kind, them, attacker, Bitboard::EMPTY).has(from)
                    {
                        continue;
                    }
                    let way: Vec<Square> =
                        attacks::between(attacker, from).into_iter().filter(|&at| occupied.has(at)).collect();
                    if let [shield] = way[..] {
                        let row = board.kind_on(shield).expect("a piece").index() * 3 + kind.index() - 2;
                        let own = board.color(color).has(shield);
                        list.push(if own { (color, PINNED + row) } else { (them, UNCOVERS + row) });
                    }
                }
                let (mut pieces, mut pawns) = (0, 0);
                for at in board.color(color) {
                    let kind = board.kind_on(at).expect("a piece");
                    let bare = attackers(them, at).any() && attackers(color, at).is_empty();
                    let less = |kinds: &[PieceKind]| kinds.iter().any(|&kind| of(them, at, kind));
                    let by_less = match kind {
                        PieceKind::Knight | PieceKind::Bishop => less(&[PieceKind::Pawn]),
                        PieceKind::Rook => less(&[PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop]),
                        PieceKind::Queen => {
                            less(&[PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook])
                        }
                        _ => false,
                    };
                    pieces += usize::from(kind != PieceKind::Pawn && (bare || by_less));
                    pawns += usize::from(kind == PieceKind::Pawn && bare);
                }
                if pieces + pawns > 0 {
                    list.push((color, HANGING + pieces.min(3) * 4 + pawns.min(3)));
                }
                let free = |file: i32, rank: i32| !occupied.has(Square::from_index((rank * 8 + file) as usize));
                let mut hit: Vec<Square> = Vec::new();
                for pawn in board.pieces(color, PieceKind::Pawn) {
                    let (file, rank) = (pawn.file().index() as i32, pawn.rank().index() as i32);
                    let start = if color == Color::White { rank == 1 } else { rank == 6 };
                    for steps in 1..=1 + i32::from(start) {
                        if !(1..=steps).all(|steps| free(file, rank + steps * step)) {
                            continue;
                        }
                        let at = Square::from_index(((rank + steps * step) * 8 + file) as usize);
                        let lost = attackers(them, at).any() && attackers(color, at).is_empty();
                        if !lost && !of(them, at, PieceKind::Pawn) {
                            hit.extend(Square::all().filter(|&to| {
                                attacks::of(PieceKind::Pawn, color, at, occupied).has(to)
                                    && board.color(them).has(to)
                                    && board.kind_on(to) != Some(PieceKind::Pawn)
                            }));
                        }
                    }
                }
                hit.sort_unstable();
                hit.dedup();
                if !hit.is_empty() {
                    list.push((color, PUSH + hit.len().min(3)));
                }
                if let Some(queen) = board.pieces(them, PieceKind::Queen).first() {
                    let safe = |at: Square| {
                        let held = attackers(them, at).is_empty() || twice(color, at);
                        !board.color(color).has(at) && !of(them, at, PieceKind::Pawn) && held
                    };
                    let can_hunt = |kind: PieceKind| {
                        Square::all().any(|at| {
                            safe(at) && attacks::of(kind, them, queen, occupied).has(at) && of(color, at, kind)
                        })
                    };
                    let hunters = set(&[PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook].map(can_hunt));
                    if hunters > 0 {
                        list.push((color, HUNT + hunters));
                    }
                }
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
