// The evaluation of the game, move by move: White's chances, as an area over the line that is looked at, with a dot for each
// move that got a mark.

import { scoreText } from "./lines.js";
import { svg } from "./pieces.js";
import { element } from "./state.js";

const HEIGHT = 100;
const WIDTH = 300;
const EDGE = 6; // room for dots above and below

// White's chances of winning by the formula of Lichess, as reviews and reports use it: it tells +3 from +6.
function chances({ cp, mate }) {
  const bounded = mate !== undefined ? 1000 * Math.sign(mate) : Math.max(-1000, Math.min(1000, cp));
  return 1 / (1 + Math.exp(-0.00368208 * bounded));
}

export class Graph {
  constructor(root, { go }) {
    this.root = root;
    this.nodes = [];
    const at = (event) => {
      const box = root.getBoundingClientRect();
      return this.nodes[Math.round(((event.clientX - box.left) / box.width) * (this.nodes.length - 1))];
    };
    root.addEventListener("click", (event) => {
      const node = at(event);
      if (node) go(node.node);
    });
    root.addEventListener("pointermove", (event) => {
      const node = at(event);
      root.title = node?.label ? `${node.label}${node.glyph ?? ""} ${scoreText(node.evaluation)}` : "";
    });
  }

  // Nodes of the line: [{ node, label, evaluation, glyph, kind }]; `here` is the one shown.
  show(nodes, here) {
    this.nodes = nodes;
    const last = Math.max(nodes.length - 1, 1);
    const known = nodes.map((node, index) => ({ ...node, index })).filter((node) => node.evaluation);
    const x = (index) => (index / last) * WIDTH;
    const y = (evaluation) => EDGE + (1 - chances(evaluation)) * (HEIGHT - 2 * EDGE);
    const parts = this.areas(known, x, y);
    parts.push(svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "middle" }));
    const index = nodes.findIndex((node) => node.node === here);
    if (index >= 0) parts.push(svg("line", { x1: x(index), x2: x(index), y1: 0, y2: HEIGHT, class: "now" }));
    const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" }, parts);
    const dots = known.filter((node) => node.kind).map((node) => {
      const dot = element("i", `dot ${node.kind}`);
      dot.style.left = `${(100 * x(node.index)) / WIDTH}%`;
      dot.style.top = `${y(node.evaluation)}%`;
      return dot;
    });
    this.root.replaceChildren(chart, ...dots);
    const words = known.length === 0
      ? "No position of this line has been evaluated yet."
      : `Evaluation of the line, ${known.length} of ${nodes.length} positions. Last: ${scoreText(known.at(-1).evaluation)}.`;
    this.root.setAttribute("aria-label", words);
    this.root.classList.toggle("empty", known.length === 0);
  }

  // Gaps stay gaps: each run of known positions is an area of its own, half a step wider than its points on either side.
  areas(known, x, y) {
    const parts = [];
    let run = [];
    const flush = () => {
      if (run.length > 0) {
        const [left, right] = [x(run[0].index - 0.5), x(run.at(-1).index + 0.5)];
        const points = [
          `${left},${y(run[0].evaluation)}`,
          ...run.map((node) => `${x(node.index)},${y(node.evaluation)}`),
          `${right},${y(run.at(-1).evaluation)}`,
        ].join(" ");
        parts.push(svg("rect", { x: left, y: 0, width: right - left, height: HEIGHT, class: "ground" }));
        parts.push(svg("polygon", { points: `${left},${HEIGHT} ${points} ${right},${HEIGHT}`, class: "area" }));
        parts.push(svg("polyline", { points, class: "edge" }));
      }
      run = [];
    };
    for (const node of known) {
      if (run.length > 0 && node.index > run.at(-1).index + 1) flush();
      run.push(node);
    }
    flush();
    return parts;
  }
}
