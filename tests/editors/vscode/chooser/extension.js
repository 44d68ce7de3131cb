// The part of the Python extension's API that ours asks: which interpreter has been chosen.
const os = require("node:os");
const path = require("node:path");
const vscode = require("vscode");

exports.activate = () => ({
  environments: {
    getActiveEnvironmentPath: () => ({ id: "one", path: path.join(os.homedir(), "chosen-by-extension") }),
    resolveEnvironment: async (environment) => ({ executable: { uri: vscode.Uri.file(environment.path) } }),
  },
});
