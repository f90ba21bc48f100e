// The dialogs: new game, FEN and PGN, settings, help.

const LARGEST = 1000000; // what the server takes in one message, less what is around the text

const find = (id) => document.getElementById(id);

export class Forms {
  // `say(type, rest)` talks to the server, `current()` gives { game, position }, `arrows(on)` turns arrows on or off.
  constructor({ say, current, arrows }) {
    Object.assign(this, { say, current, arrows });
    for (const button of document.querySelectorAll("[data-dialog]")) {
      button.addEventListener("click", () => this.open(button.dataset.dialog));
    }
    this.wireNew();
    this.wireFiles();
    this.wireSettings();
  }

  open(id) {
    if (id === "files-dialog") {
      this.say("export");
      this.complain("");
      this.fill();
      this.fresh = true;
    }
    const dialog = find(id);
    if (!dialog.open) dialog.showModal();
  }

  welcome({ levels, most, settings, version }) {
    this.most = most;
    find("version").textContent = version;
    const options = levels.map(({ level, elo }) => new Option(`Level ${level} (about ${elo})`, level));
    const chosen = find("level").value || "5";
    find("level").replaceChildren(...options, new Option("Full strength", ""));
    find("level").value = chosen;
    this.settings(settings);
  }

  wireNew() {
    const form = find("new-form");
    const update = () => {
      find("row-960").hidden = form.elements.start.value !== "960";
      form.elements.level.disabled = form.elements.side.value === "none";
    };
    form.addEventListener("change", update);
    find("random-960").addEventListener("click", () => {
      find("number-960").value = Math.floor(Math.random() * 960);
    });
    form.addEventListener("submit", (event) => {
      if (event.submitter?.value !== "ok") return;
      const { start, number, side, level } = form.elements;
      if (start.value === "classical") this.say("new");
      if (start.value === "960") this.say("new", { chess960: Number(number.value) });
      if (side.value === "none") {
        this.say("leave");
        return;
      }
      const chosen = side.value === "random" ? (Math.random() < 0.5 ? "white" : "black") : side.value;
      this.say("analyse", { on: false });
      this.say("play", { side: chosen, level: level.value ? Number(level.value) : null });
    });
  }

  wireFiles() {
    const pgn = find("pgn");
    find("fen-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.load("fen", { fen: find("fen").value });
    });
    find("pgn-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.loadPgn(pgn.value);
    });
    find("pgn-file").addEventListener("change", async (event) => {
      const [file] = event.target.files;
      event.target.value = "";
      if (!file) return;
      if (file.size > LARGEST) return this.complain(`The file is larger than ${LARGEST / 1e6} MB.`);
      pgn.value = await file.text();
      this.loadPgn(pgn.value);
    });
    pgn.addEventListener("input", () => { this.fresh = false; });
    find("fen").addEventListener("input", () => { this.fresh = false; });
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.addEventListener("click", () => this.copy(button));
    }
    find("save-pgn").addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([pgn.value], { type: "application/x-chess-pgn" }));
      link.download = "game.pgn";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    find("games").addEventListener("change", (event) => {
      this.say("pgn", { text: this.text, index: Number(event.target.value) });
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

  loadPgn(text) {
    if (new TextEncoder().encode(text).length > LARGEST) return this.complain(`The text is larger than ${LARGEST / 1e6} MB.`);
    this.text = text;
    this.load("pgn", { text });
  }

  // Asks, and waits to see whether it is refused.
  load(type, rest) {
    this.complain("");
    this.waiting = true;
    this.say(type, rest);
  }

  // The game has changed: what was asked for is there.
  loaded() {
    if (this.waiting) find("files-dialog").close();
    this.waiting = false;
    if (this.fresh) this.fill();
  }

  // Whether a refusal was shown here.
  refused(text) {
    if (!this.waiting) return false;
    this.waiting = false;
    this.complain(text);
    return true;
  }

  complain(text) {
    document.querySelector(".complaint").textContent = text;
  }

  fill() {
    const { game, position } = this.current();
    find("fen").value = position?.fen ?? "";
    find("pgn").value = game?.pgn ?? "";
  }

  games(names, index) {
    const list = find("games");
    list.replaceChildren(...names.map((name, place) => new Option(`${place + 1}. ${name}`, place)));
    list.value = index;
    list.hidden = names.length < 2;
  }

  wireSettings() {
    const form = find("settings-form");
    form.addEventListener("submit", (event) => {
      if (event.submitter?.value !== "ok") return;
      const value = (name) => Number(form.elements[name].value);
      const names = ["threads", "hash", "lines", "move_time", "analysis_time"];
      this.say("settings", Object.fromEntries(names.map((name) => [name, value(name)])));
      this.arrows(form.elements.arrows.checked);
    });
  }

  settings(settings) {
    const form = find("settings-form");
    if (find("settings-dialog").open) return;
    const most = this.most;
    const limits = { threads: most.threads, hash: most.hash, lines: most.lines, move_time: most.time, analysis_time: most.time };
    for (const [name, value] of Object.entries(settings)) {
      form.elements[name].value = value;
      form.elements[name].max = limits[name];
    }
  }
}
