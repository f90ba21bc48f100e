// Opening and saving: positions, games, and files with many games to choose from.

import { fits, PgnFile } from "./pgnfile.js";
import { download, element, find, state } from "./state.js";

const SHOWN = 200; // more games than anybody scrolls through

export class Files {
  // `say(type, rest)` talks to the server.
  constructor({ say }) {
    this.say = say;
    this.dialog = find("files-dialog");
    this.complaint = this.dialog.querySelector(".complaint");
    this.file = null; // the file with several games that is open
    this.names = []; // its games, as they are listed
    this.at = 0;
    this.wire();
    this.wireChooser();
  }

  open() {
    this.say("export");
    this.complain("");
    this.fill();
    this.fresh = true;
    if (!this.dialog.open) this.dialog.showModal();
  }

  fill() {
    find("fen").value = state.position?.fen ?? "";
    find("pgn").value = state.game?.pgn ?? "";
  }

  wire() {
    const pgn = find("pgn");
    find("fen-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.load("fen", { fen: find("fen").value });
      this.close();
    });
    find("pgn-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.openBlob(new Blob([pgn.value]));
    });
    find("pgn-file").addEventListener("change", (event) => {
      const [file] = event.target.files;
      event.target.value = "";
      if (file) this.openBlob(file);
    });
    for (const field of [pgn, find("fen")]) field.addEventListener("input", () => { this.fresh = false; });
    for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => this.copy(button));
    find("save-pgn").addEventListener("click", () => download("game.pgn", pgn.value, "application/x-chess-pgn"));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file) this.openBlob(file);
    });
  }

  async copy(button) {
    const field = find(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // where the newer way is not allowed
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1200);
  }

  // A text or a file with one game or many.
  async openBlob(blob) {
    this.complain("");
    const file = new PgnFile(blob);
    try {
      await file.index((share) => { this.count(`Reading, ${Math.round(100 * share)} %`); });
    } catch (error) {
      return this.complain(`The file cannot be read: ${error.message}`);
    }
    this.close();
    if (file.games.length < 2) {
      // Without tags the server has to find out where games begin.
      this.text = blob.size < 2e6 ? await file.all() : null;
      if (this.text === null || !fits(this.text)) return this.complain(`This is one game of ${(blob.size / 1e6).toFixed(1)} MB, or none at all; a game may have 1 MB.`);
      return this.load("pgn", { text: this.text });
    }
    this.file = file;
    this.names = file.games.map(({ white, black, result, date, event }) => {
      const year = /^\d{4}/.exec(date ?? "")?.[0] ?? "";
      return [`${white ?? "?"} – ${black ?? "?"}`, result ?? "*", year, event && event !== "?" ? event : ""].filter(Boolean).join(", ");
    });
    if (file.isCut) this.complain(`Only the first ${this.names.length.toLocaleString("en")} games are listed.`);
    this.list();
    if (!this.dialog.open) this.dialog.showModal();
    find("chooser").scrollIntoView({ block: "nearest" });
    find("chooser-search").focus();
  }

  // Several games without tags: the server has counted them.
  hear(names, index) {
    this.file = null;
    this.names = names;
    this.at = index;
    this.bar();
    this.list();
  }

  // No longer a file with several games.
  close() {
    this.file = null;
    this.names = [];
    find("file-bar").hidden = true;
    find("chooser").hidden = true;
  }

  async choose(index) {
    if (index < 0 || index >= this.names.length) return;
    this.at = index;
    if (!this.file) return this.load("pgn", { text: this.text, index });
    const text = await this.file.text(index);
    if (!fits(text)) return this.complain("This game is larger than 1 MB.");
    this.load("pgn", { text });
    this.bar();
  }

  bar() {
    find("file-bar").hidden = this.names.length < 2;
    find("game-list").textContent = `${this.at + 1} of ${this.names.length.toLocaleString("en")}: ${this.names[this.at]}`;
    find("game-before").disabled = this.at === 0;
    find("game-after").disabled = this.at + 1 >= this.names.length;
  }

  // The list of games, with those that have all words of the search.
  wireChooser() {
    const [search, list] = [find("chooser-search"), find("chooser-list")];
    search.addEventListener("input", () => this.list());
    const chosen = (event) => {
      const row = event.target.closest("[data-index]") ?? list.querySelector('[aria-selected="true"]');
      if (row) this.choose(Number(row.dataset.index));
    };
    list.addEventListener("click", chosen);
    const walk = (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === "Enter") chosen({ target: list });
      else if (step) this.select((this.selected ?? -1) + step);
      else return;
      event.preventDefault();
    };
    list.addEventListener("keydown", walk);
    search.addEventListener("keydown", walk);
    find("game-before").addEventListener("click", () => this.choose(this.at - 1));
    find("game-after").addEventListener("click", () => this.choose(this.at + 1));
    find("game-list").addEventListener("click", () => {
      this.open();
      this.list();
      search.focus();
    });
  }

  list() {
    const words = find("chooser-search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = [];
    let matches = 0;
    this.names.forEach((name, index) => {
      if (words.length > 0 && !words.every((word) => name.toLowerCase().includes(word))) return;
      matches += 1;
      if (shown.length < SHOWN) shown.push([name, index]);
    });
    find("chooser").hidden = this.names.length < 2;
    const all = this.names.length.toLocaleString("en");
    this.count(`${words.length > 0 ? `${matches.toLocaleString("en")} of ` : ""}${all} games${matches > SHOWN ? `, the first ${SHOWN} shown` : ""}`);
    const rows = shown.map(([name, index]) => {
      const row = element("div", "", `${index + 1}. ${name}`, { role: "option", "aria-selected": "false", id: `game-${index}` });
      row.dataset.index = index;
      return row;
    });
    find("chooser-list").replaceChildren(...rows);
    this.selected = null;
    this.select(0);
  }

  select(index) {
    const rows = find("chooser-list").children;
    if (index < 0 || index >= rows.length) return;
    rows[this.selected]?.setAttribute("aria-selected", "false");
    this.selected = index;
    rows[index].setAttribute("aria-selected", "true");
    rows[index].scrollIntoView({ block: "nearest" });
    find("chooser-list").setAttribute("aria-activedescendant", rows[index].id);
  }

  count(text) {
    find("chooser-count").textContent = text;
  }

  // Asks, and waits to see whether it is refused.
  load(type, rest) {
    this.complain("");
    this.waiting = true;
    this.say(type, rest);
  }

  // The game has changed: what was asked for is there.
  loaded() {
    if (this.waiting && this.dialog.open) this.dialog.close();
    this.waiting = false;
    if (this.fresh) this.fill();
  }

  // Whether a refusal was shown here.
  refused(text) {
    if (!this.waiting) return false;
    this.waiting = false;
    if (!this.dialog.open) return false;
    this.complain(text);
    return true;
  }

  complain(text) {
    this.complaint.textContent = text;
  }
}
