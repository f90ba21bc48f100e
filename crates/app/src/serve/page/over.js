// What is shown when a game against the engine has ended: how, and what to do next.

import { button, element, find, state } from "./state.js";

export class Over {
  constructor({ rematch, review, fresh }) {
    this.box = find("over");
    Object.assign(this, { rematch, review, fresh });
  }

  // A game has just ended: { text, winner, side, level }.
  show(finished) {
    const { text, winner, side } = finished;
    const title = winner === null ? "Draw" : winner === side ? "You won" : "You lost";
    const close = button("✕", () => this.hide(), "plain close");
    close.setAttribute("aria-label", "Close");
    const row = element("div", "row-start");
    const first = button("Review game", () => this.act(this.review), "main");
    row.append(first, button("Rematch", () => this.act(() => this.rematch(finished))), button("New game", () => this.act(this.fresh)));
    this.box.replaceChildren(close, element("h2", "", title), element("p", "", `${text}. ${state.game.result.replaceAll("1/2", "½").replace("-", "–")}`), row);
    this.box.hidden = false;
    first.focus({ preventScroll: true });
  }

  act(action) {
    this.hide();
    action();
  }

  hide() {
    this.box.hidden = true;
  }
}
