// What a pawn becomes: a small choice beside the square it reaches.

import { picture } from "./pieces.js";

const NAMES = { q: "Queen", n: "Knight", r: "Rook", b: "Bishop" }; // in the order they are offered

export class Promotion {
  constructor(box, stage, board) {
    Object.assign(this, { box, stage, board, resolve: null });
    box.addEventListener("keydown", (event) => this.key(event));
  }

  // Letters choose, arrows walk, Escape leaves; Tab stays within.
  key(event) {
    const buttons = [...this.box.children];
    const chosen = buttons.find((button) => button.dataset.letter === event.key.toLowerCase());
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Tab: event.shiftKey ? -1 : 1 }[event.key];
    if (chosen) chosen.click();
    else if (step) buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  get isOpen() {
    return !this.box.hidden;
  }

  // Resolves to one of these moves to a square, or to nothing if none is chosen.
  choose(moves, square) {
    this.close();
    this.before = document.activeElement;
    const white = square[1] === "8";
    const buttons = Object.keys(NAMES).flatMap((letter) => {
      const move = moves.find((other) => other.promotion === letter);
      return move ? [this.button(move, white)] : [];
    });
    this.box.replaceChildren(...buttons);
    this.box.hidden = false;
    this.place(square);
    buttons[0].focus();
    return new Promise((resolve) => { this.resolve = resolve; });
  }

  button(move, white) {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-label", NAMES[move.promotion]);
    button.title = `${NAMES[move.promotion]} (${move.promotion.toUpperCase()})`;
    button.dataset.letter = move.promotion;
    button.append(picture(white ? move.promotion.toUpperCase() : move.promotion));
    button.addEventListener("click", () => this.close(move));
    return button;
  }

  place(square) {
    const [x, y] = this.board.place(square);
    const stage = this.stage.getBoundingClientRect();
    const area = this.board.root.getBoundingClientRect();
    const left = area.left - stage.left + (x / 800) * area.width;
    this.box.style.left = `${Math.min(left, stage.width - this.box.offsetWidth - 4)}px`;
    this.box.style.top = y === 0 ? "4px" : `${area.height - this.box.offsetHeight - 4}px`;
  }

  close(move = null) {
    if (this.isOpen) this.before?.focus?.();
    this.box.hidden = true;
    this.resolve?.(move);
    this.resolve = null;
  }
}
