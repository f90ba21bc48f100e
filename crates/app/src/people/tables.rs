//! Tablebases for the commands that take `--syzygy`.

use engine::Engine;

/// Opens the tables and says on standard error what was found; does nothing without a path.
pub(crate) fn open(engine: &mut Engine, path: Option<&str>) {
    for message in path.map(|path| engine.set_syzygy_path(path)).unwrap_or_default() {
        eprintln!("stillwater: {message}");
    }
}
