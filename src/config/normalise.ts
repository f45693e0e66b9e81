import { basename, resolve } from 'node:path';
import type { AgentConfig, Campaign, ProviderConfig, SearchConfig } from './campaign.ts';
import { parseDuration } from './duration.ts';
import { isRemote } from './repository.ts';
import type { WrittenCampaign } from './schema/campaign.ts';

/** Written → resolved: units, paths, and the defaults that depend on other keys. `directory` is absolute. */
export function normalise(written: WrittenCampaign, directory: string): Campaign {
  const { target, evaluator, agents, search, budget } = written;
  return deepFreeze({
    name: written.name ?? basename(directory),
    directory,
    target: {
      ...target,
      repository: isRemote(target.repository) ? target.repository : resolve(directory, target.repository),
    },
    goal: written.goal.trim(),
    constraints: written.constraints,
    evaluator: {
      command: evaluator.command,
      timeoutMs: parseDuration(evaluator.timeout),
      graceMs: parseDuration(evaluator.grace),
      concurrency: evaluator.concurrency,
      cpus: evaluator.cpus,
      objectives: evaluator.objectives,
      splits: evaluator.splits,
      hidden: evaluator.hidden.map((path) => resolve(directory, path)),
      network: evaluator.network,
      env: evaluator.env,
    },
    agents: { concurrency: agents.concurrency, coder: coder(agents.coder) },
    search: {
      policy: search.policy,
      seed: search.seed,
      schedule: schedule(search.schedule),
      islands: { count: search.islands.count, migrateEvery: search.islands.migrate_every },
      warmup: search.warmup ?? Math.max(8, leastWarmup(search.projection.dimensions)),
      placeRoot: search.place_root,
      descriptor: { kind: search.descriptor.kind, provider: provider(search.descriptor.provider) },
      projection: search.projection,
      grid: search.grid,
      front: search.front,
      inspirations: {
        count: search.inspirations.count,
        radius: search.inspirations.radius,
        maxRadius: search.inspirations.max_radius,
        fallback: search.inspirations.fallback,
        cooldown: search.inspirations.cooldown,
      },
    },
    budget: {
      jobs: budget.jobs,
      wallMs: budget.wall === undefined ? null : parseDuration(budget.wall),
      noImprovement: budget.no_improvement,
    },
    sandbox: written.sandbox,
  });
}

/**
 * With d + 1 states whitening yields a regular simplex whatever the data; from twice as many on the axes begin to say
 * something about it.
 */
export function leastWarmup(dimensions: number): number {
  return 2 * (dimensions + 1);
}

const DEFAULT_WIDTH = 4;

function schedule({ mode, size, slots }: WrittenCampaign['search']['schedule']): SearchConfig['schedule'] {
  return { mode, size: (mode === 'batch' ? size : slots) ?? DEFAULT_WIDTH };
}

function coder(written: WrittenCampaign['agents']['coder']): AgentConfig {
  const { timeout, ...rest } = written;
  return { ...rest, timeoutMs: parseDuration(timeout) };
}

function provider(written: WrittenCampaign['search']['descriptor']['provider']): ProviderConfig {
  if (written.kind === 'local') return written;
  const { base_url: baseUrl = null, api_key_env: apiKeyEnv, ...rest } = written;
  return { ...rest, baseUrl, apiKeyEnv };
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}
