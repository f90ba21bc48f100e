// The pieces, drawn for this page. Each is a list of shapes on a field of 100 by 100, lowest first: [kind of shape, attributes].
// "body" shapes have the colour of the piece and an outline, "mark" shapes are lines drawn on it.

const base = (x, width) => ["rect", { class: "body", x, y: 78, width, height: 12, rx: 4 }];
const path = (d, kind = "body") => ["path", { class: kind, d }];
const ball = (cx, cy, r, kind = "body") => ["circle", { class: kind, cx, cy, r }];
const ring = (x, y, width, height) => ["rect", { class: "body", x, y, width, height, rx: height / 2 }];

const SHAPES = {
  p: [
    path("M42 45 C43 60 37 69 30 79 H70 C63 69 57 60 58 45 Z"),
    ring(34, 41, 32, 8),
    ball(50, 28, 14),
    base(25, 50),
  ],
  r: [
    path("M36 40 L33 72 H67 L64 40 Z"),
    path("M26 16 H38 V24 H45 V16 H55 V24 H62 V16 H74 V34 L65 42 H35 L26 34 Z"),
    path("M36 34 H64", "mark"),
    path("M29 79 L33 69 H67 L71 79 Z"),
    base(22, 56),
  ],
  n: [
    path(
      "M72 79 C77 54 74 31 55 21 L51 11 L43 20 C35 23 30 29 26 38 L17 54 C14 60 17 66 22 68 C25 69 28 67 30 64 " +
      "C34 62 39 62 43 60 C47 58 49 56 51 53 C50 63 34 66 30 79 Z"
    ),
    path("M59 29 C67 40 69 56 66 71", "mark"),
    path("M22 60 L25 58", "mark"),
    ball(39, 35, 2.6, "eye"),
    base(24, 54),
  ],
  b: [
    path("M44 58 C44 65 37 71 31 79 H69 C63 71 56 65 56 58 Z"),
    path("M50 19 C63 29 70 40 66 50 C64 55 58 58 50 58 C42 58 36 55 34 50 C30 40 37 29 50 19 Z"),
    path("M59 28 L50 41", "mark"),
    ring(34, 56, 32, 7),
    ball(50, 14, 5.5),
    base(24, 52),
  ],
  q: [
    path("M29 68 L17 34 L33 50 L34 26 L45 48 L50 22 L55 48 L66 26 L67 50 L83 34 L71 68 Z"),
    ball(16, 30, 5),
    ball(34, 21, 5),
    ball(50, 17, 5),
    ball(66, 21, 5),
    ball(84, 30, 5),
    path("M28 79 L30 66 Q50 60 70 66 L72 79 Z"),
    path("M31 72 Q50 67 69 72", "mark"),
    base(24, 52),
  ],
  k: [
    path("M46.5 6 H53.5 V12 H60 V19 H53.5 V28 H46.5 V19 H40 V12 H46.5 Z"),
    path("M50 37 C44 27 23 26 19 41 C16 53 26 60 30 68 H70 C74 60 84 53 81 41 C77 26 56 27 50 37 Z"),
    path("M50 37 V58", "mark"),
    path("M28 79 L30 66 Q50 60 70 66 L72 79 Z"),
    path("M31 72 Q50 67 69 72", "mark"),
    base(24, 52),
  ],
};

export const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

const SVG = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, children = []) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The piece of a FEN letter as a group: capitals are White's.
export function piece(letter) {
  const kind = letter.toLowerCase();
  const side = letter === kind ? "black" : "white";
  return svg("g", { class: `piece ${side}` }, SHAPES[kind].map(([name, attributes]) => svg(name, attributes)));
}

// The piece as a picture of its own.
export function picture(letter) {
  return svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, [piece(letter)]);
}
