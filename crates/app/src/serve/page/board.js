// The board: an SVG that shows a position, with a grid of buttons over it for fingers, keyboards and screen readers. It draws what
// it is told and asks the server for nothing; which moves are legal it is told as well.

import { NAMES, piece, svg } from "./pieces.js";

const SIZE = 100;
const FILES = "abcdefgh";
const PAINTS = { G: "green", R: "red", Y: "yellow", B: "blue" };

export function squares(fen) {
  const found = new Map();
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else found.set(FILES[file++] + (8 - index), letter);
    }
  });
  return found;
}

function layer(parent, name) {
  const group = svg("g", { class: name });
  parent.append(group);
  return group;
}

const USAGE = "Chess board. Arrow keys move between squares, Enter takes and puts down a piece.";

export class Board {
  constructor(root, label = USAGE) {
    this.root = root;
    this.flipped = false;
    this.pieces = new Map(); // square to { letter, element }
    this.legal = [];
    this.selected = null;
    this.view = null;
    this.arrows = [];
    this.marks = []; // arrows and circles of the game: { from, to, kind }
    this.glyph = null; // what the last move was: { square, text, kind }
    this.drawn = () => {}; // told when the user has changed the marks
    this.svg = svg("svg", { viewBox: "0 0 800 800", class: "squares", "aria-hidden": "true" });
    this.layers = {};
    for (const name of ["plain", "lit", "coordinates", "hints", "men", "arrows", "badges"]) this.layers[name] = layer(this.svg, name);
    this.cells = document.createElement("div");
    this.cells.className = "cells";
    this.cells.setAttribute("role", "grid");
    this.cells.setAttribute("aria-label", label);
    root.replaceChildren(this.svg, this.cells);
    this.lay();
  }

  // Where a square's corner is.
  place(square) {
    const file = FILES.indexOf(square[0]);
    const rank = Number(square[1]) - 1;
    return this.flipped ? [(7 - file) * SIZE, rank * SIZE] : [file * SIZE, (7 - rank) * SIZE];
  }

  // The square at a column and row of the screen, from the top left.
  at(column, row) {
    if (column < 0 || row < 0 || column > 7 || row > 7) return null;
    return this.flipped ? FILES[7 - column] + (row + 1) : FILES[column] + (8 - row);
  }

  // Everything that depends on which way the board is turned.
  lay() {
    const plain = [];
    const coordinates = [];
    const rows = [];
    for (let row = 0; row < 8; row++) {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      for (let column = 0; column < 8; column++) {
        const square = this.at(column, row);
        const dark = (column + row) % 2 === 1;
        const attributes = { x: column * SIZE, y: row * SIZE, width: SIZE, height: SIZE };
        plain.push(svg("rect", { ...attributes, class: dark ? "dark" : "light" }));
        const text = (x, y, value) => svg("text", { x, y, class: dark ? "on-dark" : "on-light" }, [value]);
        if (column === 0) coordinates.push(text(6, row * SIZE + 22, square[1]));
        if (row === 7) coordinates.push(text(column * SIZE + 84, 793, square[0]));
        const cell = document.createElement("button");
        cell.type = "button";
        cell.dataset.square = square;
        cell.setAttribute("role", "gridcell");
        cell.tabIndex = -1;
        line.append(cell);
      }
      rows.push(line);
    }
    this.layers.plain.replaceChildren(...plain);
    this.layers.coordinates.replaceChildren(...coordinates);
    this.cells.replaceChildren(...rows);
    this.cell(this.cursor ?? (this.flipped ? "e7" : "e2")).tabIndex = 0;
  }

  cell(square) {
    return this.cells.querySelector(`[data-square="${square}"]`);
  }

  flip(flipped) {
    if (this.flipped === flipped) return;
    this.flipped = flipped;
    this.lay();
    for (const [square, man] of this.pieces) this.put(man.element, square);
    this.light();
    this.draw();
    this.name();
  }

