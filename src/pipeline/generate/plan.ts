import { composeBrief, planOf, summarise } from '../../agent/index.ts';
import { checkout } from '../checkout.ts';
import type { Workshop } from '../workshop.ts';
import { ask, refuseFaults } from './ask.ts';
import type { GenerateInput, Planned } from './job.ts';
import type { Maker, Makers, Usage } from './makers.ts';

/** What a coder is given by the planner, and how that came about. */
export interface Planning {
  readonly plan: string | null;
  /** Of the planner's run; null when none is kept with this proposal. */
  readonly transcript: string | null;
  /** Why there is no plan although a planner was asked. */
  readonly planless: string | null;
  readonly usage: Usage | null;
  /** The budget that left no room for a call of the planner, which made no plan: there is none for the coder either. */
  readonly refused: string | null;
}

/** Told of a plan as soon as there is one, so that nobody pays for it twice. */
export type OnPlan = (planned: Planned & { readonly usage: Usage | null }) => Promise<void>;

interface Place {
  readonly worktree: string;
  readonly scratch: string;
}

/**
 * The plan of a job: the one that is there, or what the planner writes. It works in the same checkout of the base as the coder will;
 * the checkout is made and proved anew after it, whatever it did there. It may build and run tests, so the checkout is not read-only.
 * One that fails leaves the coder without a plan. It is not asked in later rounds, nor for a coder that replays what was recorded.
 */
export async function planFor(
  workshop: Workshop,
  { planner, openModels }: Pick<Makers, 'planner' | 'openModels'>,
  { input, coder, place }: { readonly input: GenerateInput; readonly coder: Maker; readonly place: Place },
  onPlan: OnPlan,
  signal: AbortSignal,
): Promise<Planning> {
  const { planned, round, base } = input;
  const nothing: Planning = { plan: null, transcript: null, planless: null, usage: null, refused: null };
  if (planned !== null) return { ...nothing, plan: planned.plan, transcript: planned.transcript || null };
  if (planner === null || round > 0 || coder.agent.kind === 'replay') return nothing;
  await checkout(workshop, place.worktree, base.commit, signal);
  const brief = composeBrief({ ...input.brief, audience: 'planner', plan: '' }, workshop.campaign.agents.brief);
  const answer = await ask(workshop, { input, maker: planner, openModels, role: 'planner', brief, ...place }, signal);
  const { transcript } = summarise(answer.events);
  const { usage } = answer;
  const found = planOf(answer.events);
  if (found.kind === 'plan') {
    await onPlan({ plan: found.text, transcript, usage });
    return { ...nothing, plan: found.text, transcript, usage };
  }
  refuseFaults(answer);
  const refused = answer.fault?.kind === 'budget' ? answer.fault.message : null;
  return { ...nothing, planless: found.why, transcript: `${transcript}\n${found.why}`.trim(), usage, refused };
}
