//! The normal equations of a least-squares step: accumulated position by position, then solved by Cholesky
//! factorisation.

use super::model::{PAIRS, Slopes};

/// Sums of products of derivatives, and of derivatives with errors.
pub(super) struct Normal {
    /// Products of the halves of two weights, the first index not above the second; four numbers per pair of weights,
    /// so that one vector instruction adds them.
    products: Vec<[f64; 4]>,
    /// Derivatives times errors. [weight][half]
    pub(super) gradient: Vec<[f64; 2]>,
    /// The sum of squared errors.
    pub(super) loss: f64,
}

impl Normal {
    pub(super) fn new() -> Normal {
        Normal { products: vec![[0.0; 4]; PAIRS * PAIRS], gradient: vec![[0.0; 2]; PAIRS], loss: 0.0 }
    }

    /// Adds one position: its error, and the derivative of that error by the weights, which is `rate` times its slopes.
    pub(super) fn add(&mut self, slopes: &Slopes, rate: f64, error: f64) {
        self.loss += error * error;
        for (place, &(first, slope)) in slopes.iter().enumerate() {
            let [middle, end] = slope.map(|slope| slope * rate);
            self.gradient[first][0] += middle * error;
            self.gradient[first][1] += end * error;
            let (middle, end) = (middle * rate, end * rate);
            let row = &mut self.products[first * PAIRS..(first + 1) * PAIRS];
            for &(second, [other_middle, other_end]) in &slopes[place..] {
                let cell = &mut row[second];
                let products = [middle * other_middle, middle * other_end, end * other_middle, end * other_end];
                cell.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
            }
        }
    }

    pub(super) fn absorb(&mut self, other: &Normal) {
        self.loss += other.loss;
        for (sum, add) in self.products.iter_mut().zip(&other.products) {
            sum.iter_mut().zip(add).for_each(|(sum, add)| *sum += add);
        }
        for (sum, add) in self.gradient.iter_mut().zip(&other.gradient) {
            sum.iter_mut().zip(add).for_each(|(sum, add)| *sum += add);
        }
    }

    /// The step that would minimise the sum of squared errors if errors were linear: solves (products + stiffness) ·
    /// step = -pull. `stiffness` and `pull` are given for each half of each weight. None if there is no unique
    /// solution.
    pub(super) fn solve(&self, stiffness: &[[f64; 2]], pull: &[[f64; 2]]) -> Option<Vec<[f64; 2]>> {
        let size = 2 * PAIRS;
        let mut matrix = vec![0.0; size * size];
        for (place, cell) in self.products.iter().enumerate() {
            let (first, second) = (place / PAIRS, place % PAIRS);
            // Only the lower triangle is needed, and only ordered pairs are filled.
            for (half, &product) in cell.iter().enumerate().filter(|_| first <= second) {
                // On the diagonal both mixed products are equal.
                let (row, column) = (2 * second + half % 2, 2 * first + half / 2);
                matrix[row.max(column) * size + row.min(column)] = product;
            }
        }
        for (place, stiffness) in stiffness.iter().flatten().enumerate() {
            matrix[place * size + place] += stiffness;
        }
        let mut solution: Vec<f64> = pull.iter().flatten().map(|pull| -pull).collect();
        factorise(&mut matrix, size)?;
        substitute(&matrix, &mut solution);
        Some(solution.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
    }
}

/// Turns the lower triangle of a positive definite matrix into its Cholesky factor.
fn factorise(matrix: &mut [f64], size: usize) -> Option<()> {
    for row in 0..size {
        let (above, this) = matrix.split_at_mut(row * size);
        for column in 0..row {
            let other = &above[column * size..column * size + column + 1];
            let dot: f64 = this[..column].iter().zip(other).map(|(a, b)| a * b).sum();
            this[column] = (this[column] - dot) / other[column];
        }
        let square = this[row] - this[..row].iter().map(|a| a * a).sum::<f64>();
        if square <= 0.0 || !square.is_finite() {
            return None;
        }
        this[row] = square.sqrt();
    }
    Some(())
}

/// Solves by forward and back substitution with a Cholesky factor.
fn substitute(factor: &[f64], solution: &mut [f64]) {
    let size = solution.len();
    for row in 0..size {
        let known: f64 = (0..row).map(|column| factor[row * size + column] * solution[column]).sum();
        solution[row] = (solution[row] - known) / factor[row * size + row];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|below| factor[below * size + row] * solution[below]).sum();
        solution[row] = (solution[row] - known) / factor[row * size + row];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolkit::Rng;

    #[test]
    fn a_known_solution_is_found() {
        // The errors are exactly linear in a few weights: one step must find them.
        let mut rng = Rng::new(3);
        let truth = [(2, [1.5, -4.0]), (5, [0.25, 3.0]), (9, [-2.0, 0.5])];
        let [mut one, mut two] = [Normal::new(), Normal::new()];
        for number in 0..400 {
            let slopes: Slopes =
                truth.iter().map(|&(index, _)| (index, [rng.unit() - 0.5, rng.unit() - 0.5])).collect();
            let error: f64 = slopes.iter().zip(truth).map(|((_, [a, b]), (_, [x, y]))| -(a * x + b * y) * 0.1).sum();
            let part = if number % 2 == 0 { &mut one } else { &mut two };
            part.add(&slopes, 0.1, error);
        }
        one.absorb(&two);
        let step = one.solve(&vec![[1e-9; 2]; PAIRS], &one.gradient).expect("a solution");
        for (index, expected) in truth {
            for half in 0..2 {
                assert!((step[index][half] - expected[half]).abs() < 1e-4, "{index}: {:?}", step[index]);
            }
        }
        assert_eq!(step[3], [0.0; 2], "what never counts is not moved");
        assert!(one.solve(&vec![[0.0; 2]; PAIRS], &one.gradient).is_none(), "without a prior nothing holds the others");
    }
}
