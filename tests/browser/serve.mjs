// Drives the page of `stillwater serve` in headless Chromium: see README.md beside this file.

import { join } from "node:path";

import { accessible, dialogs } from "./access.mjs";
import { analyse, chess960, clockGame, importGame, play, promotion, reload } from "./basics.mjs";
import { check, chromium, GAME, load, shoot, shots, square, start, swipe, until, watched } from "./harness.mjs";
import { learn, nextMistake, review, save } from "./review.mjs";
import { bigFile, editor, explorer, notes, settingsLast, tables, threat, untaggedGames, useEditor } from "./tools.mjs";

async function desktop(browser, address, errors) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, acceptDownloads: true });
  const page = await watched(context, errors);
  await load(page, address);
  await accessible(page, "the page");
  await dialogs(page, "on a desktop");
  await play(page);
  await shoot(page, "play");
  await clockGame(page);
  await analyse(page);
  await importGame(page);
  await page.waitForTimeout(2500);
  await shoot(page, "analysis");
  await review(page);
  await shoot(page, "why");
  await accessible(page, "the review and an explanation");
  await page.keyboard.press("m");
  await page.waitForTimeout(300);
  await save(page);
  await learn(page);
  await page.getByRole("switch", { name: "Analysis" }).click();
  for (let tries = 0; tries < 8 && await page.locator(".verdict .blunder, .verdict .mistake").count() === 0; tries++) await nextMistake(page);
  await page.setViewportSize({ width: 1360, height: 980 });
  await shoot(page, "review");
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole("switch", { name: "Analysis" }).click();
  await page.emulateMedia({ colorScheme: "dark" });
  await nextMistake(page);
  await page.waitForTimeout(2500);
  await shoot(page, "dark");
  await accessible(page, "the review in the dark");
  await dialogs(page, "in the dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("tab", { name: "Moves" }).click();
  await shoot(page, "moves");
  await chess960(page);
  await editor(page);
  await shoot(page, "editor");
  await useEditor(page);
  if (process.env.SYZYGY) {
    await tables(page);
    await shoot(page, "tables");
  }
  await page.getByRole("tab", { name: "Openings" }).click();
  await explorer(page);
  await shoot(page, "explorer");
  await accessible(page, "the explorer");
  await notes(page);
  await threat(page);
  await bigFile(page);
  await shoot(page, "file");
  await untaggedGames(page);
  await settingsLast(page);
  await promotion(page);
  await reload(page);
  await context.close();
}

async function phone(browser, address, errors) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
  const page = await watched(context, errors);
  await load(page, address);
  await accessible(page, "the page on a phone", true);
  const box = await page.locator("#board").boundingBox();
  check(box.width > 330 && box.y + box.height < 700, "the board is large and in sight");
  await square(page, "d2").tap();
  await square(page, "d4").tap();
  await until(page, "a move is played by touch", (n) => document.querySelectorAll("#moves .move").length === n, 1);
  await dialogs(page, "on a phone", true);
  await page.locator('[data-dialog="files-dialog"]').tap();
  await page.locator("#pgn").fill(GAME);
  await page.getByRole("button", { name: "Load this text" }).tap();
  await page.getByRole("switch", { name: "Analysis" }).tap();
  await page.keyboard.press("End");
  for (let moves = 0; moves < 15; moves++) await page.getByRole("button", { name: "Move back" }).tap();
  await until(page, "the phone gets lines", () => document.querySelectorAll("#lines li").length === 3);
  await page.waitForTimeout(1500);
  const shown = () => page.locator("#moves .here").getAttribute("data-node");
  const before = await shown();
  await swipe(page, "e6", "b6");
  await until(page, "a swipe to the left goes forward", (node) => Number(document.querySelector("#moves .here").dataset.node) > Number(node), before);
  await swipe(page, "b6", "e6");
  await until(page, "a swipe to the right goes back", (node) => document.querySelector("#moves .here").dataset.node === node, before);
  await accessible(page, "an analysis on a phone", true);
  await page.evaluate(() => scrollTo(0, 0));
  await shoot(page, "phone");
  await page.screenshot({ path: join(shots, "phone-full.png"), fullPage: true });
  await page.setViewportSize({ width: 844, height: 390 });
  await page.waitForTimeout(300);
  const wide = await page.locator("#board").boundingBox();
  check(wide.y + wide.height <= 390 && wide.height > 230, "held sideways, the whole board is in sight");
  await accessible(page, "a phone held sideways");
  await shoot(page, "landscape");
  await context.close();
}

const { child, address } = await start(process.env.SYZYGY ? ["--syzygy", process.env.SYZYGY] : []);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  const errors = [];
  if (process.env.ONLY !== "phone") await desktop(browser, address, errors);
  if (process.env.ONLY !== "desktop") await phone(browser, address, errors);
  check(errors.length === 0, `no errors in the console ${errors.join("; ")}`);
} finally {
  await browser.close();
  child.kill();
}
console.log(`All is well. Pictures are in ${shots}`);
process.exit(0);
