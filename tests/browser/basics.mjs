// Playing, analysing, opening games, Chess960, promotion.

import { check, click, drag, GAME, moves, openText, piece, setUp, square, until } from "./harness.mjs";

export async function play(page) {
  await page.getByRole("button", { name: "New game" }).click();
  await page.selectOption("#level", "12");
  await page.getByRole("button", { name: "Start", exact: true }).click();
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
  await page.getByRole("button", { name: "Hint" }).click();
  await until(page, "a hint is given", () => document.querySelector("#banner").textContent.startsWith("Hint:") && document.querySelector(".arrow.green"));
  await page.getByRole("button", { name: "Draw" }).click();
  await until(page, "an early offer of a draw is declined", () => document.querySelector("#banner").textContent.includes("play on"));
}

// Clocks, the end of a game, rematch.
export async function clockGame(page) {
  await page.keyboard.press("n");
  await page.selectOption("#clock", "3+2");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await until(page, "clocks show the time", () => document.querySelector("#player-bottom .clock").textContent === "3:00");
  await click(page, "e2", "e4");
  await until(page, "the engine answers and the clock runs", () =>
    document.querySelectorAll("#moves .move").length === 2 && document.querySelector("#player-bottom .clock.running"));
  await until(page, "time passes", () => /^[23]:(5\d|0[01])/.test(document.querySelector("#player-bottom .clock").textContent));
  await page.getByRole("button", { name: "Resign" }).click();
  await until(page, "the end of the game is told", () => document.querySelector("#over h2")?.textContent === "You lost" && !document.querySelector("#over").hidden);
  await page.getByRole("button", { name: "Rematch" }).click();
  await until(page, "a rematch turns the colours", () => document.querySelector("#player-bottom b").textContent === "You"
    && document.querySelector("#player-bottom i").className === "black" && document.querySelectorAll("#moves .move").length === 1);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.locator("#over").getByRole("button", { name: "Review game" }).click();
  await until(page, "the panel's button reviews the game that was played", () => document.querySelector("#over").hidden
    && document.querySelectorAll("#moves > .cell .move small").length === 1 && document.querySelector("#pane-review table"));
  await page.getByRole("tab", { name: "Moves" }).click();
  await page.keyboard.press("f");
}

export async function analyse(page) {
  await page.keyboard.press("n");
  await page.getByLabel("both sides (analysis board)").check();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator("#typed-move").fill("e4");
  await page.keyboard.press("Enter");
  await page.getByRole("switch", { name: "Analysis" }).click();
  await until(page, "three lines are found", () => document.querySelectorAll("#lines li").length === 3);
  await until(page, "a score and chances are shown", () =>
    /\d/.test(document.querySelector("#score").textContent) && /White wins/.test(document.querySelector("#chances").ariaLabel));
  check(await page.locator(".arrow").count() >= 1, "arrows are drawn");
  await until(page, "the opening has a name", () => document.querySelector("#opening").textContent.length > 3);
  await page.locator("#lines li").first().locator("button").nth(1).hover();
  await until(page, "pointing at a move of a line shows a small board", () => !document.querySelector("#hover").hidden
    && document.querySelectorAll("#hover .piece").length > 20);
  await page.locator("#lines li").first().locator("button").nth(1).click();
  await until(page, "a move of a line is looked at", () => !document.querySelector("#preview-bar").hidden);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Escape");
  check(await page.locator("#preview-bar").isHidden(), "Escape leaves the line");
  await page.mouse.move(10, 10);
  await page.locator("#lines .why").first().click();
  await until(page, "a line is explained in words", () => document.querySelectorAll("#why-text p:not(.quiet)").length >= 2);
  await forecast(page);
  await page.getByRole("button", { name: "Close the explanation" }).click();
}

