// Ties the parts together: what the server says goes to those who show it, what the user does goes to the server.

import { Board } from "./board.js";
import { Clocks } from "./clocks.js";
import { Editor } from "./editor.js";
import { Explorer } from "./explorer.js";
import { Files } from "./files.js";
import { Forms } from "./forms.js";
import { Graph } from "./graph.js";
import { Input } from "./input.js";
import { keepGame, keptGame, remembered, settings, showSettings } from "./keep.js";
import { Learn } from "./learn.js";
import { Lines, scoreText } from "./lines.js";
import { Look } from "./look.js";
import { markOf, Moves } from "./moves.js";
import { Notes } from "./notes.js";
import { Over } from "./over.js";
import { Promotion } from "./promotion.js";
import { points, Review } from "./review.js";
import { Connection } from "./socket.js";
import { find, isMain, line, state, takeGame } from "./state.js";
import { Tabs } from "./tabs.js";
import { Why } from "./why.js";

showSettings();

const say = (type, rest) => connection.say(type, rest);
const board = new Board(find("board"));
const lines = new Lines(
  { bar: find("bar"), score: find("score"), chances: find("chances"), facts: find("facts"), list: find("lines") },
  { look: lookAtLine, why: whyLine, point: pointAtLine },
);
const look = new Look({ say, board, lines, show: (view) => board.show(view), end: showPosition });
const graph = new Graph(find("graph"), { go });
const why = new Why({ say, look: (wanted, at) => look.open(wanted, at), told: () => learn.isOn || review.show() });
const moves = new Moves(find("moves"), { go, why: (node) => why.ofNode(node) });
const forms = new Forms({ say, changed: () => drawArrows() });
const files = new Files({ say });
const editor = new Editor({ say });
const clocks = new Clocks();
const promotion = new Promotion(find("promotion"), find("stage"), board);
const tabs = new Tabs(document.querySelector('[role="tablist"]'), { change: showTab });
const explorer = new Explorer(find("pane-openings"), { say, play });
const notes = new Notes(find("pane-notes"), { say });
const review = new Review(find("pane-review"), {
  say, go,
  look: (wanted, at) => look.open(wanted, at),
  why,
  learn: (side) => learn.begin(side),
  evaluate: () => actions.evaluate(),
});
const learn = new Learn(find("pane-review"), {
  say, go, flip,
  mistakes: (side) => review.mistakes(side),
  draw: pointOut,
  leave: () => { review.show(); showAnalysis(); },
});
const over = new Over({
  rematch: (finished) => forms.rematch(finished),
  review: () => { tabs.show("tab-review"); say("evaluate", { on: true }); },
  fresh: () => open("new-dialog"),
});
new Input(board, { play, choose: (options, square) => promotion.choose(options, square), step });
board.drawn = (shapes) => say("annotate", { node: state.position.node, shapes });
const connection = new Connection({ hear, change: connectionChanged });

function go(node) {
  look.close();
  if (node !== undefined && node !== state.position?.node) say("goto", { node });
}

function play(uci) {
  if (!learn.play(uci)) say("move", { text: uci });
}

// What the server says.

function hear({ type, ...rest }) {
  handlers[type]?.(rest);
}

