# The base image has Node, so the optional package that installs Node by npm is omitted in production.
# The image is named by its digest (of all platforms), and package-lock.json pins every package by SHA-512, so a rebuild gives the same files.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS runtime

FROM runtime AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

# The compiler's binary is an optional package, so the build installs all of them.
FROM base AS build
COPY clients/typescript/package.json clients/typescript/
COPY console/package.json console/
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY tools/build.mjs tools/
COPY commands commands
COPY projections projections
COPY queries queries
COPY src src
COPY clients clients
COPY console console
# The build copies the JSON files of the reference to dist/; the pages of swagger-ui come from node_modules.
RUN npm run build && rm -f dist/.stamp dist/.tsbuildinfo && rm -rf dist/.lock

FROM base AS production
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund

FROM runtime
# A service needs no npm, and absent packages need no updates.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* /usr/local/bin/yarn*
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 SURETY_DATA=/data
WORKDIR /app
COPY --from=production /app/package.json ./
COPY --from=production /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY bin bin
COPY LICENSE ./
COPY docs docs
# A new volume inherits the owner of the folder that it is mounted on.
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 3000
ENTRYPOINT ["node", "bin/surety.mjs"]
CMD ["serve"]
HEALTHCHECK --interval=60s --timeout=10s --start-period=180s --start-interval=2s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
