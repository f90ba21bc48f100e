//! `serve --open`: opens the page in the user's browser.

use std::process::{Command, Stdio};

/// Opens an address; the error says why it is not possible.
pub(super) fn open(address: &str) -> Result<(), String> {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "windows") {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program)
        .args(arguments)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match started {
        Ok(mut child) => {
            // Without a wait, the child would remain as a zombie process.
            std::thread::spawn(move || child.wait());
            Ok(())
        }
        Err(error) => Err(format!("cannot open a browser ({program}: {error}); open the address yourself")),
    }
}
