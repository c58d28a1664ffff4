# Server and CLI in one small image: docker build -t stratagem .
#
# No '# syntax=' line and no RUN --mount: the first pulls a frontend image, the second needs BuildKit; a host without a
# registry has neither. Both bases can be replaced with build arguments: deploy/image does so where there is no registry.
ARG BUILD_BASE=rust:1.95-slim-bookworm
ARG RUN_BASE=debian:bookworm-slim

# The workspace without its code: manifests, and an empty program in place of every source. The result changes only when
# a manifest does or a source file comes or goes.
FROM ${BUILD_BASE} AS outline
WORKDIR /src
COPY . .
RUN find . -type f ! -name Cargo.toml ! -name Cargo.lock ! -name '*.rs' -delete \
 && find . -type d -empty -delete \
 && find . -name '*.rs' -exec sh -c 'echo "fn main() { }" > "$1"' _ {} \;

FROM ${BUILD_BASE} AS build
# For HiGHS: C++ built by cmake with make, its header read with libclang. The base says of which Debian, and so which
# versions; none of them gets into the result. A base that has them needs no network.
# hadolint ignore=DL3008
RUN set -- cmake g++ libclang1 make \
 && if ! dpkg --status "$@" >/dev/null 2>&1; then \
      apt-get update && apt-get install --yes --no-install-recommends "$@" && rm -rf /var/lib/apt/lists/*; \
    fi
WORKDIR /src
# 1. The dependencies: this layer stays as long as the outline does.
COPY --from=outline /src ./
RUN cargo build --locked --release --features stratagem-server/full -p stratagem-server -p stratagem-cli
# 2. The code, newer than what was built from the outline.
COPY . .
RUN find . -name '*.rs' ! -path './target/*' -exec touch {} + \
 && cargo build --locked --release --features stratagem-server/full -p stratagem-server -p stratagem-cli \
 && mkdir /out \
 && cp target/release/stratagem-server target/release/stratagem LICENSE-MIT LICENSE-APACHE /out/

FROM ${RUN_BASE} AS run
COPY --from=build /out/stratagem-server /out/stratagem /usr/local/bin/
COPY --from=build /out/LICENSE-MIT /out/LICENSE-APACHE /usr/share/doc/stratagem/
USER 65532:65532
ENV STRATAGEM_LISTEN=0.0.0.0:50051 STRATAGEM_METRICS_LISTEN=0.0.0.0:9464
EXPOSE 50051 9464
STOPSIGNAL SIGTERM
# No curl in the image: the CLI asks for the health over gRPC.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
  CMD ["/usr/local/bin/stratagem", "server", "check", "--quiet"]
ENTRYPOINT ["/usr/local/bin/stratagem-server"]
