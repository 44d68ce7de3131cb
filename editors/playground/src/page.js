// The page of the playground: its header, its link, and what survives a reload, around one <llmblocks-playground>.
import { debounced, element } from "./dom.js";
import { Drafts } from "./drafts.js";
import { pack, unpack } from "./link.js";
import { read, write } from "./stored.js";

const $ = (id) => document.getElementById(id);
const shown = $("playground");
const say = (...words) => shown.playground.say(...words);
const drafts = new Drafts();

// What this tab shows survives a reload; what the user wrote is a draft, which survives the tab
let draft = null;
let loaded = "";
const keep = debounced(300, () => {
  const { state } = shown;
  if (draft !== null) drafts.write(draft, state);
  write(sessionStorage, "shown", JSON.stringify({ hash: location.hash, draft, ...state }));
});
const contents = () => JSON.stringify([shown.state.text, shown.state.files]);
const exampleOf = (text) => EXAMPLES.findIndex((example) => example.text === text);
shown.addEventListener("change", () => {
  // an example or the text of a link becomes a draft once it is changed, beside the drafts that are there
  if (draft === null && contents() !== loaded) name(drafts.begin(shown.state));
  keep();
});
window.addEventListener("pagehide", keep.now);
window.addEventListener("storage", () => name(draft));

// Show a draft, or, where `id` is null, an example or the text of a link
function load(state, id = null) {
  keep.now();
  shown.load(state);
  loaded = contents();
  $("language").value = shown.state.language;
  name(id);
  keep();
}

// Fill the list of texts, the latest draft first, and choose what is shown
function name(id) {
  draft = id;
  const number = exampleOf(shown.value);
  const own = drafts.list().map((each, at) => [`draft ${each}`, at ? `Your text: ${drafts.title(each)}` : "Your text"]);
  if (draft === null && number < 0) own.unshift(["", "The text of the link"]);
  else if (!own.length) own.push(["new", "Your text"]);
  $("own").replaceChildren(...own.map(([value, title]) => element("option", { value }, title)));
  $("example").value = draft !== null ? `draft ${draft}` : number < 0 ? "" : String(number);
}

$("example").append(element("optgroup", { id: "own", label: "Yours" }), element("optgroup", { id: "examples", label: "Examples" }));
for (const { id, title } of LANGUAGES) $("language").append(element("option", { value: id }, title));
for (const [number, { title }] of EXAMPLES.entries()) $("examples").append(element("option", { value: String(number) }, title));
$("language").addEventListener("change", () => shown.playground.setLanguage($("language").value));
$("example").addEventListener("change", () => {
  const [chosen, id] = $("example").value.split(" ");
  keep.now();
  history.replaceState(null, "", location.pathname + location.search);
  if (chosen === "new") load({ text: "" }, drafts.begin({ text: "" }));
  else if (id) load(drafts.read(id), id);
  else load(EXAMPLES[Number(chosen)]);
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
  write(localStorage, "theme", name);
});
theme(read(localStorage, "theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));

const left = JSON.parse(read(sessionStorage, "shown") ?? "null");
const [latest] = drafts.list();
if (left?.hash === location.hash) load(left, left.draft);
else if (await follow()) keep();
else if (latest !== undefined && !location.hash) load(drafts.read(latest), latest);
else load(EXAMPLES[0]);
window.addEventListener("hashchange", follow);

// Open the link in the address bar
async function follow() {
  const { state, problem } = (await unpack(location.hash)) ?? {};
  if (state) load(state);
  if (problem) say(problem, 12);
  return Boolean(state);
}
