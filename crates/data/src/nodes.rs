//! Files of logged nodes: what the search knew at a node, and what it found there (`engine::LoggedNode`).
//!
//! The nodes of a game form one chunk, written whole or not at all, after the game itself. So a kill can leave an
//! incomplete chunk at the end, which is removed, or lose the nodes of the last game. Everything is little-endian:
//!
//! ```text
//! magic "SWNL" · version u32
//! each game: number u32 · nodes u32 · length in bytes u32 · checksum u32 · nodes
//! each node: board (32 bytes, as in files of games) · evaluations, beta, score i16 × 4 · depth u8 · flags u8 ·
//!            best move u16 · quiet moves u8 · tried u8 · for each quiet move: move u16, order / 8 i16
//! ```

use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use chess::Board;
use engine::{Bound, LoggedMove, LoggedNode};

use crate::format::{BOARD_BYTES, decode_move, encode_move, pack, unpack};
use crate::game::GameResult;

const MAGIC: [u8; 4] = *b"SWNL";
const VERSION: u32 = 1;
const HEADER: usize = 8;
const CHUNK_HEADER: usize = 16;
/// A game has at most so many bytes of nodes: the limit of what a damaged length can make us read.
const LARGEST_CHUNK: usize = 1 << 28;
/// The orders of moves are kept in steps of this size, so that they fit.
const ORDER_STEP: i32 = 8;

const IMPROVING: u8 = 1;
const CUT_NODE: u8 = 2;
const BOUND: u8 = 4;

/// The nodes of one game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameNodes {
    /// The game's number.
    pub game: u32,
    /// Its nodes, in the order in which they were searched.
    pub nodes: Vec<LoggedNode>,
}

/// Nodes as bytes, to be written when their game is over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeBytes {
    bytes: Vec<u8>,
    count: u32,
}

impl NodeBytes {
    /// Adds a node.
    pub fn add(&mut self, node: &LoggedNode) {
        self.count += 1;
        let bytes = &mut self.bytes;
        bytes.extend(pack(&node.board, GameResult::Draw, 0));
        for score in [node.evals[0], node.evals[1], node.beta, node.score] {
            bytes.extend(narrow(score).to_le_bytes());
        }
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = flag(node.improving, IMPROVING) | flag(node.cut_node, CUT_NODE);
        bytes.push(node.depth.clamp(0, 255) as u8);
        bytes.push(flags | (BOUND * bound_code(node.bound)));
        bytes.extend(node.best.map_or(0, encode_move).to_le_bytes());
        let quiets = &node.quiets[..node.quiets.len().min(255)];
        bytes.push(quiets.len() as u8);
        bytes.push(quiets.iter().filter(|quiet| quiet.tried).count() as u8);
        for quiet in quiets {
            bytes.extend(encode_move(quiet.mv).to_le_bytes());
            bytes.extend(narrow(quiet.order / ORDER_STEP).to_le_bytes());
        }
    }

    /// How many nodes there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count.into()
    }
}

fn narrow(number: i32) -> i16 {
    number.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16
}

fn bound_code(bound: Bound) -> u8 {
    match bound {
        Bound::Exact => 0,
        Bound::Lower => 1,
        Bound::Upper => 2,
    }
}

/// The checksum of a chunk: of its game, its count of nodes, its length, and its bytes.
fn checksum(header: [u32; 3], bytes: &[u8]) -> u32 {
    let mix = |sum: u32, byte: u8| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let sum = header.iter().flat_map(|word| word.to_le_bytes()).fold(0x811C_9DC5, mix);
    bytes.iter().copied().fold(sum, mix)
}

/// A file that the nodes of games are added to.
pub struct NodeWriter {
    file: File,
    path: PathBuf,
}

