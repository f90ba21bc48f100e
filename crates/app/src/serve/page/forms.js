// The dialogs for a new game and for settings.

import { keepSettings, settings } from "./keep.js";
import { find } from "./state.js";

const ENGINE = ["threads", "hash", "lines", "move_time", "analysis_time"];

export class Forms {
  // `say(type, rest)` talks to the server, `changed()` is told when settings of the page have changed.
  constructor({ say, changed }) {
    Object.assign(this, { say, changed });
    this.wireNew();
    this.wireSettings();
  }

  welcome({ levels, most, settings: usual, version }) {
    this.most = most;
    find("version").textContent = version;
    const options = levels.map(({ level, elo }) => new Option(`Level ${level} (about ${elo})`, level));
    const chosen = find("level").value || settings.level || "5";
    find("level").replaceChildren(...options, new Option("Full strength", "full"));
    find("level").value = chosen;
    this.settings(usual);
    if (settings.engine) this.say("settings", { ...usual, ...settings.engine });
  }

  wireNew() {
    const form = find("new-form");
    const { elements } = form;
    if (settings.clock) elements.clock.value = settings.clock;
    const update = () => {
      find("row-960").hidden = elements.start.value !== "960";
      find("row-clock").hidden = elements.clock.value !== "own" || elements.side.value === "none";
      elements.level.disabled = elements.clock.disabled = elements.side.value === "none";
    };
    form.addEventListener("change", update);
    update();
    find("random-960").addEventListener("click", () => {
      find("number-960").value = Math.floor(Math.random() * 960);
    });
    form.addEventListener("submit", (event) => {
      if (event.submitter?.value !== "ok") return;
      const { start, number, side, level, clock } = elements;
      if (start.value === "classical") this.say("new");
      if (start.value === "960") this.say("new", { chess960: Number(number.value) });
      if (side.value === "none") {
        this.say("leave");
        return;
      }
      keepSettings({ level: level.value, clock: clock.value });
      const chosen = side.value === "random" ? (Math.random() < 0.5 ? "white" : "black") : side.value;
      this.begin(chosen, level.value === "full" ? null : Number(level.value), this.clock());
    });
  }

  begin(side, level, clock) {
    this.last = { clock };
    this.say("analyse", { on: false });
    this.say("play", { side, level, clock });
  }

  // The same opponent again, with the other colour.
  rematch({ side, level }) {
    this.say("new");
    this.begin(side === "white" ? "black" : "white", level, this.last?.clock ?? null);
  }

  // The clocks that are chosen, in seconds.
  clock() {
    const { clock, minutes, increment } = find("new-form").elements;
    if (!clock.value) return null;
    const own = [Number(minutes.value), Number(increment.value)];
    const [time, added] = clock.value === "own" ? own : clock.value.split("+").map(Number);
    return { white: 60 * time, black: 60 * time, increment: added };
  }

  wireSettings() {
    const form = find("settings-form");
    form.addEventListener("submit", (event) => {
      if (event.submitter?.value !== "ok") return;
      const engine = Object.fromEntries(ENGINE.map((name) => [name, Number(form.elements[name].value)]));
      const { theme, colours, arrows, hover } = form.elements;
      keepSettings({ engine, theme: theme.value, colours: colours.value, arrows: arrows.checked, hover: hover.checked });
      this.say("settings", engine);
      this.changed();
    });
  }

  settings(values) {
    const form = find("settings-form");
    if (find("settings-dialog").open) return;
    const { most } = this;
    const limits = { threads: most.threads, hash: most.hash, lines: most.lines, move_time: most.time, analysis_time: most.time };
    for (const [name, value] of Object.entries(values)) {
      form.elements[name].value = value;
      form.elements[name].max = limits[name];
    }
    form.elements.theme.value = settings.theme;
    form.elements.colours.value = settings.colours;
    form.elements.arrows.checked = settings.arrows;
    form.elements.hover.checked = settings.hover;
  }
}
