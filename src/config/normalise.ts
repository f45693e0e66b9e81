import { basename, resolve } from 'node:path';
import type { Campaign, EvaluatorConfig, Limits, ProviderConfig, SearchConfig } from './campaign.ts';
import { parseDuration } from './duration.ts';
import { normaliseAgents } from './normalise-agents.ts';
import { normaliseNotify } from './notify.ts';
import { resolveProviders } from './providers.ts';
import { isRemote } from './repository.ts';
import type { WrittenCampaign } from './schema/campaign.ts';
import { parseSize } from './size.ts';

/**
 * Written → resolved: units, paths, and the defaults that depend on other keys. `directory` is absolute.
 * @param mirror a URL or an absolute path to fetch the target from instead
 */
export function normalise(written: WrittenCampaign, directory: string, mirror: string | null = null): Campaign {
  const { target, evaluator, agents, search, budget } = written;
  return deepFreeze({
    name: written.name ?? basename(directory),
    directory,
    target: {
      ...target,
      repository: isRemote(target.repository) ? target.repository : resolve(directory, target.repository),
      mirror,
    },
    goal: written.goal.trim(),
    constraints: written.constraints,
    evaluator: measurement(evaluator, directory),
    agents: normaliseAgents(agents, directory),
    providers: resolveProviders(written.providers),
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
      costUsd: budget.cost_usd ?? null,
      tokens: budget.tokens ?? null,
      jobCostUsd: budget.job_cost_usd ?? null,
      jobTokens: budget.job_tokens ?? null,
    },
    limits: limits(written.limits),
    keep: {
      artifacts: keptOf(written.keep.artifacts),
      transcripts: keptOf(written.keep.transcripts),
      recordings: keptOf(written.keep.recordings),
      logs: keptOf(written.keep.logs),
    },
    notify: normaliseNotify(written.notify),
    sandbox: written.sandbox,
  });
}

const keptOf = (count: number | 'all'): number | null => (count === 'all' ? null : count);

/**
 * With d + 1 states whitening yields a regular simplex whatever the data; from twice as many on the axes begin to say
 * something about it.
 */
export function leastWarmup(dimensions: number): number {
  return 2 * (dimensions + 1);
}

type WrittenEvaluator = WrittenCampaign['evaluator'];

function measurement(written: WrittenEvaluator, directory: string): EvaluatorConfig {
  const { command, steps, prepare, timeout, grace, objectives, hidden, splits, ...rest } = written;
  const timeoutMs = parseDuration(timeout);
  return {
    ...rest,
    steps: [
      ...(command === undefined ? [] : [{ name: 'evaluate', kind: null, command, timeoutMs, require: {} }]),
      ...(steps ?? []).map(({ timeout: own, ...step }) => ({
        ...step,
        timeoutMs: own === undefined ? timeoutMs : parseDuration(own),
      })),
    ],
    prepare: prepare ?? null,
    timeoutMs,
    graceMs: parseDuration(grace),
    objectives: objectives.map(({ rank_by: rankBy, ...objective }) => ({ ...objective, rankBy })),
    splits,
    hidden: hidden.map((entry) => {
      const { path, splits: shown } = typeof entry === 'string' ? { path: entry, splits: shownBy(splits) } : entry;
      return { path: resolve(directory, path), splits: shown };
    }),
  };
}

/** Data is hidden to be kept for later; where there is no later, it is the reference that candidates are judged by. */
function shownBy(splits: WrittenEvaluator['splits']): WrittenEvaluator['splits'] {
  const later = splits.filter((split) => split !== 'train');
  return later.length === 0 ? ['train'] : later;
}

function limits({ memory, file, disk, tmp, cpu }: WrittenCampaign['limits']): Limits {
  return {
    memoryBytes: parseSize(memory),
    fileBytes: parseSize(file),
    diskBytes: parseSize(disk),
    tmpBytes: parseSize(tmp),
    cpuMs: cpu === undefined ? null : parseDuration(cpu),
  };
}

const DEFAULT_WIDTH = 4;

function schedule({ mode, size, slots }: WrittenCampaign['search']['schedule']): SearchConfig['schedule'] {
  return { mode, size: (mode === 'batch' ? size : slots) ?? DEFAULT_WIDTH };
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
