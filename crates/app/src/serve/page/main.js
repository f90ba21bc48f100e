// Ties the parts together: what the server says goes to those who show it, what the user does goes to the server.

import { Board } from "./board.js";
import { Forms } from "./forms.js";
import { Graph } from "./graph.js";
import { Input } from "./input.js";
import { Lines, numbered } from "./lines.js";
import { Moves } from "./moves.js";
import { Promotion } from "./promotion.js";
import { Connection } from "./socket.js";

const find = (id) => document.getElementById(id);
const KEPT = "stillwater";

const state = {
  game: null, // the moves, as the server told them
  position: null, // what the board shows, unless a line is looked at
  status: null,
  reports: new Map(), // the latest analysis of each node
  evaluations: new Map(), // the latest judgement of each node
  look: null, // the line that is looked at: { line, boards, at }
  arrows: true,
  restore: null, // what is to be taken up again after a pause
};

const board = new Board(find("board"));
const lines = new Lines(
  { bar: find("bar"), score: find("score"), chances: find("chances"), facts: find("facts"), list: find("lines") },
  { look },
);
const graph = new Graph(find("graph"), { go });
const moves = new Moves(find("moves"), { go });
const forms = new Forms({
  say,
  current: () => state,
  arrows: (on) => { state.arrows = on; drawArrows(); },
});
const promotion = new Promotion(find("promotion"), find("stage"), board);
new Input(board, { play: (uci) => say("move", { text: uci }), choose: (options, square) => promotion.choose(options, square) });
const connection = new Connection({ hear, change: connectionChanged });

function say(type, rest) {
  connection.say(type, rest);
}

function go(node) {
  endLook();
  if (node !== undefined && node !== state.position?.node) say("goto", { node });
}

// What the server says.

function hear(message) {
  const { type, ...rest } = message;
  handlers[type]?.(rest);
}

const handlers = {
  welcome(message) {
    forms.welcome(message);
    const kept = state.game && state.position && state.status ? remembered() : JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    state.restore = kept;
    if (kept) {
      say("settings", kept.settings);
      say("pgn", { text: kept.pgn });
    }
  },

  game(game) {
    const first = !state.game;
    const same = state.game && state.game.start === game.start && game.moves.every((move) => known(move));
    state.game = game;
    if (!same) state.reports.clear();
    state.evaluations = new Map(game.moves.filter((move) => move.evaluation).map((move) => [move.node, move.evaluation]));
    if (game.evaluation) state.evaluations.set(0, game.evaluation);
    state.byNode = new Map(game.moves.map((move) => [move.node, move]));
    moves.show(game);
    if (!first) forms.loaded();
    if (state.restore) restore();
  },

  position(position) {
    const before = state.position;
    state.position = position;
    state.look = null;
    promotion.close();
    showPosition();
    if (before && before.node !== position.node) speak(position);
    keep();
  },

  status(status) {
    const begun = status.play && !state.status?.play;
    state.status = status;
    forms.settings(status.settings);
    if (begun) flip(status.play.side === "black");
    showStatus();
    keep();
  },

  analysis({ node, ...report }) {
    state.reports.set(node, report);
    judge(node, report.lines[0]?.evaluation);
    if (node === state.position?.node) showAnalysis();
  },

  evaluated({ node, evaluation, done, all }) {
    judge(node, evaluation);
    find("evaluate").textContent = `Stop (${done} of ${all})`;
    if (node === state.position?.node) showAnalysis();
  },

  preview({ node, boards }) {
    const wanted = state.wanted;
    if (!wanted || node !== state.position.node || boards.length === 0) return;
    state.look = { ...wanted, boards, at: Math.min(wanted.at, boards.length - 1) };
    showLook();
  },

  games({ names, index }) {
    forms.games(names, index);
  },

  note({ text }) {
    banner(text);
  },

  refused({ text }) {
    state.restore = null;
    if (!forms.refused(text)) banner(text, true);
  },
};

// Nodes keep their names as long as the game is the same one.
function known(move) {
  const old = state.byNode?.get(move.node);
  return !old || (old.san === move.san && old.parent === move.parent);
}

function judge(node, evaluation) {
  if (!evaluation) return;
  state.evaluations.set(node, evaluation);
  moves.judge(node, evaluation);
  showGraph();
}

