//! From values to pixels, and where the ticks go.

/// A range of values and the range of pixels it is drawn on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    log: bool,
}

impl Scale {
    /// A scale that holds all values, ends at ticks, and is drawn from one pixel to another. On a logarithmic scale only
    /// positive values count; without any value it goes from 0 to 1 (or 1 to 10).
    #[must_use]
    pub fn new(values: impl Iterator<Item = f64>, pixels: (f64, f64), log: bool) -> Scale {
        let usable = values.filter(|&value| value.is_finite() && (!log || value > 0.0));
        let (low, high) = usable.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = match (low <= high, log) {
            (false, false) => (0.0, 1.0),
            (false, true) => (1.0, 10.0),
            (true, false) if low == high => (low - 0.5, high + 0.5),
            (true, _) => (low, high),
        };
        let (low, high) = if log {
            let (low, high) = (low.log10().floor(), high.log10().ceil());
            (10_f64.powf(low), 10_f64.powf(if low == high { high + 1.0 } else { high }))
        } else {
            let step = nice_step(high - low, 6);
            ((low / step).floor() * step, (high / step).ceil() * step)
        };
        Scale { low, high, from: pixels.0, to: pixels.1, log }
    }

    /// The pixel of a value; none for what cannot be drawn.
    #[must_use]
    pub fn pixel(&self, value: f64) -> Option<f64> {
        let share = if self.log {
            (value.log10() - self.low.log10()) / (self.high.log10() - self.low.log10())
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.is_finite().then(|| self.from + share.clamp(0.0, 1.0) * (self.to - self.from))
    }

    /// The pixel of a value, where the infinite lies at the edge.
    #[must_use]
    pub fn edge_pixel(&self, value: f64) -> Option<f64> {
        self.pixel(if value.is_nan() { value } else { value.clamp(self.low, self.high) })
    }

    /// The values at which ticks stand, with what is written beside them.
    #[must_use]
    pub fn ticks(&self) -> Vec<(f64, String)> {
        if self.log {
            let (low, high) = (self.low.log10().round() as i32, self.high.log10().round() as i32);
            let every = ((high - low) / 8 + 1) as usize;
            return (low..=high).step_by(every).map(|power| (10_f64.powi(power), power_text(power))).collect();
        }
        let step = nice_step(self.high - self.low, 6);
        let digits = (-step.log10().floor()).max(0.0) as usize;
        let count = ((self.high - self.low) / step).round() as usize;
        let value = |index: usize| self.low + step * index as f64;
        // Adding nothing turns a minus zero, which nobody wants to read, into zero.
        let tick = |index| (value(index), format!("{:.digits$}", (value(index) / step).round() * step + 0.0));
        (0..=count).map(tick).collect()
    }
}

fn power_text(power: i32) -> String {
    if (-3..=6).contains(&power) { format!("{}", 10_f64.powi(power)) } else { format!("1e{power}") }
}

/// A step of 1, 2 or 5 times a power of ten that divides a range into about so many parts.
fn nice_step(range: f64, parts: u32) -> f64 {
    let rough = (range / f64::from(parts)).max(f64::MIN_POSITIVE);
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough * 0.999).unwrap_or(10.0);
    factor * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let scale = Scale::new([3.0, 97.0].into_iter(), (0.0, 100.0), false);
        assert_eq!(labels(&scale), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(scale.pixel(50.0), Some(50.0));
        let scale = Scale::new([-0.13, 0.02].into_iter(), (100.0, 0.0), false);
        assert_eq!(labels(&scale), ["-0.15", "-0.10", "-0.05", "0.00", "0.05"]);
        assert!((scale.pixel(-0.15).expect("a pixel") - 100.0).abs() < 1e-9, "pixels may run the other way");
        assert_eq!((scale.edge_pixel(f64::INFINITY), scale.edge_pixel(f64::NAN)), (Some(0.0), None));
        let scale = Scale::new([0.02, 300.0, -1.0, f64::NAN].into_iter(), (0.0, 5.0), true);
        assert_eq!(labels(&scale), ["0.01", "0.1", "1", "10", "100", "1000"]);
        assert!((scale.pixel(1.0).expect("a pixel") - 2.0).abs() < 1e-9);
        assert_eq!((scale.pixel(f64::NAN), scale.pixel(-1.0)), (None, None));
    }

    #[test]
    fn odd_ranges_are_drawn_too() {
        for values in [vec![], vec![7.0], vec![f64::INFINITY], vec![1e-12, 2e-12], vec![-1e15, 1e15]] {
            for log in [false, true] {
                let scale = Scale::new(values.iter().copied(), (0.0, 100.0), log);
                let ticks = scale.ticks();
                assert!((2..=20).contains(&ticks.len()), "{values:?}: {ticks:?}");
                assert!(ticks.iter().all(|(value, _)| scale.pixel(*value).is_some()), "{values:?}");
            }
        }
    }
}
