//! Reads text, and replaces files atomically: a reader sees the old file or the new one, never half of one.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use record::pgn;

/// The largest text that is read, in bytes: larger than any real file of games, but a bound for endless devices.
const LARGEST_TEXT: u64 = 4 << 30;

/// The text of a file, whatever its encoding; `-` is standard input.
pub fn read_text(path: &Path) -> Result<String> {
    let read = || {
        let stdin = path == Path::new("-");
        if stdin { bounded(io::stdin().lock(), LARGEST_TEXT) } else { bounded(File::open(path)?, LARGEST_TEXT) }
    };
    let bytes = read().with_context(|| format!("cannot read {}", path.display()))?;
    Ok(pgn::decode(&bytes).with_context(|| path.display().to_string())?.into_owned())
}

/// The bytes of a file, which may have at most `most`.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let (file, _) = open(path)?;
    bounded(file, most).with_context(|| format!("cannot read {}", path.display()))
}

/// Opens a file and returns its length. It refuses pipes, which may never begin, and devices, which may never end.
pub fn open(path: &Path) -> Result<(File, u64)> {
    let open = || -> io::Result<(File, u64)> {
        if !fs::metadata(path)?.is_file() {
            return Err(not_a_file());
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok((file, length))
    };
    open().with_context(|| format!("cannot read {}", path.display()))
}

fn bounded(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let text = format!("it is longer than {} MB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    Ok(bytes)
}

fn not_a_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "this is not a regular file")
}

/// Replaces or creates a file atomically: at any moment, even after a kill, there is either the old file or the new
/// one. A symbolic link is followed, so its target is replaced. Anything but a regular file is left alone.
pub fn replace(path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    let mut draft = Draft::new(path)?;
    draft.write_all(contents.as_ref()).with_context(|| format!("cannot write {}", path.display()))?;
    draft.finish()
}

/// Checks that a file can be replaced or created, without changing anything: better before hours of work than after.
pub fn check(path: &Path) -> Result<()> {
    Draft::new(path).map(drop)
}

/// A file on its way to replace another: it is written next to it and renamed when it is complete. If dropped before
/// that, it leaves nothing behind.
#[derive(Debug)]
pub struct Draft {
    output: BufWriter<File>,
    /// The temporary path.
    draft: PathBuf,
    /// The final path, with all links followed.
    target: PathBuf,
}

impl Draft {
    /// Begins a file that will get this name.
    pub fn new(path: &Path) -> Result<Draft> {
        let begin = || -> io::Result<Draft> {
            let target = target(path)?;
            // The process id keeps two programs from writing into one draft.
            let draft = target.with_added_extension(format!("{}.part", std::process::id()));
            let file = File::create(&draft)?;
            Ok(Draft { output: BufWriter::with_capacity(1 << 20, file), draft, target })
        };
        begin().with_context(|| format!("cannot write {}", path.display()))
    }

    /// Syncs the file to disk and renames it.
    pub fn finish(mut self) -> Result<()> {
        self.output
            .flush()
            .and_then(|()| self.output.get_ref().sync_all())
            .and_then(|()| fs::rename(&self.draft, &self.target))
            .with_context(|| format!("cannot write {}", self.target.display()))
    }

    /// The temporary path.
    pub fn path(&self) -> &Path {
        &self.draft
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After `finish` it is already gone.
        let _ = fs::remove_file(&self.draft);
    }
}

/// The file that a path leads to. Renaming over a pipe, a device or a folder would destroy it, so these are refused.
fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(data) if data.is_file() => fs::canonicalize(path),
        Ok(_) => Err(not_a_file()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        // A link may point to a file that does not exist yet.
        Err(_) => match fs::read_link(path) {
            Ok(link) => Ok(path.parent().unwrap_or(Path::new("")).join(link)),
            Err(_) => Ok(path.to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("toolkit-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name().display().to_string()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_made_and_replaced() {
        let folder = folder("made");
        let path = folder.join("a b.txt");
        replace(&path, "one").expect("made");
        replace(&path, "two").expect("replaced");
        assert_eq!(read_text(&path).expect("text"), "two");
        let mut draft = Draft::new(&path).expect("a draft");
        draft.write_all(b"half").expect("written");
        drop(draft);
        assert_eq!((fs::read_to_string(&path).expect("text"), names(&folder)), ("two".into(), vec!["a b.txt".into()]));
        assert!(replace(&folder.join("no/such/folder"), "x").is_err());
        assert_eq!(read(&path, 3).expect("three bytes"), b"two");
        assert!(format!("{:#}", read(&path, 2).expect_err("too long")).contains("longer than"));
        assert_eq!(open(&path).expect("a file").1, 3);
        assert!(format!("{:#}", open(&folder).expect_err("a folder")).contains("not a regular file"));
        fs::remove_dir_all(&folder).expect("cleaned up");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_what_is_no_file_is_left_alone() {
        let folder = folder("links");
        fs::create_dir(folder.join("sub")).expect("a folder");
        std::os::unix::fs::symlink("sub/file", folder.join("link")).expect("a link");
        for text in ["made", "replaced"] {
            replace(&folder.join("link"), text).expect("through the link");
            assert_eq!(fs::read_to_string(folder.join("sub/file")).expect("text"), text);
        }
        assert!(fs::symlink_metadata(folder.join("link")).expect("the link").is_symlink());
        let error = replace(&folder.join("sub"), "x").expect_err("a folder");
        assert!(format!("{error:#}").contains("not a regular file"), "{error:#}");
        assert!(replace(Path::new("/dev/null"), "x").is_err());
        assert_eq!(names(&folder), ["link", "sub"]);
        assert_eq!(names(&folder.join("sub")), ["file"]);
        fs::remove_dir_all(&folder).expect("cleaned up");
    }
}