impl NodeWriter {
    /// Opens a file to append to; a chunk that a kill cut short is removed. Without `resume` the file must be new.
    pub fn open(path: &Path, resume: bool) -> Result<NodeWriter> {
        let cannot = || format!("cannot open {}", path.display());
        let length = fs::metadata(path).map_or(0, |data| data.len());
        if length > 0 && !resume {
            bail!("{} exists: use --resume to go on with it, or another file", path.display());
        }
        let end = if length < HEADER as u64 { 0 } else { whole_part(path)? };
        let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path).with_context(cannot)?;
        file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).with_context(cannot)?;
        if end == 0 {
            file.write_all(&[MAGIC, VERSION.to_le_bytes()].concat()).with_context(cannot)?;
        }
        Ok(NodeWriter { file, path: path.to_owned() })
    }

    /// Adds the nodes of a game in one write.
    pub fn add(&mut self, game: u32, nodes: &NodeBytes) -> Result<()> {
        let cannot = || format!("game {game} has more nodes than a file can hold");
        ensure!(nodes.bytes.len() <= LARGEST_CHUNK, cannot());
        let header = [game, nodes.count, nodes.bytes.len() as u32];
        let sum = checksum(header, &nodes.bytes);
        let header = [header.as_slice(), &[sum]].concat().into_iter().flat_map(u32::to_le_bytes).collect::<Vec<_>>();
        self.file
            .write_all(&[header.as_slice(), &nodes.bytes].concat())
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// The length of a file up to the last whole chunk.
fn whole_part(path: &Path) -> Result<u64> {
    let mut reader = NodeReader::open(path)?;
    while reader.next_chunk()?.is_some() {}
    Ok(reader.offset)
}

/// Reads the nodes of one game after the other.
pub struct NodeReader {
    input: BufReader<File>,
    path: PathBuf,
    /// The end of the last whole chunk.
    offset: u64,
}

impl NodeReader {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<NodeReader> {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        let mut input = BufReader::with_capacity(1 << 20, file);
        let mut header = [0; HEADER];
        input.read_exact(&mut header).ok().filter(|()| header[..4] == MAGIC).with_context(|| {
            format!("{} is no file of logged nodes; `datagen --log` makes such files", path.display())
        })?;
        let version = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
        ensure!(version == VERSION, "{} has version {version} of the format, which is unknown", path.display());
        Ok(NodeReader { input, path: path.to_owned(), offset: HEADER as u64 })
    }

    /// The number, the count of nodes and the bytes of the next game; none at the end, or where a chunk is cut short.
    fn next_chunk(&mut self) -> Result<Option<(u32, u32, Vec<u8>)>> {
        let mut header = [0; CHUNK_HEADER];
        if !self.fill(&mut header)? {
            return Ok(None);
        }
        let (words, _) = header.as_chunks::<4>();
        let [game, count, length, sum] = [0, 1, 2, 3].map(|index| u32::from_le_bytes(words[index]));
        let damaged = format!("{} is damaged at byte {}", self.path.display(), self.offset);
        ensure!(length as usize <= LARGEST_CHUNK, damaged);
        let mut bytes = vec![0; length as usize];
        if !self.fill(&mut bytes)? {
            return Ok(None);
        }
        ensure!(checksum([game, count, length], &bytes) == sum, damaged);
        self.offset += (CHUNK_HEADER + bytes.len()) as u64;
        Ok(Some((game, count, bytes)))
    }

    /// Reads as many bytes as fit; false if the file ends before.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<bool> {
        match self.input.read_exact(bytes) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", self.path.display())),
        }
    }

    fn next_game(&mut self) -> Result<Option<GameNodes>> {
        let begin = self.offset;
        let Some((game, count, bytes)) = self.next_chunk()? else { return Ok(None) };
        let mut input = bytes.as_slice();
        let nodes: Option<Vec<LoggedNode>> = (0..count).map(|_| read_node(&mut input)).collect();
        match nodes.filter(|_| input.is_empty()) {
            Some(nodes) => Ok(Some(GameNodes { game, nodes })),
            None => bail!("{} holds no nodes at byte {begin}", self.path.display()),
        }
    }
}

impl Iterator for NodeReader {
    type Item = Result<GameNodes>;

    fn next(&mut self) -> Option<Result<GameNodes>> {
        self.next_game().transpose()
    }
}

fn take<const N: usize>(input: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = input.split_first_chunk()?;
    *input = rest;
    Some(*taken)
}

fn read_node(input: &mut &[u8]) -> Option<LoggedNode> {
    let (board, ..) = unpack(&take::<BOARD_BYTES>(input)?).ok()?;
    let mut number = || Some(i32::from(i16::from_le_bytes(take(input)?)));
    let [raw, corrected, beta, score] = [number()?, number()?, number()?, number()?];
    let [depth, flags] = take(input)?;
    let best = match u16::from_le_bytes(take(input)?) {
        0 => None,
        code => Some(decode_move(&board, code)?),
    };
    let [count, tried] = take(input)?;
    let quiets = (0..count).map(|index| read_move(&board, input, index < tried)).collect::<Option<_>>()?;
    Some(LoggedNode {
        board,
        evals: [raw, corrected],
        beta,
        depth: depth.into(),
        improving: flags & IMPROVING != 0,
        cut_node: flags & CUT_NODE != 0,
        score,
        bound: *[Bound::Exact, Bound::Lower, Bound::Upper].get(usize::from(flags / BOUND))?,
        best,
        quiets,
    })
}

