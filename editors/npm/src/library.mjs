// Written by tools/generate/editors/npm.py.
import { call, create } from "./asking.mjs";

export const version = VERSION;
export const check = (text, language, options) => call("check", [text, language], options);
export const fix = (text, language, options) => call("fix", [text, language], options);
export const format = (text, language, options) => call("format", [text, language], options);
export const feedback = (text, language, options) => call("feedback", [text, language], options);
export const parse = (text, language, options) => call("parse", [text, language], options);
export const convert = (text, source, target, options) => call("convert", [text, source, target], options);
export const decodeStf = (text, options) => call("decodeStf", [text], options);

export class GadgetStream {
  #ask;
  constructor(options) {
    this.#ask = create("GadgetStream", [], options);
  }
  feed(chunk) {
    return this.#ask("feed", [chunk]);
  }
  close() {
    return this.#ask("close", []);
  }
}

export class TagStream {
  #ask;
  constructor(tags) {
    this.#ask = create("TagStream", [tags]);
  }
  feed(chunk) {
    return this.#ask("feed", [chunk]);
  }
  close() {
    return this.#ask("close", []);
  }
}