// What the page shows.

function showPosition() {
  const { position } = state;
  find("preview-bar").hidden = true;
  find("board").classList.remove("looking");
  board.show(position);
  lines.mark(-1, -1);
  moves.mark(position.node);
  find("promote").hidden = isMain(position.node);
  showAnalysis();
  showGraph();
  showStatus();
}

function showAnalysis() {
  const { node, fen } = state.position;
  lines.judge(state.evaluations.get(node));
  // Old lines are of another position; an empty list would make the page jump while new ones are on their way.
  const report = state.reports.get(node);
  if (report || !state.status?.analysis || state.position.outcome) lines.show(report ?? null, fen);
  drawArrows();
}

function drawArrows() {
  if (state.look) return board.draw([]);
  const report = state.status?.analysis && state.reports.get(state.position?.node);
  if (!report || !state.arrows) return board.draw([]);
  const arrow = (line, index) => {
    const uci = line.uci[0];
    const move = state.position.legal.find((legal) => legal.uci === uci);
    return { from: uci.slice(0, 2), to: move?.to[0] ?? uci.slice(2, 4), kind: index === 0 ? "first" : "other" };
  };
  board.draw(report.lines.filter((line) => line.uci.length > 0).slice(0, 4).map(arrow));
}

function line() {
  const { game, position } = state;
  const path = [];
  for (let move = state.byNode.get(position.node); move; move = state.byNode.get(move.parent)) path.unshift(move);
  const after = (node) => game.moves.find((move) => move.parent === node);
  for (let move = after(position.node); move; move = after(move.node)) path.push(move);
  return path;
}

function isMain(node) {
  for (let move = state.byNode.get(node); move; move = state.byNode.get(move.parent)) {
    if (state.game.moves.find((other) => other.parent === move.parent) !== move) return false;
  }
  return true;
}

function showGraph() {
  if (!state.position || !state.game) return;
  const nodes = [{ node: 0 }, ...line()].map(({ node }) => ({ node, evaluation: state.evaluations.get(node) }));
  graph.show(nodes, state.position.node);
}

function showStatus() {
  const { status, position, game } = state;
  if (!status || !position || !game) return;
  find("analyse").setAttribute("aria-checked", status.analysis);
  const evaluate = find("evaluate");
  if (!status.evaluating) evaluate.textContent = "Evaluate game";
  else if (!evaluate.textContent.startsWith("Stop")) evaluate.textContent = "Stop";
  evaluate.disabled = game.moves.length === 0;
  find("resign").hidden = !status.play || Boolean(position.outcome);
  find("take-back").disabled = position.node === 0 && !status.play;
  for (const [where, side] of [["top", board.flipped ? "white" : "black"], ["bottom", board.flipped ? "black" : "white"]]) {
    const [dot, name, note] = find(`player-${where}`).children;
    dot.className = side;
    name.textContent = game[side] || (side === "white" ? "White" : "Black");
    note.textContent = playerNote(side);
  }
  find("bar").classList.toggle("flipped", board.flipped);
}

function playerNote(side) {
  const { status, position } = state;
  const mine = status.play?.side === side;
  if (position.outcome) return position.turn === side ? position.outcome : "";
  if (status.play && !mine && status.activity === "thinking") return "is thinking…";
  if (status.play && !mine && status.activity === "waiting") return "waits for a free engine…";
  if (position.turn !== side) return "";
  if (!status.play && status.activity === "waiting") return "to move; analysis waits for a free engine…";
  return mine ? "your move" : "to move";
}

function speak(position) {
  const move = state.byNode.get(position.node);
  const words = move ? `${move.side === "white" ? "White" : "Black"} ${move.san}` : "Start position";
  find("spoken").textContent = position.outcome ? `${words}. ${position.outcome}` : words;
}

let bannerTimer;
function banner(text, warn = false, stays = false) {
  clearTimeout(bannerTimer);
  find("banner").textContent = text;
  find("banner").hidden = !text;
  find("banner").classList.toggle("warn", warn);
  if (text && !stays) bannerTimer = setTimeout(() => banner(""), 6000);
}

