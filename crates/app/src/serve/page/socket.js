// The connection to the server: kept up as long as the page is open, and taken up again when it breaks.

const IDLE = 4000; // the server let us go because nothing was asked for long

export class Connection {
  constructor({ hear, change }) {
    this.hear = hear;
    this.change = change;
    this.delay = 300;
    this.open();
  }

  open() {
    this.asleep = false;
    this.change("connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.socket = socket;
    socket.addEventListener("message", (event) => {
      this.delay = 300;
      this.hear(JSON.parse(event.data));
    });
    socket.addEventListener("open", () => this.change("open"));
    socket.addEventListener("close", (event) => this.closed(event));
  }

  closed(event) {
    if (event.code === IDLE) {
      this.asleep = true;
      this.change("asleep");
      return;
    }
    this.change("closed");
    setTimeout(() => this.open(), this.delay);
    this.delay = Math.min(this.delay * 2, 10000);
  }

  // Says something. A page that was let go wakes up; what it wanted to say is asked again by its user.
  say(type, rest = {}) {
    if (this.asleep) this.open();
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type, ...rest }));
  }
}
