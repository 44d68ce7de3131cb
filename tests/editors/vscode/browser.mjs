// A Chromium that follows commands: one JSON object a line over a Unix socket.
// argv: the browser's program, the socket, the folder for its profile
import net from "node:net";
import readline from "node:readline";
import { chromium } from "playwright-core";

const [program, socket, profile] = process.argv.slice(2);
const context = await chromium.launchPersistentContext(profile, {
  executablePath: program,
  headless: true,
  viewport: { width: 1100, height: 720 },
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  ],
});
const page = context.pages()[0] ?? (await context.newPage());
page.setDefaultTimeout(90_000);

function offered() {
  const rows = [...document.querySelectorAll(".suggest-widget.visible .monaco-list-row")];
  rows.sort((one, other) => one.dataset.index - other.dataset.index);
  return {
    labels: rows.map((row) => row.querySelector(".label-name")?.textContent ?? ""),
    focused: rows.findIndex((row) => row.classList.contains("focused")),
  };
}

/** Wait until a function finds something in a webview. */
async function inWebview(look, about, timeout) {
  const end = Date.now() + timeout;
  while (Date.now() < end) {
    for (const frame of page.frames().slice(1)) {
      const found = await frame.evaluate(look, about).catch(() => null);
      if (found !== null) return found;
    }
    await page.waitForTimeout(100);
  }
  throw new Error("nothing was found in a webview");
}

const methods = {
  goto: ({ url }) => page.goto(url, { waitUntil: "domcontentloaded" }).then(() => null),
  /** Wait for an element and give its text. */
  async text({ selector, timeout = 90_000 }) {
    const found = page.locator(selector).first();
    await found.waitFor({ timeout });
    return found.innerText();
  },
  async gone({ selector, timeout = 90_000 }) {
    await page.locator(selector).first().waitFor({ state: "detached", timeout });
    return null;
  },
  async click({ selector, timeout = 90_000 }) {
    await page.locator(selector).first().click({ timeout });
    return null;
  },
  /** Wait for the graph in a webview; return its size, description and calls; choose one of them. */
  graph({ timeout = 20000, choose = undefined, part = "" } = {}) {
    const look = ({ choose, part }) => {
      const found = document.querySelector("svg.llmblocks-graph");
      const calls = [...(found?.querySelectorAll("[data-call]") ?? [])].map((call) => call.getAttribute("aria-label"));
      if (found === null || !calls.join("\n").includes(part)) return null;
      if (choose !== undefined) {
        const call = found.querySelector(`[data-call="${choose}"]`);
        call.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      }
      const ink = getComputedStyle(found.querySelector(".name")).fill;
      return { width: found.clientWidth, said: document.querySelector("[role=status]").textContent, calls, ink };
    };
    return inWebview(look, { choose, part }, timeout);
  },
  /** Wait for the page of a session in a webview, with a part and in other colours; go to its first problem. */
  session({ timeout = 20000, part = "", unlike = [] } = {}) {
    const look = ({ part, unlike }) => {
      const next = document.querySelector("#next");
      if (next === null || document.readyState !== "complete" || !document.body.textContent.includes(part)) return null;
      const { backgroundColor, color } = getComputedStyle(document.body);
      const colours = [backgroundColor, color, getComputedStyle(document.querySelector(".llmblocks-graph .name")).fill];
      if (unlike.includes(backgroundColor)) return null;
      next.click();
      const { parentElement, textContent } = document.activeElement;
      return { title: document.querySelector("h1").textContent, problem: textContent, open: parentElement.open, colours };
    };
    return inWebview(look, { part, unlike }, timeout);
  },
  count: ({ selector }) => page.locator(selector).count(),
  type: ({ text }) => page.keyboard.type(text, { delay: 5 }).then(() => null),
  /** Type runs of characters with a pause before each but the first. */
  async runs({ runs, pauseMs }) {
    for (const [number, run] of runs.entries()) {
      if (number > 0 && pauseMs > 0) await page.waitForTimeout(pauseMs);
      await page.keyboard.type(run);
    }
    return null;
  },
  press: ({ key }) => page.keyboard.press(key).then(() => null),
  /** The labels of the open list of completions, and the place of the focused one. */
  offered: () => page.evaluate(offered),
  /** Accept a completion of the open list with the keys; gives how far it was from the focused one. */
  async pick({ label, timeout = 20_000 }) {
    const end = Date.now() + timeout;
    for (;;) {
      const { labels, focused } = await page.evaluate(offered);
      const place = labels.indexOf(label);
      if (place >= 0 && focused >= 0) {
        for (let at = focused; at !== place; at += Math.sign(place - at)) await page.keyboard.press(place > at ? "ArrowDown" : "ArrowUp");
        await page.keyboard.press("Tab");
        return Math.abs(place - focused);
      }
      if (Date.now() > end) throw new Error(`no ${label} in ${JSON.stringify(labels)}`);
      await page.waitForTimeout(20);
    }
  },
  /** Paste a text: the event that a browser sends for the keys, which has no clipboard here. */
  async paste({ text }) {
    await page.evaluate((copied) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", copied);
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
    return null;
  },
  move: ({ x, y }) => page.mouse.move(x, y).then(() => null),
  /** Save a picture of the page; where a part is asked for, once it stays the same. */
  async screenshot({ path, clip }) {
    const options = { clip, animations: "disabled", caret: "hide" };
    let before = "";
    for (let round = 0; clip !== undefined && round < 20; round++) {
      const picture = await page.screenshot(options);
      if (picture.toString("base64") === before) break;
      before = picture.toString("base64");
    }
    await page.screenshot({ path, ...options });
    return null;
  },
};

net.createServer((connection) => {
  connection.on("error", () => undefined);
  readline.createInterface({ input: connection }).on("line", async (line) => {
    const { method, params } = JSON.parse(line);
    let answer;
    try {
      answer = { result: (await methods[method](params ?? {})) ?? null };
    } catch (error) {
      answer = { error: error.message };
    }
    connection.write(`${JSON.stringify(answer)}\n`);
  });
}).listen(socket);
