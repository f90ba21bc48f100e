//! `stillwater serve`: a board in the browser, for playing and for analysis.
//!
//! The page (`page/`) draws and handles mouse, touch and keyboard; it implements no rule of chess. It asks the server
//! about rules over a WebSocket (`connection`). Each tab has a `session`, which answers with its own `game` and engines
//! borrowed from one small `pool`. `guard` keeps other websites out; `docs/SERVE.md` describes the messages.

mod accept;
mod ask;
mod assets;
mod browser;
mod clock;
mod connection;
mod explorer;
mod game;
mod guard;
mod job;
mod library;
mod lines;
mod message;
mod pgn;
mod pool;
mod remark;
mod review;
mod session;
mod shelf;
mod tree;

use std::io::{ErrorKind, Write as _, stdout};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use axum::Router;
use axum::extract::{State, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::Semaphore;

use connection::Connection;
use library::Library;
use pool::Pool;
use session::Session;

/// Open a board in the browser, for play and analysis
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The port to listen on; 0 takes any free port
    #[arg(long, default_value_t = 8064, allow_negative_numbers = true)]
    port: u16,
    /// The address to listen on. Only this machine can reach the default; 0.0.0.0 lets the whole network in
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// An additional name by which browsers may call this machine
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// How many tabs may be open at once
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=1000))]
    sessions: u16,
    /// How many searches run at once; others take turns. As many as there are cores, but at most four, unless given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=64))]
    engines: Option<u16>,
    /// The most threads for one search. As many as there are cores, unless given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The most hash for one search, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// The most seconds for one search
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    time: u32,
    /// After how many idle seconds a tab is closed
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = clap::value_parser!(u32).range(1..=604_800))]
    idle: u32,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Show the moves of this Polyglot book
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Show the moves played in the games of this file (PGN)
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Use the Syzygy tablebases of these directories, for the engine and for the page
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
}

/// The limits of every session.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    threads: u16,
    hash: u32,
    time: Duration,
    idle: Duration,
}

/// The largest message accepted: room for a long PGN, not for a flood.
const LARGEST_MESSAGE: usize = 1 << 20;

/// Threads for reading PGN besides those that search, so that a game can be loaded while all engines are busy.
const READERS: usize = 2;

/// What all connections share.
struct House {
    pool: Arc<Pool>,
    library: Arc<Library>,
    bounds: Bounds,
    places: Arc<Semaphore>,
    sessions: usize,
    names: Vec<String>,
}

/// Serves until the program ends.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let engines = options.engines.map_or(cores.min(4), usize::from);
    let (library, notes) = Library::open(options.book.as_ref(), options.games.as_ref(), options.syzygy.as_deref())?;
    let house = Arc::new(House {
        pool: Pool::new(engines, options.syzygy.clone().unwrap_or_default()),
        library: Arc::new(library),
        bounds: Bounds {
            threads: options.threads.unwrap_or(u16::try_from(cores).unwrap_or(u16::MAX)),
            hash: options.hash,
            time: Duration::from_secs(options.time.into()),
            idle: Duration::from_secs(options.idle.into()),
        },
        places: Arc::new(Semaphore::new(options.sessions.into())),
        sessions: options.sessions.into(),
        names: options.name.iter().map(|name| name.to_ascii_lowercase()).collect(),
    });
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(engines + READERS)
        .enable_all()
        .build()
        .context("cannot start the server")?;
    runtime.block_on(async {
        let listener = listen(SocketAddr::new(options.host, options.port)).await?;
        greet(listener.local_addr().context("cannot tell where the server listens")?, &notes, options.open)?;
        let sessions = house.sessions;
        accept::accept(listener, router(house), sessions).await.context("the server has ended")
    })
}

async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow!(
            "cannot listen on {address}: another program uses this port; choose another one with --port (0 takes any that is free)"
        ),
        ErrorKind::PermissionDenied => {
            anyhow!("cannot listen on {address}: this port is not for everybody; choose one above 1023 with --port")
        }
        ErrorKind::AddrNotAvailable => {
            anyhow!("cannot listen on {address}: this machine has no such address; leave --host out for this machine only")
        }
        _ => anyhow!("cannot listen on {address}: {error}"),
    })
}

/// Prints the server's address and its notes, and opens the page if requested.
fn greet(address: SocketAddr, notes: &[String], open: bool) -> std::io::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "Stillwater is at http://{address}/ (Ctrl+C ends it)")?;
    if !address.ip().is_loopback() {
        writeln!(out, "Whoever can reach this address can use the engine; there is no password.")?;
    }
    for note in notes {
        writeln!(out, "{note}")?;
    }
    if open {
        // The unspecified address stands for all addresses of this machine, and a browser cannot open it.
        let host = if address.ip().is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { address.ip() };
        if let Err(problem) = browser::open(&format!("http://{}/", SocketAddr::new(host, address.port()))) {
            writeln!(out, "{problem}")?;
        }
    }
    out.flush()
}

fn router(house: Arc<House>) -> Router {
    let mut router = Router::new().route("/ws", get(enter));
    for file in &assets::FILES {
        router = router.route(file.path, get(move || async move { assets::answer(file) }));
    }
    router
        .fallback(|| async { (StatusCode::NOT_FOUND, "There is nothing here. The board is at /\n") })
        .layer(middleware::from_fn_with_state(Arc::clone(&house), guard::check))
        .layer(middleware::map_response(guard::protect))
        .with_state(house)
}

/// Opens a session, if there is a slot left.
async fn enter(State(house): State<Arc<House>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = Arc::clone(&house.places).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many boards are open. Close a tab and try again.\n")
            .into_response();
    };
    upgrade.max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE).on_upgrade(async move |socket| {
        let session = Session::new(Arc::clone(&house.pool), Arc::clone(&house.library), house.bounds);
        Connection::new(session, socket, house.bounds.idle).run().await;
        drop(place);
    })
}