const handlers = {
  welcome(message) {
    forms.welcome(message);
    state.restore = state.game && state.position && state.status ? remembered(board.flipped) : keptGame();
    if (state.restore) say("pgn", { text: state.restore.pgn });
  },

  game(game) {
    const first = !state.game;
    const same = state.game && state.game.start === game.start && game.moves.every((move) => known(move));
    takeGame(game);
    if (!same) forget();
    moves.show(game);
    notes.show();
    if (!first) {
      files.loaded();
      editor.loaded();
    }
    if (state.position) moves.mark(state.position.node);
    if (state.position && state.status) showStatus();
    if (state.restore) restore();
  },

  position(position) {
    const before = state.position;
    state.position = position;
    state.look = null;
    promotion.close();
    showPosition();
    if (before && before.node !== position.node) speak(position);
    explorer.ask();
    keepGame(board.flipped);
  },

  status(status) {
    const before = state.status;
    state.status = status;
    forms.settings(status.settings);
    if (status.play && !before?.play) {
      over.hide();
      flip(status.play.side === "black");
    }
    clocks.take(status.play?.clock);
    if (before?.play && !status.play && status.finished) over.show(status.finished);
    if (before && before.evaluating !== status.evaluating) {
      review.progress = null;
      if (!learn.isOn) review.show();
    }
    if (state.position && before?.analysis !== status.analysis) showAnalysis();
    showStatus();
    keepGame(board.flipped);
  },

  analysis({ node, ...report }) {
    state.reports.set(node, report);
    judge(node, report.lines[0]?.evaluation);
    if (node === state.position?.node) showAnalysis();
  },

  evaluated({ node, evaluation, done, all }) {
    judge(node, evaluation);
    find("evaluate").textContent = `Stop (${done} of ${all})`;
    if (!learn.isOn) review.advance(done, all);
    if (node === state.position?.node) showAnalysis();
  },

  review(found) {
    review.take(found);
    moves.show(state.game);
    showPosition();
    tabs.show("tab-review");
  },

  report: (message) => review.save(message),
  preview: (message) => look.hear(message),
  explored: (facts) => explorer.hear(facts),
  collected: (answer) => explorer.collected(answer),
  book: (answer) => explorer.collected(answer),
  tried: (answer) => learn.hear(answer),
  why: (answer) => why.hear(answer),
  games: ({ names, index }) => files.hear(names, index),
  note: ({ text }) => banner(text),

  hint({ node, uci, san }) {
    if (node !== state.position?.node) return;
    banner(`Hint: ${san}`);
    pointOut([{ from: uci.slice(0, 2), to: landing(uci), kind: "green" }]);
  },

  threat({ node, uci, san, evaluation }) {
    if (node !== state.position?.node || !threatening) return;
    if (!uci) return banner("There is no threat to show: the side to move is in check, or the other side has no move.");
    banner(`If it were ${state.position.turn === "white" ? "Black" : "White"}'s turn: ${san} (${scoreText(evaluation)})`);
    pointOut([{ from: uci.slice(0, 2), to: uci.slice(2, 4), kind: "red" }]);
  },

  refused({ text }) {
    state.restore = null;
    why.refused();
    if (!files.refused(text) && !editor.refused(text) && !explorer.refused(text)) banner(text, true);
  },
};

// Nodes keep their names as long as the game is the same one.
function known(move) {
  const old = state.byNode.get(move.node);
  return !old || (old.san === move.san && old.parent === move.parent);
}

// Everything that was known is of another game.
function forget() {
  state.reports.clear();
  look.forget();
  why.forget();
  explorer.forget();
  if (learn.isOn) learn.leave();
  review.take(null);
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
  pointedOut = null;
  find("preview-bar").hidden = true;
  find("board").classList.remove("looking");
  look.point();
  board.show(position);
  const move = state.byNode.get(position.node);
  board.setMarks((move ?? state.game)?.shapes ?? []);
  const { glyph, kind } = move ? markOf(move) : {};
  if (glyph && position.last) board.setGlyph({ square: position.last[1], text: glyph, kind });
  lines.mark(-1, -1);
  moves.mark(position.node);
  find("promote").hidden = isMain(position.node);
  find("opening").textContent = position.opening ?? "";
  find("opening").hidden = !position.opening;
  showAnalysis();
  showGraph();
  showStatus();
  notes.show();
  if (!learn.isOn) review.show();
  if (threatening) say("threat", { node: position.node });
}

function showAnalysis() {
  const { node, fen } = state.position;
  lines.judge(state.evaluations.get(node));
  // Old lines are of another position; an empty list would make the page jump while new ones are on their way.
  const report = state.reports.get(node);
  if (learn.isOn) lines.show(null, fen); // that would be telling
  else if (report || !state.status?.analysis || state.position.outcome) lines.show(report ?? null, fen);
  drawArrows();
}

// Arrows of a hint, a threat or a task, which stay until the position changes.
let pointedOut = null;
function pointOut(arrows) {
  pointedOut = arrows;
  drawArrows();
}

function landing(uci) {
  return state.position.legal.find((legal) => legal.uci === uci)?.to[0] ?? uci.slice(2, 4);
}

function drawArrows() {
  if (state.look) return board.draw([]);
  if (pointedOut || learn.isOn) return board.draw(pointedOut ?? []);
  const report = state.status?.analysis && state.reports.get(state.position?.node);
  if (!report || !settings.arrows) return board.draw([]);
  const arrow = ({ uci: [uci] }, index) => ({ from: uci.slice(0, 2), to: landing(uci), kind: index === 0 ? "first" : "other" });
  board.draw(report.lines.filter((line) => line.uci.length > 0).slice(0, 4).map(arrow));
}

function showGraph() {
  if (state.position && state.game) graph.show(points(line()), state.position.node);
}

function showTab(id) {
  explorer.open = id === "tab-openings";
  explorer.ask();
  review.isOpen = id === "tab-review";
  if (review.isOpen && !learn.isOn) review.show();
  if (id === "tab-moves" && state.position) moves.mark(state.position.node);
}

