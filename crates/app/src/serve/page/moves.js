// The moves of the game with their variations, each a button that shows its position.

import { scoreText } from "./lines.js";
import { children, element, label, state } from "./state.js";

export const MARKS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
const KINDS = { "!!": "brilliant", "!": "good", "!?": "good", "?!": "inaccuracy", "?": "mistake", "??": "blunder" };

// The mark of a move: what the game's own author said, else what the review found.
export function markOf(move) {
  const own = (move.nags ?? []).map((nag) => MARKS[nag] ?? "").join("");
  const glyph = own || state.review?.byNode.get(move.node)?.glyph || "";
  return { glyph, kind: KINDS[glyph] ?? "" };
}

export class Moves {
  // `go(node)` shows a position, `why(node)` explains the move that led to it.
  constructor(root, { go, why }) {
    this.root = root;
    root.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.classList.contains("why")) why(Number(button.dataset.of));
      else go(Number(button.dataset.node));
    });
  }

  show(game) {
    const parts = [];
    if (game.comment) parts.push(element("p", "remark", game.comment));
    let row = null; // whether White's move stands in the row already
    for (let [move, ...others] = children(0); move; [move, ...others] = children(move.node)) {
      if (move.side === "white") parts.push(element("span", "number", `${move.number}.`));
      else if (!row) parts.push(element("span", "number", `${move.number}.`), element("span", "gap", "…"));
      parts.push(this.cell(move));
      row = move.side === "white";
      if (move.comment || others.length > 0) {
        if (row) parts.push(element("span", "gap"));
        if (move.comment) parts.push(element("p", "remark", move.comment));
        parts.push(...others.map((other) => this.variation(other)));
        row = false;
      }
    }
    if (game.result !== "*") parts.push(element("p", "result", game.result.replaceAll("1/2", "½").replace("-", "–")));
    this.root.replaceChildren(...parts);
    this.root.classList.toggle("empty", game.moves.length === 0);
  }

  // A move with what is said about it, and the question why.
  cell(move) {
    const cell = element("span", "cell");
    const button = element("button", "move", move.san, { type: "button" });
    button.dataset.node = move.node;
    const { glyph, kind } = markOf(move);
    if (glyph) button.append(element("b", `mark ${kind}`, glyph));
    const evaluation = state.evaluations.get(move.node);
    if (evaluation) button.append(element("small", "", scoreText(evaluation)));
    const why = element("button", "why", "Why?", { type: "button", "aria-label": `Why ${label(move)}?` });
    why.dataset.of = move.node;
    cell.append(button, why);
    return cell;
  }

  // A line beside the game, in running text.
  variation(first) {
    const block = element("div", "variation");
    const walk = (move, start) => {
      for (let others = []; move; [move, ...others] = children(move.node)) {
        block.append(...others.map((other) => this.variation(other)));
        const dots = move.side === "white" ? `${move.number}.` : start || others.length > 0 ? `${move.number}…` : "";
        if (dots) block.append(element("span", "number", dots));
        block.append(this.cell(move));
        if (move.comment) block.append(element("span", "remark", move.comment));
        start = Boolean(move.comment);
      }
    };
    walk(first, true);
    return block;
  }

  // Marks the position shown and brings it into view, without moving the page.
  mark(node) {
    const before = this.root.querySelector(".here");
    before?.classList.remove("here");
    before?.removeAttribute("aria-current");
    const button = this.root.querySelector(`[data-node="${node}"]`);
    if (!button) {
      this.root.scrollTop = 0;
      return;
    }
    button.classList.add("here");
    button.setAttribute("aria-current", "true");
    const [box, frame] = [button.getBoundingClientRect(), this.root.getBoundingClientRect()];
    if (box.top < frame.top) this.root.scrollTop -= frame.top - box.top + 8;
    if (box.bottom > frame.bottom) this.root.scrollTop += box.bottom - frame.bottom + 8;
  }

  // A judgement has come in.
  judge(node, evaluation) {
    const button = this.root.querySelector(`[data-node="${node}"]`);
    if (!button) return;
    const small = button.querySelector("small") ?? button.appendChild(element("small", ""));
    small.textContent = scoreText(evaluation);
  }
}
