import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Agent,
  type AgentEvent,
  type Brief,
  type BriefInput,
  composeBrief,
  type ModelAccess,
  type Proposal,
  renderBrief,
  summarise,
  type Task,
} from '../agent/index.ts';
import { ConfigurationError, InfrastructureError, InterruptedError, ScopeError } from '../errors.ts';
import { visibilityOf } from '../evaluator/index.ts';
import { type Change, commitProposal, editable } from '../git/index.ts';
import { removeFolder } from '../process/index.ts';
import { generatorFor } from '../qd/index.ts';
import { checkout, linkedFolders } from './checkout.ts';
import type { Workshop } from './workshop.ts';

/** One job's generation as data: everything an agent may know, chosen before it starts. */
export interface GenerateInput {
  readonly ordinal: number;
  readonly island: number;
  /** The name of the coder that was chosen when the job was planned. */
  readonly coder: string | null;
  readonly round: number;
  readonly base: { readonly ordinal: number; readonly commit: string };
  readonly brief: BriefInput;
  readonly inspirations: Task['inspirations'];
  /** Paths tracked at the base. */
  readonly files: Task['files'];
  readonly seen: NonNullable<Task['seen']>;
  /** The lane whose folder is used; nobody else uses it meanwhile. */
  readonly lane: number;
}

interface Told {
  readonly title: string;
  readonly summary: string;
  readonly brief: string;
  readonly transcript: string;
  /** The name of the coder that made it. */
  readonly coder: string;
  readonly usage: Usage | null;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null when at least one call's price is unknown. */
  readonly costUsd: number | null;
}

/** The way to models for one run of an agent. */
export interface ModelRun {
  readonly access: ModelAccess;
  /** What its calls used so far; null when there were none. */
  readonly usage: () => Usage | null;
  /** No call of it is served after this. */
  readonly close: () => void;
}

/** An agent with the name that it is called by in the ledger. */
export interface Maker {
  readonly name: string;
  readonly agent: Agent;
  readonly timeoutMs: number;
}

/** What makes proposals. */
export interface Makers {
  readonly planner: Maker | null;
  /** The coder of that name; another where the campaign no longer has it, or none was chosen. */
  readonly coder: (name: string | null) => Maker;
  /** Opens the way to models for a run that may take `timeoutMs` in all. */
  readonly openModels: (run: {
    readonly ordinal: number;
    readonly role: string;
    readonly coder: string;
    readonly timeoutMs: number;
  }) => ModelRun;
}

/** What became of a generation. Only the difference in the worktree makes a candidate, whatever the agent said. */
export type Generated = Told &
  (
    | {
        readonly kind: 'candidate';
        readonly commit: string;
        readonly tree: string;
        readonly parent: string;
        readonly changes: readonly Change[];
      }
    | { readonly kind: 'no_change'; readonly reason: string }
    | { readonly kind: 'failed'; readonly stage: 'agent' | 'scope'; readonly failure: string; readonly reason: string }
  );

/**
 * Checks the base out in the lane, lets the agent edit it, and makes one commit of the difference.
 * @throws InterruptedError when `signal` ended it; InfrastructureError when the machine failed.
 */
export async function generate(
  workshop: Workshop,
  { coder: coderOf, openModels }: Makers,
  input: GenerateInput,
  signal: AbortSignal,
): Promise<Generated> {
  const worktree = join(workshop.folders.lanes, `generate-${input.lane}`);
  const scratch = join(workshop.folders.scratch, `job-${input.ordinal}`);
  await mkdir(scratch, { recursive: true });
  try {
    await checkout(workshop, worktree, input.base.commit, signal);
    const brief = composeBrief(input.brief);
    const { ordinal } = input;
    const coder = coderOf(input.coder);
    const models = openModels({ ordinal, role: 'coder', coder: coder.name, timeoutMs: coder.timeoutMs });
    try {
      const task = taskFor(workshop, input, brief, { worktree, scratch, models: models.access });
      const proposal = await propose(coder.agent, task, signal);
      const { title, summary, transcript } = proposal;
      const told: Told = {
        ...{ title, summary, transcript },
        coder: coder.name,
        brief: renderBrief(brief),
        usage: models.usage(),
      };
      const generated = await commit(workshop, input, proposal, told, worktree);
      if (generated.kind !== 'candidate') refuseFaults(models.access.fault());
      return generated;
    } finally {
      models.close();
    }
  } finally {
    await removeFolder(scratch);
  }
}

