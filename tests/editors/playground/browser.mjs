// Chromium with the playground in it, and what every test does there.
import { chromium } from "playwright-core";

// a slow machine is given time; a person who changes a test is not kept waiting
const PATIENCE_MS = Number(process.env.LLMBLOCKS_PATIENCE_MS ?? 120_000);
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"];

export class Browser {
  console = [];
  elsewhere = [];

  static async launch(executablePath, url) {
    const made = new Browser();
    made.url = url;
    made.browser = await chromium.launch({ executablePath, args: ARGS });
    made.context = await made.browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: false });
    return made;
  }

  // A page whose server is ready
  async open(address = this.url, playgrounds = 1) {
    const page = await this.context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.console.push(message.text());
    });
    page.on("pageerror", (error) => this.console.push(error.message));
    page.on("request", (request) => {
      const to = request.url();
      if (!to.startsWith(this.url) && !/^(blob|data):/.test(to) && !to.startsWith(address)) this.elsewhere.push(to);
    });
    const began = Date.now();
    await page.goto(address);
    for (let at = 0; at < playgrounds; at += 1) await page.locator(".start").nth(at).waitFor({ state: "hidden" });
    page.ready = Date.now() - began;
    return page;
  }

  close() {
    return this.browser.close();
  }
}

export const text = (page) => page.evaluate(() => document.querySelector("llmblocks-playground").value);

// As pasted: typing is tested by itself.
export async function paste(page, wanted) {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.querySelector("llmblocks-playground").shadowRoot.activeElement.dispatchEvent(event);
  }, wanted);
}

export async function replaceText(page, wanted) {
  await page.click(".editor .cm-content");
  await page.keyboard.press("Control+a");
  await paste(page, wanted);
}

// a card whose fixes are there
export const item = (page, wanted) => page.waitForSelector(`.pane:not([hidden]) :not([aria-busy]) > .item:has-text("${wanted}")`);
export const tab = (page, name) => page.click(`[data-tab="${name}"]`);
