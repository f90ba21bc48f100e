//! Accepts connections, and drops those that never send a complete request.
//!
//! A client that connects and sends half a request would occupy a slot for nothing. So the number of connections is
//! bounded, and each has a few seconds to send the head of its next request. WebSockets have their own timeouts
//! (`connection.rs`).

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

/// How long the head of a request may take, including the wait for it.
const HEAD: Duration = Duration::from_secs(10);
/// The largest request head; a browser sends some hundred bytes.
const LARGEST_HEAD: usize = 16 << 10;
/// Connections beyond the open boards: pages being loaded, and idle ones.
const SPARE: usize = 256;
/// How long to wait when the system has no room for another connection.
const RECOVERY: Duration = Duration::from_millis(200);

/// Accepts connections without end.
pub(super) async fn accept(listener: TcpListener, router: Router, sessions: usize) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(sessions + SPARE));
    loop {
        let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(answer(stream, router.clone(), place))),
            // The client has already disconnected.
            Err(error) if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset) => {}
            Err(_) => sleep(RECOVERY).await,
        }
    }
}

async fn answer(stream: TcpStream, router: Router, place: OwnedSemaphorePermit) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    // Any error is on the client's side, and there is nowhere to report it.
    let _ = connection.await;
    drop(place);
}
