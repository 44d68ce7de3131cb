// The site in a real browser. Usage: node drive.mjs CHROMIUM URL PICTURES: prints what it saw as JSON.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { chromium } from "playwright-core";

const [executablePath, url, pictures] = process.argv.slice(2);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PATIENCE_MS = Number(process.env.LLMBLOCKS_PATIENCE_MS ?? 120_000);
const PAGES = ["rules/G101.html", "tutorials/first-broken-call.html", "api/gadget.html", "settings.html", "index.html"];
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
const seen = { console: [], elsewhere: [], violations: {}, wide: [] };

async function open(context, name) {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.console.push(`${name}: ${message.text()}`);
  });
  page.on("pageerror", (error) => seen.console.push(`${name}: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !/^(blob|data):/.test(request.url())) seen.elsewhere.push(request.url());
  });
  await page.goto(url + name);
  return page;
}

async function violations(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`.slice(0, 900));
}

async function look(page, name, kind) {
  seen.violations[`${kind} ${name}`] = await violations(page);
  if (await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)) seen.wide.push(`${kind} ${name}`);
  await page.screenshot({ path: path.join(pictures, `${name.replace(/\W/g, "-")}-${kind}.png`) });
}

// each page is loaded once, and seen light on a desktop and dark on a phone
for (const name of PAGES) {
  const context = await browser.newContext({ viewport: DESKTOP, colorScheme: "light" });
  const page = await open(context, name);
  // the server is in the start page: a finding can be seen without a word to it
  if (name === "index.html") {
    await page.locator("llmblocks-playground .item").first().waitFor();
    seen.early = await page.locator("llmblocks-playground").evaluate(({ shadowRoot }) => ({
      isStarting: !shadowRoot.querySelector(".start").hidden,
      findings: shadowRoot.querySelectorAll(".item").length,
      names: [...shadowRoot.querySelectorAll(".cm-line .token-function")].map((each) => each.textContent),
    }));
  }
  await look(page, name, "desktop");
  await page.locator("label[for=__palette_1]:visible").click();
  await page.locator('body[data-md-color-scheme="slate"]').waitFor();
  await page.setViewportSize(PHONE);
  // the theme lets the Tab key reach a block of code once it has seen that it scrolls; axe judges if it never does
  await page
    .waitForFunction(() => [...document.querySelectorAll("pre > code")].every((each) =>
      each.scrollWidth <= each.clientWidth || each.tabIndex === 0 || each.querySelector("[tabindex]")), null, { timeout: 5000 })
    .catch(() => {});
  await look(page, name, "phone");
  if (name === "index.html") {
    // a visitor's own text, typed on the start page
    await page.locator(".cm-content").first().click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("!!!GADGET_START:A\n!!!ARG:x\n1\n!!!ARG:x\n2\n!!!GADGET_END\n");
    await page.locator('llmblocks-playground .item:has-text("Duplicate pointer: x")').waitFor();
  }
  await context.close();
}

const context = await browser.newContext({ viewport: DESKTOP, colorScheme: "light" });
const rule = await open(context, "rules/G101.html");
await rule.keyboard.press("Tab");
seen.first = await rule.evaluate(() => document.activeElement.textContent.trim());
seen.about = [];
for (const explain of ["hover", "focus"]) {
  await rule.mouse.move(0, 0);
  await rule.locator(".finding").first()[explain]();
  await rule.locator(".about:popover-open").waitFor();
  seen.about.push((await rule.locator(".about").innerText()).replace(/\s+/g, " "));
  await rule.keyboard.press("Escape");
}
await rule.click("text=Open in the playground");
await rule.locator('.item:has-text("G101")').waitFor();
seen.opened = await rule.evaluate(() => document.querySelector("llmblocks-playground").value);
// the search, by keys alone
const search = await open(context, "settings.html");
// keys work once the script of the page has made its search; in its field, p is not a key for the page before
const field = search.locator("input:focus");
for (let attempt = 0; attempt < 24 && !(await field.count()); attempt += 1) {
  await search.keyboard.press("Control+k");
  await field.waitFor({ timeout: PATIENCE_MS / 24 }).catch(() => {});
}
await search.keyboard.type("duplicate-pointer");
await search.locator('a[href*="G101"]:visible').first().waitFor();
seen.found = true;
await search.emulateMedia({ media: "print" });
await search.keyboard.press("Escape");
seen.printed = await search.evaluate(() => [".md-header", ".md-sidebar"].filter((each) => document.querySelector(each)?.checkVisibility()));
// the page of a recipe, with what its endpoint streams
const chat = await open(context, "examples/recipes/chat_page.html");
const body = [
  ["text", { text: "You ask: " }],
  ["citation", { text: "<b>Rain</b> is likely.", url: "https://example.org" }],
  ["call", { name: "Umbrella", parameters: { size: 2 }, error: null }],
  ["end", {}],
].map(([kind, data]) => `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
await chat.route("**/chat?question=*", (route) => route.fulfill({ contentType: "text/event-stream", body: body.join("") }));
await chat.click("button");
await chat.locator("#answer code").waitFor();
seen.answer = await chat.locator("#answer").innerHTML();
seen.violations["desktop chat_page.html"] = await violations(chat);
await context.close();
await browser.close();
console.log(JSON.stringify(seen));
