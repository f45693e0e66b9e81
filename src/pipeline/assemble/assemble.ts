import type { Kysely } from 'kysely';
import { InfrastructureError } from '../../errors.ts';
import { editable, listTree, predictTree } from '../../git/index.ts';
import { chainsOf, type JobRow, type Tables, treeSeen } from '../../store/index.ts';
import type { GenerateInput } from '../generate/index.ts';
import type { Workshop } from '../workshop.ts';
import { briefInput } from './brief.ts';
import { sinceParting } from './line.ts';
import { patchOf } from './patches.ts';

/** What a generation is told but for what its job came to before, and where it works. */
export type Assembled = Omit<GenerateInput, 'lane' | 'earlier' | 'planned'>;

/**
 * Gathers what a job's agent may know. Nothing settled or made by the job's own batch gets in, so that the proposal does
 * not depend on which of the batch's jobs was faster. Most of it is one query for all lines of descent and one Git process for
 * all differences; the rest is read when an agent asks.
 */
export async function assemble(
  db: Kysely<Tables>,
  workshop: Pick<Workshop, 'campaign' | 'hub'>,
  job: JobRow,
): Promise<Assembled> {
  const { hub, campaign } = workshop;
  const { campaignId, ordinal, island } = job;
  const before = job.batch ?? ordinal;
  const [line = [], ...inspirations] = await chainsOf(db, campaignId, [job.baseOrdinal ?? 0, ...job.inspirations]);
  const base = line.at(-1);
  if (base === undefined) throw new InfrastructureError(`the base of job ${ordinal} is not in the database`);
  const mayEdit = editable(campaign.target);
  return {
    ordinal,
    island,
    coder: job.coder,
    round: job.round,
    base: { ordinal: base.ordinal, commit: base.commit },
    brief: await briefInput(db, workshop, job, base, { base: line, inspirations, before }),
    inspirations: () => Promise.all(inspirations.map((other) => patchOf(hub, sinceParting(line, other), mayEdit))),
    async files() {
      const entries = await listTree(hub, base.commit);
      return entries.filter((entry) => entry.type === 'blob').map((entry) => entry.path);
    },
    seen: async (changed) => {
      const bytes = new Map([...changed].map(([path, text]) => [path, Buffer.from(text)]));
      return treeSeen(db, campaignId, await predictTree(hub, base.tree, bytes), before);
    },
  };
}
