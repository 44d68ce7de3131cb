// The texts that the user wrote, each kept under its own key, so that two tabs do not overwrite each other's.
import { read, write } from "./stored.js";

const KEY = "draft ";
const MOST = 10;

export class Drafts {
  // those of this tab, which are known even where the browser keeps nothing
  own = new Map();

  // Their ids, the latest first: an id is the time at which a draft was begun.
  list() {
    let kept = [];
    try {
      kept = Object.keys(localStorage).filter((key) => key.startsWith(KEY)).map((key) => key.slice(KEY.length));
    } catch {
      // closed to this page
    }
    return [...new Set([...this.own.keys(), ...kept])].sort((one, other) => Number(other) - Number(one));
  }

  begin(state) {
    const id = String(Date.now());
    this.write(id, state);
    for (const old of this.list().slice(MOST)) this.remove(old);
    return id;
  }

  read(id) {
    return this.own.get(id) ?? JSON.parse(read(localStorage, KEY + id) ?? "null") ?? { text: "" };
  }

  write(id, state) {
    this.own.set(id, state);
    write(localStorage, KEY + id, JSON.stringify(state));
  }

  title(id) {
    return /\S.{0,30}/.exec(this.read(id).text)?.[0] ?? "empty";
  }

  remove(id) {
    this.own.delete(id);
    try {
      localStorage.removeItem(KEY + id);
    } catch {
      // closed to this page
    }
  }
}
