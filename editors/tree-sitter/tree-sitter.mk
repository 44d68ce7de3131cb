# The tree-sitter grammars; included by the Makefile.
.PHONY: test-tree-sitter
test-tree-sitter: $(INSTALLED) ## tests of the tree-sitter grammars
	$(BIN)/python -m pytest tests/editors/treesitter
