// The pages of sessions in a real browser. Usage: node session.mjs CHROMIUM PAGE LARGE LIST DIFF PICTURES: prints what it saw as JSON.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [executablePath, file, large, list, diff, pictures] = process.argv.slice(2);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"];
const browser = await chromium.launch({ executablePath, args });
const seen = { errors: [], requests: [], violations: {}, wide: {}, words: {} };

async function open(address, colorScheme, width) {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
  const page = await context.newPage();
  page.on("pageerror", (error) => seen.errors.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.errors.push(message.text());
  });
  page.on("request", (request) => seen.requests.push(request.url()));
  await page.goto(pathToFileURL(address).href);
  return page;
}

async function judge(page, name) {
  // axe is a script of the test, not one of the page
  const found = await page.evaluate(`${axe}; axe.run(document, { resultTypes: ["violations"] })`);
  seen.violations[name] = found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
  seen.wide[name] = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

for (const [name, scheme, width] of [["light", "light", 1000], ["dark", "dark", 1000], ["phone", "light", 390]]) {
  const page = await open(file, scheme, width);
  await page.screenshot({ path: path.join(pictures, `session-${name}.png`) });
  seen.words[name] = await page.innerText("main");
  await page.click("#next");
  await page.screenshot({ path: path.join(pictures, `session-${name}-problem.png`) });
  seen.words[`${name}-problem`] = await page.innerText("details[open]:not(main > details)");
  await page.click("#open");
  await judge(page, name);
}

for (const [name, scheme, width] of [["diff", "light", 1000], ["diff-dark", "dark", 1000], ["diff-phone", "light", 390]]) {
  const page = await open(diff, scheme, width);
  await page.screenshot({ path: path.join(pictures, `session-${name}.png`) });
  seen.words[name] = await page.innerText("main");
  await judge(page, name);
}

const page = await open(file, "light", 1000);
const shown = () => page.locator("details[data-number]:visible").count();
seen.shown = [await shown()];
await page.keyboard.press("/");
await page.keyboard.type("src/a.py");
seen.shown.push(await shown());
seen.said = await page.textContent("output");
seen.waves = await page.locator("article h3:visible").allTextContents();
await page.fill("input", "");
// from the search to the first call by keyboard alone
seen.stops = [];
for (let n = 0; n < 9 && !(seen.stops.at(-1) ?? "").startsWith("Search s1"); n++) {
  await page.keyboard.press("Tab");
  seen.stops.push(await page.evaluate(() => document.activeElement.textContent.slice(0, 20)));
}
await page.keyboard.press("Enter");
seen.opened = await page.evaluate(() => document.activeElement.parentElement.open);
await page.click("#next");
seen.problem = await page.evaluate(() => [document.activeElement.textContent, document.activeElement.parentElement.open]);
await page.click("#close");
await page.click(".graph [data-call='0']");
seen.fromGraph = await page.evaluate(() => document.activeElement.parentElement.id);
await page.click("#close");
await page.emulateMedia({ media: "print" });
await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
seen.printed = await page.evaluate(() => [
  getComputedStyle(document.querySelector("form")).display,
  document.querySelectorAll("details[data-number]:not([open])").length,
]);
await page.pdf({ path: path.join(pictures, "session.pdf") });

const sessions = await open(list, "dark", 390);
await sessions.screenshot({ path: path.join(pictures, "session-list.png") });
seen.list = await sessions.innerText("main");
await judge(sessions, "list");

const many = await open(large, "light", 1000);
const began = Date.now();
await many.fill("input", "c1999");
await many.waitForFunction(() => document.querySelector("output").textContent === "1 call");
seen.searched = Date.now() - began;
await browser.close();
process.stdout.write(JSON.stringify(seen));