function showStatus() {
  const { status, position, game } = state;
  if (!status || !position || !game) return;
  find("analyse").setAttribute("aria-checked", status.analysis);
  const evaluate = find("evaluate");
  if (!status.evaluating) evaluate.textContent = "Review game";
  else if (!evaluate.textContent.startsWith("Stop")) evaluate.textContent = "Stop";
  evaluate.disabled = game.moves.length === 0;
  find("resign").hidden = find("draw").hidden = !status.play;
  find("threat").hidden = Boolean(status.play);
  find("take-back").disabled = position.node === 0 && !status.play;
  for (const [where, side] of [["top", board.flipped ? "white" : "black"], ["bottom", board.flipped ? "black" : "white"]]) {
    const [dot, name, note] = find(`player-${where}`).children;
    dot.className = side;
    name.textContent = game[side] || (side === "white" ? "White" : "Black");
    note.textContent = playerNote(side);
  }
  clocks.show(board.flipped);
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
  const words = move ? `${move.side === "white" ? "White" : "Black"} ${move.san}${markOf(move).glyph}` : "Start position";
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

function lookAtLine(index, at) {
  const found = Lines.at(index);
  const { node, fen } = state.position;
  if (found) look.open({ node, fen, san: found.san, uci: found.uci, title: `Line ${index + 1}`, line: index }, at);
}

function pointAtLine(index, at, target) {
  const found = index === null || !settings.hover ? null : Lines.at(index);
  if (found) look.point(state.position.node, found.uci, at, target);
  else look.point();
}

function whyLine(index) {
  const found = Lines.at(index);
  if (found) why.ask(state.position.node, found.san[0], found.san[0]);
}

function step(by) {
  if (look.step(by)) return;
  const path = [0, ...line().map((move) => move.node)];
  const here = path.indexOf(state.position.node);
  const wanted = Math.max(0, Math.min(path.length - 1, here + by));
  if (wanted !== here) say("goto", { node: path[wanted] });
}

function restore() {
  const { pgn, path, play, analysis, flipped } = state.restore;
  // The first game told is the server's own beginning; ours comes after it was sent.
  if (state.game.pgn !== pgn && path.length > 0 && state.game.moves.length === 0) return;
  state.restore = null;
  let node = 0;
  for (const san of path) node = state.game.moves.find((move) => move.parent === node && move.san === san)?.node ?? node;
  if (node !== 0) say("goto", { node });
  if (play) say("play", { side: play.side, level: play.level, clock: play.clock });
  say("analyse", { on: analysis });
  flip(flipped);
}

// What the user does.

let threatening = false;
function threat(on) {
  threatening = on;
  find("threat").setAttribute("aria-pressed", on);
  if (on) say("threat", { node: state.position.node });
  else pointOut(null);
}

function flip(flipped) {
  board.flip(flipped);
  showStatus();
}

function takeBack() {
  look.close();
  say("take_back");
}

function open(id) {
  if (id === "files-dialog") return files.open();
  if (id === "editor-dialog") return editor.open();
  if (!find(id).open) find(id).showModal();
}

const actions = {
  first: () => go(0),
  back: () => step(-1),
  forth: () => step(1),
  last: () => go([0, ...line().map((move) => move.node)].at(-1)),
  "take-back": takeBack,
  flip: () => flip(!board.flipped),
  hint: () => (learn.isOn ? learn.hint() : say("hint", { node: state.position.node })),
  threat: () => threat(!threatening),
  draw: () => say("draw"),
  resign: () => say("resign"),
  promote: () => say("promote", { node: state.position.node }),
  analyse: () => say("analyse", { on: !state.status?.analysis }),
  evaluate: () => say("evaluate", { on: !state.status?.evaluating }),
  "preview-keep": () => look.keep(),
  "preview-end": () => look.close(),
};
for (const [id, action] of Object.entries(actions)) find(id).addEventListener("click", () => action());
for (const button of document.querySelectorAll("[data-dialog]")) button.addEventListener("click", () => open(button.dataset.dialog));

find("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = find("typed-move");
  if (!field.value.trim()) return;
  look.close();
  play(field.value);
  field.value = "";
});

const keys = {
  ArrowLeft: actions.back,
  ArrowRight: actions.forth,
  Home: actions.first,
  End: actions.last,
  a: actions.analyse,
  f: actions.flip,
  h: actions.hint,
  x: actions.threat,
  w: () => why.ofNode(state.position.node),
  m: () => review.next(1),
  u: takeBack,
  n: () => open("new-dialog"),
  "/": () => find("typed-move").focus(),
  "?": () => open("help-dialog"),
};
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && promotion.isOpen) return promotion.close();
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.matches("input, textarea, select")) return;
  if (event.key === "Escape") {
    if (threatening) threat(false);
    over.hide();
    return void look.close();
  }
  const action = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (!action) return;
  event.preventDefault();
  action();
});