  put(element, square) {
    const [x, y] = this.place(square);
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  // Shows a position: { fen, last, check, legal }.
  show(view) {
    this.view = view;
    this.legal = view.legal;
    this.selected = null;
    const wanted = squares(view.fen);
    const homeless = [...this.pieces].filter(([square, man]) => wanted.get(square) !== man.letter);
    homeless.forEach(([square]) => this.pieces.delete(square));
    for (const [square, letter] of wanted) {
      if (this.pieces.has(square)) continue;
      // A piece that left another square has come here: it slides. What nobody needs any more disappears below.
      const [x, y] = this.place(square);
      const distance = (from) => Math.hypot(this.place(from)[0] - x, this.place(from)[1] - y);
      const candidates = homeless.filter(([, man]) => man.letter === letter);
      candidates.sort((a, b) => distance(a[0]) - distance(b[0]));
      let man = candidates[0]?.[1];
      if (man) {
        homeless.splice(homeless.indexOf(candidates[0]), 1);
        this.layers.men.append(man.element);
      } else {
        man = { letter, element: piece(letter) };
        this.layers.men.append(man.element);
      }
      this.put(man.element, square);
      this.pieces.set(square, man);
    }
    homeless.forEach(([, man]) => man.element.remove());
    this.marks = [];
    this.glyph = null;
    this.light();
    this.draw();
    this.name();
  }

  // Moves a piece before the server has said so, to spare the eye a jump back.
  anticipate(from, to) {
    const man = this.pieces.get(from);
    if (!man) return;
    this.pieces.get(to)?.element.remove();
    this.pieces.delete(from);
    this.pieces.set(to, man);
    this.put(man.element, to);
  }

  targets(square) {
    return this.legal.filter((move) => move.from === square);
  }

  select(square) {
    this.selected = square && this.targets(square).length > 0 ? square : null;
    this.light();
    this.name();
    return this.selected !== null;
  }

  // Colours the squares that say something.
  light() {
    const lit = [];
    const hints = [];
    const field = (square, name) => {
      const [x, y] = this.place(square);
      lit.push(svg("rect", { x, y, width: SIZE, height: SIZE, class: name }));
    };
    (this.view?.last ?? []).forEach((square) => field(square, "last"));
    if (this.selected) field(this.selected, "selected");
    if (this.view?.check) {
      const [x, y] = this.place(this.view.check);
      lit.push(svg("circle", { cx: x + 50, cy: y + 50, r: 47, class: "check" }));
    }
    for (const square of new Set(this.targets(this.selected).flatMap((move) => move.to))) {
      const [x, y] = this.place(square);
      const taken = this.pieces.has(square);
      hints.push(svg("circle", { cx: x + 50, cy: y + 50, r: taken ? 44 : 14, class: taken ? "capture" : "step" }));
    }
    this.layers.lit.replaceChildren(...lit);
    this.layers.hints.replaceChildren(...hints);
  }

  // Arrows: [{ from, to, kind }]; one from a square to itself is a circle.
  draw(arrows = this.arrows) {
    this.arrows = arrows;
    this.layers.arrows.replaceChildren(...[...arrows].reverse().map((a) => this.arrow(a)), ...this.marks.map((a) => this.arrow(a)));
    this.layers.badges.replaceChildren(...(this.glyph ? [this.badge(this.glyph)] : []));
  }

  // What the game has drawn on this position, as PGN writes it: Ge2e4, Rd5.
  setMarks(shapes) {
    this.marks = shapes.map((shape) => ({ kind: PAINTS[shape[0]] ?? "green", from: shape.slice(1, 3), to: shape.slice(3, 5) || shape.slice(1, 3) }));
    this.draw();
  }

  shapes() {
    const letter = (kind) => Object.keys(PAINTS).find((key) => PAINTS[key] === kind);
    return this.marks.map(({ from, to, kind }) => letter(kind) + from + (from === to ? "" : to));
  }

  // The mark of the last move, on the square it went to.
  setGlyph(glyph) {
    this.glyph = glyph;
    this.draw();
  }

  badge({ square, text, kind }) {
    const [x, y] = this.place(square);
    const [cx, cy] = [Math.min(x + 86, 780), Math.max(y + 14, 20)];
    return svg("g", { class: `badge ${kind}` }, [
      svg("circle", { cx, cy, r: 19 }),
      svg("text", { x: cx, y: cy + 8, "text-anchor": "middle" }, [text]),
    ]);
  }

  arrow({ from, to, kind }) {
    const [x1, y1] = this.place(from).map((v) => v + 50);
    const [x2, y2] = this.place(to).map((v) => v + 50);
    if (from === to) return svg("circle", { cx: x1, cy: y1, r: 44, class: `ring ${kind}` });
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const point = (along, across) => `${x1 + dx * along - dy * across},${y1 + dy * along + dx * across}`;
    const width = kind === "other" ? 6 : 9;
    const head = width * 3.6;
    const tip = length - 12;
    const points = [
      point(30, -width), point(tip - head, -width), point(tip - head, -width * 2.3), point(tip, 0),
      point(tip - head, width * 2.3), point(tip - head, width), point(30, width),
    ];
    return svg("polygon", { points: points.join(" "), class: `arrow ${kind}` });
  }

  mark(from, to, kind) {
    const same = (mark) => mark.from === from && mark.to === to;
    const had = this.marks.find(same);
    this.marks = this.marks.filter((mark) => !same(mark));
    if (had?.kind !== kind) this.marks.push({ from, to, kind });
    this.draw();
    this.drawn(this.shapes());
  }

  // What a screen reader says of each square.
  name() {
    const reachable = new Set(this.targets(this.selected).flatMap((move) => move.to));
    for (const cell of this.cells.querySelectorAll("button")) {
      const square = cell.dataset.square;
      const letter = this.pieces.get(square)?.letter;
      const side = letter && (letter === letter.toUpperCase() ? "white" : "black");
      const words = [square, letter ? `${side} ${NAMES[letter.toLowerCase()]}` : "empty"];
      if (square === this.selected) words.push("selected");
      if (reachable.has(square)) words.push("can be reached");
      const label = words.join(", ");
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
    }
  }

  // Moves the keyboard's square.
  focus(square) {
    this.cells.querySelector('[tabindex="0"]').tabIndex = -1;
    this.cursor = square;
    this.cell(square).tabIndex = 0;
    this.cell(square).focus();
  }
}

// A position as a small picture.
export function picture(fen, last, flipped) {
  const place = (square) => {
    const [file, rank] = [FILES.indexOf(square[0]), Number(square[1]) - 1];
    return flipped ? [(7 - file) * SIZE, rank * SIZE] : [file * SIZE, (7 - rank) * SIZE];
  };
  const parts = [svg("rect", { width: 800, height: 800, class: "light" })];
  for (let index = 0; index < 64; index++) {
    const [column, row] = [index % 8, Math.floor(index / 8)];
    if ((column + row) % 2 === 1) parts.push(svg("rect", { x: column * SIZE, y: row * SIZE, width: SIZE, height: SIZE, class: "dark" }));
  }
  for (const square of last ?? []) {
    const [x, y] = place(square);
    parts.push(svg("rect", { x, y, width: SIZE, height: SIZE, class: "last" }));
  }
  for (const [square, letter] of squares(fen)) {
    const man = piece(letter);
    const [x, y] = place(square);
    man.setAttribute("transform", `translate(${x} ${y})`);
    parts.push(man);
  }
  return svg("svg", { viewBox: "0 0 800 800", class: "small-board" }, parts);
}
