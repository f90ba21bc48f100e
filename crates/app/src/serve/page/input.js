// Mouse, touch and keyboard on the board: what they do becomes "play this move", or a mark of the user's own.

const NEAR = 5; // pixels: less is a trembling hand, not a drag
const SWIPE = 40; // pixels: more is a swipe
const NOTCH = 60; // of a wheel: smooth ones turn in many small steps

export class Input {
  // `choose(moves)` resolves to one of several moves between the same squares: promotions. `step(by)` walks through the game.
  constructor(board, { play, choose, step }) {
    Object.assign(this, { board, play, choose, step, drag: null, turned: 0 });
    const cells = board.cells;
    cells.addEventListener("pointerdown", (event) => this.down(event));
    cells.addEventListener("pointermove", (event) => this.move(event));
    cells.addEventListener("pointerup", (event) => this.up(event));
    cells.addEventListener("pointercancel", () => this.cancel());
    cells.addEventListener("contextmenu", (event) => event.preventDefault());
    cells.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    cells.addEventListener("keydown", (event) => this.key(event));
    // Screen readers click without a pointer.
    cells.addEventListener("click", (event) => {
      if (event.detail === 0 && event.target.dataset.square) this.touch(event.target.dataset.square);
    });
  }

  square(event) {
    const box = this.board.cells.getBoundingClientRect();
    const part = (at, from, size) => Math.floor(((at - from) / size) * 8);
    return this.board.at(part(event.clientX, box.left, box.width), part(event.clientY, box.top, box.height));
  }

  down(event) {
    const square = this.square(event);
    if (!square) return;
    this.board.cells.setPointerCapture(event.pointerId);
    if (event.button === 2) {
      this.drag = { from: square, marks: paint(event) };
      return;
    }
    if (event.button !== 0) return;
    const was = this.board.selected;
    if (was && was !== square && this.go(was, square)) return;
    if (this.board.select(square)) {
      this.drag = { from: square, again: was === square, x: event.clientX, y: event.clientY, moved: false };
    } else if (event.pointerType === "touch") {
      this.drag = { swipe: true, x: event.clientX, y: event.clientY };
    }
  }

  // The wheel walks through the game.
  wheel(event) {
    if (event.ctrlKey) return; // that is zooming
    event.preventDefault();
    const pixels = event.deltaMode === 0 ? event.deltaY : event.deltaY * NOTCH;
    this.turned = Math.sign(pixels) === Math.sign(this.turned) ? this.turned + pixels : pixels;
    if (Math.abs(this.turned) < NOTCH) return;
    this.step(Math.sign(this.turned));
    this.turned = 0;
  }

  move(event) {
    const drag = this.drag;
    if (!drag || drag.marks || drag.swipe) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < NEAR) return;
    const man = this.board.pieces.get(drag.from);
    if (!man) return;
    if (!drag.moved) {
      drag.moved = true;
      man.element.classList.add("dragged");
      this.board.layers.men.append(man.element);
    }
    const box = this.board.cells.getBoundingClientRect();
    const scale = 800 / box.width;
    const [x, y] = [(event.clientX - box.left) * scale - 50, (event.clientY - box.top) * scale - 50];
    man.element.style.transform = `translate(${x}px, ${y}px)`;
  }

  up(event) {
    const drag = this.drag;
    this.drag = null;
    if (!drag) return;
    const square = this.square(event);
    if (drag.marks) {
      if (square) this.board.mark(drag.from, square, drag.marks);
      return;
    }
    if (drag.swipe) {
      const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
      if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) this.step(x < 0 ? 1 : -1);
      return;
    }
    const man = this.board.pieces.get(drag.from);
    if (drag.moved && man) {
      this.board.put(man.element, drag.from);
      if (square && square !== drag.from) this.go(drag.from, square);
      requestAnimationFrame(() => man.element.classList.remove("dragged"));
    } else if (drag.again) {
      this.board.select(null);
    }
  }

  cancel() {
    const man = this.drag && this.board.pieces.get(this.drag.from);
    if (man) {
      man.element.classList.remove("dragged");
      this.board.put(man.element, this.drag.from);
    }
    this.drag = null;
  }

  // Takes or puts down a piece, as a click does.
  touch(square) {
    const was = this.board.selected;
    if (was === square) this.board.select(null);
    else if (!was || !this.go(was, square)) this.board.select(square);
  }

  // Plays a move if there is one between these squares.
  go(from, to) {
    const moves = this.board.targets(from).filter((move) => move.to.includes(to));
    if (moves.length === 0) return false;
    this.board.select(null);
    if (moves.length === 1) {
      this.board.anticipate(from, to);
      this.play(moves[0].uci);
      return true;
    }
    this.choose(moves, to).then((move) => {
      if (!move) return;
      this.board.anticipate(from, to);
      this.play(move.uci);
    });
    return true;
  }

  key(event) {
    const square = event.target.dataset.square;
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const [x, y] = this.board.place(square).map((v) => v / 100);
      const next = this.board.at(x + step[0], y + step[1]);
      if (next) this.board.focus(next);
    } else if (event.key === "Enter" || event.key === " ") {
      this.touch(square);
    } else if (event.key === "Escape" && this.board.selected) {
      this.board.select(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

// The colour of what is drawn, by the keys that are held.
function paint(event) {
  if (event.shiftKey) return event.altKey ? "yellow" : "red";
  return event.altKey ? "blue" : "green";
}
