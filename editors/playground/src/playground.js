// A playground: an editor, the player of its stream, and panes that show what the language server knows of the text.
import { formatDocument } from "@codemirror/lsp-client";
import { repaint, showColours } from "./colours.js";
import { debounced, element } from "./dom.js";
import { applyEdits, connect, createEditor, refreshFolds, replaceText } from "./editor.js";
import { Graph } from "./panes/graph.js";
import { Problems } from "./panes/problems.js";
import { Settings } from "./panes/settings.js";
import { Stream } from "./panes/stream.js";
import { Values } from "./panes/values.js";
import { Player } from "./player.js";
import { ROOT, server } from "./server.js";
import { Templates } from "./templates.js";

const LONGEST_WAIT = 3000;
// a longer text is streamed only once that is asked for
const LONGEST_STREAMED = 20_000;
let made = 0;

export class Playground {
  language = LANGUAGES[0].id;
  // the example whose settings are shown, until the text is another
  example = null;

  // `root` is the shadow root or document that it is in; `changed` is called after changes by the user
  constructor(parent, { root, changed = () => {} }) {
    this.folder = `${ROOT}/${(made += 1)}`;
    this.changed = changed;
    this.progress = element("progress", { max: 1, value: 0, "aria-label": "Start of the language server" });
    this.starting = element("span", {}, "starting");
    this.start = element("div", { class: "start", role: "status" }, this.progress, this.starting);
    const home = element("section", { class: "editor", "aria-label": "Text" });
    const bar = element("section", { class: "player", "aria-label": "The text as a stream" });
    this.tabs = element("div", { class: "tabs", role: "tablist", "aria-label": "Panes" });
    this.holder = element("div", { class: "panes" });
    const side = element("section", { class: "side", "aria-label": "What llmblocks reads" }, this.tabs, this.holder);
    this.said = element("div", { class: "said", role: "status", "aria-live": "polite" });
    const told = element("div", { class: "unseen", role: "status" });
    parent.append(this.start, element("div", { class: "main" }, home, bar, side), this.said, told);

    this.folds = debounced(400, () => refreshFolds(this.view).catch(() => {}));
    this.view = createEditor({
      parent: home,
      root,
      label: "The text",
      changed: (update) => this.edited(update),
      moved: (offset) => this.pane === this.values && this.values.moved(offset),
    });
    const context = {
      root,
      view: this.view,
      say: (text) => this.say(text),
      language: () => this.language,
      retitle: (pane, title) => (pane.tab.textContent = title),
      tell: debounced(1000, (text) => (told.textContent = text)),
      written: () => this.written(),
      apply: (action, title) => this.apply(action, title),
      streaming: () => this.pane === this.stream,
      stream: () => this.pane === this.stream || this.choose(this.stream),
      moved: () => this.pane === this.stream && this.stream.moved(),
    };
    context.player = this.player = new Player(bar, context);
    this.panes = [Problems, Values, Graph, Stream, Settings].map((Pane, at) => this.fitted(Pane, context, at));
    [this.problems, this.values, , this.stream, this.settings] = this.panes;
    this.templates = new Templates(bar.lastChild, { settings: this.settings, language: context.language });
    this.templates.show();
    this.tabs.addEventListener("keydown", (event) => this.keyed(event));
    this.choose(this.problems);

    this.server = server();
    this.server.routes.set(this.folder, (params) => this.told(params));
    this.deaf = this.server.listen((news) => this.heard(news));
  }

  fitted(Pane, context, at) {
    const id = `pane-${at}`;
    const parent = element("div", { class: "pane", role: "tabpanel", tabindex: "0", id, hidden: true, "aria-labelledby": `tab-${at}` });
    const pane = new Pane(parent, context);
    const choose = () => this.choose(pane);
    const tab = element("button", { type: "button", role: "tab", id: `tab-${at}`, "aria-controls": id, onclick: choose }, pane.title);
    parent.dataset.pane = pane.id;
    tab.dataset.tab = pane.id;
    this.tabs.append(tab);
    this.holder.append(parent);
    return Object.assign(pane, { parent, tab });
  }

  // The shown text

  get text() {
    return this.view.state.doc.toString();
  }

  get state() {
    return { text: this.text, language: this.language, files: this.settings.values };
  }

  // `findings` of the text, as JSON of the command line, and `colours` are shown until the server runs
  load({ text, language, files, findings, colours }) {
    this.language = LANGUAGES.some(({ id }) => id === language) ? language : LANGUAGES[0].id;
    this.example = null;
    this.say("");
    replaceText(this.view, text);
    this.settings.values = files;
    this.example = { text: this.text, files: this.settings.values };
    if (!this.ready) {
      this.problems.foresee(findings);
      showColours(this.view, colours ?? []);
    }
    this.reopen();
  }

  setLanguage(language) {
    this.language = language;
    this.reopen();
    this.changed();
  }

  open(id) {
    const pane = this.panes.find((each) => each.id === id);
    if (pane) this.choose(pane);
  }

  format() {
    formatDocument(this.view);
    this.view.focus();
  }

