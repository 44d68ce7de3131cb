# llmblocks in a small image, without root: docker run --rm -v "$PWD:/work:ro" llmblocks check .
FROM python:3.13-slim AS build
COPY pyproject.toml README.md CHANGELOG.md LICENSE /source/
COPY docs /source/docs
COPY server /source/server
RUN python -m venv /opt/llmblocks && /opt/llmblocks/bin/pip install --no-cache-dir "/source[ws,mcp,code]"

FROM python:3.13-slim
COPY --from=build /opt/llmblocks /opt/llmblocks
ENV PATH="/opt/llmblocks/bin:$PATH" LLMBLOCKS_CACHE_DIR=/tmp/llmblocks
WORKDIR /work
USER 65534:65534
ENTRYPOINT ["llmblocks"]
CMD ["--help"]
