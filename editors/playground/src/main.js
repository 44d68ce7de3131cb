// The playground: an editor, the language server in a worker, and panes that show what it knows of the text.
import { LSPClient, formatDocument } from "@codemirror/lsp-client";
import { repaint } from "./colours.js";
import { debounced, element } from "./dom.js";
import { clientExtensions, connect, createEditor, refreshFolds } from "./editor.js";
import { pack, unpack } from "./link.js";
import { Graph } from "./panes/graph.js";
import { Problems } from "./panes/problems.js";
import { Scrubber } from "./panes/scrubber.js";
import { Settings } from "./panes/settings.js";
import { Values } from "./panes/values.js";
import { Server } from "./server.js";

const FOLDER = "/playground";
const LONGEST_WAIT = 3000;
const LONGEST_DRAFT = 1_000_000;
const SCHEMAS = '\n[gadget.schemas]\n"**" = ["gadgets.json"]\n';
const $ = (id) => document.getElementById(id);
const state = { language: LANGUAGES[0].id, version: 0 };

function say(text, seconds = 4) {
  $("said").textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => ($("said").textContent = ""), 1000 * seconds);
}

// Panes

const context = {
  say,
  language: () => state.language,
  retitle: (pane, title) => ($(`tab-${pane.id}`).textContent = title),
  tell: debounced(1000, (text) => ($("told").textContent = text)),
};
const panes = [Problems, Values, Graph, Scrubber, Settings].map((Pane) => {
  const parent = element("div", { class: "pane", role: "tabpanel", tabindex: "0", hidden: true });
  const pane = new Pane(parent, context);
  parent.id = `pane-${pane.id}`;
  parent.setAttribute("aria-labelledby", `tab-${pane.id}`);
  const tab = element(
    "button",
    { type: "button", role: "tab", id: `tab-${pane.id}`, "aria-controls": parent.id, onclick: () => choose(pane) },
    pane.title,
  );
  $("tabs").append(tab);
  $("panes").append(parent);
  return Object.assign(pane, { parent, tab });
});
const [problems, values, , , settings] = panes;
let chosen = problems;

function choose(pane, focus = false) {
  chosen = pane;
  for (const each of panes) {
    const is = each === pane;
    each.tab.setAttribute("aria-selected", String(is));
    each.tab.tabIndex = is ? 0 : -1;
    each.parent.hidden = !is;
  }
  if (focus) pane.tab.focus();
  show();
}

$("tabs").addEventListener("keydown", (event) => {
  const at = panes.indexOf(chosen);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  choose(panes.at(to % panes.length), true);
});

// A pane asks one thing at a time, and waits for a pause in typing that is as long as its last answer took.
function show() {
  const pane = chosen;
  clearTimeout(show.timer);
  show.timer = setTimeout(() => refresh(pane), Math.min(120 + (pane.took ?? 0), LONGEST_WAIT));
}

async function refresh(pane) {
  if (pane.asking) {
    pane.stale = true;
    return;
  }
  Object.assign(pane, { asking: true, stale: false });
  const began = performance.now();
  try {
    await pane.show();
  } catch (error) {
    // the text has changed while the server looked at it: the next change asks again
    if (!/modified|cancel|timed out/i.test(String(error?.message))) console.warn(error);
  } finally {
    Object.assign(pane, { asking: false, took: performance.now() - began });
    if (pane.stale && pane === chosen) show();
  }
}

// The server

const client = new LSPClient({
  rootUri: `file://${FOLDER}`,
  // a text of 20 MB is read for a minute
  timeout: 600_000,
  // this client says that it fetches diagnostics, and never does
  initializationOptions: { diagnostics: { delivery: "push" } },
  extensions: clientExtensions,
  sanitizeHTML: (html) => html.replaceAll(/<(script|style|iframe|object|embed|link|meta|img)\b[^>]*>/gi, ""),
});
const server = new Server(new URL("web-server/", location.href), {
  progress: ({ fraction, text }) => {
    $("progress").value = fraction;
    $("starting").textContent = `${text} (${Math.round(fraction * 100)} %)`;
  },
  ready: ({ seconds }) => {
    $("start").hidden = true;
    document.documentElement.dataset.ready = String(seconds);
    writeFiles(false);
    client.connect(server);
    reopen();
  },
  failed: (text) => {
    $("start").classList.add("failed");
    $("progress").hidden = true;
    $("start").hidden = false;
    $("starting").textContent = client.connected
      ? `The language server has stopped: ${text}. Reload the page to start it again; the text is kept.`
      : `The language server did not start: ${text}. The text can still be edited.`;
  },
});
server.subscribe((message) => {
  const { method, params } = JSON.parse(message);
  if (method !== "textDocument/publishDiagnostics") return;
  const name = params.uri.split("/").at(-1);
  if (settings.inputs.has(name)) settings.told(name, params.diagnostics);
  else if (params.uri === uri()) {
    problems.told(params.diagnostics);
    if (chosen === problems) show();
  }
});

