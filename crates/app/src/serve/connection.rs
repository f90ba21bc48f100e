//! The WebSocket of a session: frames in and out, and the timeouts after which a tab counts as gone.

use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

use super::session::Session;

/// Lines change faster than people can read.
const BETWEEN_REPORTS: Duration = Duration::from_millis(150);
const PULSE: Duration = Duration::from_millis(500);
/// A live tab answers a ping; one that stays silent this long is gone.
const BETWEEN_PINGS: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(60);
/// A client that does not accept a message within this time is not reading.
const SENDING: Duration = Duration::from_secs(10);
/// A well-behaved client never sends this many invalid messages in a row.
const MOST_NONSENSE: u32 = 50;

/// Why we close a connection, as WebSocket close codes. Those from 4000 on are our own, and the page handles them.
#[derive(Clone, Copy)]
enum Farewell {
    Nonsense = 1008,
    TooBig = 1009,
    Idle = 4000,
}

impl Farewell {
    fn reason(self) -> &'static str {
        match self {
            Farewell::Nonsense => "too many messages that mean nothing",
            Farewell::TooBig => "the message is too long or no message at all",
            Farewell::Idle => "nothing was asked for a long time",
        }
    }
}

/// What to do after a frame or a tick.
enum Next {
    Talk,
    /// The connection is gone.
    End,
    Close(Farewell),
}

pub(super) struct Connection {
    session: Session,
    socket: WebSocket,
    /// How long a tab may be idle before it is closed.
    idle: Duration,
    heard: Instant,
    asked: Instant,
    pinged: Instant,
}

impl Connection {
    pub(super) fn new(session: Session, socket: WebSocket, idle: Duration) -> Connection {
        let now = Instant::now();
        Connection { session, socket, idle, heard: now, asked: now, pinged: now }
    }

    /// Runs until the tab is closed or falls silent, then ends all its work.
    pub(super) async fn run(mut self) {
        let (mut reports, mut pulse) = (every(BETWEEN_REPORTS), every(PULSE));
        self.session.greet();
        loop {
            for text in self.session.take_words() {
                if !self.send(Message::Text(text.into())).await {
                    return;
                }
            }
            let next = tokio::select! {
                frame = self.socket.recv() => self.take(frame).await,
                () = self.session.listen() => Next::Talk,
                _ = reports.tick(), if self.session.is_busy() => {
                    self.session.report();
                    Next::Talk
                }
                _ = pulse.tick() => self.beat().await,
            };
            match next {
                Next::Talk => {}
                Next::End => return,
                Next::Close(farewell) => {
                    let frame = CloseFrame { code: farewell as u16, reason: farewell.reason().into() };
                    self.send(Message::Close(Some(frame))).await;
                    return;
                }
            }
        }
    }

    /// Sends a message; returns whether it could be sent.
    async fn send(&mut self, message: Message) -> bool {
        matches!(timeout(SENDING, self.socket.send(message)).await, Ok(Ok(())))
    }

    async fn take(&mut self, frame: Option<Result<Message, axum::Error>>) -> Next {
        self.heard = Instant::now();
        match frame {
            Some(Ok(Message::Text(text))) => self.session.obey(&text).await,
            Some(Ok(Message::Binary(_))) => self.session.refuse("only text is understood"),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => return Next::Talk,
            Some(Ok(Message::Close(_))) | None => return Next::End,
            Some(Err(_)) => return Next::Close(Farewell::TooBig),
        }
        self.asked = self.heard;
        if self.session.nonsense() > MOST_NONSENSE { Next::Close(Farewell::Nonsense) } else { Next::Talk }
    }

    /// Periodic maintenance of the connection.
    async fn beat(&mut self) -> Next {
        self.session.tick();
        if self.asked.elapsed() > self.idle {
            return Next::Close(Farewell::Idle);
        }
        if self.heard.elapsed() > SILENCE {
            return Next::End;
        }
        if self.pinged.elapsed() > BETWEEN_PINGS {
            self.pinged = Instant::now();
            if !self.send(Message::Ping(Default::default())).await {
                return Next::End;
            }
        }
        Next::Talk
    }
}

/// An interval that skips missed ticks.
fn every(time: Duration) -> Interval {
    let mut ticks = interval(time);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
