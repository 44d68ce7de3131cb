# The VS Code extension; included by the Makefile.
.PHONY: vscode vscode-demo test-vscode test-grammars

vscode: $(INSTALLED) ## build the VS Code extension, dist/*.vsix
	$(BIN)/python editors/vscode/scripts/package.py --if-changed

vscode-demo: $(INSTALLED) ## start a browser VS Code with the extension and docs/examples
	$(BIN)/python tests/editors/vscode/demo.py

test-vscode: $(INSTALLED) ## end-to-end tests in real VS Code
	$(BIN)/python -m pytest tests/editors/vscode

test-grammars: $(INSTALLED) ## tests of the TextMate grammars
	$(BIN)/python -m pytest tests/editors/grammars
