import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Agent,
  type AgentEvent,
  type Brief,
  type BriefInput,
  composeBrief,
  type Proposal,
  renderBrief,
  summarise,
  type Task,
} from '../agent/index.ts';
import { InterruptedError, ScopeError } from '../errors.ts';
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
  readonly usage: Usage | null;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null when at least one call's price is unknown. */
  readonly costUsd: number | null;
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
  agent: Agent,
  input: GenerateInput,
  signal: AbortSignal,
): Promise<Generated> {
  const worktree = join(workshop.folders.lanes, `generate-${input.lane}`);
  const scratch = join(workshop.folders.scratch, `job-${input.ordinal}`);
  await mkdir(scratch, { recursive: true });
  try {
    await checkout(workshop, worktree, input.base.commit, signal);
    const brief = composeBrief(input.brief);
    const { proposal, usage } = await propose(agent, taskFor(workshop, input, brief, worktree, scratch), signal);
    const told: Told = {
      title: proposal.title,
      summary: proposal.summary,
      brief: renderBrief(brief),
      transcript: proposal.transcript,
      usage,
    };
    return await commit(workshop, input, proposal, told, worktree);
  } finally {
    await removeFolder(scratch);
  }
}

function taskFor(workshop: Workshop, input: GenerateInput, brief: Brief, worktree: string, scratch: string): Task {
  const { campaign } = workshop;
  const readable = linkedFolders(workshop);
  return {
    brief,
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
    hidden: visibilityOf(campaign, null, [worktree, ...readable]).masked,
    readable,
    scratch,
  };
}

async function propose(
  agent: Agent,
  task: Task,
  signal: AbortSignal,
): Promise<{ proposal: Proposal; usage: Usage | null }> {
  const events: AgentEvent[] = [];
  let usage: Usage | null = null;
  try {
    for await (const event of agent.propose(task, signal)) {
      events.push(event);
      if (event.type === 'usage') usage = addUsage(usage, event);
    }
    signal.throwIfAborted();
  } catch (cause) {
    if (signal.aborted) throw new InterruptedError('the agent was interrupted', { cause });
    throw cause;
  }
  return { proposal: summarise(events), usage };
}

function addUsage(sum: Usage | null, { inputTokens, outputTokens, costUsd }: Usage): Usage {
  if (sum === null) return { inputTokens, outputTokens, costUsd };
  return {
    inputTokens: sum.inputTokens + inputTokens,
    outputTokens: sum.outputTokens + outputTokens,
    costUsd: sum.costUsd === null || costUsd === null ? null : sum.costUsd + costUsd,
  };
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