  say(text, seconds = 4) {
    this.said.textContent = text;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => (this.said.textContent = ""), 1000 * seconds);
  }

  edited({ changes }) {
    this.player.forget();
    if (!this.ready) this.problems.foresee(null);
    this.show();
    this.folds();
    if (!this.example) return;
    this.changed();
    this.adopt(changes);
  }

  // The settings of an example go with its text: they stay as long as any of it does, and come back with an undo.
  adopt(changes) {
    const { example, settings } = this;
    // what is written for the settings of an empty text is theirs
    if (!example.text.trim() || !Object.values(example.files).some((text) => text.trim())) return;
    const none = Object.fromEntries(Object.keys(example.files).map((name) => [name, ""]));
    const are = (files) => Object.entries(settings.values).every(([name, text]) => text === files[name]);
    let kept = false;
    changes.iterGaps(() => (kept = true));
    if (this.text === example.text && are(none)) settings.values = example.files;
    else if (!kept && are(example.files)) {
      settings.values = none;
      this.say("The settings of the example went with its text.");
    }
  }

  async apply(action, title) {
    const edits = new Map(Object.entries(action.edit?.changes ?? {}));
    for (const { textDocument, edits: more } of action.edit?.documentChanges ?? []) if (textDocument) edits.set(textDocument.uri, more);
    let last = this.view;
    for (const [uri, changes] of edits) {
      const name = uri.split("/").at(-1);
      last = uri === this.uri ? this.view : this.settings.views.get(name);
      if (last) applyEdits(last, changes);
    }
    if (!edits.size || !last) {
      this.say(`Not applied: ${title}`);
      return;
    }
    if (last !== this.view) this.choose(this.settings);
    this.say(`Applied: ${title}`);
    last.focus();
  }

  // Panes

  choose(pane, focus = false) {
    const before = this.pane;
    this.pane = pane;
    for (const each of this.panes) {
      const is = each === pane;
      each.tab.setAttribute("aria-selected", String(is));
      each.tab.tabIndex = is ? 0 : -1;
      each.parent.hidden = !is;
    }
    if (focus) pane.tab.focus();
    if (before === this.stream && pane !== before) {
      this.player.pause();
      this.player.render();
    }
    this.show();
  }

  keyed(event) {
    const at = this.panes.indexOf(this.pane);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.choose(this.panes.at(to % this.panes.length), true);
  }

  // A pane asks one thing at a time, and waits for a pause in typing that is as long as its last answer took.
  show() {
    const { pane } = this;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.refresh(pane), Math.min(120 + (pane.took ?? 0), LONGEST_WAIT));
  }

  async refresh(pane) {
    if (pane.asking) {
      pane.stale = true;
      return;
    }
    Object.assign(pane, { asking: true, stale: false });
    const began = performance.now();
    try {
      await pane.show();
      const { player } = this;
      if (!player.steps.length && this.uri && this.view.state.doc.length <= LONGEST_STREAMED) await player.read();
    } catch (error) {
      // the text has changed while the server looked at it: the next change asks again
      if (!/modified|changed|cancel|timed out|not open/i.test(String(error?.message))) console.warn(error);
    } finally {
      Object.assign(pane, { asking: false, took: performance.now() - began });
      if (pane.stale && pane === this.pane) this.show();
    }
  }

  // The server

  heard({ progress, ready, failed }) {
    this.start.hidden = Boolean(ready);
    if (progress) {
      this.progress.value = progress.fraction;
      this.starting.textContent = `${progress.text} (${Math.round(progress.fraction * 100)} %)`;
    }
    if (ready) {
      this.ready = ready.seconds;
      this.settings.connect(this.server.client, this.folder);
      this.written();
      this.reopen();
    }
    if (failed === undefined) return;
    this.start.classList.add("failed");
    this.progress.hidden = true;
    this.starting.textContent = this.server.client.connected
      ? `The language server has stopped: ${failed}. Reload the page to start it again; the text is kept.`
      : `The language server did not start: ${failed}. The text can still be edited.`;
  }

  told({ uri, version, diagnostics }) {
    if (uri === this.uri) {
      // of the text before, which had the same name
      if (!(version >= this.opened)) return;
      this.problems.told(diagnostics);
      if (this.pane === this.problems) this.show();
    } else this.settings.told(uri.split("/").at(-1), diagnostics);
  }

  reopen() {
    this.templates.show();
    if (!this.server?.client.connected) return;
    this.uri = `file://${this.folder}/text${LANGUAGES.find(({ id }) => id === this.language).suffix}`;
    this.problems.told(null);
    this.player.forget();
    connect(this.view, this.server.client, this.uri, this.language);
    this.opened = this.server.client.workspace.getFile(this.uri)?.version;
    this.folds();
    this.show();
  }

  // The settings have changed
  written() {
    this.templates?.show();
    if (this.example) this.changed();
    if (!this.server?.client.connected) return;
    this.server.write(this.named(this.settings.values));
    this.player.forget();
    repaint(this.view);
    this.show();
  }

  named(files) {
    return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${this.folder}/${name}`, text]));
  }

  destroy() {
    this.player.pause();
    clearTimeout(this.soon);
    this.view.destroy();
    this.settings.destroy();
    this.deaf();
    this.server.routes.delete(this.folder);
    if (this.ready) this.server.remove(Object.keys(this.named(this.settings.values)));
  }
}
