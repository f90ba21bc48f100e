// Editor, explorer, tablebases, notes, threats, large files.

import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { check, drag, GAME, openText, setUp, until } from "./harness.mjs";

export async function editor(page) {
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByRole("button", { name: "Empty board" }).click();
  const put = async (name, where) => {
    await page.getByRole("radio", { name }).click();
    await page.locator(`#editor [data-square="${where}"]`).click();
  };
  await put("White king", "e1");
  await put("White queen", "d1");
  await page.getByRole("button", { name: "Use this position" }).click();
  await until(page, "a position without a king is refused with a reason", () => document.querySelector("#editor-dialog .complaint").textContent.length > 10);
  await put("Black king", "e8");
  check(await page.locator("#editor-fen").inputValue() === "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "the FEN follows the pieces");
}

export async function useEditor(page) {
  await page.getByRole("button", { name: "Use this position" }).click();
  await until(page, "the position is on the board", () => document.querySelector('#board [data-square="d1"]').ariaLabel === "d1, white queen"
    && !document.querySelector("dialog[open]"));
}

export async function tables(page) {
  await page.getByRole("tab", { name: "Openings" }).click();
  await until(page, "the tablebase says who wins", () => /White wins/.test(document.querySelector("#pane-openings").textContent));
  check(await page.locator("#pane-openings table .outcome.win").count() > 5, "and what each move leads to");
}

export async function explorer(page) {
  const games = "1. e4 e5 2. Nf3 1-0\n\n".repeat(3) + "1. e4 c5 0-1\n\n1. d4 d5 1/2-1/2\n";
  const path = join(tmpdir(), "stillwater-explore.pgn");
  writeFileSync(path, games.split("\n\n").map((text) => `[Event "x"]\n[Result "${text.split(" ").at(-1).trim()}"]\n\n${text}\n`).join("\n"));
  await page.keyboard.press("n");
  await page.getByLabel("both sides (analysis board)").check();
  await page.getByLabel("classical").check();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator("#explore-file").setInputFiles(path);
  await until(page, "one's own games are counted", () => /5 games/.test(document.querySelector("#pane-openings").textContent)
    && document.querySelectorAll("#pane-openings table tr").length === 2);
  const book = join(tmpdir(), "stillwater-book.bin");
  writeFileSync(book, Buffer.from("463b96181691fc9c031c000100000000", "hex")); // the start position, e4, weight 1
  await page.locator("#explore-file").setInputFiles(book);
  await until(page, "a Polyglot book is shown", () => /in the book: 1, positions: 1/.test(document.querySelector("#pane-openings").textContent)
    && /Book\s*e4\s*100 %/.test(document.querySelector("#pane-openings").innerText));
  await page.locator("#pane-openings table button", { hasText: "e4" }).first().click();
  await until(page, "a click plays the move and shows what followed", () => /3/.test(document.querySelector("#pane-openings table tr").textContent)
    && document.querySelector('[data-square="e4"]').ariaLabel === "e4, white pawn");
}

export async function notes(page) {
  await page.getByRole("tab", { name: "Notes" }).click();
  await page.locator("#comment").fill("The best by test.");
  await page.locator("#pane-notes select").first().selectOption({ label: "! good move" });
  await drag(page, "e4", "e5", { button: "right" });
  await until(page, "an arrow is drawn", () => document.querySelector(".arrow.green"));
  await page.getByRole("tab", { name: "Moves" }).click();
  await until(page, "comment and symbol are in the game", () => /best by test/.test(document.querySelector("#moves").textContent)
    && document.querySelector("#moves .mark")?.textContent === "!");
  await page.getByRole("button", { name: "Open & save" }).click();
  await until(page, "they are in the PGN, with the arrow", () => /\$1/.test(document.querySelector("#pgn").value)
    && /\[%cal Ge4e5\]/.test(document.querySelector("#pgn").value));
  await page.keyboard.press("Escape");
}

export async function threat(page) {
  await setUp(page, "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3");
  await page.keyboard.press("x");
  await until(page, "the threat is shown", () => /Qxf7#/.test(document.querySelector("#banner").textContent) && document.querySelector(".arrow.red"));
  await page.keyboard.press("x");
}

// A file of more than 50 MB, of which one game is chosen.
export async function bigFile(page) {
  const path = join(tmpdir(), "stillwater-big.pgn");
  const one = (number) => `[Event "Game ${number}"]\n[White "Player ${number % 977}"]\n[Black "Müller, ${number % 13}"]\n[Result "1-0"]\n\n`
    + `1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {${"A long remark. ".repeat(50)}} 4. Ba4 Nf6 5. O-O 1-0\n\n`;
  const parts = [];
  for (let number = 0, size = 0; size < 52e6; number++) {
    parts.push(one(number));
    size += parts.at(-1).length;
  }
  parts.push(GAME);
  writeFileSync(path, parts.join(""));
  await page.getByRole("button", { name: "Open & save" }).click();
  await page.locator("#pgn-file").setInputFiles(path);
  await until(page, `a file of ${(parts.join("").length / 1e6).toFixed(0)} MB with ${parts.length} games is listed`, (count) =>
    document.querySelector("#chooser-count").textContent.startsWith(`${count.toLocaleString("en")} games`), parts.length);
  await page.locator("#chooser-search").fill("morphy");
  await until(page, "a search finds a player", () => document.querySelectorAll("#chooser-list div").length === 1);
  await page.keyboard.press("Enter");
  await until(page, "the game is opened", () => document.querySelector("#player-bottom b").textContent === "Morphy, Paul");
  await page.getByRole("button", { name: "Game before" }).click();
  await until(page, "the game before it, too, with its umlaut", () => document.querySelector("#player-top b").textContent.startsWith("Müller"));
}

export async function untaggedGames(page) {
  await openText(page, "1. e4 e5 1-0\n\n1. d4 d5 0-1\n");
  await until(page, "games without tags are told apart", () => !document.querySelector("#file-bar").hidden);
  await page.getByRole("button", { name: "Next game" }).click();
  await until(page, "and shown", () => document.querySelector("#moves .move")?.firstChild.textContent === "d4");
}

export async function settingsLast(page) {
  await page.getByRole("button", { name: "Settings" }).click();
  await page.locator('[name="colours"]').selectOption("wood");
  await page.locator('#settings-form [name="lines"]').fill("2");
  await page.getByRole("button", { name: "Use", exact: true }).click();
  await page.reload();
  await until(page, "settings are kept", () => document.documentElement.dataset.board === "wood"
    && document.querySelector('#settings-form [name="lines"]').value === "2");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.locator('[name="colours"]').selectOption("water");
  await page.locator('#settings-form [name="lines"]').fill("3");
  await page.getByRole("button", { name: "Use", exact: true }).click();
}

