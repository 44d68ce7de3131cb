// The playground in a real browser. Usage: node drive.mjs CHROMIUM URL PICTURES: prints what it saw as JSON.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import zlib from "node:zlib";
import { chromium } from "playwright-core";

const [executablePath, url, pictures] = process.argv.slice(2);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"];
const browser = await chromium.launch({ executablePath, args });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: false });
const seen = { console: [], elsewhere: [], steps: {} };
const ODD = "\ud800 \0 שלום 👩‍👩‍👧\n";
const CALL = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n";

async function open(address = url) {
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.console.push(message.text());
  });
  page.on("pageerror", (error) => seen.console.push(error.message));
  page.on("request", (request) => {
    const to = request.url();
    if (!to.startsWith(url) && !to.startsWith("blob:") && !to.startsWith("data:")) seen.elsewhere.push(to);
  });
  const began = Date.now();
  await page.goto(address);
  await page.waitForSelector("html[data-ready]");
  page.ready = Date.now() - began;
  return page;
}

const text = (page) => page.evaluate(() => document.querySelector(".cm-content").cmTile.view.state.doc.toString());
async function replaceText(page, wanted) {
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  // as pasted: typing would insert the closing brackets of CodeMirror too
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.querySelector(".cm-content").dispatchEvent(event);
  }, wanted);
}
const item = (page, wanted) => page.waitForSelector(`.pane:not([hidden]) .item:has-text("${wanted}")`);
const picture = (page, name) => page.screenshot({ path: path.join(pictures, `${name}.png`) });

async function step(name, run) {
  try {
    seen.steps[name] = (await run()) ?? true;
  } catch (error) {
    seen.steps[name] = { error: String(error.message).slice(0, 800) };
    await picture(page, `failed-${name}`).catch(() => {});
  }
}

async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

