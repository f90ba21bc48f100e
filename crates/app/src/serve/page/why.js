// Why a move is good or bad, in words. The server knows; the answers are remembered as long as the game lasts.

import { lineText, scoreText } from "./lines.js";
import { button, element, find, label, state } from "./state.js";

const PATIENCE = 500; // milliseconds: who walks on does not want to know

function bandText({ low, value, high }) {
  return `Value ${scoreText(value)}; three times out of five a short search finds ${scoreText(low)} to ${scoreText(high)}.`;
}

export class Why {
  // `look(wanted, at)` shows a line on the board, `told()` is called when an explanation has come that was prepared.
  constructor({ say, look, told }) {
    Object.assign(this, { say, look, told, known: new Map(), wanted: null, pending: null });
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

  // The explanation of a move to whoever stays with it for a moment; nothing until it is known.
  prepare(move) {
    const key = `${move.parent} ${move.san}`;
    if (this.known.has(key)) return this.paragraphs(this.beyondVerdict(this.known.get(key)));
    if (this.pending !== key) {
      this.cancel();
      this.pending = key;
      this.timer = setTimeout(() => this.say("why", { node: move.parent, text: move.san }), PATIENCE);
    }
    return [];
  }

  // What to add to a review that has judged the move already: the reasons, or that a longer look finds the move good enough.
  beyondVerdict(answer) {
    const isVerdict = ({ kind }) => kind === "verdict";
    if (answer.judgement) return { ...answer, sentences: answer.sentences.filter((sentence) => !isVerdict(sentence)) };
    const second = answer.sentences.filter(isVerdict).map((sentence) => ({ ...sentence, text: `A longer look: ${sentence.text}` }));
    return { ...answer, sentences: second };
  }

  cancel() {
    clearTimeout(this.timer);
    this.pending = null;
  }

  hear(answer) {
    const key = `${answer.node} ${answer.chosen.san}`;
    this.known.set(key, answer);
    if (key === this.wanted) this.show(answer);
    if (key === this.pending) this.told();
  }

  show(answer) {
    find("why-text").replaceChildren(...this.paragraphs(answer), ...this.forecast(answer));
    find("why").scrollIntoView({ block: "nearest" });
  }

  paragraphs({ node, fen, sentences }) {
    return sentences.map(({ text, line }) => {
      const sentence = element("p", "", text);
      if (line?.uci.length > 0) sentence.append(" ", this.line(node, fen, line));
      return sentence;
    });
  }

  // A line that begins in the position can be walked along; one that begins after a move or a pass is only read.
  line(node, fen, { text, san, uci }) {
    const isHere = text.startsWith(lineText(san.slice(0, 1), fen).replace("…", "...").replace(/ .*/, " "));
    if (!isHere) return element("span", "quiet", text);
    return button(text, () => this.look({ node, fen, san, uci, title: "Line" }, 0), "inline");
  }

  // What the network expected before the move, if it has learned to say so.
  forecast({ node, fen, forecast }) {
    if (!forecast) return [];
    const { band, moves = [] } = forecast;
    const parts = [element("h3", "", "The network, without any search")];
    if (band) parts.push(this.band(band), element("p", "", bandText(band)));
    if (moves.length > 0) parts.push(this.expected(node, fen, moves));
    return parts;
  }

  // White's part of the point, and where a search may find it instead. The words below say the same.
  band({ low, value, high }) {
    const bar = element("div", "band", "", { "aria-hidden": "true" });
    for (const [name, { expected }] of Object.entries({ low, value, high })) bar.style.setProperty(`--${name}`, `${expected}%`);
    return bar;
  }

  expected(node, fen, moves) {
    const list = element("p", "expected", "Expected moves:");
    for (const { san, uci, percent } of moves) {
      const look = () => this.look({ node, fen, san: [san], uci: [uci], title: "Expected" }, 0);
      list.append(" ", button(`${san} ${Math.round(percent)}\u00a0%`, look, "inline"));
    }
    return list;
  }

  refused() {
    if (this.wanted && !this.known.has(this.wanted)) this.close();
  }

  forget() {
    this.cancel();
    this.known.clear();
    this.close();
  }

  close() {
    this.wanted = null;
    find("why").hidden = true;
  }
}
