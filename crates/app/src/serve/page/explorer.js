// What is known of a position without thinking: the name of its opening, a book, games, tablebases. The server looks it up.

import { fits, PgnFile } from "./pgnfile.js";
import { button, element, state } from "./state.js";

const PART = 700000; // bytes of games sent at once
const BOOK_PART = 500000; // bytes of a book, each two digits
const LARGEST_BOOK = 32 << 20;
const OUTCOMES = { win: "wins", "cursed win": "wins, but not within fifty moves", draw: "draws", "blessed loss": "loses, but not within fifty moves", loss: "loses" };

export class Explorer {
  constructor(root, { say, play }) {
    Object.assign(this, { root, say, play, open: false, facts: new Map() });
    this.body = element("div");
    this.foot = this.footer();
    root.append(this.body, this.foot);
  }

  // The position has changed, or the pane was opened.
  ask() {
    if (!this.open || !state.position) return;
    const known = this.facts.get(state.position.node);
    if (known) this.show(known);
    else this.say("explore", { node: state.position.node });
  }

  forget() {
    this.facts.clear();
  }

  hear(facts) {
    this.facts.set(facts.node, facts);
    if (facts.node === state.position?.node) this.show(facts);
  }

  show({ book, games, tables }) {
    const parts = [];
    if (state.position.opening) parts.push(element("p", "strong", state.position.opening));
    if (tables?.verdict) parts.push(...this.tables(tables));
    if (games) parts.push(...this.games(games));
    if (book) parts.push(...this.book(book));
    if (tables && !tables.verdict) parts.push(element("p", "quiet", `The tablebases know positions with up to ${tables.pieces} pieces, without castling rights.`));
    if (!book && !games && !tables) {
      parts.push(element("p", "quiet", "Open a file of games to see what was played here. A book, games and tablebases can also be given to the server: serve --book, --games, --syzygy."));
    }
    this.body.replaceChildren(...parts);
  }

  row(san, uci, cells) {
    const line = element("tr");
    const head = element("th", "", "", { scope: "row" });
    const move = button(san, () => this.play(uci));
    head.append(move);
    line.append(head, ...cells);
    return line;
  }

  games({ count, moves }) {
    const title = element("h3", "", `${count.toLocaleString("en")} games`);
    if (moves.length === 0) return [title, element("p", "quiet", "None of them came here.")];
    const table = element("table", "explorer");
    const all = moves.reduce((sum, move) => sum + move.white + move.draws + move.black, 0);
    for (const { san, uci, white, draws, black } of moves) {
      const sum = white + draws + black;
      const shares = [white, draws, black].map((part) => Math.round((100 * part) / sum));
      const bar = element("div", "shares", "", { role: "img", "aria-label": `White won ${shares[0]} percent, drawn ${shares[1]}, Black won ${shares[2]}` });
      bar.title = bar.getAttribute("aria-label");
      shares.forEach((share) => {
        const part = element("span", "", share >= 15 ? `${share} %` : "");
        part.style.flexGrow = share;
        bar.append(part);
      });
      const results = element("td", "wide");
      results.append(bar);
      table.append(this.row(san, uci, [element("td", "", `${Math.round((100 * sum) / all)} %`), element("td", "", sum.toLocaleString("en")), results]));
    }
    return [title, table];
  }

  book(moves) {
    const title = element("h3", "", "Book");
    if (moves.length === 0) return [title, element("p", "quiet", "The book does not know this position.")];
    const table = element("table", "explorer");
    for (const { san, uci, percent } of moves) {
      const bar = element("meter", "", "", { min: 0, max: 100, value: percent, "aria-label": "Share" });
      const cell = element("td", "wide");
      cell.append(bar);
      table.append(this.row(san, uci, [element("td", "", `${Math.round(percent)} %`), cell]));
    }
    return [title, table];
  }

  tables({ verdict, moves }) {
    const side = state.position.turn === "white" ? "White" : "Black";
    const title = element("h3", "", `Tablebase: ${side} ${OUTCOMES[verdict]}`);
    const table = element("table", "explorer");
    for (const { san, uci, outcome, plies } of moves) {
      const far = plies ? `${plies} plies` : "";
      table.append(this.row(san, uci, [element("td", `outcome ${outcome.split(" ").at(-1)}`, outcome), element("td", "wide quiet", far)]));
    }
    return [title, table, element("p", "quiet", "Plies until the next capture, pawn move or mate.")];
  }

  // Games of one's own.
  footer() {
    const foot = element("div", "row-start foot");
    const choose = element("label", "button", "Explore my games (PGN) or a book (.bin)");
    const input = element("input", "", "", { type: "file", accept: ".pgn,.txt,.bin", id: "explore-file" });
    choose.append(input);
    this.told = element("span", "quiet", "", { role: "status" });
    foot.append(choose, this.told);
    input.addEventListener("change", () => {
      const [file] = input.files;
      input.value = "";
      if (file?.name.toLowerCase().endsWith(".bin")) this.sendBook(file);
      else if (file) this.collect(file);
    });
    return foot;
  }

  // A Polyglot book, in parts that fit into a message; the server reads it.
  async sendBook(blob) {
    if (blob.size > LARGEST_BOOK) {
      this.told.textContent = `A book can have no more than ${LARGEST_BOOK >> 20} MB here; give it to the server with --book.`;
      return;
    }
    const answer = new Promise((resolve) => { this.counted = resolve; });
    for (let from = 0; from === 0 || from < blob.size; from += BOOK_PART) {
      const bytes = new Uint8Array(await blob.slice(from, from + BOOK_PART).arrayBuffer());
      const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      this.say("book", { hex, first: from === 0, last: from + BOOK_PART >= blob.size });
    }
    const { moves, positions, refused } = await answer;
    this.told.textContent = refused ?? `Moves in the book: ${moves.toLocaleString("en")}, positions: ${positions.toLocaleString("en")}.`;
    this.forget();
    this.ask();
  }

  // Whether a refusal was meant for a file that is being sent.
  refused(text) {
    if (!this.counted) return false;
    this.collected({ ...this.last, refused: text });
    return true;
  }

  async collect(blob) {
    const file = new PgnFile(blob);
    await file.index((share) => { this.told.textContent = `Reading ${Math.round(100 * share)} %`; });
    let first = true;
    for await (const [text, share] of file.parts(PART)) {
      if (!fits(text)) continue;
      // One part at a time: the next is sent when the server has counted this one.
      const answer = new Promise((resolve) => { this.counted = resolve; });
      this.say("collect", { text, first });
      first = false;
      await answer;
      this.told.textContent = `Counting ${Math.round(100 * share)} %`;
    }
    const { games = 0, left_out = 0, is_full } = this.last ?? {};
    const rest = left_out > 0 ? `; ${left_out.toLocaleString("en")} without result or legal moves left out` : "";
    const full = is_full ? ". There was no room for all positions" : "";
    this.told.textContent = `${games.toLocaleString("en")} games${rest}${full}.`;
    this.forget();
    this.ask();
  }

  collected(answer) {
    this.last = answer;
    this.counted?.(answer);
    this.counted = null;
  }
}
