import { createAgent } from '../agent/index.ts';
import type { AgentConfig, Campaign } from '../config/index.ts';
import type { Gates } from '../gateway/index.ts';
import {
  type Describer,
  type Maker,
  type Makers,
  openDescriber,
  prepareRoot,
  type Workshop,
} from '../pipeline/index.ts';
import { type Claimant, type Queue, type Store, vectorCache } from '../store/index.ts';
import { type JobLogs, jobLogs, type Log } from './log/index.ts';
import { type Models, openModels } from './models/index.ts';
import type { Presence } from './presence.ts';

/** What jobs of a campaign are worked on with, whoever plans and settles them. */
export interface WorkSession extends AsyncDisposable {
  readonly store: Store;
  readonly queue: Queue;
  /** Who claims work in this session. */
  readonly claimant: Claimant;
  readonly campaignId: number;
  readonly campaign: Campaign;
  readonly workshop: Workshop;
  readonly describer: Describer;
  /** Planner and coders, and their way to models. */
  readonly makers: Makers;
  readonly models: Models;
  readonly logs: JobLogs;
}

export interface WorkDeps {
  readonly store: Store;
  readonly queue: Queue;
  /** Of the model servers that this process calls. */
  readonly gates: Gates;
  readonly presence: Presence;
  readonly log: Log;
}

/** Planner and coders. */
export type Agents = Pick<Makers, 'planner' | 'coder'>;

/** Prepares the root on this machine and opens the models and the describer of a campaign. */
export async function openWork(
  { store, queue, gates, presence, log }: WorkDeps,
  {
    campaignId,
    workshop,
    agents,
  }: { readonly campaignId: number; readonly workshop: Workshop; readonly agents: Agents },
  signal: AbortSignal,
): Promise<WorkSession> {
  const { campaign } = workshop;
  const { claimant } = presence;
  await prepareRoot(workshop, signal);
  const models = await openModels({
    ...{ db: store.db, campaignId, campaign, gates, worker: () => presence.claimant.worker },
    folder: workshop.folders.calls,
    environment: process.env,
  });
  const describer = await openDescriber(
    workshop,
    { cache: vectorCache(store.db), access: models.embeddings },
    signal,
  ).catch(async (error: unknown) => {
    await models.close();
    throw error;
  });
  return {
    ...{ store, queue, claimant, campaignId, campaign, workshop, describer, models },
    logs: jobLogs(log, workshop.workspace, campaign.name),
    makers: { ...agents, openModels: models.openModels },
    [Symbol.asyncDispose]: () => models.close(),
  };
}

/** @throws ConfigurationError when what a planner or a coder needs is not there. */
export function agentsOf({ campaign: { agents, directory }, root }: Workshop): Agents {
  const makerOf = (name: string, agent: AgentConfig): Maker => ({
    name,
    agent: createAgent(agent, { directory, rootTree: root.tree }),
    timeoutMs: agent.timeoutMs,
  });
  const coders = agents.coders.map(({ name, agent }) => makerOf(name, agent));
  const [first] = coders;
  if (first === undefined) throw new RangeError('a campaign has at least one coder');
  return {
    planner: agents.planner === null ? null : makerOf('planner', agents.planner),
    coder: (name) => coders.find((coder) => coder.name === name) ?? first,
  };
}
