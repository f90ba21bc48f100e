//! Tuning of the hand-written evaluation on the engine's own games: Texel's method, solved by Gauss and Newton.
//!
//! Texel's method asks that a sigmoid of the static evaluation predict how games end, here blended with what a search said
//! of the position. That is a least-squares problem with some nine hundred unknowns, nearly all of them linear. So instead
//! of descending the gradient in thousands of small steps, each step solves the normal equations: a dozen steps reach the
//! optimum, there is no learning rate to choose, and weights that go hand in hand (material, squares, mobility) are told
//! apart as well as the data allow. Where they do not, a prior holds a weight at its present value with the force of a given
//! number of positions.
//!
//! `games` reads, `positions` filters and packs, `model` values and differentiates, `normal` solves, `fit` puts it together,
//! `source` writes the numbers back into the table they came from.

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