const uri = () => `file://${FOLDER}/text-${state.version}${LANGUAGES.find(({ id }) => id === state.language).suffix}`;

function reopen() {
  state.version += 1;
  problems.told(null);
  connect(view, client, uri(), state.language);
  folds();
  show();
}

function writeFiles(tell = true) {
  const files = { ...settings.values };
  if (files["gadgets.json"].trim() && !files["llmblocks.toml"].includes("[gadget.schemas]")) {
    files["llmblocks.toml"] += SCHEMAS;
  }
  for (const [name, text] of Object.entries(files)) server.write(`${FOLDER}/${name}`, text);
  if (tell && client.connected) {
    const changes = Object.keys(files).map((name) => ({ uri: `file://${FOLDER}/${name}`, type: 2 }));
    client.notification("workspace/didChangeWatchedFiles", { changes });
    repaint(view);
    show();
  }
}

// The editor

const folds = debounced(400, () => refreshFolds(view).catch(() => {}));
const view = createEditor({
  parent: $("editor"),
  text: "",
  changed: () => {
    $("example").value = "";
    keep();
    show();
    folds();
  },
  moved: (offset) => {
    if (chosen === values) values.moved(offset);
  },
});
context.view = view;
context.written = () => {
  keep();
  writeFiles();
};

function load({ text, language, files }) {
  state.language = LANGUAGES.some(({ id }) => id === language) ? language : LANGUAGES[0].id;
  $("language").value = state.language;
  settings.values = files ?? {};
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 } });
  if (client.connected) {
    writeFiles();
    reopen();
  }
}

// What is typed survives a reload of the page
const shown = () => ({ text: view.state.doc.toString(), language: state.language, files: settings.values });
const keep = debounced(300, () => stored(sessionStorage, "draft", JSON.stringify({ hash: location.hash, ...shown() })));

// Where a browser stores nothing, there is nothing to remember
function stored(storage, name, value) {
  try {
    if (value === undefined) return storage.getItem(name);
    if (value.length < LONGEST_DRAFT) storage.setItem(name, value);
    else storage.removeItem(name);
  } catch {
    return null;
  }
}

// The header

$("example").append(element("option", { value: "" }, "Your text"));
for (const { id, title } of LANGUAGES) $("language").append(element("option", { value: id }, title));
for (const [number, { title }] of EXAMPLES.entries()) $("example").append(element("option", { value: String(number) }, title));
$("language").addEventListener("change", () => {
  state.language = $("language").value;
  keep();
  if (client.connected) reopen();
});
$("example").addEventListener("change", () => {
  const number = $("example").value;
  if (number === "") return;
  history.replaceState(null, "", location.pathname + location.search);
  load(EXAMPLES[Number(number)]);
  $("example").value = number;
});
$("format").addEventListener("click", () => {
  formatDocument(view);
  view.focus();
});
$("share").addEventListener("click", async () => {
  const hash = await pack(shown());
  if (hash === null) {
    say("The text is too long for a link.");
    return;
  }
  history.replaceState(null, "", `#${hash}`);
  keep();
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is in the clipboard and in the address bar.");
  } catch {
    say("The link is in the address bar.");
  }
});

function theme(name) {
  document.documentElement.dataset.theme = name;
  $("theme").textContent = name === "dark" ? "Light" : "Dark";
}
$("theme").addEventListener("click", () => {
  const name = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  theme(name);
  stored(localStorage, "theme", name);
});
theme(stored(localStorage, "theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));

choose(problems);
const draft = JSON.parse(stored(sessionStorage, "draft") ?? "null");
if (draft?.hash === location.hash) load(draft);
else if (!(await follow())) {
  load(EXAMPLES[0]);
  $("example").value = "0";
}
window.addEventListener("hashchange", follow);

// Open the link in the address bar
async function follow() {
  const { state: shared, problem } = (await unpack(location.hash)) ?? {};
  if (shared) load(shared);
  if (problem) say(problem, 12);
  return Boolean(shared);
}
