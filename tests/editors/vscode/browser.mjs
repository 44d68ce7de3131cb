// A Chromium that does as it is told: one JSON object a line over a Unix socket.
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
  /** Wait for the picture in a webview, and give its size and its text. */
  async picture({ timeout = 20000 } = {}) {
    const look = () => {
      const found = document.querySelector("img");
      return found?.complete ? [found.naturalWidth, found.naturalHeight, found.alt] : null;
    };
    const end = Date.now() + timeout;
    while (Date.now() < end) {
      for (const frame of page.frames().slice(1)) {
        const found = await frame.evaluate(look).catch(() => null);
        if (found !== null) return found;
      }
      await page.waitForTimeout(100);
    }
    throw new Error("no picture in a webview");
  },
  count: ({ selector }) => page.locator(selector).count(),
  type: ({ text }) => page.keyboard.type(text, { delay: 5 }).then(() => null),
  press: ({ key }) => page.keyboard.press(key).then(() => null),
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
