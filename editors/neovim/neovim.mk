.PHONY: test-neovim test-emacs
test-neovim: $(INSTALLED) ## the Neovim plugin, in a real Neovim
	$(BIN)/python -m pytest tests/editors/neovim

test-emacs: $(INSTALLED) ## the Emacs package, in a real Emacs
	$(BIN)/python -m pytest tests/editors/emacs
