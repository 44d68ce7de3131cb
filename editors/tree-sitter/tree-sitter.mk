# The tree-sitter grammars; included by the Makefile.
.PHONY: tree-sitter test-tree-sitter
tree-sitter: $(INSTALLED) ## generate the tree-sitter parsers and their bindings
	PYTHONPATH=tests $(BIN)/python tests/editors/treesitter/generate.py

test-tree-sitter: $(INSTALLED) ## tests of the tree-sitter grammars
	$(BIN)/python -m pytest tests/editors/treesitter
