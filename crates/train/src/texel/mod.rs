//! Tunes the hand-crafted evaluation on the engine's own games: Texel's method, solved by Gauss-Newton.
//!
//! Texel's method fits a sigmoid of the static evaluation to the results of games, here blended with search scores.
//! That is a least-squares problem with some nine hundred unknowns, nearly all of them linear. So instead of thousands
//! of small gradient steps, each step solves the normal equations. A dozen steps reach the optimum, there is no
//! learning rate to choose, and correlated weights (material, squares, mobility) are separated as well as the data
//! allow. Where the data do not, a prior holds a weight at its present value with the force of a given number of
//! positions.
//!
//! `games` reads, `positions` filters and packs, `model` evaluates and differentiates, `normal` solves, `fit` combines
//! them, and `source` writes the numbers back into the table they came from.

mod fit;
mod games;
mod model;
mod normal;
mod positions;
mod quiet;
pub mod source;

pub use fit::{Fit, Losses, Target, Wishes, rounded};
pub use games::{ScoredGame, load};
pub use model::{Weights, own_weights};
pub use positions::{Filter, Positions};
