# Everything a developer runs. `make help` lists it; every target may be run again at any time.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
UV := $(BIN)/uv
PEERS := tests/peers/node_modules/.installed
# What needs neither editors nor other processes.
FAST := "@tests/fast.txt"

# a run of the tests starts thousands of processes, and without bytecode each of them compiles what it imports
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: $(INSTALLED) ## watch the language server underline mistakes in a text that types itself
	@$(BIN)/llmblocks demo

.PHONY: test
test: ## everything that CI runs: check, then every test, in real editors too
	@$(MAKE) --no-print-directory --jobs=2 check $(PEERS)
	PYTHONHASHSEED=1 LLMBLOCKS_LAWS=1000 $(BIN)/python -m pytest --hypothesis-seed=1 -n 2 --dist loadfile --no-loadscope-reorder --max-worker-restart 0

# the longest first: `make test` runs two of them at a time
.PHONY: check
check: types imports style generate-check workflows ## format, lint, types, imports, generated files, workflows

.PHONY: types imports style
types: $(INSTALLED)
	$(BIN)/mypy

imports: $(INSTALLED)
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/python -m pytest tests/test_imports.py

style: $(INSTALLED)
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/python -m tools.prose

# tests/: it knows where tree-sitter is
GENERATE := PYTHONPATH=tests $(BIN)/python -m tools.generate
.PHONY: generate generate-check
generate: $(INSTALLED) ## write all that follows from the tables of the server: pages, schemas, files of editors, grammars
	$(GENERATE)

generate-check: $(INSTALLED)
	$(GENERATE) --check

.PHONY: new-rule
new-rule: $(INSTALLED) ## begin a rule: its row, its test and its page: make new-rule CODE=T090 NAME=blank-block
	@$(BIN)/python -m tools.generate.new_rule $(CODE) $(NAME)
	@$(GENERATE)

.PHONY: fast
fast: $(INSTALLED) $(PEERS) ## the tests without servers, editors and other processes, in some minutes
	$(BIN)/python -m pytest $(FAST) -n 2 --dist worksteal

.PHONY: portable
portable: $(INSTALLED) ## the tests of server and command line without what only POSIX has, as on Windows
	LLMBLOCKS_PORTABLE=1 $(BIN)/python -m pytest --hypothesis-seed=1 tests/cli tests/lsp tests/schemas tests/settings tests/workspace tests/e2e -n 2 --dist loadfile

.PHONY: laws
laws: $(INSTALLED) ## the laws of the engine on 50,000 generated documents for each scanner and layering
	LLMBLOCKS_LAWS=50000 $(BIN)/python -m pytest tests/laws -n 2

.PHONY: ray
ray: $(INSTALLED) ## reports and exports on Ray with two processes; installs 600 MB into .cache
	PYTHONPATH=tests $(BIN)/python tests/report/on_ray.py

.PHONY: spark
spark: $(INSTALLED) ## the program for Spark in docs/scale.md, in local mode; needs Java, installs 900 MB into .cache
	PYTHONPATH=tests $(BIN)/python tests/report/test_scale.py

.PHONY: bench
bench: $(INSTALLED) $(PEERS) ## measure this package beside its peers, and print the ratios
	@for bench in $(basename $(notdir $(wildcard tools/bench/*_bench.py))); do echo; echo "== $$bench"; \
		PYTHONPATH=tests $(BIN)/python -m tools.bench.$$bench || exit 1; done

.PHONY: lines
lines: ## print the lines of Python of the server, the tests, the engine and each format
	@for row in server tests tools core+facts gadget request stf tags; do \
		for folder in $$(echo $$row | tr + ' '); do \
			test -d $$folder || folder=server/llmblocks/$$folder; git ls-files -z "$$folder/*.py"; \
		done | xargs -0 cat | wc -l | xargs printf "%7d  $$row\n"; done

.PHONY: docs
docs: $(INSTALLED) ## build the site, dist/docs: static files for any web host
	$(BIN)/python docs/site/build.py

.PHONY: docs-serve
docs-serve: $(INSTALLED) ## build the site and serve it on this machine
	$(BIN)/python docs/site/build.py --serve

.PHONY: clean
clean: ## remove build products and installed tools
	rm -rf $(VENV) .cache .screenshots bench-results dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name node_modules -type d -prune -exec rm -rf {} +
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A group of pyproject.toml, for a Python: uv takes a seventh of the processor time of pip. pip is asked where uv gets
# nothing, because it knows settings, such as a mirror in pip.conf, that uv does not read.
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
install = $(UV) pip install --quiet --cache-dir .cache/uv --python $(1) --group $(2) || $(PIP) --python $(1) install --group $(2)

$(UV): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "llmblocks needs Python 3.11 or later: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install $$(sed -nE 's/^  "((pip|uv)==.*)",/\1/p' $<)
	@touch $@

$(INSTALLED): $(UV)
	$(call install,$(BIN)/python,dev)
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(PEERS): tests/peers/package-lock.json
	cd tests/peers && npm ci --silent --no-fund --no-audit
	@touch $@

-include editors/vscode/vscode.mk
-include editors/editors.mk
-include editors/tree-sitter/tree-sitter.mk
-include editors/web/web.mk
-include tests/fuzz/fuzz.mk
-include release/release.mk
