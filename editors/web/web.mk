# The server for WebAssembly; included by the Makefile.
.PHONY: web-server test-web

web-server: $(INSTALLED) ## build the server for WebAssembly, dist/web-server, and print what is in it
	$(BIN)/python editors/web/server/build.py

test-web: $(INSTALLED) ## the tests of the server for WebAssembly, in Node and Chromium
	$(BIN)/python -m pytest tests/editors/web

.PHONY: playground playground-serve
playground: $(INSTALLED) ## build the playground, dist/playground: static files for any web host
	$(BIN)/python editors/playground/build.py

playground-serve: $(INSTALLED) ## build the playground and serve it on this machine
	$(BIN)/python editors/playground/build.py --serve

.PHONY: npm test-npm
npm: $(INSTALLED) ## build the package for npm, dist/npm: the command and the library, in WebAssembly
	$(BIN)/python editors/npm/build.py

test-npm: $(INSTALLED) ## the package for npm, installed from its tarball
	$(BIN)/python -m pytest tests/editors/npm
