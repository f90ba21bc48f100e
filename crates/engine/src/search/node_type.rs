//! Three node types, known at compile time, so that each gets code of its own. On the principal variation the window is open and
//! everything is done with care; elsewhere it is closed.

/// A node type.
pub(crate) trait NodeType {
    const PV: bool;
    const ROOT: bool;
    /// What its first child is.
    type Next: NodeType;
}

/// Where search begins.
pub(crate) struct Root;
/// On the principal variation.
pub(crate) struct Pv;
/// Off it: the window is closed.
pub(crate) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Next = Pv;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Next = Pv;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Next = NonPv;
}
