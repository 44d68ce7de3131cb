// Writes the log files of VS Code as @vscode/spdlog does, without its compiled part: to compile that takes a minute.
const fs = require("node:fs");
const path = require("node:path");

const LEVELS = ["trace", "debug", "info", "warn", "error", "critical"];
const NAMES = { warn: "warning" };

class Logger {
  constructor(_type, _name, file) {
    this.file = file;
    this.level = 2;
    this.isRaw = false;
  }

  getLevel() {
    return this.level;
  }

  setLevel(level) {
    this.level = level;
  }

  clearFormatters() {
    this.isRaw = true;
  }

  setPattern() {}

  flush() {}

  drop() {}
}
for (const [number, name] of LEVELS.entries()) {
  Logger.prototype[name] = function (message) {
    if (number >= this.level) {
      const time = new Date().toISOString().replace("T", " ").replace("Z", "");
      fs.appendFileSync(this.file, this.isRaw ? message : `${time} [${NAMES[name] ?? name}] ${message}\n`);
    }
  };
}

async function create(name, file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return new Logger("rotating", name, file);
}

// one by one: an import from a module sees no others
exports.Logger = Logger;
exports.version = 0;
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
