// The graph's view in a real browser. Usage: node graph.mjs CHROMIUM FIRST.svg SECOND.svg PICTURES: prints what it saw as JSON.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { chromium } from "playwright-core";

const [executablePath, first, second, pictures] = process.argv.slice(2);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const view = fs.readFileSync(new URL("../../../editors/web/graph/view.js", import.meta.url), "utf8");
const [before, after] = [first, second].map((file) => fs.readFileSync(file, "utf8"));
const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"];
const browser = await chromium.launch({ executablePath, args });
const seen = { errors: [], violations: {}, colours: {} };

for (const colorScheme of ["light", "dark"]) {
  const context = await browser.newContext({ colorScheme, viewport: { width: 900, height: 420 } });
  const page = await context.newPage();
  page.on("pageerror", (error) => seen.errors.push(error.message));
  await page.setContent(
    `<!doctype html><html lang="en"><title>Graph</title><style>:root { color-scheme: light dark }
    html, body, main { height: 100%; margin: 0 } header { position: absolute; left: -99em }</style><header><h1>Graph</h1></header><main></main>`,
  );
  await page.addScriptTag({ type: "module", content: `${view}\nwindow.opened = [];
    window.view = new GraphView(document.querySelector("main"), (call) => window.opened.push(call));` });
  await page.waitForFunction(() => window.view !== undefined);
  await page.evaluate((svg) => window.view.show(svg), before);
  await page.screenshot({ path: path.join(pictures, `graph-${colorScheme}.png`) });
  await page.addScriptTag({ content: axe });
  const found = await page.evaluate(() => window.axe.run());
  seen.violations[colorScheme] = found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
  seen.colours[colorScheme] = await page.evaluate(() =>
    Object.fromEntries(
      ["runs", "rejected", "skipped", "never-ran"].map((kind) => {
        const box = getComputedStyle(document.querySelector(`g.${kind} rect`));
        return [kind, `${box.stroke} ${box.strokeDasharray}`];
      }),
    ),
  );
  if (colorScheme === "dark") continue;
  const width = () => page.evaluate(() => document.querySelector("svg").getBoundingClientRect().width);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label")?.split("\n")[0]);
  seen.widths = [await width()];
  await page.click('button[title="Zoom in"]');
  seen.widths.push(await width());
  await page.keyboard.press("-");
  seen.widths.push(await width());
  await page.keyboard.press("+");
  // by keyboard alone: the toolbar, the calls, one of them
  await page.focus('button:has-text("Fit")');
  await page.keyboard.press("Tab");
  seen.focused = [await focused()];
  await page.keyboard.press("ArrowRight");
  seen.focused.push(await focused());
  await page.keyboard.press("Enter");
  await page.click('g[data-call="2"]');
  seen.opened = await page.evaluate(() => window.opened);
  // while typing: zoom and focus stay
  const zoomed = await page.evaluate(() => window.view.scale);
  await page.evaluate((svg) => window.view.show(svg), after);
  seen.kept = [await focused(), (await page.evaluate(() => window.view.scale)) === zoomed];
  seen.said = await page.textContent('[role="status"]');
  await page.evaluate(() => window.view.tell("The document has no gadget calls."));
  seen.told = await page.innerText(".graph-view");
}
await browser.close();
process.stdout.write(JSON.stringify(seen));
