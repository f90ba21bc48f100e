// The moves of the game with their variations, each a button that shows its position.

import { scoreText } from "./lines.js";

const MARKS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

function element(name, className, text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

// Comments are for people; what programs left in them is not.
function readable(comment) {
  return (comment ?? "").replace(/\[%[^\]]*\]/g, "").trim();
}

export class Moves {
  constructor(root, { go }) {
    this.root = root;
    this.children = new Map();
    root.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) go(Number(button.dataset.node));
    });
  }

  show(game) {
    this.children = new Map();
    for (const move of game.moves) {
      if (!this.children.has(move.parent)) this.children.set(move.parent, []);
      this.children.get(move.parent).push(move);
    }
    const parts = [];
    const intro = readable(game.comment);
    if (intro) parts.push(element("p", "remark", intro));
    let row = null; // whether White's move stands in the row already
    for (let [move, ...others] = this.after(0); move; [move, ...others] = this.after(move.node)) {
      if (move.side === "white") parts.push(element("span", "number", `${move.number}.`));
      else if (!row) parts.push(element("span", "number", `${move.number}.`), element("span", "gap", "…"));
      parts.push(this.button(move));
      row = move.side === "white";
      const remark = readable(move.comment);
      if (remark || others.length > 0) {
        if (row) parts.push(element("span", "gap"));
        if (remark) parts.push(element("p", "remark", remark));
        parts.push(...others.map((other) => this.variation(other)));
        row = false;
      }
    }
    if (game.result !== "*") parts.push(element("p", "result", game.result));
    this.root.replaceChildren(...parts);
    this.root.classList.toggle("empty", game.moves.length === 0);
  }

  after(node) {
    return this.children.get(node) ?? [];
  }

  button(move) {
    const button = element("button", "move", move.san + (move.nags ?? []).map((nag) => MARKS[nag] ?? "").join(""));
    button.type = "button";
    button.dataset.node = move.node;
    if (move.evaluation) button.append(element("small", "", scoreText(move.evaluation)));
    return button;
  }

  // A line beside the game, in running text.
  variation(first) {
    const block = element("div", "variation");
    const walk = (move, start) => {
      for (let others = []; move; [move, ...others] = this.after(move.node)) {
        block.append(...others.map((other) => this.variation(other)));
        const dots = move.side === "white" ? `${move.number}.` : start || others.length > 0 ? `${move.number}…` : "";
        if (dots) block.append(element("span", "number", dots));
        block.append(this.button(move));
        const remark = readable(move.comment);
        if (remark) block.append(element("span", "remark", remark));
        start = remark !== "";
      }
    };
    walk(first, true);
    return block;
  }

  // Marks the position shown and brings it into view, without moving the page.
  mark(node) {
    this.root.querySelector(".here")?.classList.remove("here");
    const button = this.root.querySelector(`[data-node="${node}"]`);
    if (!button) {
      this.root.scrollTop = 0;
      return;
    }
    button.classList.add("here");
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
