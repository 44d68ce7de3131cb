// The page of the playground: its header, its link, and what survives a reload, around one <llmblocks-playground>.
import { debounced, element } from "./dom.js";
import { pack, unpack } from "./link.js";

const LONGEST_DRAFT = 1_000_000;
const $ = (id) => document.getElementById(id);
const shown = $("playground");
const say = (...words) => shown.playground.say(...words);

// What is typed survives a reload of the page
const keep = debounced(300, () => stored(sessionStorage, "draft", JSON.stringify({ hash: location.hash, ...shown.state })));
shown.addEventListener("change", () => {
  const number = $("example").value;
  if (number !== "" && shown.value !== EXAMPLES[Number(number)].text) $("example").value = "";
  keep();
});

function load(state) {
  shown.load(state);
  $("language").value = shown.state.language;
}

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

$("example").append(element("option", { value: "" }, "Your text"));
for (const { id, title } of LANGUAGES) $("language").append(element("option", { value: id }, title));
for (const [number, { title }] of EXAMPLES.entries()) $("example").append(element("option", { value: String(number) }, title));
$("language").addEventListener("change", () => shown.playground.setLanguage($("language").value));
$("example").addEventListener("change", () => {
  const number = $("example").value;
  if (number === "") return;
  history.replaceState(null, "", location.pathname + location.search);
  load(EXAMPLES[Number(number)]);
  keep();
});
$("format").addEventListener("click", () => shown.format());
$("share").addEventListener("click", async () => {
  const hash = await pack(shown.state);
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

const draft = JSON.parse(stored(sessionStorage, "draft") ?? "null");
if (draft?.hash === location.hash) load(draft);
else if (!(await follow())) {
  load(EXAMPLES[0]);
}
const example = EXAMPLES.findIndex(({ text }) => text === shown.value);
$("example").value = example < 0 ? "" : String(example);
window.addEventListener("hashchange", follow);

// Open the link in the address bar
async function follow() {
  const { state, problem } = (await unpack(location.hash)) ?? {};
  if (state) {
    load(state);
    $("example").value = "";
  }
  if (problem) say(problem, 12);
  return Boolean(state);
}
