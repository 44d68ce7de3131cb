.PHONY: test-neovim
test-neovim: $(INSTALLED) ## the Neovim files, in a real Neovim
	$(BIN)/python -m pytest tests/editors/neovim
