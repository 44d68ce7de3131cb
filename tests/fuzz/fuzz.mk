# Longer than in CI: FUZZ_SECONDS=600 make fuzz
FUZZ_SECONDS ?= 300
FUZZ_SEED ?= $(shell date +%s)

.PHONY: fuzz
fuzz: $(INSTALLED) ## random traffic, hostile schemas, random texts, and the oracle on random edits, each for about FUZZ_SECONDS (300)
	LLMBLOCKS_FUZZ_SILENCE=2 LLMBLOCKS_FUZZ_SECONDS=$(FUZZ_SECONDS) LLMBLOCKS_FUZZ_SEED=$(FUZZ_SEED) $(BIN)/python -m pytest -s tests/fuzz
	LLMBLOCKS_LAWS=$$(($(FUZZ_SECONDS) * 42)) LLMBLOCKS_FUZZ_SEED=$(FUZZ_SEED) $(BIN)/python -m pytest -n 2 tests/oracle

.PHONY: fuzz-settings
fuzz-settings: $(INSTALLED) ## random settings files and client settings alone, for FUZZ_SECONDS (300)
	LLMBLOCKS_FUZZ_SECONDS=$(FUZZ_SECONDS) LLMBLOCKS_FUZZ_SEED=$(FUZZ_SEED) $(BIN)/python -m pytest -s tests/fuzz/test_fuzzed_settings.py
