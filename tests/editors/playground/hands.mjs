// Types the deeds of tests/editors/hands.py in the playground. Usage: node hands.mjs CHROMIUM URL, the deeds as
// JSON on standard input. Prints, for each deed, the text and the caret that it leaves.
import fs from "node:fs";
import { Browser, paste, tab } from "./browser.mjs";

const [executablePath, url] = process.argv.slice(2);
const deeds = JSON.parse(fs.readFileSync(0, "utf8"));
const LANGUAGES = { gadget: "gadget", stf: "stf", blocks: "custom-blocks" };
const PRESSES = { Left: "ArrowLeft", Right: "ArrowRight", Up: "ArrowUp", Down: "ArrowDown", Undo: "Control+z", Redo: "Control+y" };
// longer than the pause after which a list opens
const PAUSE_MS = 130;
const browser = await Browser.launch(executablePath, url);
const inSettings = (deed) => deed.file.endsWith(".toml");

// All that was asked so far is answered: answers come in the order of the requests.
const settle = (page) =>
  page.evaluate(async () => {
    const { playground } = document.querySelector("llmblocks-playground");
    const { client } = playground.server;
    for (let at = 0; at < 2; at += 1) {
      client.sync();
      // any answer will do, also that the text has changed
      await client.request("textDocument/foldingRange", { textDocument: { uri: playground.uri } }).catch(() => {});
      await new Promise((done) => setTimeout(done));
    }
  });

async function open(page, deed) {
  const start = { text: deed.start, caret: deed.caret, language: LANGUAGES[deed.file.split(".").pop()] ?? "gadget", files: deed.files };
  await tab(page, inSettings(deed) ? "settings" : "problems");
  await page.evaluate(({ text, caret, language, files }) => {
    const shown = document.querySelector("llmblocks-playground");
    shown.load({ text, language, files });
    shown.playground.view.dispatch({ selection: { anchor: caret } });
    shown.playground.view.focus();
  }, inSettings(deed) ? { text: "", caret: 0 } : start);
  if (inSettings(deed)) await page.locator('[data-pane="settings"] .cm-content >> nth=0').focus();
  await settle(page);
}

async function type(page, text, pace) {
  if (pace === "fast") return page.keyboard.type(text);
  // a list that is open may take the key for its own
  for (const part of text.split(/(?=\n)/)) {
    if (part.startsWith("\n")) {
      await page.waitForTimeout(PAUSE_MS);
      await settle(page);
    }
    await page.keyboard.type(part);
  }
}

async function pick(page, label) {
  // a person chooses from the list of what stands there, not from that of a key before
  await page.waitForTimeout(PAUSE_MS);
  await settle(page);
  const labels = page.locator(".cm-tooltip-autocomplete li .cm-completionLabel");
  await labels.filter({ hasText: label }).first().waitFor();
  const place = (await labels.allTextContents()).findIndex((each) => each.startsWith(label));
  if (place < 0) throw new Error(`the list does not offer ${label}: ${await labels.allTextContents()}`);
  // Tab takes the first of the list, where no arrow has chosen
  const downs = place > 0 ? place + 1 : 0;
  for (let at = 0; at < downs; at += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await settle(page);
  return downs;
}

async function done(page, deed) {
  const { name, pace } = deed;
  let arrows = 0;
  let error = "";
  await open(page, deed);
  try {
    for (const step of deed.steps) {
      if (step.type !== undefined) await type(page, step.type, pace);
      else if (step.paste !== undefined) await paste(page, step.paste);
      else if (step.pick !== undefined) arrows += await pick(page, step.pick);
      else {
        // what is undone or passed was seen
        if (["Undo", "End"].includes(step.press)) await settle(page);
        for (let at = 0; at < step.times; at += 1) await page.keyboard.press(PRESSES[step.press] ?? step.press);
        await settle(page);
      }
    }
  } catch (problem) {
    error = String(problem.message).slice(0, 300);
  }
  await settle(page);
  const found = await page.evaluate((settings) => {
    const { playground } = document.querySelector("llmblocks-playground");
    const view = settings ? playground.settings.views.get("llmblocks.toml") : playground.view;
    return { text: view.state.doc.toString(), caret: view.state.selection.main.head };
  }, inSettings(deed));
  return { name, pace, arrows, error, ...found };
}

// most of it is waiting: several people type at once
const left = [];
const pages = await Promise.all([1, 2, 3].map(() => browser.open()));
await Promise.all(
  pages.map(async (page) => {
    for (let next = deeds.shift(); next !== undefined; next = deeds.shift()) left.push(await done(page, next));
  }),
);
const [page] = pages;
// Multiple cursors: both hold what was typed, once.
await open(page, { file: "two.gadget", start: "one\ntwo\n", caret: 3 });
await page.keyboard.down("Control");
await page.locator(".editor .cm-line >> nth=1").click({ position: { x: 200, y: 5 } });
await page.keyboard.up("Control");
await type(page, " !!!GADGET_START:A <think>\nx", "person");
await settle(page);
const cursors = await page.evaluate(() => document.querySelector("llmblocks-playground").value);
await browser.close();
console.log(JSON.stringify({ left, cursors, console: browser.console }));
