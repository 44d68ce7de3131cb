// The part of the Python extension's API that ours asks: which interpreters there are, and which has been chosen.
const os = require("node:os");
const path = require("node:path");
const vscode = require("vscode");

const chosen = path.join(os.homedir(), "chosen-by-extension");

exports.activate = () => ({
  environments: {
    known: [{ executable: { uri: vscode.Uri.file(chosen) } }],
    getActiveEnvironmentPath: () => ({ id: "one", path: chosen }),
    resolveEnvironment: async (environment) => ({ executable: { uri: vscode.Uri.file(environment.path) } }),
  },
});
