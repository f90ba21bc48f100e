// A file of games of any size: where each game begins, who played it, and its text when it is wanted. Only a few megabytes are in
// memory at a time, and the tags of each game.

const STEP = 4 << 20; // bytes read at once
const MOST = 1000000; // games listed
const [NEWLINE, BRACKET, SPACE] = [10, 91, 32];
const WANTED = { White: "white", Black: "black", Result: "result", Date: "date", Event: "event" };
const FIRST = new Set([...Object.keys(WANTED)].map((name) => name.charCodeAt(0)));

const LARGEST = (1 << 20) - 200; // bytes of a message, less what is around the text

// Whether a text can be sent in one message.
export function fits(text) {
  return new TextEncoder().encode(JSON.stringify(text)).length <= LARGEST;
}

// Old files are often in the alphabet of Windows.
function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function isTag(bytes, from) {
  const letter = bytes[from + 1] | 32;
  return bytes[from] === BRACKET && letter >= 97 && letter <= 122;
}

export class PgnFile {
  constructor(blob) {
    this.blob = blob;
    this.games = []; // { start, end, white, black, result, date, event }
    this.isCut = false;
  }

  // Finds the games. `progress` is told the share that has been read.
  async index(progress = () => {}) {
    let rest = new Uint8Array(0);
    let at = 0; // where `rest` begins
    for (let from = 0; from < this.blob.size && !this.isCut; from += STEP) {
      const chunk = new Uint8Array(await this.blob.slice(from, from + STEP).arrayBuffer());
      const bytes = new Uint8Array(rest.length + chunk.length);
      bytes.set(rest);
      bytes.set(chunk, rest.length);
      const used = this.scan(bytes, at, from + STEP >= this.blob.size);
      rest = bytes.slice(used);
      at += used;
      progress(Math.min(1, (from + STEP) / this.blob.size));
    }
    if (this.games.length > 0) this.games.at(-1).end ??= this.blob.size;
    return this.games;
  }

  // Goes through whole lines; how many bytes they were.
  scan(bytes, offset, isLast) {
    let from = 0;
    for (;;) {
      let to = bytes.indexOf(NEWLINE, from);
      if (to < 0 && (!isLast || from >= bytes.length)) return from;
      if (to < 0) to = bytes.length;
      this.line(bytes, from, to, offset + from);
      from = to + 1;
    }
  }

  line(bytes, from, to, at) {
    const game = this.games.at(-1);
    if (isTag(bytes, from)) {
      const isNew = !game || game.hasMoves;
      if (isNew && !this.begin(at)) return;
      if (FIRST.has(bytes[from + 1])) this.tag(decode(bytes.subarray(from, Math.min(to, from + 300))));
      return;
    }
    let place = from;
    while (place < to && bytes[place] <= SPACE) place++;
    if (place === to) return;
    if (!game) this.begin(at);
    this.games.at(-1).hasMoves = true;
  }

  begin(at) {
    if (this.games.length > 0) this.games.at(-1).end ??= at;
    this.isCut = this.games.length >= MOST;
    if (!this.isCut) this.games.push({ start: at, hasMoves: false });
    return !this.isCut;
  }

  tag(text) {
    const found = /^\[(\w+)\s+"((?:[^"\\]|\\.)*)"/.exec(text);
    const name = found && WANTED[found[1]];
    if (name) this.games.at(-1)[name] ??= found[2].replace(/\\(.)/g, "$1").slice(0, 100);
  }

  async text(index) {
    const { start, end } = this.games[index];
    return decode(await this.blob.slice(start, end).arrayBuffer());
  }

  // The whole file as text.
  async all() {
    return decode(await this.blob.arrayBuffer());
  }

  // The games in pieces of at most so many bytes, each with the share that is done after it. A game too large is left out.
  async *parts(limit) {
    let first = 0;
    while (first < this.games.length) {
      let last = first;
      const { start } = this.games[first];
      while (last + 1 < this.games.length && this.games[last + 1].end - start <= limit) last++;
      const { end } = this.games[last];
      first = last + 1;
      if (end - start > limit) continue;
      yield [decode(await this.blob.slice(start, end).arrayBuffer()), first / this.games.length];
    }
  }
}
