// Playgrounds in a plain page of another origin. Usage: node embed.mjs CHROMIUM URL PICTURES: prints what it saw as JSON.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { Browser, item, text } from "./browser.mjs";

const [executablePath, url, pictures] = process.argv.slice(2);
const DUPLICATE = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n";
// the page is that of editors/playground/README.md, with a line that is indented, and a second playground
const readme = fs.readFileSync(new URL("../../../editors/playground/README.md", import.meta.url), "utf8");
const FIRST = /```html\n([^]*?)```/
  .exec(readme)[1]
  .replace("https://host.example/playground/", url)
  .replace("<llmblocks-playground", '<llmblocks-playground id="first"')
  .replace("    Ada", "      Ada");
const PAGE = `<!doctype html>
<html lang="en">
  <title>A page of documentation</title>
  <style>
    body { color-scheme: dark; background: #111; color: #eee; max-width: 60rem; margin: auto; }
    button, .item { display: none; }
  </style>
  <h1>Calls</h1>
  ${FIRST}
  <llmblocks-playground id="second" src="chat.stf" settings="llmblocks.toml" theme="light" pane="stream"></llmblocks-playground>
</html>`;
const FILES = { "/": PAGE, "/chat.stf": "@user\nHi\n@usr\nHo\n", "/llmblocks.toml": '[rules]\nignore = ["S2"]\n', "/favicon.ico": "" };

const host = http.createServer(({ url: asked }, reply) => {
  reply.writeHead(asked in FILES ? 200 : 404, { "Content-Type": asked === "/" ? "text/html" : "text/plain" });
  reply.end(FILES[asked] ?? "");
});
await new Promise((ready) => host.listen(0, "127.0.0.1", ready));
const browser = await Browser.launch(executablePath, url);
const page = await browser.open(`http://127.0.0.1:${host.address().port}/`, 2);
const seen = { workers: page.workers().length, first: await text(page) };
const state = (id) => page.evaluate((name) => document.getElementById(name).state, id);
const background = (id) => page.locator(`#${id}`).evaluate((one) => getComputedStyle(one).backgroundColor);

await page.locator('#second .tabs [data-tab="problems"]').click();
await page.locator("#second").locator('.item:has-text("S")').first().waitFor();
seen.second = await state("second");
seen.backgrounds = [await background("first"), await background("second")];
// they know nothing of one another
await page.evaluate((wanted) => {
  window.changes = 0;
  const shown = document.getElementById("first");
  shown.addEventListener("change", () => (window.changes += 1));
  shown.value = wanted;
}, DUPLICATE);
await item(page, "G101");
await page.locator("#first").locator('.fixes button:has-text("Remove this")').click();
await page.locator("#first").locator('[data-pane="problems"]:has-text("Nothing found")').waitFor();
seen.fixed = await text(page);
seen.changes = await page.evaluate(() => window.changes);
await page.screenshot({ path: path.join(pictures, "embedded.png"), fullPage: true });
const link = page.locator("#first footer a");
await link.hover();
await page.waitForFunction(() => document.getElementById("first").shadowRoot.querySelector("footer a").hash.length > 9);
seen.opened = await text(await browser.open(await link.getAttribute("href")));
// moved in the page, it keeps its text; removed, its server continues for the other
await page.evaluate(() => document.body.append(document.getElementById("first")));
await page.locator("#first").locator('[data-pane="problems"]:has-text("Nothing found")').waitFor();
seen.moved = (await state("first")).text;
seen.console = browser.console;
await browser.close();
host.close();
console.log(JSON.stringify(seen));
