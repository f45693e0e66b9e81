# syntax=docker/dockerfile:1

# Compiles src/ with all dependencies, then leaves only those that run.
FROM node:24-bookworm-slim AS build
WORKDIR /clade
# The checkout pins Node as a development dependency; the image has its own.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json vite.config.ts ./
COPY scripts/page ./scripts/page
COPY src ./src
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
# git holds the candidates, ssh and https bring them to other machines, bubblewrap fences them, tar packs evaluators. What targets and evaluators need, an image made FROM this one adds.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git openssh-client tar \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/clade
COPY --from=build /clade/node_modules ./node_modules
COPY --from=build /clade/dist ./dist
COPY package.json LICENSE ./
COPY schema ./schema
COPY campaigns ./campaigns
COPY evaluators ./evaluators
RUN ln -s /opt/clade/dist/cli/clade.js /usr/local/bin/clade \
  && chmod +x dist/cli/clade.js \
  && mkdir /workspace /hubs && chown node:node /workspace /hubs
# The user 1000 of the base image. Mounted workspaces, and shared hubs in /hubs, must be writable for it.
USER node
WORKDIR /workspace
# SIGTERM finishes the jobs in flight; give `docker stop --time` as long as one may take.
STOPSIGNAL SIGTERM
ENTRYPOINT ["clade"]
CMD ["daemon"]
