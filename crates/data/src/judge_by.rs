//! Chooses the evaluation for self-play and rescoring: the engine's default, the hand-crafted one or a given network.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use engine::{Engine, Network};

/// The value of the engine's option `EvalFile` that selects the hand-crafted evaluation.
const BY_HAND: &str = "<none>";

/// The engine's evaluation.
#[derive(Clone, Default, Debug)]
pub enum JudgeBy {
    /// The built-in network, or the hand-crafted evaluation if there is none.
    #[default]
    Usual,
    /// The hand-crafted evaluation.
    Hand,
    /// This network.
    Network(Arc<Network>),
}

impl JudgeBy {
    /// Reads a network, unless there is no name or it is the one that selects the hand-crafted evaluation.
    pub fn named(name: Option<&Path>) -> Result<JudgeBy> {
        match name {
            None => Ok(JudgeBy::Usual),
            Some(name) if name == Path::new(BY_HAND) => Ok(JudgeBy::Hand),
            Some(path) => {
                let network =
                    Network::read(path).with_context(|| format!("cannot use the network {}", path.display()))?;
                Ok(JudgeBy::Network(Arc::new(network)))
            }
        }
    }

    /// Its description: the network's own, or that there is none.
    #[must_use]
    pub fn describe(&self) -> String {
        match self.engine().network() {
            Some(network) => format!("network {:08x}: {}", network.checksum(), network.description()),
            None => BY_HAND.to_owned(),
        }
    }

    /// An engine that evaluates this way.
    #[must_use]
    pub fn engine(&self) -> Engine {
        let mut engine = Engine::new();
        match self {
            JudgeBy::Usual => {}
            JudgeBy::Hand => engine.set_network(None),
            JudgeBy::Network(network) => engine.set_network(Some(Arc::clone(network))),
        }
        engine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_choose_the_evaluation() {
        assert!(JudgeBy::named(Some(Path::new(BY_HAND))).expect("always there").engine().network().is_none());
        let usual = JudgeBy::named(None).expect("always there").engine();
        assert_eq!(usual.network().is_some(), Engine::new().network().is_some());
        let error = JudgeBy::named(Some(Path::new("no such file"))).expect_err("there is none");
        assert!(format!("{error:#}").contains("no such file"));
    }
}