fn read_move(board: &Board, input: &mut &[u8], tried: bool) -> Option<LoggedMove> {
    let mv = decode_move(board, u16::from_le_bytes(take(input)?))?;
    let order = i32::from(i16::from_le_bytes(take(input)?)) * ORDER_STEP;
    Some(LoggedMove { mv, order, tried })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(fen: &str, best: &str) -> LoggedNode {
        let board: Board = fen.parse().expect(fen);
        let mv = |text: &str| board.parse_uci(text).expect(text);
        let others = board.legal_moves();
        let others = others.iter().filter(|other| other.is_quiet() && **other != mv(best)).take(5);
        let best_first = [mv(best)].into_iter().chain(others.copied());
        let quiet = |(index, mv)| LoggedMove { mv, order: 800 - 1600 * index as i32, tried: index < 3 };
        LoggedNode {
            board,
            evals: [-31, 17],
            beta: 20,
            depth: 7,
            improving: true,
            cut_node: true,
            score: 25,
            bound: Bound::Lower,
            best: Some(mv(best)),
            quiets: best_first.enumerate().map(quiet).collect(),
        }
    }

    fn games() -> Vec<GameNodes> {
        let castling = node("r3k2r/pppq1ppp/2n2n2/3p4/3P4/2N2N2/PPPQ1PPP/R3K2R w KQkq - 4 9", "e1g1");
        let failing =
            LoggedNode { best: None, bound: Bound::Upper, quiets: Vec::new(), improving: false, ..castling.clone() };
        let black = node("4k3/1p6/8/P7/8/8/8/4K3 b - - 0 1", "b7b5");
        let nodes = vec![castling, failing];
        vec![
            GameNodes { game: 3, nodes },
            GameNodes { game: 9, nodes: Vec::new() },
            GameNodes { game: 4, nodes: vec![black] },
        ]
    }

    fn encoded(nodes: &[LoggedNode]) -> NodeBytes {
        let mut bytes = NodeBytes::default();
        nodes.iter().for_each(|node| bytes.add(node));
        bytes
    }

    fn read(path: &Path) -> Result<Vec<GameNodes>> {
        NodeReader::open(path)?.collect()
    }

    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Place {
            Place(std::env::temp_dir().join(format!("stillwater-nodes-{}-{name}", std::process::id())))
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    #[test]
    fn nodes_come_back_and_a_killed_run_goes_on() {
        let place = Place::new("resume");
        let path = &place.0;
        let games = games();
        let mut writer = NodeWriter::open(path, false).expect("a new file");
        for game in &games[..2] {
            writer.add(game.game, &encoded(&game.nodes)).expect("written");
        }
        assert_eq!(read(path).expect("nodes"), games[..2]);
        assert!(NodeWriter::open(path, false).is_err(), "it is not overwritten");
        let whole = fs::read(path).expect("bytes");
        for cut in [1, 15, 40] {
            // The third game was cut short.
            let mut writer = NodeWriter::open(path, true).expect("the same file");
            writer.add(games[2].game, &encoded(&games[2].nodes)).expect("written");
            assert_eq!(read(path).expect("nodes"), games);
            let bytes = fs::read(path).expect("bytes");
            fs::write(path, &bytes[..bytes.len() - cut]).expect("cut");
            assert_eq!(read(path).expect("the whole games"), games[..2]);
            drop(NodeWriter::open(path, true).expect("the same file"));
            assert_eq!(fs::read(path).expect("bytes"), whole);
        }
    }

    #[test]
    fn other_files_and_damage_are_reported() {
        let place = Place::new("bad");
        let path = &place.0;
        let message = |bytes: &[u8]| {
            fs::write(path, bytes).expect("written");
            format!("{:#}", read(path).expect_err("a fault"))
        };
        assert!(message(b"1. e4 e5").contains("no file of logged nodes"));
        assert!(message(b"").contains("no file of logged nodes"));
        assert!(message(b"SWNL\x09\0\0\0").contains("version 9"));
        fs::remove_file(path).expect("gone");
        let mut writer = NodeWriter::open(path, false).expect("a new file");
        writer.add(1, &encoded(&games()[0].nodes)).expect("written");
        let good = fs::read(path).expect("bytes");
        let mut bad = good.clone();
        bad[40] ^= 1;
        assert!(message(&bad).contains("is damaged at byte 8"));
        let mut shorter = good.clone();
        shorter[16] -= 1;
        assert!(message(&shorter).contains("is damaged at byte 8"), "the length is part of the checksum");
        fs::write(path, &bad).expect("written");
        assert!(NodeWriter::open(path, true).is_err(), "it is left alone");
        assert_eq!(fs::read(path).expect("bytes"), bad);
        // A move that is impossible here, under a checksum that is right.
        let mut bad = good[..8 + 16].to_vec();
        let mut nodes = good[24..].to_vec();
        nodes[42..44].copy_from_slice(&[0xFF, 0x3F]);
        let header = [1, 2, nodes.len() as u32];
        bad[20..24].copy_from_slice(&checksum(header, &nodes).to_le_bytes());
        bad.extend(nodes);
        assert!(message(&bad).contains("no nodes at byte 8"));
    }
}
