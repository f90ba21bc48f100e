//! The laboratory of move ordering: ideas from the literature that were measured and lost. Only builds with the feature
//! `tune` include them, each behind a switch; a normal build contains none of their code or data.
//!
//! Each idea has its own file, so that it can be judged, kept or thrown away alone. `docs/EXPERIMENTS.md` lists what
//! each is worth. The search calls them on entering a node ([`Worker::enter_lab`]), when scoring moves
//! ([`Picker`](super::picker::Picker) calls [`hint`]), when a null move fails ([`Worker::note_threat`]) and after
//! searching a node ([`Worker::learn_in_lab`]): one line `lab!(…)` each. Their memory is kept with the histories.

#[cfg(feature = "tune")]
mod enhanced_cutoff;
#[cfg(feature = "tune")]
mod foresight;
#[cfg(feature = "tune")]
mod frequency;
#[cfg(feature = "tune")]
mod guard;
#[cfg(feature = "tune")]
mod hooks;
#[cfg(feature = "tune")]
mod oracle;
#[cfg(feature = "tune")]
mod reply;
#[cfg(feature = "tune")]
mod squares;
#[cfg(feature = "tune")]
mod threat;

#[cfg(feature = "tune")]
pub(crate) use hooks::{Histories, hint};

#[cfg(not(feature = "tune"))]
pub(crate) use super::history::Histories;

/// A line of the laboratory in the search: `lab!(x)` runs `x`, `lab!(return x)` ends the node if `x` is a score.
#[cfg(feature = "tune")]
macro_rules! lab {
    (return $score:expr) => {
        if let Some(score) = $score {
            return score;
        }
    };
    ($hook:expr) => {
        $hook
    };
}

#[cfg(not(feature = "tune"))]
macro_rules! lab {
    ($($hook:tt)*) => {};
}

/// The numbers and switches of the search, followed by those of the laboratory. A number has no effect unless the
/// switch of that name is on.
#[cfg(feature = "tune")]
macro_rules! params_with_lab {
    (numbers { $($numbers:tt)* } switches { $($switches:tt)* }) => {
        params! {
            numbers {
                $($numbers)*
                lab_relative_weight = 8192, 0..=32768, step 1024;
                lab_butterfly_weight = 256, -1024..=1024, step 64;
                lab_square_weight = 32, 0..=256, step 8;
                lab_guard_weight = 256, 0..=1024, step 32;
                lab_threat_weight = 4096, 0..=16384, step 512;
                lab_reply_weight = 4096, 0..=16384, step 512;
                lab_recapture_weight = 2048, 0..=16384, step 256;
                enhanced_cutoff_depth = 4, 1..=12, step 1;
                oracle_width = 10, 0..=200, step 5;
                oracle_seed = 1, 0..=1000000, step 1;
            }
            switches {
                $($switches)*
                relative_history = false;
                butterfly_history = false;
                refutation_table = false;
                last_best_reply = false;
                square_ordering = false;
                threat_move = false;
                threat_extension = false;
                guard_heuristic = false;
                enhanced_cutoff = false;
                recapture_ordering = false;
                oracle = false;
                free_foresight = false;
            }
        }
    };
}

#[cfg(not(feature = "tune"))]
macro_rules! params_with_lab {
    ($($params:tt)*) => { params! { $($params)* } };
}