let page = await open();
await step("load", async () => {
  await item(page, "G102");
  await page.waitForSelector(".token-keyword, .token-macro");
  await picture(page, "light");
  return { milliseconds: page.ready };
});
await step("squiggle", async () => {
  await replaceText(page, CALL);
  await item(page, "G101");
  await page.waitForSelector(".cm-lintRange-error");
  await page.waitForFunction(() => document.querySelector("#told").textContent === "1 problem");
  return page.locator("#example option:checked").textContent();
});
await step("hover", async () => {
  await page.hover(".cm-line:nth-child(2) .token-property, .cm-line:nth-child(2) .token-parameter");
  return (await (await page.waitForSelector(".cm-tooltip-hover, .cm-tooltip")).textContent()).slice(0, 200);
});
await step("fix", async () => {
  await page.click('.item:has-text("G101") button:has-text("Fixes")');
  await page.click('.item:has-text("G101") .fixes button:not(:has-text("Fixes")) >> nth=0');
  await page.waitForSelector('#pane-problems:has-text("Nothing found")');
  return text(page);
});
await step("complete", async () => {
  await replaceText(page, "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n");
  await page.keyboard.type("!!!GAD");
  await page.keyboard.press("Control+Space");
  await page.waitForSelector(".cm-tooltip-autocomplete li");
  const offered = await page.locator(".cm-tooltip-autocomplete li").allTextContents();
  await page.keyboard.press("Escape");
  return offered;
});
await step("rename", async () => {
  await replaceText(page, "!!!GADGET_START:A:one\n!!!GADGET_END\n!!!GADGET_START:B:two:one\n!!!GADGET_END\n");
  await page.keyboard.press("Control+Home");
  for (let at = 0; at < "!!!GADGET_START:A:o".length; at += 1) await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(300);
  await page.keyboard.press("F2");
  await page.fill(".cm-panel input, .cm-rename-panel input", "first");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("two:first"));
  return text(page);
});
await step("values", async () => {
  await page.click("#tab-values");
  await (await item(page, "two")).waitForSelector("button.jump").then((button) => button.click());
  await page.waitForSelector('.item[aria-current="true"]:has-text("two")');
  await page.keyboard.press("Control+Home");
  await page.waitForSelector('.item[aria-current="true"]:has-text("first")');
});
await step("graph", async () => {
  await page.click("#tab-graph");
  const image = await page.waitForSelector("img.picture");
  await page.waitForFunction((shown) => shown.complete && shown.naturalWidth > 0, image);
  await replaceText(page, "!!!GADGET_START:A:one:two\n!!!GADGET_END\n!!!GADGET_START:B:two:one\n!!!GADGET_END\n");
  await page.waitForFunction((before) => document.querySelector("img.picture")?.src !== before, await image.getAttribute("src"));
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click('a[download="graph.svg"]')]);
  return fs.readFileSync(await saved.path(), "utf8");
});
await step("scrub", async () => {
  await replaceText(page, "Hi.\n!!!GADGET_START:A:one\n!!!ARG:x\n1\n!!!GADGET_END\n");
  await page.click("#tab-stream");
  await page.selectOption("#pane-stream select", "1");
  await page.waitForSelector('#pane-stream input[type="range"]:not([max="0"])');
  const slider = page.locator('#pane-stream input[type="range"]');
  const held = {};
  for (const at of [9, 40]) {
    await slider.fill(String(at));
    await page.waitForFunction((wanted) => document.querySelector("#pane-stream .row:nth-child(2)").textContent.includes(`${wanted} /`), at);
    held[at] = await page.locator("#pane-stream h2:has-text('Held back') + div").textContent();
  }
  await slider.fill("9");
  await page.waitForSelector('#pane-stream:has-text("because it may become")');
  await picture(page, "stream");
  const arrived = (wanted) =>
    page.waitForFunction((text) => document.querySelector("#pane-stream mark").textContent === text, wanted);
  await slider.focus();
  await page.keyboard.press("Home");
  for (let at = 0; at < 4; at += 1) await page.keyboard.press("ArrowRight");
  await arrived("⏎\n");
  await page.keyboard.press("End");
  await page.waitForSelector(`#pane-stream .item:has-text('"x": 1')`);
  const sizes = {};
  for (const size of ["16", "tokens", "whole"]) {
    const before = await slider.getAttribute("max");
    await page.selectOption("#pane-stream select", size);
    await page.waitForFunction((old) => document.querySelector('#pane-stream input[type="range"]').max !== old, before);
    sizes[size] = Number(await slider.getAttribute("max"));
  }
  return { ...held, sizes };
});
await step("languages", async () => {
  await page.click("#tab-problems");
  await page.selectOption("#example", { label: "A chat with mistakes" });
  await item(page, "S");
  await page.selectOption("#example", { label: "Custom blocks" });
  await item(page, "T");
});
await step("settings", async () => {
  await page.selectOption("#example", { label: "A call checked against a schema" });
  await item(page, "G204");
  await page.click("#tab-settings");
  await page.fill('textarea[id="llmblocks.toml"]', '[gadget]\nnothing = 1\n');
  await page.waitForSelector('#pane-settings li:has-text("nothing")');
  await page.fill('textarea[id="llmblocks.toml"]', '[rules]\nignore = ["G2"]\n');
  await page.click("#tab-problems");
  await page.waitForSelector('#pane-problems:has-text("Nothing found")');
});
await step("keyboard", async () => {
  await page.focus("#format");
  const reached = [];
  for (let at = 0; at < 4; at += 1) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate(() => document.activeElement.id || document.activeElement.className));
  }
  await page.keyboard.press("Control+Home");
  // out of the editor: Escape, then Tab
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await page.focus("#tab-problems");
  await page.keyboard.press("ArrowRight");
  reached.push(await page.evaluate(() => document.activeElement.id));
  await page.keyboard.press("End");
  reached.push(await page.evaluate(() => document.activeElement.id));
  return reached;
});
await step("dark", async () => {
  await page.click("#tab-problems");
  await page.selectOption("#example", { label: "Gadget calls with mistakes" });
  await item(page, "G102");
  await page.click("#theme");
  await page.waitForSelector('html[data-theme="dark"]');
  await picture(page, "dark");
});
await step("accessible", async () => {
  const found = {};
  for (const theme of ["dark", "light"]) {
    for (const tab of ["problems", "values", "graph", "stream", "settings"]) {
      await page.click(`#tab-${tab}`);
      await page.waitForTimeout(400);
      const wrong = await violations(page);
      if (wrong.length) found[`${theme} ${tab}`] = wrong;
    }
    await page.click("#theme");
  }
  return found;
});
await step("share", async () => {
  await page.click("#tab-problems");
  await replaceText(page, ODD + CALL);
  await item(page, "G101");
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 20);
  const link = page.url();
  await page.close();
  page = await open(link);
  await item(page, "G101");
  const opened = await text(page);
  await page.click(".cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("typed ");
  await page.waitForFunction(() => sessionStorage.getItem("draft")?.includes("typed "));
  await page.reload();
  await page.waitForFunction(() => document.querySelector(".cm-content")?.textContent.includes("typed "));
  return { same: opened === ODD + CALL, kept: (await text(page)) === `typed ${ODD}${CALL}`, length: link.length - url.length };
});
await step("links", async () => {
  const said = {};
  const packed = (state) => zlib.deflateRawSync(JSON.stringify(state)).toString("base64url");
  const hashes = { damaged: "q1bKKEpVslJK", foreign: "section-2", newer: packed({ version: 99, text: "later", language: "new" }) };
  for (const [name, hash] of Object.entries(hashes)) {
    await page.evaluate((wanted) => (location.hash = wanted), hash);
    await page.waitForFunction(() => document.querySelector("#said").textContent);
    said[name] = await page.textContent("#said");
    await page.evaluate(() => (document.querySelector("#said").textContent = ""));
  }
  return { ...said, text: await text(page) };
});
await step("narrow", async () => {
  await page.setViewportSize({ width: 390, height: 780 });
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
  await page.waitForSelector('#tab-problems:not(:has-text("(1)"))');
  const times = [];
  await page.keyboard.press("Control+End");
  for (let at = 0; at < 10; at += 1) {
    const began = Date.now();
    await page.keyboard.insertText("x");
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    times.push(Date.now() - began);
  }
  await page.click("#tab-values");
  await page.waitForSelector('#pane-values:has-text("Only the first")');
  return { milliseconds: times.sort((one, other) => one - other)[5] };
});
await browser.close();
console.log(JSON.stringify(seen));
