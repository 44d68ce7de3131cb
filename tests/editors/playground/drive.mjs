// The playground in a real browser. Usage: node drive.mjs CHROMIUM URL PICTURES: prints what it saw as JSON.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import zlib from "node:zlib";
import { Browser, item, replaceText, tab, text } from "./browser.mjs";

const [executablePath, url, pictures] = process.argv.slice(2);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await Browser.launch(executablePath, url);
const { context } = browser;
const open = (address) => browser.open(address);
const seen = { console: browser.console, elsewhere: browser.elsewhere, steps: {}, pictures: {} };
const ODD = "\ud800 \0 שלום 👩‍👩‍👧\n";
const CALL = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n";
const picture = (page, name) => page.screenshot({ path: path.join(pictures, `${name}.png`) });

async function step(name, run) {
  try {
    seen.steps[name] = (await run()) ?? true;
  } catch (error) {
    seen.steps[name] = { error: String(error.message).slice(0, 800) };
    await picture(page, `failed-${name}`).catch(() => {});
  }
}

// A picture of the docs, with what can be compared of it: see tests/editors/screen.py
async function keep(name) {
  await page.setViewportSize({ width: 1200, height: 660 });
  await page.mouse.move(0, 0);
  await picture(page, name);
  const words = await page.evaluate(() => {
    const root = document.querySelector("llmblocks-playground").shadowRoot;
    const shown = [".cm-line", ".player", ".tabs", ".pane:not([hidden])"].flatMap((each) => [...root.querySelectorAll(`:not(.small-editor *)${each}`)]);
    return [document.querySelector("header"), ...shown].map((each) => each.innerText.replaceAll(/\s*\n\s*/g, "\n")).join("\n");
  });
  seen.pictures[name] = { words, grid: await grid(fs.readFileSync(path.join(pictures, `${name}.png`)).toString("base64")) };
  await page.setViewportSize({ width: 1280, height: 800 });
}

// The brightness of a picture, in 48 times 24 cells
async function grid(png) {
  const blank = await context.newPage();
  const rows = await blank.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(48, 24).getContext("2d");
    canvas.imageSmoothingQuality = "high";
    canvas.drawImage(image, 0, 0, 48, 24);
    const { data: found } = canvas.getImageData(0, 0, 48, 24);
    const level = (at) => Math.floor((found[4 * at] + found[4 * at + 1] + found[4 * at + 2]) / 48).toString(16);
    return Array.from({ length: 24 }, (_, row) => Array.from({ length: 48 }, (__, col) => level(48 * row + col)).join(""));
  }, png);
  await blank.close();
  return rows;
}

async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

