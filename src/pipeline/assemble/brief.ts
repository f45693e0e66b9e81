import type { Kysely } from 'kysely';
import type { BriefInput, Inspiration } from '../../agent/index.ts';
import { type FileDiff, fileDiffs, type Snapshot } from '../../git/index.ts';
import {
  type Ancestor,
  type JobRow,
  lessonsAt,
  listStages,
  type Mishap,
  mishapsOf,
  type Tables,
} from '../../store/index.ts';
import type { Workshop } from '../workshop.ts';
import { changesOf, inspirationPaths, keyFilesOf, lineagePaths, rankFiles, type Ways } from './key-files.ts';
import { type Line, type Stretch, sinceParting, stretch } from './line.ts';
import { toldMetrics } from './metrics.ts';
import { relativeOf, stepOf } from './relatives.ts';

/** Bytes of diff that are read for one file. */
const DIFF_BYTES = 4 * 1024;
/** So many of the latest failures are looked at; equal ones are told once. */
const FAILURES = 24;

export interface Relatives {
  readonly base: Line;
  readonly inspirations: readonly Line[];
  /** Jobs from this ordinal on are unknown. */
  readonly before: number;
}

/** What the brief of a job is composed from. What belongs to a section that the campaign leaves out is not asked for. */
export async function briefInput(
  db: Kysely<Tables>,
  { campaign, hub }: Pick<Workshop, 'campaign' | 'hub'>,
  job: JobRow,
  self: Ancestor,
  { base, inspirations, before }: Relatives,
): Promise<BriefInput> {
  const { without, metrics } = campaign.agents.brief;
  const has = (section: string): boolean => !without.includes(section);
  const told = has('inspirations') ? inspirations : [];
  const ways: Ways = { base: stretch(base), inspirations: told.map((line) => stretch(sinceParting(base, line))) };
  const ranked = has('files') ? rankFiles(ways) : [];
  const own = lineagePaths(ranked);
  const paths = new Set([...own, ...ways.inspirations.flatMap(inspirationPaths)]);
  // Of a tree and itself Git has nothing to say.
  const ofLineage = own.length === 0 ? ([self, self] as const) : endsOf(ways.base);
  const [mishaps, steps, [ofBase = [], ...ofOthers]] = await Promise.all([
    has('failures') ? mishapsOf(db, job.campaignId, self.ordinal, before, FAILURES) : [],
    has('evidence') ? stepsOf(db, job.campaignId, self) : [],
    fileDiffs(hub, [ofLineage, ...ways.inspirations.map(endsOf)], { paths: [...paths], maxBytes: DIFF_BYTES }),
  ]);
  const names = toldMetrics(self.metrics, base[0]?.metrics ?? null, metrics);
  const root = self.ordinal === 0 ? undefined : base[0];
  return {
    audience: 'coder',
    goal: campaign.goal,
    constraints: campaign.constraints,
    objectives: campaign.evaluator.objectives,
    edit: campaign.target.edit,
    protect: campaign.target.protect,
    base: relativeOf(self, names),
    root: root === undefined ? null : relativeOf(root, names),
    steps,
    lineage: root === undefined || !has('lineage') ? [] : base.map(stepOf),
    inspirations: ways.inspirations.flatMap((way, index) => inspirationOf(way, names, ofOthers[index] ?? [], paths)),
    files: has('files') ? keyFilesOf(ranked, ways.base, ofBase) : { shown: [], more: 0 },
    failures: mishaps.map(failureOf),
    lessons:
      has('lessons') && campaign.agents.brief.lessonsEvery > 0
        ? ((await lessonsAt(db, job.campaignId, before - 1))?.text ?? '')
        : '',
    plan: '',
    rework: null,
  };
}

/** Where a stretch begins and ends. */
function endsOf({ line }: Stretch): readonly [Snapshot, Snapshot] {
  const [from, to] = [line[0], line.at(-1)];
  if (from === undefined || to === undefined) throw new RangeError('a stretch has at least where it begins');
  return [from, to];
}

function inspirationOf(
  way: Stretch,
  metrics: readonly string[],
  diffs: readonly FileDiff[],
  asked: ReadonlySet<string>,
): Inspiration[] {
  const self = way.line.at(-1);
  if (self === undefined) return [];
  return [{ ...relativeOf(self, metrics), line: way.line.map(stepOf), ...changesOf(way, diffs, asked) }];
}

/** What the evaluator's steps said of the base; the one of an evaluator that is a single command says no more than it. */
async function stepsOf(db: Kysely<Tables>, campaignId: number, { tree }: Ancestor): Promise<BriefInput['steps']> {
  const stages = (await listStages(db, { campaignId, tree })).filter(({ split }) => split === 'train');
  if (stages.length < 2) return [];
  return stages.map(({ name, status, summary, evidence }) => ({ name, status, summary, evidence }));
}

function failureOf({ ordinal, title, reason, evidence, stdout, stderr }: Mishap): BriefInput['failures'][number] {
  return {
    title: title ?? `job ${ordinal}`,
    reason: reason ?? 'no reason was kept',
    evidence: evidence ?? '',
    // A test that fails may say so on either stream; what is on stderr is seldom beside the point.
    output: [stdout, stderr].findLast((text) => text !== null && text.trim() !== '') ?? '',
  };
}
