// The page of a report in a real browser. Usage: node report.mjs CHROMIUM PAGE PICTURES: prints what it saw as JSON.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [executablePath, file, pictures] = process.argv.slice(2);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"];
const browser = await chromium.launch({ executablePath, args });
const seen = { errors: [], requests: [], violations: {}, wide: {}, grounds: {} };

for (const [name, colorScheme, width] of [["light", "light", 960], ["dark", "dark", 960], ["narrow", "light", 360]]) {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 1000 } });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  page.on("request", (request) => request.url().startsWith("file:") || seen.requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  await page.screenshot({ path: path.join(pictures, `${name}.png`) });
  seen.words = await page.innerText("main");
  await page.click("summary");
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  seen.violations[name] = found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
  seen.wide[name] = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  seen.grounds[name] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await context.close();
}
await browser.close();
console.log(JSON.stringify(seen));
