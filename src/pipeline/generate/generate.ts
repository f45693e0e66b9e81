import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { composeBrief, renderBrief, summarise } from '../../agent/index.ts';
import { removeFolder } from '../../process/index.ts';
import { checkout } from '../checkout.ts';
import { clearLane, noteLane } from '../left.ts';
import type { Workshop } from '../workshop.ts';
import { ask, refuseFaults } from './ask.ts';
import { commit } from './commit.ts';
import type { Generated, GenerateInput, Told } from './job.ts';
import { type Makers, sumUsage } from './makers.ts';
import { type OnPlan, type Planning, planFor } from './plan.ts';

/**
 * Has the job planned where there is a planner, checks the base out in the lane (in a later round the proposal that came back), lets the
 * coder edit it, and makes one commit of the difference to the base.
 * @throws InterruptedError when `signal` ended it; InfrastructureError when the machine failed.
 */
export async function generate(
  workshop: Workshop,
  makers: Makers,
  input: GenerateInput,
  signal: AbortSignal,
  onPlan: OnPlan = async () => {},
): Promise<Generated> {
  const { ordinal, base, earlier } = input;
  const worktree = join(workshop.folders.lanes, `generate-${input.lane}`);
  const [scratch, study] = ['job', 'plan'].map((kind) => join(workshop.folders.scratch, `${kind}-${ordinal}`));
  if (scratch === undefined || study === undefined) throw new RangeError('two folders were asked for');
  const coder = makers.coder(input.coder);
  for (const folder of [scratch, study]) await mkdir(folder, { recursive: true });
  try {
    const place = { worktree, scratch: study };
    const planning = await planFor(workshop, makers, { input, coder, place }, onPlan, signal);
    const brief = composeBrief({ ...input.brief, plan: planning.plan ?? '' }, workshop.campaign.agents.brief);
    if (planning.refused !== null) return outOfBudget(planning, planning.refused, renderBrief(brief), coder.name);
    const start = earlier?.commit ?? base.commit;
    await checkout(workshop, worktree, start, signal);
    await noteLane(worktree, { ordinal, commit: start });
    const request = {
      input,
      maker: coder,
      openModels: makers.openModels,
      role: 'coder',
      brief,
      worktree,
      scratch,
    } as const;
    const answer = await ask(workshop, request, signal);
    const proposal = summarise(answer.events);
    const told: Told = {
      ...{ title: proposal.title, summary: proposal.summary, brief: answer.told, coder: coder.name },
      transcript: joined(planning.transcript, proposal.transcript),
      plan: planning.plan,
      planless: planning.planless,
      usage: sumUsage(planning.usage, answer.usage),
    };
    const generated = await commit(workshop, input, { proposal, told, worktree });
    if (generated.kind !== 'candidate') refuseFaults(answer);
    await clearLane(worktree);
    return generated;
  } finally {
    for (const folder of [scratch, study]) await removeFolder(folder);
  }
}

function joined(planner: string | null, coder: string): string {
  return planner === null ? coder : `# Planner\n\n${planner.trim()}\n\n# Coder\n\n${coder.trim()}`;
}

/** As a coder whose budget leaves no room for a call: the job itself is over. */
function outOfBudget(
  { transcript, planless, usage }: Planning,
  reason: string,
  brief: string,
  coder: string,
): Generated {
  const told = {
    title: '',
    summary: '',
    brief,
    transcript: joined(transcript, ''),
    plan: null,
    planless,
    coder,
    usage,
  };
  return { ...told, kind: 'failed', stage: 'agent', failure: 'budget', reason };
}
