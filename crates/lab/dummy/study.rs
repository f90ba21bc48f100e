//! What a build for study answers: its tunables, which are the real engine's, and a bench that takes more nodes the more
//! switches are off.

use engine::params::ALL;

/// The answer to arguments that are questions, if they are.
pub(crate) fn answer(arguments: &[String]) -> Option<String> {
    let bench = arguments.iter().find_map(|argument| argument.strip_prefix("bench "));
    match (arguments.last()?.as_str(), bench) {
        ("tunables", _) => Some(ALL.iter().map(line).collect()),
        ("uci", _) => Some(format!("option name EvalFile type string default <none>\n{}uciok\n", options())),
        (_, Some(words)) => {
            let depth: u64 = words.split(' ').next()?.parse().ok()?;
            let off = arguments.iter().filter(|argument| argument.ends_with("value false")).count() as u64;
            let nodes = 1000 * depth * (1 + off);
            Some(format!("{{\"depth\":{depth},\"nodes\":{nodes},\"seconds\":0.5,\"first_move_share\":0.9}}\n"))
        }
        _ => None,
    }
}

fn line(tunable: &engine::params::Tunable) -> String {
    let engine::params::Tunable { name, default, min, max, step, is_switch } = tunable;
    if *is_switch {
        format!("switch {name} {default}\n")
    } else {
        format!("number {name} {default} {min} {max} {step}\n")
    }
}

/// The tunables as UCI options.
pub(crate) fn options() -> String {
    ALL.iter().map(|tunable| format!("option name {} type string default x\n", tunable.name)).collect()
}
