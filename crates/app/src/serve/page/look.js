// Lines one can walk along without playing them, and the small board that shows where they lead. The server knows the positions.

import { picture } from "./board.js";
import { lineText } from "./lines.js";
import { find, state } from "./state.js";

const KEPT = 60; // lines whose positions are remembered

export class Look {
  // `show(view)` draws a position, `end()` goes back to the game.
  constructor({ say, board, lines, show, end }) {
    Object.assign(this, { say, board, lines, show, end });
    this.known = new Map(); // positions along a line, by node and moves
    this.waiting = new Map();
    this.box = find("hover");
  }

  key(node, uci) {
    return `${node} ${uci.join(" ")}`;
  }

  // The positions along a line, from memory or from the server.
  boards(node, uci) {
    const key = this.key(node, uci);
    if (this.known.has(key)) return Promise.resolve(this.known.get(key));
    if (!this.waiting.has(key)) {
      const entry = {};
      entry.promise = new Promise((resolve) => { entry.resolve = resolve; });
      this.waiting.set(key, entry);
      this.say("preview", { node, moves: uci });
    }
    return this.waiting.get(key).promise;
  }

  hear({ node, moves, boards }) {
    const key = this.key(node, moves);
    this.known.set(key, boards);
    if (this.known.size > KEPT) this.known.delete(this.known.keys().next().value);
    this.waiting.get(key)?.resolve(boards);
    this.waiting.delete(key);
  }

  // A game that changed may use the same names for other positions.
  forget() {
    this.known.clear();
    this.waiting.clear();
  }

  // Shows a line on the board: { node, fen, san, uci, title, line }, at one of its moves.
  async open(wanted, at) {
    this.wanted = wanted;
    const boards = await this.boards(wanted.node, wanted.uci);
    if (this.wanted !== wanted || boards.length === 0) return;
    state.look = { ...wanted, boards, at: Math.min(at, boards.length - 1) };
    this.draw();
  }

  draw() {
    const { boards, at, san, fen, title, line } = state.look;
    this.show(boards[at]);
    this.board.draw([]);
    this.lines.mark(line ?? -1, at);
    find("board").classList.add("looking");
    find("preview-bar").hidden = false;
    const words = lineText(san.slice(0, at + 1), fen).split(" ");
    const shown = words.length > 9 ? ["…", ...words.slice(-8)] : words;
    find("preview-bar").firstElementChild.textContent = `${title}: ${shown.join(" ")}`;
    find("spoken").textContent = `${title}, ${san[at]}`;
  }

  // Walks; whether there was a line to walk along.
  step(by) {
    if (!state.look) return false;
    const at = state.look.at + by;
    if (at < 0) return this.close();
    state.look.at = Math.min(at, state.look.boards.length - 1);
    this.draw();
    return true;
  }

  close() {
    this.wanted = null;
    if (!state.look) return false;
    state.look = null;
    this.end();
    return true;
  }

  // Plays the line up to the move shown, from the node it begins at.
  keep() {
    const { uci, at, node } = state.look;
    this.close();
    if (node !== state.position.node) this.say("goto", { node });
    uci.slice(0, at + 1).forEach((text) => this.say("move", { text }));
  }

  // The small board beside a move of a line; none hides it.
  async point(node, uci, at, target) {
    this.pointed = target ?? null;
    if (!target) {
      this.box.hidden = true;
      return;
    }
    const boards = await this.boards(node, uci);
    if (this.pointed !== target || !boards[at]) return;
    this.box.replaceChildren(picture(boards[at].fen, boards[at].last, this.board.flipped));
    this.box.hidden = false;
    const [box, place] = [this.box.getBoundingClientRect(), target.getBoundingClientRect()];
    const above = place.top - box.height - 10;
    this.box.style.top = `${above > 4 ? above : place.bottom + 10}px`;
    this.box.style.left = `${Math.max(4, Math.min(place.left - 40, innerWidth - box.width - 8))}px`;
  }
}
