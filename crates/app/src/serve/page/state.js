// What the page knows: the game as the server told it, the position shown, and what was found. Everybody reads it, main.js writes it.

export const state = {
  game: null, // the moves, as the server told them
  position: null, // what the board shows, unless a line is looked at
  status: null,
  reports: new Map(), // the latest analysis of each node
  evaluations: new Map(), // the latest judgement of each node
  review: null, // { white, black, moves, byNode }
  look: null, // the line that is looked at: { boards, at, san, title, line }
  restore: null, // what is to be taken up again after a pause
  byNode: new Map(),
  children: new Map(),
};

export const find = (id) => document.getElementById(id);

// An element with classes, text and attributes.
export function element(name, className = "", text = "", attributes = {}) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function button(text, action, className = "") {
  const made = element("button", className, text, { type: "button" });
  if (action) made.addEventListener("click", action);
  return made;
}

// Takes in a game.
export function takeGame(game) {
  state.game = game;
  state.byNode = new Map(game.moves.map((move) => [move.node, move]));
  state.children = new Map();
  for (const move of game.moves) {
    if (!state.children.has(move.parent)) state.children.set(move.parent, []);
    state.children.get(move.parent).push(move);
  }
  state.evaluations = new Map(game.moves.filter((move) => move.evaluation).map((move) => [move.node, move.evaluation]));
  if (game.evaluation) state.evaluations.set(0, game.evaluation);
}

export function children(node) {
  return state.children.get(node) ?? [];
}

// The moves that lead to a node.
export function pathTo(node) {
  const path = [];
  for (let move = state.byNode.get(node); move; move = state.byNode.get(move.parent)) path.unshift(move);
  return path;
}

// The line through the position shown: its way here, then first moves.
export function line() {
  const path = pathTo(state.position.node);
  for (let move = children(state.position.node)[0]; move; move = children(move.node)[0]) path.push(move);
  return path;
}

export function mainLine() {
  const path = [];
  for (let move = children(0)[0]; move; move = children(move.node)[0]) path.push(move);
  return path;
}

export function isMain(node) {
  return pathTo(node).every((move) => children(move.parent)[0] === move);
}

// The move with its number: "12. Nf3", "12… Nf6".
export function label(move) {
  return `${move.number}${move.side === "white" ? "." : "…"} ${move.san}`;
}

// Offers a text to be saved as a file.
export function download(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
