//! Takes connections in, and lets go of those that never say what they want.
//!
//! Somebody who connects and sends half a request holds a place for nothing. So the number of connections is bounded, and each has a
//! few seconds to send the head of its next request. A WebSocket has times of its own (`connection.rs`).

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

/// How long the head of a request may take, the wait for it included.
const HEAD: Duration = Duration::from_secs(10);
/// A browser sends some hundred bytes.
const LARGEST_HEAD: usize = 16 << 10;
/// Connections beyond the open boards: pages being loaded, and those who wait for nothing.
const SPARE: usize = 256;
/// How long to wait when the system has no room for another connection.
const RECOVERY: Duration = Duration::from_millis(200);

/// Answers whoever comes, for ever.
pub(super) async fn accept(listener: TcpListener, router: Router, sessions: usize) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(sessions + SPARE));
    loop {
        let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(answer(stream, router.clone(), place))),
            // It has gone again.
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
    // Whatever went wrong went wrong on the other side, and nobody is there to be told.
    let _ = connection.await;
    drop(place);
}
