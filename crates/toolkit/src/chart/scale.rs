//! Maps values to pixels and places the ticks.

use std::cmp::Ordering;

/// A range of values and the range of pixels it maps to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// A scale that contains all finite values, ends at ticks, and maps to the given pixels; without any value it goes
    /// from 0 to 1.
    pub(super) fn new(values: impl Iterator<Item = f64>, pixels: (f64, f64)) -> Scale {
        let usable = values.filter(|value| value.is_finite());
        let (low, high) = usable.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = match low.total_cmp(&high) {
            Ordering::Less => (low, high),
            Ordering::Equal => (low - 0.5, high + 0.5),
            Ordering::Greater => (0.0, 1.0),
        };
        let step = nice_step(high - low, 6);
        Scale { low: (low / step).floor() * step, high: (high / step).ceil() * step, from: pixels.0, to: pixels.1 }
    }

    /// The pixel of a value; none if it cannot be drawn.
    pub(super) fn pixel(&self, value: f64) -> Option<f64> {
        let share = (value - self.low) / (self.high - self.low);
        share.is_finite().then(|| self.from + share.clamp(0.0, 1.0) * (self.to - self.from))
    }

    /// The pixel of a value; infinite values lie at the edge.
    pub(super) fn edge_pixel(&self, value: f64) -> Option<f64> {
        self.pixel(if value.is_nan() { value } else { value.clamp(self.low, self.high) })
    }

    /// The values of the ticks, with their labels.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let step = nice_step(self.high - self.low, 6);
        let digits = (-step.log10().floor()).max(0.0) as usize;
        let count = ((self.high - self.low) / step).round() as usize;
        let value = |index: usize| self.low + step * index as f64;
        // Adding zero turns minus zero into zero.
        let tick = |index| (value(index), format!("{:.digits$}", (value(index) / step).round() * step + 0.0));
        (0..=count).map(tick).collect()
    }
}

/// A step of 1, 2 or 5 times a power of ten that divides a range into about this many parts.
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
        let scale = Scale::new([3.0, 97.0].into_iter(), (0.0, 100.0));
        assert_eq!(labels(&scale), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(scale.pixel(50.0), Some(50.0));
        let scale = Scale::new([-0.13, 0.02].into_iter(), (100.0, 0.0));
        assert_eq!(labels(&scale), ["-0.15", "-0.10", "-0.05", "0.00", "0.05"]);
        assert!((scale.pixel(-0.15).expect("a pixel") - 100.0).abs() < 1e-9, "pixels may run the other way");
        assert_eq!((scale.edge_pixel(f64::INFINITY), scale.edge_pixel(f64::NAN)), (Some(0.0), None));
        assert_eq!(scale.pixel(f64::NAN), None);
    }

    #[test]
    fn odd_ranges_are_drawn_too() {
        for values in [vec![], vec![7.0], vec![f64::INFINITY], vec![1e-12, 2e-12], vec![-1e15, 1e15]] {
            let scale = Scale::new(values.iter().copied(), (0.0, 100.0));
            let ticks = scale.ticks();
            assert!((2..=20).contains(&ticks.len()), "{values:?}: {ticks:?}");
            assert!(ticks.iter().all(|(value, _)| scale.pixel(*value).is_some()), "{values:?}");
        }
    }
}
