// The board editor: put pieces where they should stand. The server says whether the position can be.

import { Board, squares } from "./board.js";
import { NAMES, picture } from "./pieces.js";
import { button, element, find, state } from "./state.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const FILES = "abcdefgh";
const CASTLES = { K: "White O-O", Q: "White O-O-O", k: "Black O-O", q: "Black O-O-O" };

export class Editor {
  constructor({ say }) {
    this.say = say;
    this.dialog = find("editor-dialog");
    this.men = new Map();
    this.brush = "P"; // the piece that a click puts down; "" takes away, null moves
    this.build(find("editor"));
    find("editor-use").addEventListener("click", () => this.use());
  }

  build(root) {
    const frame = element("div", "editor-board");
    this.board = new Board(frame, "Board to set up. Arrow keys move between squares, Enter puts the chosen piece.");
    this.palette = element("div", "palette", "", { role: "radiogroup", "aria-label": "Piece to put" });
    const pieces = (side, letters) => [...letters].forEach((letter) => this.add(letter, `${side} ${NAMES[letter.toLowerCase()]}`, picture(letter)));
    pieces("White", "KQRBNP");
    this.add("move", "Move a piece", "✥");
    pieces("Black", "kqrbnp");
    this.add("", "Take a piece away", "✕");
    this.turn = element("select", "", "", { id: "editor-turn" });
    this.turn.append(new Option("White moves", "w"), new Option("Black moves", "b"));
    const turn = element("label", "row", "Turn ");
    turn.append(this.turn);
    this.castles = element("fieldset", "choices");
    this.castles.append(element("legend", "", "May castle"));
    for (const [letter, name] of Object.entries(CASTLES)) {
      const choice = element("label");
      choice.append(element("input", "", "", { type: "checkbox", value: letter }), name);
      this.castles.append(choice);
    }
    const tools = element("div", "row-start");
    tools.append(
      button("Start position", () => this.read(START)),
      button("Empty board", () => this.read("8/8/8/8/8/8/8/8 w - - 0 1")),
      button("Flip", () => this.board.flip(!this.board.flipped)),
    );
    const label = element("label", "column", "FEN");
    this.fen = element("input", "", "", { id: "editor-fen", maxlength: 120, spellcheck: "false", autocapitalize: "off" });
    label.append(this.fen);
    const side = element("div", "editor-side");
    side.append(this.palette, turn, this.castles, tools, label);
    root.append(frame, side);
    this.wire();
    this.choose("P");
  }

  add(letter, name, content) {
    const choice = button("", () => this.choose(letter), NAMES[letter.toLowerCase()] ? "" : "tool");
    choice.append(content);
    choice.dataset.letter = letter;
    choice.setAttribute("role", "radio");
    choice.setAttribute("aria-label", name);
    choice.title = name;
    this.palette.append(choice);
  }

  choose(letter) {
    this.brush = letter;
    this.held = null;
    for (const choice of this.palette.children) choice.setAttribute("aria-checked", choice.dataset.letter === letter);
  }

  wire() {
    const { cells } = this.board;
    const at = (event) => {
      const box = cells.getBoundingClientRect();
      const part = (value, from, length) => Math.floor(((value - from) / length) * 8);
      return this.board.at(part(event.clientX, box.left, box.width), part(event.clientY, box.top, box.height));
    };
    cells.addEventListener("pointerdown", (event) => {
      const square = at(event);
      if (!square) return;
      cells.setPointerCapture(event.pointerId);
      if (event.button === 2) this.put(square, "");
      else if (this.brush === "move") this.held = square;
      else this.touch(square);
    });
    cells.addEventListener("pointerup", (event) => {
      const square = at(event);
      if (this.held && square !== this.held) this.move(this.held, square);
      this.held = null;
    });
    cells.addEventListener("contextmenu", (event) => event.preventDefault());
    cells.addEventListener("click", (event) => event.detail === 0 && this.touch(event.target.dataset.square));
    cells.addEventListener("keydown", (event) => this.key(event));
    for (const field of [this.turn, this.castles]) field.addEventListener("change", () => this.write());
    this.fen.addEventListener("change", () => this.read(this.fen.value.trim()));
  }

  key(event) {
    const { square } = event.target.dataset;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (square && step) {
      const [x, y] = this.board.place(square).map((v) => v / 100);
      const next = this.board.at(x + step[0], y + step[1]);
      if (next) this.board.focus(next);
    } else if (square && (event.key === "Delete" || event.key === "Backspace")) {
      this.put(square, "");
    } else if (event.key.length === 1 && "KQRBNPkqrbnp".includes(event.key)) {
      this.choose(event.key);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // Puts the chosen piece, or takes the same one away.
  touch(square) {
    if (this.brush === "move") return;
    this.put(square, this.men.get(square) === this.brush ? "" : this.brush);
  }

  put(square, letter) {
    if (letter) this.men.set(square, letter);
    else this.men.delete(square);
    this.write();
  }

  // Out of the board is away.
  move(from, to) {
    const letter = this.men.get(from);
    if (!letter) return;
    this.men.delete(from);
    if (to) this.men.set(to, letter);
    this.write();
  }

  open() {
    this.read(state.position?.fen ?? START);
    this.board.flip(document.querySelector("#bar").classList.contains("flipped"));
    this.complain("");
    if (!this.dialog.open) this.dialog.showModal();
  }

  read(fen) {
    const [, turn = "w", castles = "-", passant = "-"] = fen.split(/\s+/);
    this.men = squares(fen);
    this.turn.value = turn === "b" ? "b" : "w";
    for (const box of this.castles.querySelectorAll("input")) box.checked = castles.includes(box.value);
    this.passant = passant;
    this.write();
    this.passant = "-"; // it is true only of the position that was read
  }

  write() {
    const rows = [];
    for (let rank = 8; rank >= 1; rank--) {
      const row = [...FILES].map((file) => this.men.get(file + rank) ?? "1").join("");
      rows.push(row.replace(/1+/g, (gap) => gap.length));
    }
    const castles = [...this.castles.querySelectorAll("input:checked")].map((box) => box.value).join("") || "-";
    this.fen.value = `${rows.join("/")} ${this.turn.value} ${castles} ${this.passant ?? "-"} 0 1`;
    this.board.show({ fen: this.fen.value, last: null, check: null, legal: [] });
    this.complain("");
  }

  use() {
    this.waiting = true;
    this.say("fen", { fen: this.fen.value });
  }

  loaded() {
    if (this.waiting) this.dialog.close();
    this.waiting = false;
  }

  refused(text) {
    if (!this.waiting) return false;
    this.waiting = false;
    this.complain(text);
    return true;
  }

  complain(text) {
    this.dialog.querySelector(".complaint").textContent = text;
  }
}
