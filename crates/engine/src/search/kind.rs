//! Three kinds of node, known at compile time, so that each gets code of its own. On the principal variation the window is open and
//! everything is done with care; elsewhere it is closed.

/// A kind of node.
pub(crate) trait Node {
    const PV: bool;
    const ROOT: bool;
    /// What its first child is.
    type Next: Node;
}

/// Where search begins.
pub(crate) struct Root;
/// On the principal variation.
pub(crate) struct Pv;
/// Off it: the window is closed.
pub(crate) struct Scout;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Next = Pv;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Next = Pv;
}

impl Node for Scout {
    const PV: bool = false;
    const ROOT: bool = false;
    type Next = Scout;
}
