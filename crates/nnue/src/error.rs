//! What can be wrong with a network.

use std::fmt;
use std::io;

/// Why there is no network. Each error has its own text for the user.
#[derive(Debug)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file could not be read or written.
    Io(io::Error),
    /// It is not a file but a folder, a pipe or a device.
    NotAFile,
    /// The file is larger than any network.
    Oversized,
    /// The file is not a network.
    Magic,
    /// The file has a version of the format that this program does not support.
    Version(u32),
    /// The file ends too early.
    Truncated,
    /// The file continues after its end.
    TooLong(usize),
    /// The checksum does not match the contents.
    Checksum,
    /// A text in the file is not UTF-8.
    Text,
    /// A layer has a number type that this program does not support.
    LayerType(String, u32),
    /// A layer's shape makes no sense.
    LayerShape(String),
    /// Two layers have the same name.
    Repeated(String),
    /// A layer is missing.
    Missing(&'static str),
    /// A layer has the wrong number type.
    WrongType(&'static str),
    /// A layer has the wrong shape: which layer, found, expected.
    WrongShape(&'static str, Vec<usize>, Vec<usize>),
    /// The first layer has a number of neurons that the engine cannot run.
    Hidden(usize),
    /// A number in this layer is too large for exact arithmetic.
    TooLarge(&'static str, i32),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NotAFile => f.write_str("this is not a regular file"),
            Self::Oversized => f.write_str("the file is too large for a network"),
            Self::Magic => f.write_str("not a network of Stillwater"),
            Self::Version(version) => write!(f, "version {version} of the network format is unknown"),
            Self::Truncated => f.write_str("the network is cut short"),
            Self::TooLong(extra) => write!(f, "{extra} bytes follow the end of the network"),
            Self::Checksum => f.write_str("the checksum is wrong: the network is damaged"),
            Self::Text => f.write_str("a name in the network is not text"),
            Self::LayerType(name, kind) => write!(f, "layer {name} has numbers of the unknown kind {kind}"),
            Self::LayerShape(name) => write!(f, "layer {name} has an impossible shape"),
            Self::Repeated(name) => write!(f, "layer {name} is there twice"),
            Self::Missing(name) => write!(f, "layer {name} is missing"),
            Self::WrongType(name) => write!(f, "layer {name} has numbers of the wrong kind"),
            Self::WrongShape(name, found, expected) => {
                write!(f, "layer {name} has the shape {found:?} instead of {expected:?}")
            }
            Self::Hidden(size) => {
                write!(f, "{size} hidden neurons are not supported, only {:?}", crate::arch::HIDDEN_SIZES)
            }
            Self::TooLarge(name, number) => write!(f, "layer {name} has {number}, which is out of range"),
        }
    }
}

impl std::error::Error for NetworkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for NetworkError {
    fn from(error: io::Error) -> NetworkError {
        NetworkError::Io(error)
    }
}
