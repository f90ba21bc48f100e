//! Binds the engines of a game to processor cores. A process inherits its cores from the thread that starts it, so a
//! worker binds itself before it starts any engine. Works on Linux only.

use anyhow::{Result, bail};

/// Gives each of `games` concurrent games `each` cores of its own; no two games share a core.
pub(crate) fn shares(games: usize, each: usize) -> Result<Vec<Vec<usize>>> {
    if each == 0 {
        bail!("a game needs at least one core");
    }
    let cores = available()?;
    if games.saturating_mul(each) > cores.len() {
        bail!("{games} games at a time with {each} cores each need more than the {} cores there are", cores.len());
    }
    Ok(cores.chunks_exact(each).take(games).map(<[usize]>::to_vec).collect())
}

/// The cores that this process may use.
#[cfg(target_os = "linux")]
pub(crate) fn available() -> Result<Vec<usize>> {
    use nix::sched::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(nix::unistd::Pid::from_raw(0))?;
    Ok((0..CpuSet::count()).filter(|&core| set.is_set(core).unwrap_or(false)).collect())
}

/// Binds this thread, and every process it starts, to the given cores.
#[cfg(target_os = "linux")]
pub(crate) fn bind(cores: &[usize]) -> Result<()> {
    use nix::sched::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    cores.iter().try_for_each(|&core| set.set(core))?;
    Ok(sched_setaffinity(nix::unistd::Pid::from_raw(0), &set)?)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn available() -> Result<Vec<usize>> {
    bail!("only Linux can bind threads and engines to cores")
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn bind(_: &[usize]) -> Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn processes_inherit_the_cores_of_their_worker() {
        let shares = shares(1, 1).expect("one core");
        let share = shares[0].clone();
        let seen = std::thread::spawn(move || {
            bind(&share).expect("it can be bound");
            let status = std::process::Command::new("cat").arg("/proc/self/status").output().expect("cat runs");
            let text = String::from_utf8_lossy(&status.stdout).into_owned();
            text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).map(|list| list.trim().to_owned())
        });
        assert_eq!(seen.join().expect("no panic"), Some(shares[0][0].to_string()));
        assert!(super::shares(1, 0).is_err() && super::shares(usize::MAX, 2).is_err());
    }
}
