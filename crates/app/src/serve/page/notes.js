// Notes on the move shown: a comment, a symbol, and what is drawn on the board.

import { MARKS } from "./moves.js";
import { button, element, label, state } from "./state.js";

const NAMES = { 1: "! good move", 2: "? mistake", 3: "!! brilliant", 4: "?? blunder", 5: "!? interesting", 6: "?! dubious" };
const POSITIONS = { 10: "= equal", 13: "∞ unclear", 14: "⩲ White is slightly better", 15: "⩱ Black is slightly better", 16: "± White is better", 17: "∓ Black is better", 18: "+− White wins", 19: "−+ Black wins" };
const PAUSE = 600; // milliseconds after the last letter

export class Notes {
  constructor(root, { say }) {
    this.say = say;
    this.title = element("h3");
    this.mark = this.choice("Move", NAMES);
    this.worth = this.choice("Position", POSITIONS);
    const words = element("label", "column", "Comment");
    this.words = element("textarea", "", "", { rows: 4, id: "comment", maxlength: 4000 });
    words.append(this.words);
    const clear = button("Clear drawings", () => this.send({ shapes: [] }));
    root.append(this.title, words, this.mark.row, this.worth.row, clear);
    this.words.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.flush(), PAUSE);
    });
    this.words.addEventListener("blur", () => this.flush());
    for (const { select } of [this.mark, this.worth]) select.addEventListener("change", () => this.sendNags());
  }

  choice(name, options) {
    const row = element("label", "row", name);
    const select = element("select");
    select.append(new Option("–", ""), ...Object.entries(options).map(([nag, text]) => new Option(text, nag)));
    row.append(select);
    return { row, select };
  }

  // Shows what is noted at the position; what is being written stays.
  show() {
    if (!state.position || !state.game) return;
    const { node } = state.position;
    if (this.node !== node) this.flush();
    const move = state.byNode.get(node);
    const source = move ?? state.game;
    this.title.textContent = move ? label(move) : "Before the first move";
    const writing = this.node === node && document.activeElement === this.words;
    if (!writing) this.words.value = source.comment ?? "";
    this.sent = writing ? this.sent : this.words.value;
    this.node = node;
    const nags = move?.nags ?? [];
    this.mark.select.value = nags.find((nag) => MARKS[nag]) ?? "";
    this.worth.select.value = nags.find((nag) => POSITIONS[nag]) ?? "";
    this.mark.select.disabled = this.worth.select.disabled = !move;
    this.others = nags.filter((nag) => !MARKS[nag] && !POSITIONS[nag]);
  }

  flush() {
    clearTimeout(this.timer);
    if (this.node === undefined || this.words.value === this.sent) return;
    this.sent = this.words.value;
    this.send({ comment: this.words.value });
  }

  sendNags() {
    const chosen = [this.mark, this.worth].map(({ select }) => Number(select.value)).filter(Boolean);
    this.send({ nags: [...chosen, ...this.others] });
  }

  send(changes) {
    this.say("annotate", { node: this.node, ...changes });
  }
}
