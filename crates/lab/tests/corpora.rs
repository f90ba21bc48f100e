//! Replays the corpora of the fuzzer (fuzz/, scripts/fuzz.sh) without its flags: what was once found stays mended.

#[path = "../../../fuzz/src/targets.rs"]
#[expect(unreachable_pub, reason = "the fuzzer uses it, too")]
mod targets;

use std::fs;
use std::path::Path;

#[test]
fn corpora_are_survived() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (name, run) in targets::TARGETS {
        let entries = fs::read_dir(corpus.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        assert!(!files.is_empty(), "{name} has no corpus");
        for path in files {
            run(&fs::read(&path).expect("a file"));
        }
        for bytes in [&b""[..], b"\0", b"\xff\xff\xff\xff", &[b'['; 3000], &[0; 3000]] {
            run(bytes);
        }
    }
}
