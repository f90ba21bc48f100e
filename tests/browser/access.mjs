// Can everybody use the page? Names, roles, contrast, sizes, order: what Lighthouse and its kind look at, of everything that is shown.

import { check } from "./harness.mjs";

// Runs in the page; returns what is wrong.
function inspect({ isPhone }) {
  const wrong = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const describe = (element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}.${element.className?.baseVal ?? element.className} "${element.textContent.trim().slice(0, 30)}"`;
  const dialog = document.querySelector("dialog[open]");
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && (!dialog || dialog.contains(element)) && !element.closest(".unseen, [aria-hidden='true'], .unknown");

  if (!document.documentElement.lang) wrong.push("no language");
  if (!document.title) wrong.push("no title");
  if (!document.querySelector('meta[name="viewport"]')) wrong.push("no viewport");
  if (!document.querySelector('meta[name="description"]')) wrong.push("no description");
  if (all("h1").length !== 1) wrong.push("not one h1");
  for (const landmark of ["header", "nav", "main"]) if (!document.querySelector(landmark)) wrong.push(`no ${landmark}`);
  const ids = all("[id]").map((element) => element.id);
  ids.filter((id, index) => ids.indexOf(id) !== index).forEach((id) => wrong.push(`two elements are called ${id}`));
  for (const name of ["aria-labelledby", "aria-controls", "aria-activedescendant"]) {
    for (const element of all(`[${name}]`)) if (!document.getElementById(element.getAttribute(name))) wrong.push(`${describe(element)}: ${name} names nothing`);
  }
  for (const element of all("[tabindex]")) if (element.tabIndex > 0) wrong.push(`${describe(element)} jumps the queue`);
  for (const image of all("img")) if (!image.hasAttribute("alt")) wrong.push(`${describe(image)} has no alt`);
  for (const element of all("dialog, [role=dialog], [role=grid], [role=tablist], [role=listbox], [role=radiogroup], [role=toolbar], section")) {
    if (!element.getAttribute("aria-label") && !element.getAttribute("aria-labelledby")) wrong.push(`${describe(element)} has no name`);
  }

  const name = (element) => element.getAttribute("aria-label") || document.getElementById(element.getAttribute("aria-labelledby"))?.textContent
    || [...(element.labels ?? [])].map((label) => label.textContent).join(" ").trim() || element.textContent.trim() || element.title;
  const controls = all("button, input, select, textarea, a[href], meter, progress").filter(isShown);
  for (const element of controls) if (!name(element)) wrong.push(`${describe(element)} has no name`);

  // Fingers: 24 pixels at least, 40 for what is used all the time.
  for (const element of controls) {
    const box = element.getBoundingClientRect();
    if (element.matches("input[type=file], input[type=radio], input[type=checkbox], meter, progress") || box.width === 0) continue;
    if (box.height < 24 || box.width < 20) wrong.push(`${describe(element)} is only ${Math.round(box.width)} x ${Math.round(box.height)}`);
    if (isPhone && element.closest("header, #controls, .tabs, #typed") && box.height < 40) wrong.push(`${describe(element)} is only ${Math.round(box.height)} high on a phone`);
  }

  // Contrast of every piece of text that is shown.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, colour) => over(colour, below), [255, 255, 255, 1]);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !isShown(element) || element.closest("svg, script, option, :disabled, #bar")) continue;
    const style = getComputedStyle(element);
    const back = ground(element);
    const [a, b] = [light(over(rgba(style.color), back)), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) wrong.push(`${describe(element)} has a contrast of ${ratio.toFixed(2)}`);
  }

  const sideways = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (sideways > 0) wrong.push(`the page is ${sideways} pixels too wide`);
  if (dialog && dialog.scrollWidth > dialog.clientWidth + 1) wrong.push("the dialog is too wide");
  return [...new Set(wrong)];
}

export async function accessible(page, what, isPhone = false) {
  const wrong = await page.evaluate(inspect, { isPhone });
  wrong.forEach((text) => console.log(`     ${text}`));
  check(wrong.length === 0, `everybody can use ${what}`);
}

// Every dialog, one after the other.
export async function dialogs(page, what, isPhone = false) {
  for (const id of ["new-dialog", "files-dialog", "editor-dialog", "settings-dialog", "help-dialog"]) {
    await page.locator(`[data-dialog="${id}"]`).click();
    await page.waitForFunction((name) => document.getElementById(name).open, id);
    await accessible(page, `${id} ${what}`, isPhone);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector("dialog[open]"));
  }
}
