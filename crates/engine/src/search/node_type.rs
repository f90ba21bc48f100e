//! Three node types, known at compile time, so that each gets its own code. PV nodes have an open window and are pruned
//! with care; all other nodes have a zero window.

/// A node type.
pub(crate) trait NodeType {
    const PV: bool;
    const ROOT: bool;
    /// The type of the first child.
    type Next: NodeType;
}

/// The root.
pub(crate) struct Root;
/// A node on the principal variation.
pub(crate) struct Pv;
/// A node off the principal variation, with a zero window.
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
