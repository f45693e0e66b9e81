import { InfrastructureError } from '../../errors.ts';
import { listTree, predictTree } from '../../git/index.ts';
import type { Assembled, GenerateInput } from '../../pipeline/index.ts';
import { type JobRow, listRevisions, treeSeen } from '../../store/index.ts';
import type { Session } from '../session.ts';

/**
 * What a job came to before, beside what it is told anyway: its plan, and in a later round the proposal that came back, from which its
 * coder goes on.
 */
export async function resume(
  {
    store,
    workshop,
  }: { readonly store: Pick<Session['store'], 'db'>; readonly workshop: Pick<Session['workshop'], 'hub'> },
  job: JobRow,
  assembled: Assembled,
): Promise<Omit<GenerateInput, 'lane'>> {
  const { campaignId, ordinal, round, plan } = job;
  // The transcript of a later round has the planner's no more: it is kept with round 0.
  const planned = plan === null ? null : { plan, transcript: round === 0 ? (job.transcript ?? '') : '' };
  if (round === 0) return { ...assembled, planned, earlier: null };
  const came = (await listRevisions(store.db, campaignId, ordinal)).at(-1);
  if (came === undefined) throw new InfrastructureError(`what came back of job ${ordinal} is not in the database`);
  const { cause, reason, evidence, commit, tree } = came;
  return {
    ...assembled,
    planned,
    earlier: { commit, tree, round: came.round },
    brief: { ...assembled.brief, rework: { cause, reason, evidence } },
    async files() {
      const entries = await listTree(workshop.hub, commit);
      return entries.filter((entry) => entry.type === 'blob').map((entry) => entry.path);
    },
    seen: async (changed) => {
      const bytes = new Map([...changed].map(([path, text]) => [path, Buffer.from(text)]));
      return treeSeen(store.db, campaignId, await predictTree(workshop.hub, tree, bytes), job.batch ?? ordinal);
    },
  };
}
