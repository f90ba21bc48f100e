// The review of a game: how well both sides played, what each move was, and the way from mistake to mistake.

import { lineText, scoreText } from "./lines.js";
import { button, download, element, label, mainLine, state } from "./state.js";

const BAD = ["?!", "?", "??"];

export class Review {
  // `look(wanted, at)` shows a line, `learn(side)` begins to look for better moves, `evaluate()` starts or stops the review.
  constructor(root, { say, go, look, why, learn, evaluate }) {
    Object.assign(this, { root, say, go, look, why, learn, evaluate, progress: null, isOpen: false });
  }

  // What the server found; none if the game is another one.
  take(review) {
    state.review = review && { ...review, byNode: new Map(review.moves.map((move) => [move.node, move])) };
    this.progress = null;
    this.show();
  }

  advance(done, all) {
    this.progress = { done, all };
    this.show();
  }

  // Marked moves after which the review stays true: those still in the main line.
  mistakes(side) {
    const inGame = new Set(mainLine().map((move) => move.node));
    const all = (state.review?.moves ?? []).filter((move) => BAD.includes(move.glyph) && inGame.has(move.node));
    return side ? all.filter((move) => state.byNode.get(move.node).side === side) : all;
  }

  // Goes to the next mistake after the position shown, or to the one before.
  next(by = 1) {
    const line = mainLine().map((move) => move.node);
    const here = line.indexOf(state.position.node);
    const places = this.mistakes().map((move) => line.indexOf(move.node));
    const wanted = by > 0 ? places.find((place) => place > here) ?? places[0] : places.findLast((place) => place < here) ?? places.at(-1);
    if (wanted !== undefined) this.go(line[wanted]);
  }

  // Draws everything anew; who was on a button stays on it.
  show() {
    const held = this.root.contains(document.activeElement) ? document.activeElement.textContent : null;
    this.draw();
    if (held !== null) [...this.root.querySelectorAll("button")].find((other) => other.textContent === held)?.focus({ preventScroll: true });
  }

  draw() {
    const { review, status } = state;
    if (status?.evaluating) {
      const { done = 0, all = 1 } = this.progress ?? {};
      const bar = element("progress", "", "", { max: all, value: done, "aria-label": "Positions judged" });
      return this.root.replaceChildren(element("p", "", `Judging ${done} of ${this.progress ? all : "…"} positions.`), bar, button("Stop", this.evaluate));
    }
    if (!review) {
      const start = button("Review game", this.evaluate, "main");
      start.disabled = !state.game || state.game.moves.length === 0;
      const text = "Every move is judged: accuracy, average loss, mistakes and what would have been better. Then find the better moves yourself.";
      return this.root.replaceChildren(element("p", "", text), start);
    }
    this.root.replaceChildren(this.ways(), this.verdict(), this.table(), this.phases(), this.exports());
  }

  // What the move shown was, and the better line.
  verdict() {
    const box = element("div", "verdict", "", { "aria-live": "polite" });
    const move = state.byNode.get(state.position?.node);
    const found = move && state.review.byNode.get(move.node);
    if (!BAD.includes(found?.glyph)) this.why.cancel();
    if (!found) {
      const count = this.mistakes().length;
      box.append(element("p", "", count === 0 ? "No mistakes were found. Well played." : `${count} moves are worth a second look.`));
      return box;
    }
    const kind = found.name?.split(" ")[0].toLowerCase() ?? "";
    const head = element("p", "");
    head.append(element("b", `mark ${kind}`, `${label(move)}${found.glyph ?? ""}`));
    const [before, after] = found.chances.map((chance) => Math.round(chance));
    const plain = before === after ? `kept the chances of winning at ${after} %.` : `changed the chances of winning from ${before} % to ${after} %.`;
    const words = found.text ?? `${found.name ? `${found.name}: it ` : ""}${plain}`;
    head.append(` ${words.replaceAll(" %", "\u00a0%")}`);
    box.append(head);
    const row = element("p", "better");
    if (found.best?.san.length > 0) {
      const isBad = BAD.includes(found.glyph);
      const text = lineText(found.best.san.slice(0, isBad ? 4 : 1), this.fenBefore(move));
      row.append(`${isBad ? "Better" : "Best"} (${scoreText(found.best.evaluation)}):`, button(text, () => this.better(move, found)));
    }
    row.append(button("Why?", () => this.why.ofNode(move.node)));
    box.append(row);
    if (this.isOpen && BAD.includes(found.glyph)) box.append(...this.why.prepare(move));
    return box;
  }