let page = await open();
await step("load", async () => {
  for (const code of ["G102", "G111", "G101"]) await item(page, code);
  await page.waitForSelector(".token-keyword, .token-macro");
  await page.waitForSelector('.player .held:has-text("Play")');
  await keep("playground-problems");
  return {
    example: await text(page),
    // a fix on each card, and nothing that does nothing
    buttons: await page.locator('[data-pane="problems"] button:not(.jump)').allTextContents(),
    last: await page.locator(".item").last().evaluate((card) => card.getBoundingClientRect().bottom <= innerHeight),
    links: await page.locator("nav a").evaluateAll((links) => links.map(({ href }) => href)),
    version: await page.textContent("nav span"),
    held: await page.textContent(".held"),
  };
});
await step("played", async () => {
  await page.locator('.player input[type="range"]').fill("52");
  await page.waitForSelector(".editor .cm-held");
  await page.waitForSelector('[data-pane="stream"] .item');
  await keep("playground-stream");
  await tab(page, "problems");
});
await step("fixes", async () => {
  for (const code of ["G102", "G111", "G101"]) {
    await page.click(`.item:has-text("${code}") .fixes > button`);
    await page.waitForSelector(`.item:has-text("${code}")`, { state: "detached" });
  }
  await page.waitForSelector('[data-pane="problems"]:has-text("Nothing found")');
  return text(page);
});
await step("silence", async () => {
  await page.selectOption("#example", "0");
  await (await item(page, "G102")).waitForSelector("summary").then((summary) => summary.click());
  await page.click('.item:has-text("G102") button:has-text("llmblocks.toml")');
  await page.waitForSelector('[data-pane="settings"] .cm-content:has-text("G102")');
  await tab(page, "problems");
  await page.waitForSelector('[data-pane="problems"] .item:has-text("G102")', { state: "detached" });
  return page.evaluate(() => document.querySelector("llmblocks-playground").state.files["llmblocks.toml"]);
});
await step("told", async () => {
  // what the tab and its pane say, each time that one of them changes
  await page.evaluate(() => {
    const root = document.querySelector("llmblocks-playground").shadowRoot;
    const [button, pane] = ["tab", "pane"].map((name) => root.querySelector(`[data-${name}="problems"]`));
    window.told = [];
    window.watching = new MutationObserver(() => window.told.push([button.textContent, pane.textContent]));
    for (const each of [button, pane]) window.watching.observe(each, { childList: true, characterData: true, subtree: true });
  });
  for (const label of ["A chat", "Three mistakes"]) {
    await page.selectOption("#example", { label });
    await page.waitForFunction(() => /[(]\d+[)]/.test(window.told.at(-1)?.[0]));
    if (label === "A chat") await page.waitForSelector('[data-pane="problems"]:has-text("Nothing found")');
  }
  return page.evaluate(() => (window.watching.disconnect(), window.told));
});
await step("squiggle", async () => {
  await replaceText(page, CALL);
  await item(page, "G101");
  await page.waitForSelector(".cm-lintRange-error");
  await page.waitForSelector('.unseen:text-is("1 problem")', { state: "attached" });
  return page.locator("#example option:checked").textContent();
});
await step("tab", async () => {
  await replaceText(page, "Hi.\n");
  await page.keyboard.type("!");
  // faster than the list
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => document.querySelector("llmblocks-playground").value === "Hi.\n!!!GADGET_START:");
  return page.evaluate(() => document.querySelector("llmblocks-playground").shadowRoot.activeElement.className);
});
await step("hover", async () => {
  await replaceText(page, CALL);
  await page.hover(".cm-line:nth-child(2) .token-property, .cm-line:nth-child(2) .token-parameter");
  return (await (await page.waitForSelector(".cm-tooltip-hover, .cm-tooltip")).textContent()).slice(0, 200);
});
await step("rename", async () => {
  await replaceText(page, "!!!GADGET_START:A:one\n!!!GADGET_END\n!!!GADGET_START:B:two:one\n!!!GADGET_END\n");
  await page.waitForSelector('[data-pane="problems"]:has-text("Nothing found")');
  await page.keyboard.press("Control+Home");
  for (let at = 0; at < "!!!GADGET_START:A:o".length; at += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("F2");
  await page.fill(".cm-panel input, .cm-rename-panel input", "first");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.editor .cm-content:has-text("two:first")');
  return text(page);
});
await step("values", async () => {
  await tab(page, "values");
  await (await item(page, "two")).waitForSelector("button.jump").then((button) => button.click());
  await page.waitForSelector('.item[aria-current="true"]:has-text("two")');
  await page.keyboard.press("Control+Home");
  await page.waitForSelector('.item[aria-current="true"]:has-text("first")');
  const lines = Array.from({ length: 40 }, (_, number) => `line ${number}`).join("\n");
  await replaceText(page, `\n\n!!!GADGET_START:A:one\n!!!ARG:n\n1\n!!!ARG:say\n"so"\n!!!ARG:long\n${lines}\n!!!GADGET_END\n\n \nSo.\n\n\n\n\nDone.\n\n`);
  await item(page, "28 more lines");
  await item(page, "Done.");
  return { cards: await page.locator('[data-pane="values"] .item').allInnerTexts() };
});
await step("graph", async () => {
  await replaceText(page, "!!!GADGET_START:A:one\n!!!GADGET_END\n!!!GADGET_START:B:two:one\n!!!GADGET_END\n");
  await tab(page, "graph");
  await page.click('g.runs[data-call="1"]');
  await replaceText(page, "!!!GADGET_START:A:one:two\n!!!GADGET_END\n!!!GADGET_START:B:two:one\n!!!GADGET_END\n");
  await page.waitForSelector("svg.llmblocks-graph path.cycle", { state: "attached" });
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click('a[download="graph.svg"]')]);
  return fs.readFileSync(await saved.path(), "utf8");
});
await step("scrub", async () => {
  const slider = page.locator('.player input[type="range"]');
  const [speed, chunks] = [0, 1].map((at) => page.locator(".player select").nth(at));
  const marked = async (kind) => (await page.locator(`.editor .cm-${kind}`).allTextContents()).join("");
  await tab(page, "problems");
  await replaceText(page, "Hi.\n!!!GADGET_START:A:one\n!!!ARG:x\n1\n!!!GADGET_END\n");
  await page.waitForSelector('.player .held:has-text("Play")');
  const plain = await marked("ahead");
  await tab(page, "stream");
  await page.waitForSelector(".editor .cm-held");
  const telling = { held: await marked("held"), ahead: await marked("ahead"), said: await page.textContent(".held"), plain };
  await chunks.selectOption("1");
  await page.waitForSelector('.player input[max="52"]');
  await slider.fill("9");
  await page.waitForSelector('.player .where:text-is("9 / 51")');
  await page.waitForSelector('.player .held:has-text("because it may become")');
  const held = await page.textContent(".held");
  await slider.focus();
  await page.keyboard.press("Home");
  for (let at = 0; at < 2; at += 1) await page.keyboard.press("ArrowRight");
  await page.waitForSelector('.editor .cm-arriving:text-is("i")');
  await page.keyboard.press("End");
  await page.waitForSelector(`[data-pane="stream"] .item:has-text('"x": 1')`);
  await page.keyboard.press("Home");
  await speed.selectOption("16");
  await page.click(".play");
  await page.waitForSelector('.play:has-text("Pause")');
  await page.waitForSelector('.player .where:text-is("51 / 51")');
  await page.waitForSelector('.play:has-text("Play")');
  const sizes = {};
  for (const size of ["16", "tokens", "whole"]) {
    const before = await slider.getAttribute("max");
    await chunks.selectOption(size);
    await page.waitForSelector(`.player input[type="range"]:not([max="${before}"])`);
    sizes[size] = Number(await slider.getAttribute("max"));
  }
  await chunks.selectOption("tokens");
  await tab(page, "problems");
  await page.waitForSelector(".editor .cm-ahead, .editor .cm-held, .editor .cm-arriving", { state: "detached" });
  return { held, telling, sizes };
});
await step("duplicates", async () => {
  await replaceText(page, CALL.replace("!!!GADGET_END\n", ""));
  await page.waitForSelector('.player input:not([max="0"])');
  await page.locator('.player input[type="range"]').focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await item(page, "name = Grace");
  return page.locator('[data-pane="stream"] .item').first().textContent();
});
await step("template", async () => {
  const [slider, picker] = [page.locator('.player input[type="range"]'), page.locator(".player select").nth(2)];
  const before = await picker.isVisible();
  await tab(page, "problems");
  await page.selectOption("#example", { label: "gpt-oss, cut in a call" });
  await item(page, "M001");
  await tab(page, "stream");
  // the pane begins at its most telling moment
  await page.waitForSelector(".player .held mark");
  await slider.focus();
  await page.keyboard.press("End");
  await page.waitForSelector('[data-pane="stream"] .item:has-text("tool_calls: no value")');
  for (let at = 0; at < 2; at += 1) await page.keyboard.press("ArrowLeft");
  await page.waitForSelector('[data-pane="stream"] .item:has-text("tool_calls …")');
  await picture(page, "template");
  const shown = await page.locator('[data-pane="stream"] .item').allTextContents();
  const given = await picker.inputValue();
  await picker.selectOption("hermes");
  await tab(page, "values");
  await page.waitForSelector('[data-pane="values"] .item:has-text("<|channel|>analysis")');
  const settings = await page.locator(".small-editor .cm-content").first().evaluate((editor) => editor.innerText);
  await picker.selectOption("gpt-oss");
  await page.waitForSelector('[data-pane="values"] .item:has-text("reasoning_content")');
  return { before, given, settings, shown };
});
await step("languages", async () => {
  await tab(page, "problems");
  await page.selectOption("#example", { label: "A chat with mistakes" });
  await item(page, "S0");
  await page.selectOption("#example", { label: "Custom blocks" });
  await page.waitForSelector('[data-pane="problems"]:has-text("Nothing found")');
  await replaceText(page, "<think>\nwhat to do\n");
  await item(page, "T0");
});
await step("nobody looks", async () => {
  await page.selectOption("#example", { label: "A chat" });
  await page.waitForSelector('[data-pane="problems"]:has-text("Nothing found")');
});
await step("settings", async () => {
  const files = () => page.evaluate(() => document.querySelector("llmblocks-playground").state.files);
  const [toml, gadgets] = [0, 1].map((at) => page.locator('[data-pane="settings"] .cm-content').nth(at));
  await page.selectOption("#example", { label: "A call checked against a schema" });
  await item(page, "G204");
  const example = await files();
  await replaceText(page, "!!!GADGET_START:ReadFile:r1\n!!!ARG:other\nx\n!!!GADGET_END\n");
  await page.waitForSelector('[data-pane="problems"]:has-text("Nothing found")');
  const pasted = await files();
  await page.keyboard.press("Control+z");
  await item(page, "G204");
  const undone = await files();
  await tab(page, "settings");
  await toml.fill("[gadget]\nnothing = 1\n");
  await page.waitForSelector('[data-pane="settings"] li:has-text("nothing")');
  await page.waitForSelector('[data-pane="settings"] .cm-lintRange');
  await toml.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.type("[ru");
  await page.waitForSelector('.cm-tooltip-autocomplete li:has-text("[rules]")');
  await page.keyboard.press("Tab");
  await page.keyboard.type("\nign");
  await page.waitForSelector('.cm-tooltip-autocomplete li:has-text("ignore")');
  await page.keyboard.press("Tab");
  await page.keyboard.type('["G2"]');
  await page.keyboard.press("Escape");
  await page.waitForSelector('[data-pane="settings"] .cm-line:has-text("G2")');
  const written = (await files())["llmblocks.toml"];
  await gadgets.fill('{"name": "ReadFile", "schema": {"type": "object"}}');
  await page.waitForSelector('[data-pane="settings"] .cm-line:has-text("[gadget.schemas]")');
  await tab(page, "problems");
  await page.waitForSelector('[data-pane="problems"]:has-text("Nothing found")');
  return { example, pasted, undone, written };
});
await step("keyboard", async () => {
  const reached = [];
  const active = () =>
    page.evaluate(() => {
      const one = document.activeElement.shadowRoot?.activeElement ?? document.activeElement;
      return one.dataset.tab || one.id || one.className.split(" ")[0];
    });
  await page.focus("#format");
  for (let at = 0; at < 4; at += 1) {
    await page.keyboard.press("Tab");
    reached.push(await active());
  }
  await page.keyboard.press("Control+Home");
  // out of the editor: Escape, then Tab
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  reached.push(await active());
  await page.focus('[data-tab="problems"]');
  await page.keyboard.press("ArrowRight");
  reached.push(await active());
  await page.keyboard.press("End");
  reached.push(await active());
  return reached;
});
await step("dark", async () => {
  await tab(page, "problems");
  await page.selectOption("#example", "0");
  await item(page, "G102");
  await page.click("#theme");
  await page.waitForSelector('html[data-theme="dark"]');
  await picture(page, "dark");
});
await step("accessible", async () => {
  const found = {};
  for (const theme of ["dark", "light"]) {
    for (const name of ["problems", "values", "graph", "stream", "settings"]) {
      await tab(page, name);
      await page.waitForSelector(`[data-pane="${name}"] > *`);
      const wrong = await violations(page);
      if (wrong.length) found[`${theme} ${name}`] = wrong;
    }
    await page.click("#theme");
  }
  return found;
});
await step("share", async () => {
  await tab(page, "problems");
  await replaceText(page, ODD + CALL);
  await item(page, "G101");
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 20);
  const link = page.url();
  await page.close();
  page = await open(link);
  await item(page, "G101");
  const opened = await text(page);
  await page.click(".editor .cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("typed ");
  await page.waitForFunction(() => sessionStorage.getItem("shown")?.includes("typed "));
  await page.reload();
  await page.waitForSelector('.editor .cm-content:has-text("typed ")');
  return { same: opened === ODD + CALL, kept: (await text(page)) === `typed ${ODD}${CALL}`, length: link.length - url.length };
});
await step("drafts", async () => {
  const other = await open();
  const offered = () => other.locator("#own option").allTextContents();
  const found = { opened: await text(other) };
  // before it is time to keep what was typed
  await replaceText(other, "One text.\n");
  await other.selectOption("#example", { label: "A chat" });
  await other.waitForSelector('[data-pane="problems"]:has-text("Nothing found")');
  found.example = await text(other);
  await replaceText(other, "Two texts.\n");
  found.offered = await offered();
  await other.selectOption("#example", { label: found.offered[1] });
  found.chosen = await text(other);
  await other.selectOption("#example", { label: "A chat" });
  await other.reload();
  await other.waitForSelector('.editor .cm-content:has-text("@user")');
  found.reloaded = await offered();
  await other.close();
  const later = await open();
  found.later = await text(later);
  await later.close();
  await page.evaluate(() => localStorage.clear());
  const fresh = await open();
  await fresh.selectOption("#example", { label: "Your text" });
  await fresh.click(".editor .cm-content");
  await fresh.keyboard.type("Mine.");
  await fresh.reload();
  await fresh.waitForSelector('.editor .cm-content:has-text("Mine.")');
  found.fresh = await text(fresh);
  await fresh.close();
  await page.evaluate(() => localStorage.clear());
  return found;
});
await step("links", async () => {
  const said = {};
  const packed = (state) => zlib.deflateRawSync(JSON.stringify(state)).toString("base64url");
  const hashes = { damaged: "q1bKKEpVslJK", foreign: "section-2", newer: packed({ version: 99, text: "later", language: "new" }) };
  for (const [name, hash] of Object.entries(hashes)) {
    await page.evaluate((wanted) => (location.hash = wanted), hash);
    await page.waitForSelector(".said:not(:empty)");
    said[name] = await page.textContent(".said");
    await page.locator(".said").evaluate((notice) => (notice.textContent = ""));
  }
  return { ...said, text: await text(page) };
});
await step("narrow", async () => {
  // a page that was closed before may have kept its text since
  await page.evaluate(() => localStorage.clear());
  await page.goto(url);
  await page.setViewportSize({ width: 390, height: 780 });
  await item(page, "G101");
  await picture(page, "narrow");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  const wrong = await violations(page);
  await page.setViewportSize({ width: 640, height: 400 });
  const zoomed = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return { wide, zoomed, wrong };
});
await step("large", async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await replaceText(page, CALL.repeat(Math.ceil(1e6 / CALL.length)));
  await page.waitForSelector('[data-tab="problems"]:text-matches("[(][0-9]{3,}")');
  const times = [];
  await page.keyboard.press("Control+End");
  for (let at = 0; at < 10; at += 1) {
    const began = Date.now();
    await page.keyboard.insertText("x");
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    times.push(Date.now() - began);
  }
  await tab(page, "values");
  await page.waitForSelector('[data-pane="values"]:has-text("Only the first")');
  return { milliseconds: times.sort((one, other) => one - other)[5] };
});
await browser.close();
console.log(JSON.stringify(seen));
