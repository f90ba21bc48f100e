// Why a move is good or bad, in words. The server knows; the answers are remembered as long as the game lasts.

import { lineText } from "./lines.js";
import { button, element, find, label, state } from "./state.js";

export class Why {
  // `look(wanted, at)` shows a line on the board.
  constructor({ say, look }) {
    Object.assign(this, { say, look, known: new Map(), wanted: null });
    find("why-close").addEventListener("click", () => this.close());
  }

  // Explains a move in the position of a node.
  ask(node, san, title) {
    this.wanted = `${node} ${san}`;
    find("why").hidden = false;
    find("why-title").textContent = `Why ${title}?`;
    const known = this.known.get(this.wanted);
    if (known) return this.show(known);
    find("why-text").replaceChildren(element("p", "quiet", "Thinking about it…"));
    find("why").scrollIntoView({ block: "nearest" });
    this.say("why", { node, text: san });
  }

  // The move that led to a node.
  ofNode(node) {
    const move = state.byNode.get(node);
    if (move) this.ask(move.parent, move.san, label(move));
  }

  hear(answer) {
    const key = `${answer.node} ${answer.chosen.san}`;
    this.known.set(key, answer);
    if (key === this.wanted) this.show(answer);
  }

  show({ node, fen, sentences }) {
    const parts = sentences.map(({ text, line }) => {
      const sentence = element("p", "", text);
      if (line?.uci.length > 0) sentence.append(" ", this.line(node, fen, line));
      return sentence;
    });
    find("why-text").replaceChildren(...parts);
    find("why").scrollIntoView({ block: "nearest" });
  }

  // A line that begins in the position can be walked along; one that begins after a move or a pass is only read.
  line(node, fen, { text, san, uci }) {
    const isHere = text.startsWith(lineText(san.slice(0, 1), fen).replace("…", "...").replace(/ .*/, " "));
    if (!isHere) return element("span", "quiet", text);
    return button(text, () => this.look({ node, fen, san, uci, title: "Line" }, 0), "inline");
  }

  refused() {
    if (this.wanted && !this.known.has(this.wanted)) this.close();
  }

  forget() {
    this.known.clear();
    this.close();
  }

  close() {
    this.wanted = null;
    find("why").hidden = true;
  }
}
