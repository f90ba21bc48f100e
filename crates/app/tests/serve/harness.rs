//! Starts the server and talks to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::Response;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Message, WebSocket};

use crate::common;

/// How long an answer may take on a machine with much else to do. Only failing tests wait so long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Server {
    child: Child,
    /// `127.0.0.1:` and the port.
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Server {
        Server::start_with(arguments, &[])
    }

    /// Starts it with these variables in its environment.
    pub(crate) fn start_with(arguments: &[&str], variables: &[(&str, &str)]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stillwater"))
            .args(["serve", "--port", "0"])
            .args(arguments)
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("a line");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect(&line);
        Server { address: address.to_owned(), child }
    }

    /// Asks for a file: the status, the head and the body.
    pub(crate) fn get(&self, path: &str, headers: &[(&str, &str)]) -> (u16, String, String) {
        let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        let text = String::from_utf8(self.raw(format!("{request}\r\n").as_bytes())).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").expect(&text);
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect(head);
        (status, head.to_ascii_lowercase(), body.to_owned())
    }

    /// Sends bytes and returns everything that comes back.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.address).expect("connects");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.write_all(bytes).expect("sends");
        let mut answer = Vec::new();
        // A connection that is reset has been answered, too.
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    /// Opens a WebSocket as a page from this origin would.
    pub(crate) fn knock(&self, origin: Option<&str>, host: Option<&str>) -> Result<(Client, Response), u16> {
        let mut request = format!("ws://{}/ws", self.address).into_client_request().expect("a request");
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().expect("a header"));
        }
        if let Some(host) = host {
            request.headers_mut().insert("Host", host.parse().expect("a header"));
        }
        let stream = TcpStream::connect(&self.address).expect("connects");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.set_nodelay(true).expect("no delay");
        match tungstenite::client(request, stream) {
            Ok((socket, response)) => Ok((Client { socket, heard: Vec::new() }, response)),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// A client that has been welcomed.
    pub(crate) fn client(&self) -> Client {
        let (mut client, _) = self.knock(Some(&format!("http://{}", self.address)), None).expect("welcome");
        client.until("welcome");
        client.until("status");
        client
    }

    /// Processor time used so far, in ticks, where the system tells.
    pub(crate) fn ticks(&self) -> Option<u64> {
        common::ticks(self.child.id())
    }

    /// Memory in use, in megabytes, where the system tells.
    pub(crate) fn megabytes(&self) -> Option<u64> {
        common::megabytes(self.child.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) struct Client {
    pub(crate) socket: WebSocket<TcpStream>,
    /// Everything heard so far, for complaints.
    heard: Vec<String>,
}

impl Client {
    pub(crate) fn say(&mut self, message: Value) {
        self.send(Message::text(message.to_string()));
    }

    pub(crate) fn send(&mut self, message: Message) {
        self.socket.send(message).expect("the server reads");
    }

    /// The next message that is not of the protocol's own.
    pub(crate) fn next(&mut self) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    self.heard.push(text.chars().take(200).collect());
                    return serde_json::from_str(&text).expect("JSON");
                }
                Ok(Message::Ping(_) | Message::Pong(_)) if Instant::now() < deadline => {}
                other => self.fail(&format!("no message, but {other:?}")),
            }
        }
    }

    /// The next message for which this holds.
    pub(crate) fn wait(&mut self, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let message = self.next();
            if holds(&message) {
                return message;
            }
        }
        self.fail(&format!("no {what} came"))
    }

    /// The next message of this type.
    pub(crate) fn until(&mut self, kind: &str) -> Value {
        self.wait(kind, |message| message["type"] == kind)
    }

    /// Waits until everything asked so far is done and answered.
    pub(crate) fn settle(&mut self) {
        self.say(json!({"type": "preview", "node": 0, "moves": []}));
        self.until("preview");
    }

    /// Says something and returns the position that comes of it.
    pub(crate) fn position_after(&mut self, message: Value) -> Value {
        self.settle();
        self.say(message);
        self.until("position")
    }

    /// Says something and returns the reason why not.
    pub(crate) fn refusal(&mut self, message: Value) -> String {
        self.say(message);
        self.until("refused")["text"].as_str().expect("a text").to_owned()
    }

    /// Waits until the server ends the session, and tells with which code, if it says.
    pub(crate) fn end(&mut self) -> Option<CloseCode> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            match self.socket.read() {
                Ok(Message::Close(frame)) => return frame.map(|frame| frame.code),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
        self.fail("the session does not end")
    }

    fn fail(&self, reason: &str) -> ! {
        panic!("{reason}\n{}", self.heard.join("\n"))
    }
}

pub(crate) fn mv(text: &str) -> Value {
    json!({"type": "move", "text": text})
}
