//! What evaluates when the engine plays itself or searches old games again.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use engine::{Engine, Network};

/// The name of the evaluation written by hand, as the engine's option `EvalFile` has it.
const BY_HAND: &str = "<none>";

/// The engine's evaluation.
#[derive(Clone, Default, Debug)]
pub enum JudgeBy {
    /// The network that is built in, or else the evaluation written by hand.
    #[default]
    Usual,
    /// The evaluation written by hand.
    Hand,
    /// This network.
    Network(Arc<Network>),
}

impl JudgeBy {
    /// Reads a network, unless the name is that of the evaluation written by hand or there is none.
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

    /// What it is called: the network's own words, or that there is none.
    #[must_use]
    pub fn describe(&self) -> String {
        match self.engine().network() {
            Some(network) => format!("network {:08x}: {}", network.checksum(), network.description()),
            None => BY_HAND.to_owned(),
        }
    }

    /// An engine that evaluates so.
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
