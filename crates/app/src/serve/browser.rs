//! `serve --open`: asks the system to show the page in the user's browser.

use std::process::{Command, Stdio};

/// Shows an address; what is wrong if that is not possible.
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
            // Somebody has to wait for it, or it stays in the list of processes.
            std::thread::spawn(move || child.wait());
            Ok(())
        }
        Err(error) => Err(format!("cannot open a browser ({program}: {error}); open the address yourself")),
    }
}
