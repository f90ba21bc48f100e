// What all parts of the browser test use: starting the program, waiting, playing on the board, pictures.

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

export const program = process.argv[2];
if (!program) throw new Error("usage: node serve.mjs PATH-OF-STILLWATER");
const require = createRequire(resolve(process.env.MODULES ?? ".", "x.js"));
export const { chromium } = require("playwright-core");
export const shots = process.env.SHOTS ?? "/tmp/stillwater-shots";
mkdirSync(shots, { recursive: true });

const PATIENCE = 60000;

export const GAME = `[White "Morphy, Paul"]
[Black "Duke Karl and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {This is a weak move already. [%cal Gd4e5,Rg4f3] [%csl Ye5] [%clk 0:10:05]} (3... exd4 4. Nxd4 Nf6) 4. dxe5 Bxf3
5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7
16. Qb8+ Nxb8 17. Rd8# 1-0
`;

export function check(condition, what) {
  if (!condition) throw new Error(`wrong: ${what}`);
  console.log(`ok   ${what}`);
}

// Starts the program and resolves to its address.
export function start(options = []) {
  const child = spawn(program, ["serve", "--port", "0", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((done, fail) => {
    child.on("exit", (code) => fail(new Error(`the program ended with ${code}`)));
    child.stdout.on("data", (data) => {
      const found = /http:\S+/.exec(String(data));
      if (found) done({ child, address: found[0] });
    });
  });
}

export const square = (page, name) => page.locator(`#board [data-square="${name}"]`);
export const moves = (page) => page.locator("#moves .move").evaluateAll((list) => list.map((b) => b.firstChild.textContent));
export const piece = async (page, name) => (await square(page, name).getAttribute("aria-label")).split(", ")[1];

export async function until(page, what, test, argument) {
  try {
    await page.waitForFunction(test, argument, { timeout: PATIENCE });
  } catch (error) {
    await page.screenshot({ path: join(shots, "failed.png") });
    throw new Error(`wrong: ${what} (see failed.png)`, { cause: error });
  }
  console.log(`ok   ${what}`);
}

export async function shoot(page, name) {
  await page.evaluate(() => document.querySelector("dialog[open]") || document.activeElement?.blur());
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

export async function click(page, from, to) {
  await square(page, from).click();
  await square(page, to).click();
}

export async function drag(page, from, to, options = {}) {
  const [a, b] = [await square(page, from).boundingBox(), await square(page, to).boundingBox()];
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...middle(a));
  await page.mouse.down(options);
  await page.mouse.move(...middle(b), { steps: 5 });
  await page.mouse.up(options);
}

// A finger that moves over the board.
export async function swipe(page, from, to) {
  await square(page, from).scrollIntoViewIfNeeded();
  const [a, b] = [await square(page, from).boundingBox(), await square(page, to).boundingBox()];
  const point = (part) => [{ x: a.x + (b.x - a.x) * part + a.width / 2, y: a.y + a.height / 2 }];
  const session = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", point(0));
  for (const part of [0.3, 0.6, 1]) await touch("touchMove", point(part));
  await touch("touchEnd", []);
}

export async function load(page, address) {
  await page.goto(address);
  await until(page, "the page loads and hears from the engine", () =>
    document.querySelector('[data-square="e2"]')?.getAttribute("aria-label") === "e2, white pawn");
}

export async function setUp(page, fen) {
  await page.getByRole("button", { name: "Open & save" }).click();
  await page.locator("#fen").fill(fen);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.waitForFunction(() => !document.querySelector("dialog[open]"));
}

export async function openText(page, text) {
  await page.getByRole("button", { name: "Open & save" }).click();
  await page.locator("#pgn").fill(text);
  await page.getByRole("button", { name: "Load this text" }).click();
}

// A page that remembers what goes wrong in it.
export async function watched(context, errors) {
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  return page;
}
