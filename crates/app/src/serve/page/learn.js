// Learn from your mistakes: the position before each mistake, and somebody has to find a better move.

import { scoreText } from "./lines.js";
import { button, element, label, state } from "./state.js";

export class Learn {
  // `mistakes(side)` lists reviewed moves, `draw(arrows)` draws on the board, `leave()` goes back to the review.
  constructor(root, { say, go, flip, mistakes, draw, leave }) {
    Object.assign(this, { root, say, go, flip, mistakes, draw, leaveAll: leave, task: null });
  }

  get isOn() {
    return this.task !== null;
  }

  begin(side) {
    this.list = this.mistakes(side);
    if (this.list.length === 0) return;
    this.side = side;
    this.solved = 0;
    this.flip(side === "black");
    this.set(0);
  }

  set(index) {
    if (index >= this.list.length) return this.finish();
    const found = this.list[index];
    const move = state.byNode.get(found.node);
    if (!move) return this.leave();
    this.task = { index, found, move, node: move.parent, done: false };
    this.message = "";
    this.go(move.parent);
    this.show();
  }

  // The user's move in the position of the task; whether it was meant for it.
  play(uci) {
    if (!this.task || state.position.node !== this.task.node || this.task.done) return false;
    const { move, node } = this.task;
    const san = state.position.legal.find((legal) => legal.uci === uci)?.san ?? uci;
    const isPlayed = san === move.san;
    this.message = isPlayed ? "That is what was played. Try another move." : "Let me see…";
    this.say(isPlayed ? "goto" : "try", { node, text: uci });
    this.show();
    return true;
  }

  hear({ node, san, verdict, evaluation }) {
    if (!this.task || node !== this.task.node) return;
    const { found, move } = this.task;
    if (verdict === "worse") {
      this.message = `${san} is not good enough (${scoreText(evaluation)}). Try another move.`;
    } else {
      this.solved += 1;
      this.task.done = true;
      const best = verdict === "best" ? "the best move" : `good (the engine prefers ${found.best.san[0]})`;
      this.message = `${san} is ${best}. ${scoreText(evaluation)} instead of ${scoreText(state.evaluations.get(move.node))}.`;
    }
    this.say("goto", { node }); // the board as it was before the try
    this.show();
  }

  hint() {
    const square = this.task.found.best.uci[0].slice(0, 2);
    this.message = `Think about the piece on ${square}.`;
    this.draw([{ from: square, to: square, kind: "green" }]);
    this.show();
  }

  solution() {
    const { best } = this.task.found;
    this.task.done = true;
    this.message = `The best move was ${best.san[0]} (${scoreText(best.evaluation)}).`;
    this.draw([{ from: best.uci[0].slice(0, 2), to: best.uci[0].slice(2, 4), kind: "green" }]);
    this.show();
  }

  finish() {
    const text = `That was the last one. You found ${this.solved} of ${this.list.length}.`;
    this.task = null;
    this.root.replaceChildren(element("p", "", text), button("Again", () => this.begin(this.side), "main"), button("Back to the review", () => this.leave()));
    this.root.querySelector("button").focus();
  }

  leave() {
    this.task = null;
    this.leaveAll();
  }

  show() {
    const { index, move, done } = this.task;
    const name = this.side === "white" ? "White" : "Black";
    const status = element("p", done ? "found" : "", this.message, { role: "status" });
    const row = element("div", "row-start");
    if (done) row.append(button(index + 1 < this.list.length ? "Next" : "Finish", () => this.set(index + 1), "main"));
    else row.append(button("Hint", () => this.hint()), button("Solution", () => this.solution()), button("Skip", () => this.set(index + 1)));
    row.append(button("End", () => this.leave()));
    this.root.replaceChildren(
      element("h3", "", `Mistake ${index + 1} of ${this.list.length}`),
      element("p", "", `${name} played ${label(move)}${this.task.found.glyph}. Find a better move, on the board.`),
      status,
      row,
    );
  }
}
