//! The positions of `bench`: a varied set, so that every part of search and evaluation is exercised. The game positions
//! come from self-play with some randomness in the choice of moves; the rest are well known.

/// The FEN, and whether it is Chess960.
#[rustfmt::skip]
pub(super) const POSITIONS: &[(&str, bool)] = &[
    // The start position and a famous one with very many moves (Kiwipete).
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false),
    // Openings.
    ("rnbqk1nr/pp3ppp/1bp5/3pp3/2P5/3PP1P1/PP1N1P1P/R1BQKBNR w KQkq - 0 6", false),
    ("rnbq1rk1/1p1pbpp1/p4n1p/2p1p3/2P5/P1NP2P1/1PQ1PPBP/R1B1K1NR w KQ - 4 8", false),
    ("r3kb1r/ppqb1ppp/2n2n2/2ppp3/8/P1PP1NP1/1P1NPPBP/R1BQK2R w KQkq - 0 8", false),
    ("r1bqk2r/1ppnppbp/3p1np1/p7/P2P4/4PN1P/1PP1BPP1/RNBQK2R w KQkq - 1 7", false),
    ("r1b1k2r/ppq1bppp/2n1pn2/2pp4/2PP4/1P3NP1/PB2PPBP/RN1QK2R w KQkq - 0 8", false),
    ("rnb1kb1r/1pqp1ppp/p3pn2/2p5/2P5/1P2PN2/PB1PBPPP/RN1Q1RK1 b kq - 5 7", false),
    ("rnb1kb1r/1pq1pp1p/2pp1np1/p7/3PPB1P/2N2N2/PPP1BPP1/R2QK2R b KQkq - 3 7", false),
    ("rnbqk1nr/pp1pb1pp/2p1p3/5p2/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 1 5", false),
    // Middle games.
    ("rnb1k1nr/pp2q1pp/2p5/2b2p2/P1PNp3/B3P1P1/3N1PBP/R2QK2R w KQkq - 3 13", false),
    ("r1q1r1k1/1b1pbpp1/p1n4p/2pBp3/2P5/pP1PP1P1/1BQ1NP1P/R4RK1 w - - 0 16", false),
    ("3r1rk1/ppq1bpp1/2n1bn1p/2p1p3/P1N1P3/2P3P1/1P1NQPBP/R1B2RK1 b - - 1 14", false),
    ("r2qk2r/1bpn1pbp/1p1p2p1/p2np3/P2P4/BP2PN1P/R1P1BPP1/1N1Q1RK1 b kq - 3 11", false),
    ("r1b2rk1/pp3ppp/Bqn5/2b1p3/4P3/PP3NP1/1BQN1P1P/R4RK1 b - - 1 16", false),
    ("r4rk1/1pqbb1pp/p1nppn2/2p5/2P5/1PNBPN2/PB2QPPP/R4RK1 b - - 5 13", false),
    ("rn2k2r/1pq1ppbp/2p2np1/4P3/p4BbP/P1N2N2/1PPQBPP1/R3K2R b KQkq - 0 11", false),
    ("r2q1rk1/pb2b1p1/1pp1pn1p/3p1p2/1PPPn3/P1NQ1PP1/3NP1BP/1RB2RK1 b - - 0 14", false),
    ("r3kb1r/1pqbp1pp/p1n2n2/3p4/P2p4/3B1N1P/1PPNQPP1/R1B2RK1 w kq - 2 12", false),
    ("r3r1k1/ppq2pb1/2n1b1pp/2pnp3/P1N5/2PP1NPP/1P3PB1/R1BQR1K1 w - - 4 14", false),
    ("2r1k2r/pp1qbp2/2np2p1/4pbBp/2PP2nP/1PN3P1/P3NPB1/R2Q1RK1 w k - 1 15", false),
    ("2kr1b1r/1ppqn1p1/p1n2pb1/2Pp4/1P1P2P1/P3BN2/4BP2/RN1QK1R1 b Q - 0 16", false),
    // Later middle games.
    ("rn3rk1/pp4pp/2p5/8/P1P1B3/4P2q/R4P1P/1Q3RK1 b - - 2 21", false),
    ("1r1b2k1/3p2p1/p6p/3Ppp2/1pR5/1P1PPKP1/4NP1P/8 w - - 2 25", false),
    ("3r1bk1/2qr1pp1/2n1bn1p/2p1p3/1pN1P3/2P3PP/1P2QPB1/R1B1RN1K b - - 1 24", false),
    ("2kr1r2/2p3bp/1p1p2p1/PNn5/1BP1qP2/7P/R2Q1PP1/3R2K1 b - - 0 25", false),
    ("r3r1k1/p1B2ppp/p4q2/8/4P3/PP3PPb/2Q2R1P/2R3K1 b - - 2 24", false),
    ("1q1r1r1k/1p1b2pp/p4nn1/2p3N1/2BpP3/1P5P/PB2QPP1/R4RK1 w - - 2 21", false),
    ("6rk/2qrpp2/2p3pb/1pn1P2p/p4P1P/P2BQ3/1PP1NP2/1K1R2R1 b - - 5 26", false),
    ("2r1q1k1/pb2b1p1/4p2p/1p1p1p2/1P1P4/P4PP1/3BP1BP/1Q1R2K1 w - - 2 23", false),
    ("1nkr1b1r/1p1b2pp/8/NPqpQ3/1P1pn3/5N1P/2PB1PP1/R1R3K1 b - - 0 19", false),
    ("3rr1k1/ppq1nbb1/2n3pp/PQp1p3/2N2p2/2PP2PP/1P1B1P1N/R3RBK1 b - - 1 19", false),
    ("2r5/pp1qbk2/3p4/4npPr/2PNN1p1/1P4P1/P2Q2B1/5RK1 b - - 1 23", false),
    // Endings.
    ("7k/p7/5p1p/1prB4/2P5/R7/7P/5K2 w - - 0 51", false),
    ("5k2/3p1P2/6K1/7P/1pP5/1P2p3/N4b2/8 b - - 0 46", false),
    ("8/5pk1/7p/4p3/1b2P1N1/4P1PP/8/3b3K w - - 0 47", false),
    ("N7/2b1kr1p/8/3p2P1/8/4P2P/6P1/3R2K1 w - - 0 38", false),
    ("7k/5Q2/P5p1/5p2/2P3qp/8/KP6/8 w - - 0 47", false),
    ("8/7p/8/1k6/2n2P1P/3K4/3B4/8 w - - 1 57", false),
    ("8/8/8/1R5n/2P3b1/6k1/1P1K3p/8 b - - 0 61", false),
    ("6k1/pp6/3p4/6r1/2P1Q3/1P3pP1/P7/4K3 w - - 6 40", false),
    // Classic endings: Lasker and Reichhelm, Réti, Saavedra, Lucena, bishop and knight.
    ("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", false),
    ("7K/8/k1P5/7p/8/8/8/8 w - - 0 1", false),
    ("8/8/1KP5/3r4/8/8/8/k7 w - - 0 1", false),
    ("1K6/1P1k4/8/8/8/8/r7/2R5 w - - 0 1", false),
    ("8/8/8/3k4/8/8/2B5/1KN5 w - - 0 1", false),
    // Chess960.
    ("rnbnkbqr/ppppp1pp/8/5p2/3P4/8/PPPBPPPP/RN1NKBQR b KQkq - 1 2", true),
    ("nqnrbbkr/pp3pp1/2p5/3pp2p/2P4P/1N2P3/PP1P1PP1/1QNRBBKR w KQkq - 0 5", true),
    ("rqbb1nkr/pp3pp1/2pp4/4p1Bp/1P1P2nP/2P2NN1/P3PPP1/RQ1B2KR b KQkq - 3 7", true),
    ("rb1krnq1/pppb2pp/5pn1/3pp3/8/2PP1PN1/PP2PQPP/RBBKRN2 w KQkq - 2 6", true),
    ("1bqrkn1r/pp1n1pp1/2p1p2p/3p4/3P3P/1NPP4/PP2QPP1/2KR1NBR b kq - 4 9", true),
];
