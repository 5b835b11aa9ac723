# The image needs no Node from npm: it has its own. Optional packages are left out where only that one would come.
FROM node:24.21.0-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

# The compiler's own binary is an optional package, so the build takes them all.
FROM base AS build
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY tools/build.mjs tools/
COPY commands commands
COPY projections projections
COPY queries queries
COPY src src
RUN npm run build && rm dist/.stamp dist/.tsbuildinfo

FROM base AS production
RUN npm ci --omit=dev --omit=optional

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 SURETY_DATA=/data
WORKDIR /app
COPY --from=production /app/package.json ./
COPY --from=production /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY bin bin
# A new volume takes over the owner of the folder it is mounted on.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
ENTRYPOINT ["node", "bin/surety.mjs"]
CMD ["serve"]
