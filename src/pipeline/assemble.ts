import type { Kysely } from 'kysely';
import type { BriefInput, FilePatch, InspirationPatch } from '../agent/index.ts';
import { InfrastructureError } from '../errors.ts';
import { changesBetween, diffText, editable, type Hub, listTree, predictTree, readBlobs } from '../git/index.ts';
import {
  ancestry,
  type JobRow,
  lessonsAt,
  listStages,
  type Mishap,
  mishapsOf,
  type Relation,
  type Tables,
  treeSeen,
} from '../store/index.ts';
import type { GenerateInput } from './generate/index.ts';
import type { Workshop } from './workshop.ts';

/** Bytes of diff that a brief carries for one relative. */
const DIFF_BYTES = 16 * 1024;
const LINEAGE = 8;
const FAILURES = 6;
/** Files of one inspiration that are given as text, and the size up to which one is. */
const PATCH_FILES = 32;
const PATCH_BYTES = 512 * 1024;

/** What a generation is told but for what its job came to before, and where it works. */
export type Assembled = Omit<GenerateInput, 'lane' | 'earlier' | 'planned'>;

/**
 * Gathers what a job's agent may know. Nothing settled or made by the job's own batch gets in, so that the proposal does
 * not depend on which of the batch's jobs was faster.
 */
export async function assemble(db: Kysely<Tables>, workshop: Workshop, job: JobRow): Promise<Assembled> {
  const { hub, campaign } = workshop;
  const { campaignId, ordinal, island } = job;
  const before = job.batch ?? ordinal;
  const chain = await ancestry(db, campaignId, job.baseOrdinal ?? 0);
  const base = chain.at(-1);
  if (base === undefined) throw new InfrastructureError(`the base of job ${ordinal} is not in the database`);
  const inspirations = await Promise.all(job.inspirations.map((other) => ancestry(db, campaignId, other)));
  const mayEdit = editable(campaign.target);
  return {
    ordinal,
    island,
    coder: job.coder,
    round: job.round,
    base: { ordinal: base.ordinal, commit: base.commit },
    brief: await briefFor(db, workshop, job, { chain, base, inspirations, before }),
    inspirations: () => Promise.all(inspirations.map((other) => patchOf(hub, chain, other, mayEdit))),
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

interface Relatives {
  readonly chain: readonly Relation[];
  readonly base: Relation;
  readonly inspirations: readonly (readonly Relation[])[];
  readonly before: number;
}

async function briefFor(
  db: Kysely<Tables>,
  { campaign, hub }: Workshop,
  job: JobRow,
  { chain, base, inspirations, before }: Relatives,
): Promise<BriefInput> {
  const diff = async (a: string, b: string): Promise<string> =>
    (await diffText(hub, a, b, { maxBytes: DIFF_BYTES })).text;
  const mishaps = await mishapsOf(db, job.campaignId, base.ordinal, before, FAILURES);
  const ancestors = chain.slice(-1 - LINEAGE, -1);
  const others = inspirations.flatMap((line) => line.at(-1) ?? []);
  return {
    goal: campaign.goal,
    constraints: campaign.constraints,
    objectives: campaign.evaluator.objectives,
    edit: campaign.target.edit,
    protect: campaign.target.protect,
    base: relative(base, ''),
    lineage: ancestors.map((ancestor) => relative(ancestor, '')),
    inspirations: await Promise.all(
      others.map(async (other) => relative(other, await diff(base.commit, other.commit))),
    ),
    steps: await stepsOf(db, job.campaignId, base),
    failures: mishaps.map(failure),
    audience: 'coder',
    lessons: (await lessonsAt(db, job.campaignId, before - 1))?.text ?? '',
    plan: '',
    rework: null,
  };
}

/** What the evaluator's steps said of the base; the one of an evaluator that is a single command says no more than it. */
async function stepsOf(db: Kysely<Tables>, campaignId: number, { tree }: Relation): Promise<BriefInput['steps']> {
  const stages = (await listStages(db, { campaignId, tree })).filter(({ split }) => split === 'train');
  if (stages.length < 2) return [];
  return stages.map(({ name, status, summary }) => ({ name, status, summary }));
}

function failure({ ordinal, title, reason, evidence, stdout, stderr }: Mishap): BriefInput['failures'][number] {
  return {
    title: title ?? `job ${ordinal}`,
    reason: reason ?? 'no reason was kept',
    evidence: evidence ?? '',
    // A test that fails may say so on either stream; what is on stderr is seldom beside the point.
    output: [stdout, stderr].findLast((text) => text !== null && text.trim() !== '') ?? '',
  };
}

function relative(relation: Relation, diff: string): BriefInput['base'] {
  return {
    ordinal: relation.ordinal,
    title: relation.title ?? `candidate ${relation.ordinal}`,
    objectives: relation.objectives,
    summary: relation.summary ?? '',
    evidence: relation.evidence ?? '',
    diff,
  };
}

/** What an inspiration changed since it and the base had a common ancestor, file by file, within the edit scope. */
async function patchOf(
  hub: Hub,
  base: readonly Relation[],
  inspiration: readonly Relation[],
  mayEdit: (path: string) => boolean,
): Promise<InspirationPatch> {
  const shared = base.filter((ancestor, index) => inspiration[index]?.ordinal === ancestor.ordinal).at(-1);
  const self = inspiration.at(-1);
  if (shared === undefined || self === undefined) return { ordinal: self?.ordinal ?? 0, files: [] };
  if (shared.commit === self.commit) return { ordinal: self.ordinal, files: [] };
  const changes = (await changesBetween(hub, shared.commit, self.commit))
    .filter((change) => mayEdit(change.path) && (change.added ?? 0) + (change.deleted ?? 0) > 0)
    .slice(0, PATCH_FILES);
  const texts = await textsOf(
    hub,
    changes.flatMap((change) => [change.oldBlob, change.newBlob]),
  );
  const files = changes.map(
    (change): FilePatch => ({
      path: change.path,
      before: texts.get(change.oldBlob) ?? null,
      after: texts.get(change.newBlob) ?? null,
    }),
  );
  return { ordinal: self.ordinal, files };
}

async function textsOf(hub: Hub, oids: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const present = [...new Set(oids)].filter((oid) => !/^0+$/.test(oid));
  if (present.length === 0) return texts;
  for await (const { oid, bytes } of readBlobs(hub, present)) {
    if (bytes.byteLength <= PATCH_BYTES) texts.set(oid, bytes.toString('utf8'));
  }
  return texts;
}