function connectionChanged(now) {
  if (now === "open") banner("");
  if (now === "closed") banner("The connection to the engine is lost. Is stillwater still running? Trying again…", true, true);
  if (now === "asleep") banner("The engine let this board go because it was idle. Do anything to wake it.", false, true);
}

// Lines one can click through.

function look(index, at) {
  const report = state.reports.get(state.position.node);
  if (!report) return;
  const chosen = report.lines[index];
  state.wanted = { line: index, at, san: chosen.san, uci: chosen.uci };
  say("preview", { node: state.position.node, moves: chosen.uci });
}

function showLook() {
  const { line, boards, at, san } = state.look;
  board.show(boards[at]);
  board.draw([]);
  lines.mark(line, at);
  find("board").classList.add("looking");
  find("preview-bar").hidden = false;
  const words = numbered(san.slice(0, at + 1), state.position.fen).slice(-4);
  find("preview-bar").firstElementChild.textContent = `Line ${line + 1}: ${words.map((pair) => pair.join(" ").trim()).join(" ")}`;
}

function endLook() {
  if (!state.look) return false;
  state.look = null;
  showPosition();
  return true;
}

function keepLook() {
  const { uci, at } = state.look;
  endLook();
  uci.slice(0, at + 1).forEach((text) => say("move", { text }));
}

function step(by) {
  if (state.look) {
    const at = state.look.at + by;
    if (at < 0) return endLook();
    state.look.at = Math.min(at, state.look.boards.length - 1);
    return showLook();
  }
  const path = [0, ...line().map((move) => move.node)];
  const here = path.indexOf(state.position.node);
  const wanted = Math.max(0, Math.min(path.length - 1, here + by));
  if (wanted !== here) say("goto", { node: path[wanted] });
}

// What is taken up again when the page or the server comes back.

function remembered() {
  const { game, position, status } = state;
  const path = [];
  for (let move = state.byNode.get(position.node); move; move = state.byNode.get(move.parent)) path.unshift(move.san);
  const { play, analysis, settings } = status;
  return { pgn: game.pgn, path, play, analysis, settings, flipped: board.flipped };
}

function keep() {
  if (!state.game || !state.status || !state.position || state.restore) return;
  sessionStorage.setItem(KEPT, JSON.stringify(remembered()));
}

function restore() {
  const { pgn, path, play, analysis, flipped } = state.restore;
  // The first game told is the server's own beginning; ours comes after it was sent.
  if (state.game.pgn !== pgn && path.length > 0 && state.game.moves.length === 0) return;
  state.restore = null;
  let node = 0;
  for (const san of path) node = state.game.moves.find((move) => move.parent === node && move.san === san)?.node ?? node;
  if (node !== 0) say("goto", { node });
  if (play) say("play", { side: play.side, level: play.level });
  say("analyse", { on: analysis });
  flip(flipped);
}

// What the user does.

function flip(flipped) {
  board.flip(flipped);
  showStatus();
}

function takeBack() {
  endLook();
  say("take_back");
}

const actions = {
  first: () => go(0),
  back: () => step(-1),
  forth: () => step(1),
  last: () => go([0, ...line().map((move) => move.node)].at(-1)),
  "take-back": takeBack,
  flip: () => flip(!board.flipped),
  resign: () => say("resign"),
  promote: () => say("promote", { node: state.position.node }),
  analyse: () => say("analyse", { on: !state.status?.analysis }),
  evaluate: () => say("evaluate", { on: !state.status?.evaluating }),
  "preview-keep": keepLook,
  "preview-end": endLook,
};
for (const [id, action] of Object.entries(actions)) find(id).addEventListener("click", () => action());

find("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = find("typed-move");
  if (!field.value.trim()) return;
  endLook();
  say("move", { text: field.value });
  field.value = "";
});

const keys = {
  ArrowLeft: actions.back,
  ArrowRight: actions.forth,
  Home: actions.first,
  End: actions.last,
  a: actions.analyse,
  f: actions.flip,
  u: takeBack,
  n: () => forms.open("new-dialog"),
  "/": () => find("typed-move").focus(),
  "?": () => forms.open("help-dialog"),
};
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && promotion.isOpen) return promotion.close();
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.matches("input, textarea, select")) return;
  if (event.key === "Escape") return void endLook();
  const action = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (!action) return;
  event.preventDefault();
  action();
});
