//! The UCI options: their declarations, and what setting one does. The spellings are Stockfish's, because clients look
//! for exactly those.

use std::path::Path;
use std::time::Duration;

use chess::Board;
use engine::{ELO_RANGE, Engine, eval};
use uci::{OptionInfo, OptionKind, OptionValue, SetOption};

use crate::levels;

use super::book::OwnBook;
use super::output::Output;

/// The value of `EvalFile` for the hand-crafted evaluation.
const BY_HAND: &str = "<none>";
/// The value of `EvalFile` for the built-in network.
const EMBEDDED: &str = "<embedded>";
const USUAL: i64 = 1500;
/// The `Skill Level` of full strength; 0 to 19 are the levels 1 to 20.
const FULL_SKILL: i64 = levels::HIGHEST as i64;

/// Settings of the protocol, not of the engine.
pub(super) struct Settings {
    /// Whether castling is written as king takes rook.
    pub(super) chess960: bool,
    /// Whether lines report the chances of win, draw and loss.
    pub(super) show_wdl: bool,
    /// The opening book.
    pub(super) book: OwnBook,
    limit_strength: bool,
    elo: u16,
    skill: i64,
}

impl Settings {
    /// Whether castling on this board is written as king takes rook. It always is if a king or rook is not on its
    /// standard square, since the user may have forgotten the option.
    pub(super) fn writes_chess960(&self, board: &Board) -> bool {
        self.chess960 || !board.is_classical_castling()
    }

