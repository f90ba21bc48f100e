// What the engine thinks: the bar beside the board, the chances, and the lines one can click through.

import { element, state } from "./state.js";

export function scoreText(evaluation) {
  if (!evaluation) return "";
  if (evaluation.mate !== undefined) return `${evaluation.mate > 0 ? "" : "−"}#${Math.abs(evaluation.mate)}`;
  const pawns = Math.abs(evaluation.cp) / 100;
  const sign = evaluation.cp > 0 ? "+" : evaluation.cp < 0 ? "−" : "";
  return sign + (pawns >= 100 ? pawns.toFixed(0) : pawns.toFixed(2));
}

// The same where there is little room; who is better is seen from where it stands.
function shortText(evaluation) {
  if (evaluation.mate !== undefined) return `#${Math.abs(evaluation.mate)}`;
  const pawns = Math.abs(evaluation.cp) / 100;
  return pawns.toFixed(pawns >= 9.95 ? 0 : 1);
}

// What White may expect, from 0 to 1.
export function expectation(evaluation) {
  if (evaluation.mate !== undefined) return evaluation.mate > 0 ? 1 : 0;
  return (evaluation.wdl[0] + evaluation.wdl[1] / 2) / 1000;
}

function count(number) {
  for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (number >= size) return `${(number / size).toFixed(number >= 10 * size ? 0 : 1)}${letter}`;
  }
  return String(number);
}

// The number before a move: White's always, Black's only at the beginning of a line.
export function numbered(sans, fen) {
  const [, turn, , , , full] = fen.split(" ");
  let ply = 2 * Number(full) + (turn === "b" ? 1 : 0);
  return sans.map((san, index) => {
    const number = Math.floor(ply / 2);
    const text = ply % 2 === 0 ? `${number}.` : index === 0 ? `${number}…` : "";
    ply += 1;
    return [text, san];
  });
}

export function lineText(sans, fen) {
  return numbered(sans, fen).map((pair) => pair.join(" ").trim()).join(" ");
}

export class Lines {
  // `look(line, move)` shows a move on the board, `why(line)` explains, `point(line, move, element)` shows a small board.
  constructor({ bar, score, chances, facts, list }, { look, why, point }) {
    Object.assign(this, { bar, score, chances, facts, list });
    list.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.classList.contains("why")) why(Number(button.dataset.line));
      else look(Number(button.dataset.line), Number(button.dataset.move));
    });
    const pointed = (event) => {
      const button = event.target.closest("button[data-move]");
      point(button ? Number(button.dataset.line) : null, Number(button?.dataset.move), button);
    };
    list.addEventListener("pointerover", (event) => event.pointerType === "mouse" && pointed(event));
    list.addEventListener("pointerleave", () => point(null));
    list.addEventListener("focusin", pointed);
    list.addEventListener("focusout", () => point(null));
  }

  // The judgement of the position; none clears everything that shows one.
  judge(evaluation) {
    const text = scoreText(evaluation);
    this.score.textContent = text || "–";
    this.bar.hidden = false;
    this.bar.classList.toggle("unknown", !evaluation);
    const share = evaluation ? expectation(evaluation) : 0.5;
    this.bar.style.setProperty("--white", `${(100 * share).toFixed(1)}%`);
    this.bar.classList.toggle("favours-black", share < 0.5);
    this.bar.querySelector("span").textContent = evaluation ? shortText(evaluation) : "";
    this.bar.setAttribute("aria-label", evaluation ? `Evaluation ${text}` : "No evaluation");
    const parts = this.chances.querySelectorAll("span");
    const shares = evaluation ? evaluation.wdl.map((value) => value / 10) : [0, 0, 0];
    this.chances.classList.toggle("unknown", !evaluation);
    shares.forEach((value, index) => {
      parts[index].style.flexGrow = value;
      parts[index].textContent = value >= 12 ? `${Math.round(value)} %` : "";
    });
    const words = evaluation ? shares.map((value) => Math.round(value)) : null;
    const label = words ? `White wins ${words[0]} percent, draw ${words[1]}, Black wins ${words[2]}` : "No chances known";
    this.chances.setAttribute("aria-label", label);
    this.chances.title = label;
  }

  // The lines of a report found in the position with this FEN.
  show(report, fen) {
    // Spaces within a fact do not break.
    this.facts.textContent = report
      ? `depth\u00a0${report.depth}/${report.seldepth} ${count(report.nodes)}\u00a0nodes,\u00a0${count(report.nps)}/s`
      : "";
    const lines = report?.lines ?? [];
    while (this.list.children.length > lines.length) this.list.lastChild.remove();
    lines.forEach((line, index) => this.fill(this.list.children[index] ?? this.add(), line, index, fen));
  }

  add() {
    const item = document.createElement("li");
    const why = element("button", "why", "Why?", { type: "button" });
    item.append(element("span", "chip"), element("span", "line"), why);
    this.list.append(item);
    return item;
  }

  // Changes only what differs, so that what is under the finger or has the focus stays.
  fill(item, line, index, fen) {
    const [score, moves, why] = item.children;
    const text = scoreText(line.evaluation);
    if (score.textContent !== text) score.textContent = text;
    score.className = `chip ${expectation(line.evaluation) < 0.5 ? "black" : "white"}`;
    why.dataset.line = index;
    const label = `Why ${line.san[0] ?? "this line"}?`;
    if (why.getAttribute("aria-label") !== label) why.setAttribute("aria-label", label);
    const words = numbered(line.san, fen);
    while (moves.children.length > words.length) moves.lastChild.remove();
    words.forEach(([number, san], place) => {
      let button = moves.children[place];
      if (!button) {
        button = document.createElement("button");
        button.type = "button";
        moves.append(button);
      }
      button.dataset.line = index;
      button.dataset.move = place;
      const label = number ? `${number} ${san}` : san;
      if (button.textContent !== label) button.textContent = label;
    });
  }

  // Marks the move that is looked at.
  mark(line, move) {
    for (const button of this.list.querySelectorAll("button[data-move]")) {
      const here = Number(button.dataset.line) === line && Number(button.dataset.move) === move;
      button.classList.toggle("here", here);
    }
  }

  // The line at this place of the report shown.
  static at(index) {
    return state.reports.get(state.position?.node)?.lines[index];
  }
}
