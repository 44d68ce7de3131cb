// Pyodide refuses classic workers, which it tells by this function; VS Code for the Web has no others.
self.importScripts = undefined;
