.PHONY: test-neovim test-emacs test-helix test-configured
test-neovim: $(INSTALLED) ## the Neovim plugin, in a real Neovim
	$(BIN)/python -m pytest tests/editors/neovim

test-emacs: $(INSTALLED) ## the Emacs package, in a real Emacs
	$(BIN)/python -m pytest tests/editors/emacs

test-helix: $(INSTALLED) ## the Helix files, in a real Helix
	$(BIN)/python -m pytest tests/editors/helix

test-configured: $(INSTALLED) ## the files for Kakoune, Sublime Text, Kate, JetBrains and Zed
	$(BIN)/python -m pytest tests/editors/configured