  // A FEN that has only what numbers of moves need.
  fenBefore(move) {
    return `- ${move.side === "white" ? "w" : "b"} - - 0 ${move.number}`;
  }

  better(move, found) {
    const { san, uci } = found.best;
    this.look({ node: move.parent, fen: this.fenBefore(move), san, uci, title: "Better" }, 0);
  }

  ways() {
    const row = element("div", "row-start");
    const none = this.mistakes().length === 0;
    const steps = [button("‹ Mistake", () => this.next(-1)), button("Next mistake ›", () => this.next(1), "main")];
    steps.forEach((step) => { step.disabled = none; });
    row.append(...steps);
    const lessons = element("div", "row-start");
    for (const side of ["white", "black"]) {
      const count = this.mistakes(side).length;
      if (count === 0) continue;
      const whose = `${side === "white" ? "White" : "Black"}'s mistakes (${count})`;
      const learn = button(whose, () => this.learn(side));
      learn.setAttribute("aria-label", `Learn from ${whose}`);
      learn.title = "Find the better moves yourself";
      if (lessons.children.length === 0) lessons.append(element("span", "quiet", "Learn from"));
      lessons.append(learn);
    }
    const ways = element("div");
    ways.append(row, lessons);
    return ways;
  }

  table() {
    const { white, black } = state.review;
    const table = element("table", "numbers");
    const row = (name, values, className = "") => {
      const line = element("tr");
      line.append(element("th", className, name, { scope: "row" }), ...values.map((value) => element("td", "", value)));
      table.append(line);
    };
    const head = element("tr");
    head.append(element("td"), element("th", "", state.game.white || "White", { scope: "col" }), element("th", "", state.game.black || "Black", { scope: "col" }));
    table.append(head);
    const number = (value, unit = "") => (value === null ? "–" : `${value.toFixed(unit ? 1 : 0)}${unit}`);
    row("Accuracy", [white, black].map((side) => number(side.accuracy, " %")), "strong");
    row("Average centipawn loss", [white, black].map((side) => number(side.loss)));
    white.marks.forEach((mark, index) => {
      const kind = mark.name.split(" ")[0].toLowerCase();
      row(`${mark.glyph} ${PLURALS[kind] ?? mark.name}`, [mark.count, black.marks[index].count], `mark ${kind}`);
    });
    return table;
  }

  phases() {
    const { white, black } = state.review;
    const table = element("table", "numbers");
    const head = element("tr");
    const names = ["By phase", "White", "Black"];
    head.append(...names.map((name) => element("th", "", name, { scope: "col" })));
    table.append(head);
    const text = ({ moves, accuracy, loss }) => (moves === 0 ? "–" : `${accuracy.toFixed(0)} %, loss ${loss.toFixed(0)}`);
    white.phases.forEach((phase, index) => {
      const line = element("tr");
      const name = phase.name[0].toUpperCase() + phase.name.slice(1);
      line.append(element("th", "", name, { scope: "row" }), element("td", "", text(phase)), element("td", "", text(black.phases[index])));
      table.append(line);
    });
    return table;
  }

  exports() {
    const row = element("div", "row-start");
    row.append(
      button("Save annotated PGN", () => this.say("report", { format: "pgn" })),
      button("Save HTML report", () => this.say("report", { format: "html" })),
    );
    return row;
  }

  save({ format, text }) {
    const type = format === "html" ? "text/html" : "application/x-chess-pgn";
    download(`review.${format}`, text, type);
  }
}

const PLURALS = { brilliant: "Brilliant", good: "Good moves", inaccuracy: "Inaccuracies", mistake: "Mistakes", blunder: "Blunders" };

// The nodes of a line for the graph.
export function points(line) {
  const mark = (node) => state.review?.byNode.get(node);
  const point = (move) => ({
    node: move.node,
    label: label(move),
    evaluation: state.evaluations.get(move.node),
    glyph: mark(move.node)?.glyph,
    kind: mark(move.node)?.name?.split(" ")[0].toLowerCase(),
  });
  return [{ node: 0, evaluation: state.evaluations.get(0) }, ...line.map(point)];
}

