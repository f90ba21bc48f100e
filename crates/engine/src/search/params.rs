//! Every number and every switch of the search, one line each.
//!
//! In a normal build each is a constant and costs nothing. With the feature `tune` each is a variable that the
//! laboratory sets through UCI: numbers to tune them, switches to measure what a heuristic is worth.
//! Suffixes: `_base` is what a formula starts from, `_margin` a distance between scores, `_depth` the depth a rule is
//! limited to, `_scale` a factor in 1/1024 unless said otherwise.

/// A number or switch of the search.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// Its default.
    pub default: i32,
    /// The smallest sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
    /// How far a tuner should step.
    pub step: i32,
    /// Whether it is a switch: 0 off, 1 on.
    pub is_switch: bool,
}

macro_rules! params {
    (
        numbers { $($number:ident = $default:literal, $min:literal ..= $max:literal, step $step:literal;)* }
        switches { $($switch:ident = $on:literal;)* }
    ) => {
        /// All numbers and switches.
        pub const ALL: &[Tunable] = &[
            $(Tunable { name: stringify!($number), default: $default, min: $min, max: $max, step: $step, is_switch: false },)*
            $(Tunable { name: stringify!($switch), default: $on as i32, min: 0, max: 1, step: 1, is_switch: true },)*
        ];

        #[cfg(not(feature = "tune"))]
        mod values {
            $(#[inline(always)] pub(crate) const fn $number() -> i32 { $default })*
            $(#[inline(always)] pub(crate) const fn $switch() -> bool { $on })*
        }

        #[cfg(feature = "tune")]
        mod values {
            use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

            #[allow(non_upper_case_globals, reason = "named like the functions that read them")]
            mod cell {
                use super::AtomicI32;
                $(pub(super) static $number: AtomicI32 = AtomicI32::new($default);)*
                $(pub(super) static $switch: AtomicI32 = AtomicI32::new($on as i32);)*
            }

            $(#[inline(always)] pub(crate) fn $number() -> i32 { cell::$number.load(Relaxed) })*
            $(#[inline(always)] pub(crate) fn $switch() -> bool { cell::$switch.load(Relaxed) != 0 })*

            /// Sets a number or switch by name. Returns whether it exists and the value is in its range.
            pub fn set(name: &str, value: i32) -> bool {
                let in_range = super::ALL.iter().any(|p| p.name == name && (p.min..=p.max).contains(&value));
                let cell = match name {
                    $(stringify!($number) => &cell::$number,)*
                    $(stringify!($switch) => &cell::$switch,)*
                    _ => return false,
                };
                if in_range {
                    cell.store(value, Relaxed);
                }
                in_range
            }
        }

        #[cfg(feature = "tune")]
        pub use values::set;
        pub(crate) use values::*;
    };
}

params_with_lab! {
    numbers {
        // Aspiration windows
        aspiration_depth = 4, 2..=8, step 1;
        aspiration_width = 23, 5..=40, step 3;
        aspiration_growth = 45, 10..=150, step 10;

        // Reverse futility
        rfp_depth = 9, 4..=12, step 1;
        rfp_margin = 105, 30..=150, step 8;
        rfp_improving = 75, 0..=120, step 8;
        rfp_doubt = 40, 0..=128, step 8;

        // Razoring
        razor_depth = 4, 1..=6, step 1;
        razor_base = 283, 50..=500, step 30;
        razor_margin = 199, 50..=400, step 25;

        // Null move
        nmp_base = 4, 2..=6, step 1;
        nmp_depth_divisor = 4, 2..=8, step 1;
        nmp_eval_divisor = 187, 80..=400, step 20;
        nmp_eval_max = 3, 1..=6, step 1;
        nmp_margin = 165, 0..=400, step 25;
        nmp_margin_depth = 20, 0..=40, step 3;
        nmp_verification_depth = 15, 8..=30, step 2;

        // ProbCut
        probcut_depth = 5, 3..=9, step 1;
        probcut_margin = 198, 80..=350, step 20;
        probcut_improving = 65, 0..=120, step 10;

        // Internal iterative reduction
        iir_depth = 4, 2..=8, step 1;

        // Pruning of late and hopeless moves
        lmp_base = 3, 1..=8, step 1;
        futility_depth = 9, 4..=14, step 1;
        futility_base = 100, 20..=250, step 15;
        futility_margin = 79, 40..=200, step 10;
        futility_doubt = 32, 0..=128, step 8;
        see_quiet_margin = 31, 8..=60, step 4;
        see_noisy_margin = 99, 40..=200, step 10;
        noisy_futility_depth = 7, 3..=10, step 1;
        noisy_futility_base = 155, 60..=450, step 25;
        noisy_futility_margin = 239, 60..=400, step 25;
        history_pruning_depth = 5, 2..=9, step 1;
        history_pruning_margin = 3300, 1000..=8000, step 400;

        // Singular extensions
        singular_depth = 7, 4..=10, step 1;
        singular_margin = 70, 16..=160, step 8;
        double_margin = 19, 4..=60, step 4;
        double_limit = 10, 2..=20, step 2;

        // Late move reductions, in 1/1024 plies
        lmr_base = 880, 200..=1800, step 80;
        lmr_divisor = 2147, 1400..=3600, step 120;
        lmr_noisy_base = 147, 0..=1200, step 80;
        lmr_noisy_divisor = 3398, 2000..=5600, step 200;
        lmr_cut_node = 1478, 500..=3000, step 150;
        lmr_no_tt_move = 800, 0..=2000, step 120;
        lmr_tt_deep = 500, 0..=2000, step 120;
        lmr_doubt = 80, 0..=400, step 20;
        lmr_not_improving = 695, 0..=2000, step 120;
        lmr_tt_noisy = 980, 0..=2000, step 120;
        lmr_pv = 927, 0..=2200, step 120;
        lmr_tt_pv = 978, 0..=2400, step 120;
        lmr_killer = 989, 0..=2200, step 120;
        lmr_check = 616, 0..=2200, step 120;
        lmr_cutoffs = 976, 0..=2200, step 120;
        lmr_history = 9174, 3000..=20000, step 700;
        lmr_deeper_margin = 45, 10..=150, step 8;

        // Histories
        history_bonus = 169, 60..=400, step 20;
        history_bonus_offset = 70, 0..=300, step 20;
        history_bonus_max = 1700, 600..=3200, step 150;
        history_malus = 227, 60..=400, step 20;
        history_malus_offset = 90, 0..=300, step 20;
        history_malus_max = 1500, 600..=3200, step 150;

        // History of the move that led here, by the change of the static evaluation: eighths, value of a tempo, limit
        swing_scale = 64, 0..=200, step 8;
        swing_offset = 12, 0..=60, step 4;
        swing_max = 600, 100..=1600, step 60;

        // Order of quiet moves: the bonus for a check; minus the history per ply from which moves are sorted at depth 1
        // and 2
        check_ordering = 9000, 0..=24000, step 1200;
        sort_limit = 4000, 0..=12000, step 500;

        // Policy: the least depth at which it is asked; what a logit of one is worth in the order of quiet moves, and in
        // reductions, in 1/1024 plies
        policy_depth = 2, 1..=8, step 1;
        policy_order = 8000, 0..=60000, step 2000;
        policy_reduction = 200, 0..=1500, step 100;

        // Confidence: how much of its effect on margins is used, in 1/64
        confidence_weight = 64, 0..=128, step 8;

        // Hindsight
        hindsight_margin = 54, 0..=160, step 8;

        // Corrections of the static evaluation, weights in 1/1024
        correction_pawn = 79, 0..=200, step 10;
        correction_minor = 50, 0..=200, step 10;
        correction_non_pawn = 73, 0..=200, step 10;
        correction_continuation = 53, 0..=200, step 10;

        // Scaling of the evaluation: the half-move clock at which the score would reach zero; the factor of the
        // network's value with bare kings, and what each unit of material adds to it, in 1/1024
        fifty_range = 200, 120..=400, step 20;
        net_scale_base = 817, 500..=1100, step 30;
        net_scale_material = 4, 0..=10, step 1;

        // Quiescence
        quiesce_futility = 186, 60..=450, step 20;
        quiesce_see = -30, -150..=50, step 15;
        quiesce_evasion = 4000, -4000..=12000, step 800;
        quiesce_check = -1000, -8000..=8000, step 800;

        // Time, in per cent
        time_optimum = 100, 50..=200, step 10;
    }
    switches {
        // The foundations, changed only on the lower rungs of the ladder.
        random_mover = false;
        iterative_deepening = true;
        alpha_beta = true;
        quiescence = true;
        game_end = true;
        repetition = true;
        hash_table = true;
        victim_ordering = true;
        exchange_ordering = true;
        tuned_reduction = true;
        alpha_reduction = true;
        piece_square_eval = true;
        threat_eval = true;
        positional_eval = true;

        tt_cutoff = true;
        killers = true;
        mate_killers = true;
        countermove = true;
        piece_to_history = true;
        from_to_history = true;
        continuation_history = true;
        pawn_history = true;
        capture_history = true;
        threat_ordering = true;
        threat_history = true;
        correction_history = true;
        aspiration = true;
        razoring = true;
        reverse_futility = true;
        null_move = true;
        null_verification = true;
        probcut = true;
        iir = true;
        late_move_pruning = true;
        futility = true;
        see_pruning = true;
        history_pruning = false;
        singular = true;
        double_extension = true;
        negative_extension = true;
        multi_cut = true;
        check_extension = false;
        recapture_extension = false;
        late_move_reduction = true;
        pvs = true;
        improving_heuristic = true;
        hindsight = true;
        quiesce_pruning = true;
        quiesce_checks = true;
        upcoming_repetition = true;
        root_by_nodes = true;
        mate_proof = true;

        // Guidance by the network; see EXPERIMENTS 94 to 97.
        policy_ordering = false;
        policy_selectivity = false;
        confidence = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges() {
        for p in ALL {
            assert!((p.min..=p.max).contains(&p.default) && p.step > 0 && p.min < p.max, "{p:?}");
        }
        let mut names: Vec<_> = ALL.iter().map(|p| p.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
    }
}
