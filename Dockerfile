# The image of every process: serve, dispatch, import and migrate are commands of the same program.
# docs/operating/containers.md tells how to build and run it.
ARG BASE=node:26-slim

# Everything, to make what the contract generates.
FROM ${BASE} AS generated
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/link-node.mjs scripts/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run -s generate

# Only what runs: neither development packages nor the packages that bring Node and PostgreSQL.
FROM ${BASE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/link-node.mjs scripts/
# npm links it, for `registry generate` and the demo.
COPY packages/registry-generator packages/registry-generator
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund \
    && find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*postgresql*' -delete \
    && rm -rf node_modules/.cache

FROM ${BASE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# Buffers go back to the system as soon as they are free: docs/performance/README.md has what that saves.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/packages packages
COPY --from=generated /app/src src
COPY package.json openapi.yaml CHANGELOG.md LICENSE ./
COPY prisma prisma
COPY docs/performance docs/performance
COPY examples examples
COPY deploy/import-day.sh deploy/import-day.sh
# The root file system may be read-only: everything that is written goes to /data.
RUN mkdir /data && chown 10001:10001 /data
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ADMIN_PORT || process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "src/cli/main.mjs"]
CMD ["serve"]
