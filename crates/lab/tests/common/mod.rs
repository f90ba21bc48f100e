//! A directory of its own for each test, gone when the test is.

use std::fs;
use std::path::PathBuf;

pub(crate) struct Room(pub(crate) PathBuf);

impl Room {
    /// An empty one.
    pub(crate) fn empty(name: &str) -> Room {
        let path = std::env::temp_dir().join(format!("lab-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory");
        Room(path)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