    /// The rating to play at: `UCI_Elo` if strength is limited, otherwise that of the skill level.
    fn rating(&self) -> Option<u16> {
        if self.limit_strength {
            return Some(self.elo);
        }
        let level = usize::try_from(self.skill).ok().filter(|_| self.skill < FULL_SKILL)? + 1;
        levels::elo(level).ok()
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            chess960: false,
            show_wdl: false,
            book: OwnBook::default(),
            limit_strength: false,
            elo: USUAL as u16,
            skill: FULL_SKILL,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Setting {
    DebugLogFile,
    Threads,
    Hash,
    ClearHash,
    Ponder,
    MultiPv,
    MoveOverhead,
    NodesTime,
    Chess960,
    ShowWdl,
    LimitStrength,
    Elo,
    SkillLevel,
    SyzygyPath,
    SyzygyProbeDepth,
    Syzygy50MoveRule,
    SyzygyProbeLimit,
    EvalFile,
    OwnBook,
    BookFile,
}

fn table() -> [(Setting, OptionInfo); 20] {
    let option = |setting, name: &str, kind| (setting, OptionInfo { name: name.into(), kind });
    let check = |default| OptionKind::Check { default };
    let spin = |default, min, max| OptionKind::Spin { default, min, max };
    let text = |default: &str| OptionKind::String { default: default.into() };
    [
        option(Setting::DebugLogFile, "Debug Log File", text("")),
        option(Setting::Threads, "Threads", spin(1, 1, 1024)),
        option(Setting::Hash, "Hash", spin(16, 1, 1_048_576)),
        option(Setting::ClearHash, "Clear Hash", OptionKind::Button),
        option(Setting::Ponder, "Ponder", check(false)),
        option(Setting::MultiPv, "MultiPV", spin(1, 1, 500)),
        option(Setting::MoveOverhead, "Move Overhead", spin(10, 0, 5000)),
        option(Setting::NodesTime, "nodestime", spin(0, 0, 10_000)),
        option(Setting::Chess960, "UCI_Chess960", check(false)),
        option(Setting::ShowWdl, "UCI_ShowWDL", check(false)),
        option(Setting::LimitStrength, "UCI_LimitStrength", check(false)),
        option(Setting::Elo, "UCI_Elo", spin(USUAL, (*ELO_RANGE.start()).into(), (*ELO_RANGE.end()).into())),
        option(Setting::SkillLevel, "Skill Level", spin(FULL_SKILL, 0, FULL_SKILL)),
        option(Setting::SyzygyPath, "SyzygyPath", text("")),
        option(Setting::SyzygyProbeDepth, "SyzygyProbeDepth", spin(1, 1, 100)),
        option(Setting::Syzygy50MoveRule, "Syzygy50MoveRule", check(true)),
        option(Setting::SyzygyProbeLimit, "SyzygyProbeLimit", spin(7, 0, 7)),
        option(Setting::EvalFile, "EvalFile", text(usual_network())),
        option(Setting::OwnBook, "Own Book", check(false)),
        option(Setting::BookFile, "Book File", text("")),
    ]
}

/// The default of `EvalFile`.
fn usual_network() -> &'static str {
    if eval::embedded().is_some() { EMBEDDED } else { BY_HAND }
}

/// The search's numbers as spins and its switches as checks; only builds with the feature `tune` have any.
fn tunables() -> impl Iterator<Item = OptionInfo> {
    let tunables = if cfg!(feature = "tune") { engine::params::ALL } else { &[] };
    tunables.iter().map(|tunable| {
        let kind = if tunable.is_switch {
            OptionKind::Check { default: tunable.default != 0 }
        } else {
            OptionKind::Spin { default: tunable.default.into(), min: tunable.min.into(), max: tunable.max.into() }
        };
        OptionInfo { name: tunable.name.into(), kind }
    })
}

/// Sets the tunable of this name; false if there is none.
#[cfg(feature = "tune")]
fn set_tunable(name: &str, value: i64) -> bool {
    i32::try_from(value).is_ok_and(|value| engine::params::set(name, value))
}

#[cfg(not(feature = "tune"))]
fn set_tunable(_: &str, _: i64) -> bool {
    false
}

/// All options, as declared.
pub(super) fn declared() -> impl Iterator<Item = OptionInfo> {
    table().into_iter().map(|(_, info)| info).chain(tunables())
}

/// The log file, if this option sets it. Only the front needs it.
pub(super) fn log_file(option: &SetOption) -> Option<String> {
    let (setting, info) = table().into_iter().find(|(_, info)| info.is_named(&option.name))?;
    match (setting, info.read(option.value.as_deref())) {
        (Setting::DebugLogFile, Ok(OptionValue::Text(path))) => Some(path),
        _ => None,
    }
}

/// Sets an option, or reports why not.
pub(super) fn set(option: &SetOption, engine: &mut Engine, settings: &mut Settings, output: &Output) {
    let name = &option.name;
    let Some(info) = declared().find(|info| info.is_named(name)) else {
        return output.complain(format!("there is no option \"{}\"", uci::excerpt(name)));
    };
    let value = match info.read(option.value.as_deref()) {
        Ok(value) => value,
        Err(error) => return output.complain(format!("option {}: {error}; it stays as it was", info.name)),
    };
    let setting = table().into_iter().find_map(|(setting, known)| (known == info).then_some(setting));
    match (setting, value) {
        (Some(setting), value) => apply(setting, value, engine, settings, output),
        (None, OptionValue::Spin(number)) if set_tunable(&info.name, number) => {}
        (None, OptionValue::Check(on)) if set_tunable(&info.name, on.into()) => {}
        (None, _) => output.complain(format!("option {} cannot be set", info.name)),
    }
}

fn apply(setting: Setting, value: OptionValue, engine: &mut Engine, settings: &mut Settings, output: &Output) {
    use OptionValue::{Check, Pressed, Spin, Text};
    match (setting, value) {
        (Setting::Threads, Spin(count)) => {
            if let Err(error) = engine.set_threads(natural(count)) {
                output.complain(format!("option Threads: {error}; it stays as it was"));
            }
        }
        (Setting::Hash, Spin(megabytes)) => {
            if let Err(error) = engine.set_hash(natural(megabytes)) {
                output.complain(format!("option Hash: {error}; it stays as it was"));
            }
        }
        (Setting::ClearHash, Pressed) => engine.clear_hash(),
        (Setting::MultiPv, Spin(count)) => engine.options.multi_pv = natural(count),
        (Setting::MoveOverhead, Spin(time)) => {
            engine.options.move_overhead = Duration::from_millis(natural(time) as u64);
        }
        (Setting::NodesTime, Spin(nodes)) => engine.options.nodes_time = u64::try_from(nodes).ok().filter(|&n| n > 0),
        (Setting::Chess960, Check(on)) => settings.chess960 = on,
        (Setting::ShowWdl, Check(on)) => settings.show_wdl = on,
        (Setting::LimitStrength, Check(on)) => {
            settings.limit_strength = on;
            engine.options.elo = settings.rating();
        }
        (Setting::Elo, Spin(elo)) => {
            settings.elo = u16::try_from(elo).unwrap_or(u16::MAX);
            engine.options.elo = settings.rating();
        }
        (Setting::SkillLevel, Spin(skill)) => {
            settings.skill = skill;
            engine.options.elo = settings.rating();
        }
        (Setting::SyzygyPath, Text(path)) => {
            engine.set_syzygy_path(&path).into_iter().for_each(|text| output.note(text));
        }
        (Setting::SyzygyProbeDepth, Spin(depth)) => {
            engine.options.syzygy_probe_depth = i32::try_from(depth).unwrap_or(i32::MAX);
        }
        (Setting::SyzygyProbeLimit, Spin(count)) => engine.options.syzygy_probe_limit = natural(count),
        (Setting::Syzygy50MoveRule, Check(on)) => engine.options.syzygy_50_move_rule = on,
        (Setting::EvalFile, Text(path)) => set_network(&path, engine, output),
        (Setting::OwnBook, Check(on)) => settings.book.is_used = on,
        (Setting::BookFile, Text(name)) => {
            if let Some(text) = settings.book.open(&name) {
                output.note(format!("option Book File: {text}"));
            }
        }
        // The log is set in the front, the engine ponders whenever told to, and the type check rules out all other
        // combinations.
        _ => {}
    }
}

/// Sets the network; an empty name means the default one. Setting the network already in use changes nothing, so the
/// learned state is kept.
fn set_network(name: &str, engine: &mut Engine, output: &Output) {
    match if name.is_empty() { usual_network() } else { name } {
        BY_HAND if engine.network().is_none() => {}
        BY_HAND => engine.set_network(None),
        EMBEDDED => match eval::embedded() {
            None => output.complain("option EvalFile: no network was built in; it stays as it was"),
            embedded if engine.network() == embedded.as_ref() => {}
            embedded => engine.set_network(embedded),
        },
        path => match engine.load_network(Path::new(path)) {
            Ok(()) => {
                let what = engine.network().map_or("", |network| network.description());
                output.note(format!("option EvalFile: {path}: {what}"));
            }
            Err(error) => {
                output.complain(format!("option EvalFile: {:#}; it stays as it was", anyhow::Error::from(error)));
            }
        },
    }
}

fn natural(number: i64) -> usize {
    usize::try_from(number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_what_the_engine_has() {
        let engine = Engine::new();
        let spin = |setting| {
            table().into_iter().find_map(|(other, info)| match info.kind {
                OptionKind::Spin { default, .. } if other == setting => Some(default),
                _ => None,
            })
        };
        assert_eq!(spin(Setting::Threads), Some(engine.options.threads as i64));
        assert_eq!(spin(Setting::MultiPv), Some(engine.options.multi_pv as i64));
        assert_eq!(spin(Setting::MoveOverhead), Some(engine.options.move_overhead.as_millis() as i64));
        assert_eq!(spin(Setting::SyzygyProbeDepth), Some(engine.options.syzygy_probe_depth.into()));
        assert_eq!(spin(Setting::SyzygyProbeLimit), Some(engine.options.syzygy_probe_limit as i64));
        assert!(engine.options.syzygy_50_move_rule && engine.options.elo.is_none());
    }

    #[test]
    fn skill_levels_are_the_levels() {
        let with = |skill, limit_strength| Settings { skill, limit_strength, ..Settings::default() }.rating();
        assert_eq!((with(0, false), with(19, false)), (levels::elo(1).ok(), levels::elo(20).ok()));
        assert_eq!(with(FULL_SKILL, false), None, "full strength");
        assert_eq!(with(3, true), Some(USUAL as u16), "UCI_LimitStrength overrules it");
        for alias in ["OwnBook", "bookfile", "SkillLevel", "own book"] {
            assert_eq!(declared().filter(|info| info.is_named(alias)).count(), 1, "{alias}");
        }
    }

    #[test]
    fn names_are_different_and_unambiguous() {
        let names: Vec<_> = declared().map(|info| info.name.to_lowercase()).collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name), "{name}");
            let reserved = ["name", "type", "default", "min", "max", "var", "value"];
            assert!(name.split(' ').all(|word| !reserved.contains(&word)), "{name}");
        }
        for info in declared() {
            if let OptionKind::Spin { default, min, max } = info.kind {
                assert!((min..=max).contains(&default), "{}", info.name);
            }
        }
    }
}
