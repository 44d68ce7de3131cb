// Count what tokenizing a line costs, without a clock: the turns of the loops of Oniguruma, the letters of the texts that it is
// given, and the scopes of the tokens. stdin: [{"scope", "before": [line, …], "lines": [line, …]}]
// stdout: for each the steps of each of its lines, read behind those before; [] for the first that
// takes more than MOST, and nothing for what comes after it.
import fs from "node:fs";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";
import wabt from "wabt";
import { compiled, registry } from "./tokenize.mjs";

const MOST = 100_000_000n;
const GLOBALS = ["steps", "most"].map((name) => `(global $${name} (mut i64) (i64.const 0)) (export "${name}" (global $${name}))`);
const COUNT = `global.get $steps i64.const 1 i64.add global.set $steps
  global.get $steps global.get $most i64.gt_u if unreachable end`;

// Oniguruma with a counter in each of its loops
async function counting() {
  const tools = await wabt();
  const module = tools.readWasm(new Uint8Array(compiled()), { readDebugNames: true });
  // names, unlike numbers, stay right when a global is added
  module.generateNames();
  module.applyNames();
  const text = module
    .toText({ foldExprs: false, inlineExport: false })
    .replace(/^ *loop .*$/gm, (loop) => `${loop} ${COUNT}`)
    .replace(/^ *\(export /m, (first) => `${GLOBALS.join("\n")}\n${first}`);
  return tools.parseWat("onig.wat", text).toBinary({}).buffer;
}

let turns;
let most;
let letters = 0;

async function counted() {
  const code = await counting();
  const instantiator = async (imports) => {
    const made = await WebAssembly.instantiate(code, imports);
    ({ steps: turns, most } = made.instance.exports);
    most.value = MOST;
    return made;
  };
  return registry({ instantiator }, (text) => {
    letters += text.length;
    return new oniguruma.OnigString(text);
  });
}

function cost(grammar, line, stack) {
  const start = turns.value;
  most.value = start + MOST;
  letters = 0;
  const { tokens } = grammar.tokenizeLine(line, stack, 0);
  return Number(turns.value - start) + letters + tokens.reduce((count, token) => count + token.scopes.length, 0);
}

const all = await counted();
const answers = [];
for (const { scope, before, lines } of JSON.parse(fs.readFileSync(0, "utf8"))) {
  try {
    const grammar = await all.loadGrammar(scope);
    let stack = textmate.INITIAL;
    most.value = turns.value + MOST;
    for (const line of before) stack = grammar.tokenizeLine(line, stack, 0).ruleStack;
    // rules are compiled when they are first needed
    cost(grammar, lines[0], stack);
    answers.push(lines.map((line) => cost(grammar, line, stack)));
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    answers.push([]);
    break;
  }
}
process.stdout.write(JSON.stringify(answers));
