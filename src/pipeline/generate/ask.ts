import { type AgentEvent, type Brief, type ModelAccess, renderBrief, type Task } from '../../agent/index.ts';
import { ConfigurationError, InfrastructureError, InterruptedError } from '../../errors.ts';
import { visibilityOf } from '../../evaluator/index.ts';
import { editable } from '../../git/index.ts';
import { generatorFor } from '../../qd/index.ts';
import { linkedFolders } from '../checkout.ts';
import type { Workshop } from '../workshop.ts';
import type { GenerateInput } from './job.ts';
import type { Maker, Makers, Usage } from './makers.ts';

/** One run of an agent. */
export interface Request {
  readonly input: GenerateInput;
  readonly maker: Maker;
  readonly openModels: Makers['openModels'];
  readonly role: Task['role'];
  readonly brief: Brief;
  readonly worktree: string;
  readonly scratch: string;
}

export interface Answer {
  readonly events: readonly AgentEvent[];
  /** The brief as text. */
  readonly told: string;
  readonly usage: Usage | null;
  readonly fault: ReturnType<ModelAccess['fault']>;
}

/**
 * Lets an agent work in a checkout, with models for as long as it does.
 * @throws InterruptedError when `signal` ended it; InfrastructureError when the machine failed.
 */
export async function ask(workshop: Workshop, request: Request, signal: AbortSignal): Promise<Answer> {
  const { input, maker, openModels, role, brief } = request;
  const { ordinal } = input;
  const models = await openModels({ ordinal, role, coder: maker.name, timeoutMs: maker.timeoutMs });
  try {
    const events: AgentEvent[] = [];
    for await (const event of maker.agent.propose(taskFor(workshop, request, models.access), signal)) {
      events.push(event);
    }
    signal.throwIfAborted();
    return { events, told: renderBrief(brief), usage: models.usage(), fault: models.access.fault() };
  } catch (cause) {
    if (signal.aborted) throw new InterruptedError('the agent was interrupted', { cause });
    throw cause;
  } finally {
    models.close();
  }
}

/** A run that met a fault of its provider and made nothing says nothing about the job, which is tried again later. */
export function refuseFaults({ fault }: Pick<Answer, 'fault'>): void {
  if (fault?.kind === 'unreachable') throw new InfrastructureError(fault.message);
  if (fault?.kind === 'shut') {
    throw new ConfigurationError(fault.message, { hint: 'mend the key or the quota of the provider, then resume' });
  }
}

function taskFor(workshop: Workshop, { input, role, brief, worktree, scratch }: Request, models: ModelAccess): Task {
  const { campaign } = workshop;
  const { ordinal, island, round, seen, inspirations, files } = input;
  const readable = linkedFolders(workshop);
  return {
    ...{ brief, role, round, ordinal, worktree, scratch, models, seen, inspirations, files, readable },
    rng: generatorFor({ seed: campaign.search.seed, island, ordinal, purpose: purposeOf(role, round) }),
    editable: editable(campaign.target),
    sandbox: campaign.sandbox,
    limits: campaign.limits,
    hidden: visibilityOf(campaign, null, [worktree, ...readable]).masked,
  };
}

/** A later round must not draw what the one before it drew. */
function purposeOf(role: Task['role'], round: number): string {
  if (role === 'planner') return 'planner';
  return round === 0 ? 'agent' : `agent ${round}`;
}