// What the network expects, in the words of a made-up answer: the built-in network need not have learned to forecast.
async function forecast(page) {
  await page.evaluate(async () => {
    const { Why } = await import("/why.js");
    const why = new Why({ look: ({ san }) => { document.querySelector("#why-title").textContent = `Looking at ${san}`; } });
    const [low, value, high] = [[-12, 48], [30, 53], [85, 60.5]].map(([cp, expected]) => ({ cp, expected }));
    const moves = [{ san: "e5", uci: "e7e5", percent: 31.4 }, { san: "c5", uci: "c7c5", percent: 23.6 }];
    why.show({ node: 1, fen: "", sentences: [], forecast: { band: { low, value, high }, moves } });
  });
  const text = (await page.locator("#why-text").innerText()).replaceAll("\u00a0", " ");
  check(text.includes("Value +0.30; in three cases of five a search finds −0.12 to +0.85."), "a band around the value is told");
  check(/Expected moves: e5 31 % c5 24 %/.test(text), "expected moves have probabilities");
  const width = await page.locator("#why-text .band").evaluate((bar) => parseFloat(getComputedStyle(bar, "::after").width) / bar.clientWidth);
  check(Math.abs(width - 0.125) < 0.02, "the band is drawn as wide as it is");
  await page.getByRole("button", { name: "c5 24" }).click();
  check(await page.locator("#why-title").innerText() === "Looking at c5", "an expected move can be looked at");
}

export async function importGame(page) {
  await page.getByRole("button", { name: "Open & save" }).click();
  await until(page, "the game can be copied as PGN", () => document.querySelector("#pgn").value.includes("1. e4"));
  await page.locator("#fen").fill("not a position");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await until(page, "a bad FEN is refused in the dialog", () => document.querySelector("#files-dialog .complaint").textContent.length > 10);
  await page.keyboard.press("Escape");
  await openText(page, GAME);
  await until(page, "a PGN is imported", () => document.querySelector("#player-bottom b").textContent === "Morphy, Paul");
  check(await page.locator("#moves .variation").count() === 1, "its variation is there");
  const remarks = await page.locator("#moves .remark").allTextContents();
  check(remarks.some((text) => text.includes("weak move") && !text.includes("%")), "so is its comment, without commands");
  await page.locator("#moves .move", { hasText: "Bg4" }).click();
  await until(page, "arrows, squares and clocks of the file are shown", () => document.querySelector(".arrow.red") && document.querySelector(".ring.yellow")
    && document.querySelector("#player-top .clock").textContent === "10:05");
  await page.keyboard.press("End");
  await until(page, "End shows the mate", () => document.querySelector('[data-square="d8"]').ariaLabel.includes("white rook"));
  await square(page, "e5").hover();
  await page.mouse.wheel(0, -120);
  await until(page, "the wheel walks through the game", () => document.querySelector('[data-square="d8"]').ariaLabel === "d8, empty");
}

export async function chess960(page) {
  await page.keyboard.press("n");
  await page.getByLabel("both sides (analysis board)").check();
  await page.getByLabel("Chess960").check();
  await page.locator("#number-960").fill("0");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await until(page, "start position 0 of Chess960 is set up", () => document.querySelector('[data-square="a1"]').ariaLabel === "a1, white bishop");
  check(await piece(page, "g1") === "white king", "its king stands on g1");
}

export async function promotion(page) {
  await setUp(page, "6k1/2P5/8/8/8/8/8/4K3 w - - 0 1");
  await until(page, "a FEN is set up", () => document.querySelector('[data-square="c7"]').ariaLabel === "c7, white pawn");
  await square(page, "c7").focus();
  for (const key of ["Enter", "ArrowUp", "Enter", "n"]) await page.keyboard.press(key);
  await until(page, "a pawn becomes the piece chosen with the keyboard", () => document.querySelector('[data-square="c8"]').ariaLabel === "c8, white knight");
}

export async function reload(page) {
  await page.reload();
  await until(page, "a reloaded page takes up its game again", () => document.querySelector('[data-square="c8"]')?.ariaLabel === "c8, white knight");
}
