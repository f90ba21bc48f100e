// The clocks beside the players: those of a game that is being played, or what a file says they showed.

import { find, pathTo, state } from "./state.js";

function text(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  if (seconds < 10) return `0:0${Math.max(0, seconds).toFixed(1)}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export class Clocks {
  constructor() {
    this.timer = setInterval(() => this.running && this.show(), 100);
  }

  // The server has said what they show.
  take(clock) {
    this.clock = clock ?? null;
    this.since = performance.now();
    this.running = Boolean(clock?.running);
    this.show();
  }

  left(side) {
    if (!this.clock) return this.written(side);
    const passed = this.clock.running === side ? (performance.now() - this.since) / 1000 : 0;
    return this.clock[side] - passed;
  }

  // The last time a file gives this side, up to the position shown.
  written(side) {
    if (!state.position || !state.game) return null;
    return pathTo(state.position.node).findLast((move) => move.side === side && move.clock !== undefined)?.clock ?? null;
  }

  show(flipped = this.flipped) {
    this.flipped = flipped;
    for (const [where, side] of [["top", flipped ? "white" : "black"], ["bottom", flipped ? "black" : "white"]]) {
      const clock = find(`player-${where}`).querySelector(".clock");
      const left = this.left(side);
      clock.hidden = left === null;
      if (left === null) continue;
      clock.textContent = text(left);
      clock.classList.toggle("running", this.clock?.running === side);
      clock.classList.toggle("short", this.clock !== null && left < 20);
    }
  }
}
