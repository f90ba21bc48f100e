// The review of a game, learning from it, and what is saved of it.

import { readFileSync } from "node:fs";

import { check, until } from "./harness.mjs";

export async function review(page) {
  await page.locator("#evaluate").click();
  await until(page, "the whole game is judged", () => document.querySelectorAll("#moves > .cell .move small").length === 33
    && document.querySelector("#pane-review table"));
  const table = await page.locator("#pane-review table").first().innerText();
  check(/Accuracy\s+\d+\.\d %\s+\d+\.\d %/.test(table), "accuracy of both sides is shown");
  check(/Average centipawn loss\s+\d+\s+\d+/.test(table), "so is the average loss");
  check(/Opening\s+\d+ %, loss \d+/.test(await page.locator("#pane-review table").nth(1).innerText()), "and both for each phase");
  check(await page.locator("#graph .dot").count() > 3, "the graph has dots");
  check(await page.locator("#moves .mark").count() > 3, "the moves have marks");
  await page.keyboard.press("Home");
  await page.keyboard.press("m");
  await until(page, "the next mistake is shown with its mark", () => document.querySelector(".badge") && document.querySelector(".verdict .mark"));
  const words = await page.locator(".verdict").innerText();
  check(/Better \(.+\):/.test(words) && /%/.test(words), "what was wrong is said in words, with a better line");
  await page.locator(".verdict .better button").first().click();
  await until(page, "the better line is shown on the board", () => document.querySelector("#preview-bar span").textContent.startsWith("Better"));
  await page.keyboard.press("Escape");
  await page.locator(".verdict button", { hasText: "Why?" }).click();
  await until(page, "the mistake is explained", () => document.querySelectorAll("#why-text p:not(.quiet)").length >= 2);
  await page.locator("#graph").click({ position: { x: 200, y: 40 } });
  await until(page, "a click into the graph goes there", () => document.querySelector("#moves .here") !== null);
}

export async function save(page) {
  for (const [name, part] of [["Save annotated PGN", "[%eval"], ["Save HTML report", "<svg"]]) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    const text = readFileSync(await file.path(), "utf8");
    check(text.includes(part) && text.includes("Morphy"), `${name}: ${file.suggestedFilename()}, ${text.length} bytes`);
  }
}

export async function learn(page) {
  await page.getByRole("button", { name: "Close the explanation" }).click();
  await page.getByRole("button", { name: "Learn from Black's mistakes" }).click();
  await until(page, "a mistake is to be bettered", () => /^Mistake 1 of/.test(document.querySelector("#pane-review h3")?.textContent));
  const asked = await page.locator("#pane-review p").first().innerText();
  const played = /Black played \d+… ([^?! ]+)[?!]+\. Find/.exec(asked)?.[1];
  check(played, `the task is told: ${asked}`);
  await page.locator("#typed-move").fill(played);
  await page.keyboard.press("Enter");
  await until(page, "the mistake itself is refused", () => /what was played/.test(document.querySelector('#pane-review [role="status"]').textContent));
  await page.locator("#pane-review").getByRole("button", { name: "Hint" }).click();
  await until(page, "a hint shows the piece", () => document.querySelector(".ring.green"));
  await page.locator("#pane-review").getByRole("button", { name: "Solution" }).click();
  const told = await page.locator('#pane-review [role="status"]').innerText();
  check(/best move was/.test(told), told);
  await page.locator("#pane-review").getByRole("button", { name: "Next" }).click();
  await until(page, "the next mistake follows", () => /^Mistake 2 of/.test(document.querySelector("#pane-review h3")?.textContent));
  await page.locator("#pane-review").getByRole("button", { name: "End" }).click();
  await page.keyboard.press("f");
}

export async function nextMistake(page) {
  const before = await page.locator("#moves .here").getAttribute("data-node").catch(() => null);
  await page.keyboard.press("m");
  await until(page, "the next mistake is explained without being asked", (node) => document.querySelector("#moves .here")?.dataset.node !== node
    && document.querySelectorAll(".verdict > p").length >= 3, before);
}
