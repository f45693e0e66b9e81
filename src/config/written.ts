import { dirname, relative, sep } from 'node:path';
import type { Campaign, EvaluatorConfig, Limits, ProviderConfig, SearchConfig } from './campaign.ts';
import { formatDuration } from './duration.ts';
import { writtenNotify } from './notify.ts';
import { writtenProviders } from './providers.ts';
import { isRemote } from './repository.ts';
import { formatSize } from './size.ts';
import { writtenAgents } from './written-agents.ts';

/**
 * The inverse of `normalise`: plain data in the form of the campaign file, every default written out. Paths inside the
 * workspace (the folder that holds `campaigns/`) come out relative to the campaign, so that a workspace that was moved
 * says the same.
 */
export function toWritten(campaign: Campaign) {
  const { target, evaluator, agents, search, budget } = campaign;
  const { mirror: _mirror, ...named } = target;
  const { placeRoot, ...shared } = search;
  const { maxRadius, ...inspirations } = search.inspirations;
  const repository = isRemote(target.repository) ? target.repository : pathFrom(campaign.directory, target.repository);
  return structuredClone({
    name: campaign.name,
    target: { ...named, repository },
    goal: campaign.goal,
    constraints: campaign.constraints,
    evaluator: writtenEvaluator(evaluator, campaign.directory),
    agents: writtenAgents(agents, (path) => pathFrom(campaign.directory, path)),
    providers: writtenProviders(campaign.providers),
    search: {
      ...shared,
      place_root: placeRoot,
      schedule: writtenSchedule(search.schedule),
      islands: { count: search.islands.count, migrate_every: search.islands.migrateEvery },
      descriptor: { kind: search.descriptor.kind, provider: writtenProvider(search.descriptor.provider) },
      inspirations: { ...inspirations, max_radius: maxRadius },
    },
    budget: {
      jobs: budget.jobs,
      ...(budget.wallMs === null ? {} : { wall: formatDuration(budget.wallMs) }),
      no_improvement: budget.noImprovement,
      ...(budget.costUsd === null ? {} : { cost_usd: budget.costUsd }),
      ...(budget.tokens === null ? {} : { tokens: budget.tokens }),
      ...(budget.jobCostUsd === null ? {} : { job_cost_usd: budget.jobCostUsd }),
      ...(budget.jobTokens === null ? {} : { job_tokens: budget.jobTokens }),
    },
    limits: writtenLimits(campaign.limits),
    keep: Object.fromEntries(Object.entries(campaign.keep).map(([what, count]) => [what, count ?? 'all'])),
    notify: writtenNotify(campaign.notify),
    sandbox: campaign.sandbox,
  });
}

function writtenEvaluator(evaluator: EvaluatorConfig, directory: string) {
  const { steps, prepare, timeoutMs, graceMs, hidden, objectives, ...rest } = evaluator;
  const [first] = steps;
  return {
    ...rest,
    ...(first?.kind === null
      ? { command: first.command }
      : { steps: steps.map(({ timeoutMs: own, ...step }) => ({ ...step, timeout: formatDuration(own) })) }),
    ...(prepare === null ? {} : { prepare }),
    timeout: formatDuration(timeoutMs),
    grace: formatDuration(graceMs),
    objectives: objectives.map(({ rankBy, ...objective }) => ({ ...objective, rank_by: rankBy })),
    hidden: hidden.map(({ path, splits }) => ({ path: pathFrom(directory, path), splits })),
  };
}

function writtenLimits({ memoryBytes, fileBytes, diskBytes, tmpBytes, cpuMs }: Limits) {
  return {
    ...(memoryBytes === null ? {} : { memory: formatSize(memoryBytes) }),
    ...(fileBytes === null ? {} : { file: formatSize(fileBytes) }),
    ...(diskBytes === null ? {} : { disk: formatSize(diskBytes) }),
    ...(tmpBytes === null ? {} : { tmp: formatSize(tmpBytes) }),
    ...(cpuMs === null ? {} : { cpu: formatDuration(cpuMs) }),
  };
}

function writtenSchedule({ mode, size }: SearchConfig['schedule']) {
  return mode === 'batch' ? { mode, size } : { mode, slots: size };
}

function writtenProvider(provider: ProviderConfig) {
  if (provider.kind === 'local') return provider;
  const { baseUrl, apiKeyEnv, ...rest } = provider;
  return { ...rest, ...(baseUrl === null ? {} : { base_url: baseUrl }), api_key_env: apiKeyEnv };
}

function pathFrom(directory: string, path: string): string {
  const workspace = dirname(dirname(directory));
  if (path !== workspace && !path.startsWith(workspace.endsWith(sep) ? workspace : workspace + sep)) return path;
  const short = relative(directory, path);
  return short.startsWith('..') ? short : `.${sep}${short}`;
}
