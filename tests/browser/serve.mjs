// Drives the page of `stillwater serve` in headless Chromium: see README.md beside this file.

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const program = process.argv[2];
if (!program) throw new Error("usage: node serve.mjs PATH-OF-STILLWATER");
const require = createRequire(resolve(process.env.MODULES ?? ".", "x.js"));
const { chromium } = require("playwright-core");
const shots = process.env.SHOTS ?? "/tmp/stillwater-shots";
mkdirSync(shots, { recursive: true });

const PATIENCE = 30000;
const GAME = `[White "Morphy, Paul"]
[Black "Duke Karl and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {This is a weak move already.} (3... exd4 4. Nxd4 Nf6) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7
8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
`;

function check(condition, what) {
  if (!condition) throw new Error(`wrong: ${what}`);
  console.log(`ok   ${what}`);
}

// Starts the program and resolves to its address.
function start() {
  const child = spawn(program, ["serve", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((done, fail) => {
    child.on("exit", (code) => fail(new Error(`the program ended with ${code}`)));
    child.stdout.on("data", (data) => {
      const found = /http:\S+/.exec(String(data));
      if (found) done({ child, address: found[0] });
    });
  });
}

const square = (page, name) => page.locator(`[data-square="${name}"]`);
const moves = (page) => page.locator("#moves .move").evaluateAll((list) => list.map((b) => b.firstChild.textContent));
const piece = async (page, name) => (await square(page, name).getAttribute("aria-label")).split(", ")[1];

async function until(page, what, test, argument) {
  await page.waitForFunction(test, argument, { timeout: PATIENCE });
  console.log(`ok   ${what}`);
}

async function shoot(page, name) {
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

async function click(page, from, to) {
  await square(page, from).click();
  await square(page, to).click();
}

async function drag(page, from, to) {
  const [a, b] = [await square(page, from).boundingBox(), await square(page, to).boundingBox()];
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...middle(a));
  await page.mouse.down();
  await page.mouse.move(...middle(b), { steps: 5 });
  await page.mouse.up();
}

async function load(page, address) {
  await page.goto(address);
  await until(page, "the page loads and hears from the engine", () =>
    document.querySelector('[data-square="e2"]')?.getAttribute("aria-label") === "e2, white pawn");
}

async function play(page) {
  await page.getByRole("button", { name: "New game" }).click();
  await page.selectOption("#level", "12");
  await page.getByRole("button", { name: "Start" }).click();
  await until(page, "a game begins", () => document.querySelector("#player-top b").textContent.includes("level 12"));
  await drag(page, "e2", "e4");
  await until(page, "a dragged move is played and answered", (n) => document.querySelectorAll("#moves .move").length === n, 2);
  await click(page, "g1", "f3");
  await until(page, "a clicked move is played and answered", (n) => document.querySelectorAll("#moves .move").length === n, 4);
  // No answer to this gives check, whatever the level thinks of: any other move can follow.
  await page.locator("#typed-move").fill("c3");
  await page.keyboard.press("Enter");
  await until(page, "a typed move is played and answered", (n) => document.querySelectorAll("#moves .move").length === n, 6);
  await square(page, "h2").focus();
  for (const key of ["Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await until(page, "the board is played with the keyboard alone", (n) => document.querySelectorAll("#moves .move").length === n, 8);
  check((await moves(page))[6] === "h3", "the keyboard's move was h3");
  await page.getByRole("button", { name: "Take back" }).click();
  await until(page, "a move and its answer are taken back", (n) => document.querySelectorAll("#moves .move").length === n, 6);
  await page.locator("#typed-move").fill("e5e9");
  await page.keyboard.press("Enter");
  await until(page, "nonsense is refused with a reason", () => document.querySelector("#banner").textContent.includes("e5e9"));
}

async function analyse(page) {
  await page.getByRole("switch", { name: "Analysis" }).click();
  await until(page, "three lines are found", () => document.querySelectorAll("#lines li").length === 3);
  await until(page, "a score and chances are shown", () =>
    /\d/.test(document.querySelector("#score").textContent) && /White wins/.test(document.querySelector("#chances").ariaLabel));
  check(await page.locator(".arrow").count() >= 1, "arrows are drawn");
  const before = await page.locator(".men .piece").count();
  await page.locator("#lines li").first().locator("button").nth(1).click();
  await until(page, "a move of a line is looked at", () => !document.querySelector("#preview-bar").hidden);
  check(await page.locator(".men .piece").count() <= before, "the board shows the line");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Escape");
  check(await page.locator("#preview-bar").isHidden(), "Escape leaves the line");
}

async function importGame(page) {
  await page.getByRole("button", { name: "FEN & PGN" }).click();
  check((await page.locator("#pgn").inputValue()).includes("1. e4"), "the game can be copied as PGN");
  await page.locator("#pgn").fill("1. e4 Ke4");
  await page.locator("#fen").fill("not a position");
  await page.getByRole("button", { name: "Set up" }).click();
  await until(page, "a bad FEN is refused in the dialog", () => document.querySelector(".complaint").textContent.length > 10);
  await page.locator("#pgn").fill(GAME);
  await page.getByRole("button", { name: "Load this text" }).click();
  await until(page, "a PGN is imported", () => document.querySelector("#player-bottom b").textContent === "Morphy, Paul");
  check(await page.locator("#moves .variation").count() === 1, "its variation is there");
  check((await page.locator("#moves .remark").allTextContents()).some((text) => text.includes("weak move")), "so is its comment");
  await page.keyboard.press("End");
  await until(page, "End shows the mate", () => document.querySelector('[data-square="d8"]').ariaLabel.includes("white rook"));
  await page.getByRole("button", { name: "Evaluate game" }).click();
  await until(page, "the whole game is evaluated", () =>
    document.querySelectorAll("#moves > .move small").length === 33 && document.querySelector("#evaluate").textContent === "Evaluate game");
  await page.locator("#graph").click({ position: { x: 200, y: 40 } });
  await until(page, "a click into the graph goes there", () => document.querySelector("#moves .here") !== null
    && !document.querySelector('[data-square="d8"]').ariaLabel.includes("white rook"));
}

async function chess960(page) {
  await page.keyboard.press("n");
  await page.getByLabel("only look").check();
  await page.getByLabel("Chess960").check();
  await page.locator("#number-960").fill("0");
  await page.getByRole("button", { name: "Start" }).click();
  await until(page, "start position 0 of Chess960 is set up", () => document.querySelector('[data-square="a1"]').ariaLabel === "a1, white bishop");
  check(await piece(page, "g1") === "white king", "its king stands on g1");
}

async function promotion(page) {
  await page.getByRole("button", { name: "FEN & PGN" }).click();
  await page.locator("#fen").fill("6k1/2P5/8/8/8/8/8/4K3 w - - 0 1");
  await page.getByRole("button", { name: "Set up" }).click();
  await until(page, "a FEN is set up", () => document.querySelector('[data-square="c7"]').ariaLabel === "c7, white pawn");
  await click(page, "c7", "c8");
  await page.getByRole("button", { name: "Knight" }).click();
  await until(page, "a pawn becomes the piece chosen", () => document.querySelector('[data-square="c8"]').ariaLabel === "c8, white knight");
}

async function phone(browser, address) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await load(page, address);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  check(wide <= 0, "nothing sticks out of a phone's screen");
  const box = await page.locator("#board").boundingBox();
  check(box.width > 330 && box.y + box.height < 700, "the board is large and in sight");
  await square(page, "d2").tap();
  await square(page, "d4").tap();
  await until(page, "a move is played by touch", (n) => document.querySelectorAll("#moves .move").length === n, 1);
  await page.getByRole("switch", { name: "Analysis" }).tap();
  await until(page, "the phone gets lines", () => document.querySelectorAll("#lines li").length === 3);
  await page.waitForTimeout(1500);
  await page.evaluate(() => scrollTo(0, 0));
  await shoot(page, "phone");
  await page.screenshot({ path: join(shots, "phone-full.png"), fullPage: true });
  await context.close();
}

async function reload(page) {
  await page.reload();
  await until(page, "a reloaded page takes up its game again", () => document.querySelector('[data-square="c8"]')?.ariaLabel === "c8, white knight");
}

const { child, address } = await start();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await load(page, address);
  await shoot(page, "start");
  await play(page);
  await shoot(page, "play");
  await analyse(page);
  await page.waitForTimeout(2000);
  await shoot(page, "analysis");
  await importGame(page);
  await page.waitForTimeout(1500);
  await shoot(page, "game");
  await page.emulateMedia({ colorScheme: "dark" });
  await shoot(page, "dark");
  await page.keyboard.press("n");
  await shoot(page, "dialog");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("dialog[open]"));
  await page.emulateMedia({ colorScheme: "light" });
  await chess960(page);
  await promotion(page);
  await reload(page);
  await phone(browser, address);
  check(errors.length === 0, `no errors in the console ${errors.join("; ")}`);
} finally {
  await browser.close();
  child.kill();
}
console.log(`All is well. Pictures are in ${shots}`);
process.exit(0);