/**
 * A run that met a fault of its provider says nothing about the job, which is tried again later. Where its budget left no room for a
 * call the job itself is over.
 */
function refuseFaults(fault: ReturnType<ModelAccess['fault']>): void {
  if (fault?.kind === 'unreachable') throw new InfrastructureError(fault.message);
  if (fault?.kind === 'shut') {
    throw new ConfigurationError(fault.message, { hint: 'mend the key or the quota of the provider, then resume' });
  }
}

interface Place {
  readonly worktree: string;
  readonly scratch: string;
  readonly models: ModelAccess;
}

function taskFor(workshop: Workshop, input: GenerateInput, brief: Brief, { worktree, scratch, models }: Place): Task {
  const { campaign } = workshop;
  const readable = linkedFolders(workshop);
  return {
    brief,
    role: 'coder',
    round: input.round,
    worktree,
    rng: generatorFor({
      seed: campaign.search.seed,
      island: input.island,
      ordinal: input.ordinal,
      purpose: 'agent',
    }),
    seen: input.seen,
    inspirations: input.inspirations,
    editable: editable(campaign.target),
    files: input.files,
    sandbox: campaign.sandbox,
    limits: campaign.limits,
    models,
    ordinal: input.ordinal,
    hidden: visibilityOf(campaign, null, [worktree, ...readable]).masked,
    readable,
    scratch,
  };
}

async function propose(agent: Agent, task: Task, signal: AbortSignal): Promise<Proposal> {
  const events: AgentEvent[] = [];
  try {
    for await (const event of agent.propose(task, signal)) events.push(event);
    signal.throwIfAborted();
  } catch (cause) {
    if (signal.aborted) throw new InterruptedError('the agent was interrupted', { cause });
    throw cause;
  }
  return summarise(events);
}

async function commit(
  workshop: Workshop,
  input: GenerateInput,
  proposal: Proposal,
  told: Told,
  worktree: string,
): Promise<Generated> {
  const { campaign, hub } = workshop;
  try {
    const proposed = await commitProposal(hub, {
      worktree,
      base: input.base.commit,
      scope: campaign.target,
      ignore: campaign.target.link,
      message: commitMessage(campaign.name, input, proposal),
      campaign: campaign.name,
      ordinal: input.ordinal,
      date: new Date((workshop.rootSeconds + input.ordinal) * 1000),
    });
    if (proposed.kind === 'commit') return { ...told, ...proposed, kind: 'candidate', parent: input.base.commit };
    return withoutChange(proposal, told);
  } catch (error) {
    if (!(error instanceof ScopeError)) throw error;
    return { ...told, kind: 'failed', stage: 'scope', failure: 'scope', reason: error.message };
  }
}

function withoutChange(proposal: Proposal, told: Told): Generated {
  const { outcome } = proposal;
  if (outcome.kind === 'finished') return { ...told, kind: 'no_change', reason: 'the agent changed nothing' };
  if (outcome.kind === 'nothing') return { ...told, kind: 'no_change', reason: outcome.detail };
  return { ...told, kind: 'failed', stage: 'agent', failure: outcome.kind, reason: outcome.detail };
}

/** The trailers are part of the commit id; they hold nothing that differs between two runs of the same campaign. */
export function commitMessage(
  campaign: string,
  input: { readonly ordinal: number; readonly base: { readonly ordinal: number } },
  proposal: { readonly title: string; readonly summary: string },
): string {
  const title = proposal.title === '' ? `Candidate ${input.ordinal}` : proposal.title;
  const body = proposal.summary.trim();
  const trailers = `Clade-Campaign: ${campaign}\nClade-Job: ${input.ordinal}\nClade-Base: ${input.base.ordinal}\n`;
  return body === '' || body === title ? `${title}\n\n${trailers}` : `${title}\n\n${body}\n\n${trailers}`;
}
