// What lasts: settings in this browser, and the game of this tab, which is taken up again when the page or the server comes back.

import { pathTo, state } from "./state.js";

const SETTINGS = "stillwater-settings";
const GAME = "stillwater";

function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return null; // somebody else's, or not allowed
  }
}

function write(storage, key, value) {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // A full or forbidden store: nothing is kept, and nothing else is lost.
  }
}

const USUAL = { arrows: true, hover: true, theme: "", colours: "water" };
export const settings = { ...USUAL, ...read(localStorage, SETTINGS) };

export function keepSettings(changes) {
  Object.assign(settings, changes);
  write(localStorage, SETTINGS, settings);
  showSettings();
}

// What can be seen of them.
export function showSettings() {
  const root = document.documentElement;
  if (settings.theme) root.dataset.theme = settings.theme;
  else delete root.dataset.theme;
  root.dataset.board = settings.colours;
}

// The game of this tab.

export function remembered(flipped) {
  const { game, position, status } = state;
  const { play, analysis } = status;
  return { pgn: game.pgn, path: pathTo(position.node).map((move) => move.san), play, analysis, flipped };
}

export function keepGame(flipped) {
  if (!state.game || !state.status || !state.position || state.restore) return;
  write(sessionStorage, GAME, remembered(flipped));
}

export function keptGame() {
  return read(sessionStorage, GAME);
}
