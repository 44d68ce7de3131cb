# The server for WebAssembly; included by the Makefile.
.PHONY: web-server test-web

web-server: $(INSTALLED) ## build the server for WebAssembly, dist/web-server, and print what is in it
	$(BIN)/python editors/web/server/build.py

test-web: $(INSTALLED) ## the tests of the server for WebAssembly, in Node and Chromium
	$(BIN)/python -m pytest tests/editors/web
