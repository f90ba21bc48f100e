// Tabs: one pane at a time, by click or by arrow keys.

import { find } from "./state.js";

export class Tabs {
  constructor(list, { change }) {
    this.tabs = [...list.querySelectorAll('[role="tab"]')];
    this.change = change;
    list.addEventListener("click", (event) => {
      const tab = event.target.closest('[role="tab"]');
      if (tab) this.show(tab.id);
    });
    list.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const next = (this.tabs.findIndex((tab) => tab.id === this.current) + step + this.tabs.length) % this.tabs.length;
      this.show(this.tabs[next].id);
      this.tabs[next].focus();
      event.preventDefault();
      event.stopPropagation();
    });
    this.current = this.tabs[0].id;
  }

  show(id) {
    this.current = id;
    for (const tab of this.tabs) {
      const here = tab.id === id;
      tab.setAttribute("aria-selected", here);
      tab.tabIndex = here ? 0 : -1;
      find(tab.getAttribute("aria-controls")).hidden = !here;
    }
    this.change(id);
  }
}
