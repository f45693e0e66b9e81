import { ConflictError } from '../../errors.ts';
import {
  changesBetween,
  commitTree,
  composeTree,
  type Extent,
  extentOf,
  readCommit,
  updateRef,
} from '../../git/index.ts';
import { prepareRoot } from '../prepare.ts';
import type { Workshop } from '../workshop.ts';
import { type Accepted, type Bench, createBench, type MinimiseProgress } from './bench.ts';
import { type FileChange, readChanges } from './change.ts';
import { advantage, keepsGain, meanOf, type Scores, type Yardstick } from './criterion.ts';
import type { Answer } from './ddmin.ts';
import { type Judge, searchMinimal } from './search.ts';
import { placedFiles } from './unit.ts';

export interface MinimiseRequest {
  readonly commit: string;
  readonly tree: string;
  readonly title: string | null;
  /** Evaluations that may be made, those of the root and of the whole candidate among them; with less than 5 nothing is left out. */
  readonly evaluations: number;
  /** The share of the gain that may be lost, 0 … 1. */
  readonly tolerance: number;
}

/** What minimising came to. */
export interface Minimised {
  /** Null when nothing was left out. */
  readonly part: MinimisedPart | null;
  /** Whether no single unit can be left out, as far as the measurements say; false when the evaluations were spent. */
  readonly minimal: boolean;
  /** Fresh scores of the root and of the whole candidate; the latter measured beside the part, when there is one. */
  readonly root: Scores;
  readonly full: Scores;
  readonly before: Extent;
  /** Evaluations that were made. */
  readonly evaluations: number;
}

/** What is left of a candidate: one commit on the root, with the fresh measurement that confirmed it. */
export interface MinimisedPart {
  readonly commit: string;
  readonly tree: string;
  readonly title: string;
  readonly measured: Accepted;
  readonly extent: Extent;
}

/** A part and the whole candidate beside it. */
const CONFIRMATION = 2;

/**
 * Leaves out of a candidate what does not pay, by delta debugging against the evaluator: a part is enough when the evaluator
 * accepts it and its scores keep what `keepsGain` asks for. The part is held by `refs/clade/<campaign>/minimised/<tree>`;
 * nothing else is written but objects of the hub and the lane.
 * @throws ConflictError when the candidate, measured afresh, is refused or does not beat the root by more than ε.
 */
export async function minimise(
  workshop: Workshop,
  request: MinimiseRequest,
  onProgress: (progress: MinimiseProgress) => void,
  signal: AbortSignal,
): Promise<Minimised> {
  const { campaign, hub, root } = workshop;
  await prepareRoot(workshop, signal);
  const bench = createBench(workshop, request.evaluations, onProgress, signal);
  const { rootScores, first } = await bench.beside(async () => ({
    rootScores: (await bench.measureAgain(root.commit, 'the root')).evaluation.scores,
    first: (await bench.measureAgain(request.commit, 'the candidate')).evaluation.scores,
  }));
  const yardstick = { objectives: campaign.evaluator.objectives, root: rootScores, full: first, ...request };
  refuseWithoutGain(yardstick);
  const judge = await judgeOf(workshop, bench, request, yardstick);
  const whole = await readChanges(hub, root.commit, request.commit);
  const found = await searchMinimal(whole, { whole: request.tree, nothing: root.tree }, judge);
  const before = extentOf(await changesBetween(hub, root.commit, request.commit));
  const shared = { minimal: found.minimal, root: rootScores, before };
  if (found.part === null) return { ...shared, part: null, full: first, evaluations: bench.used };
  const { commit, tree, confirmed } = found.part;
  if (commit === null || confirmed === null) throw new RangeError('what the search returns is confirmed');
  await updateRef(hub, `refs/clade/${campaign.name}/minimised/${tree}`, commit);
  const extent = extentOf(await changesBetween(hub, root.commit, commit));
  const part = { commit, tree, title: titleOf(request), measured: confirmed.part, extent };
  return { ...shared, part, full: confirmed.full, evaluations: bench.used };
}

/** A tree of some changes, and what became of it. */
interface Part {
  readonly tree: string;
  /** Made before its first measurement. */
  commit: string | null;
  confirmed: { readonly part: Accepted; readonly full: Scores } | null;
}

async function judgeOf(
  workshop: Workshop,
  bench: Bench,
  request: MinimiseRequest,
  yardstick: Yardstick,
): Promise<Judge<Part>> {
  const { hub, root, campaign } = workshop;
  const message = `${titleOf(request)}\n\nClade-Campaign: ${campaign.name}\nClade-Minimised: ${request.commit}\n`;
  const date = new Date((await readCommit(hub, request.commit)).authorSeconds * 1000);
  const fulls = [yardstick.full];

  /** Every part has the commit that it would be handed out as, so that nothing about it changes afterwards. */
  const commitOf = async (part: Part): Promise<string> => {
    if (part.commit !== null) return part.commit;
    // The whole was within the scope, so its parts are.
    const made = await commitTree(hub, { base: root.commit, tree: part.tree, mayEdit: () => true, message, date });
    if (made.kind === 'no_change') throw new RangeError('a part that changes nothing is not measured');
    part.commit = made.commit;
    return made.commit;
  };

  return {
    make: async (changes: readonly FileChange[]) => ({
      tree: await composeTree(hub, root.commit, placedFiles(changes)),
      commit: null,
      confirmed: null,
    }),
    async judge(part, look): Promise<Answer> {
      if (!bench.affords(1 + CONFIRMATION)) return 'spent';
      const { evaluation } = await bench.measure(await commitOf(part), look);
      if (evaluation.status !== 'valid') return 'fails';
      return keepsGain({ ...yardstick, full: meanOf(fulls) }, evaluation.scores) ? 'holds' : 'fails';
    },
    async confirm(part): Promise<Answer> {
      if (!bench.affords(CONFIRMATION)) return 'spent';
      const commit = await commitOf(part);
      const pair = await bench.beside(async () => {
        const measured = await bench.measure(commit);
        const { evaluation } = measured;
        if (evaluation.status !== 'valid') return null;
        const full = (await bench.measureAgain(request.commit, 'the candidate')).evaluation.scores;
        return { part: { ...measured, evaluation }, full };
      });
      if (pair === null) return 'fails';
      fulls.push(pair.full);
      if (!keepsGain({ ...yardstick, full: pair.full }, pair.part.evaluation.scores)) return 'fails';
      part.confirmed = pair;
      return 'holds';
    },
  };
}

function refuseWithoutGain({ objectives, root, full }: Yardstick): void {
  const [primary] = objectives;
  if (primary !== undefined && advantage(primary, root, full) > primary.epsilon) return;
  throw new ConflictError(
    'measured afresh the candidate does not beat the root by more than ε: there is no gain to keep',
    {
      hint: 'without --minimize it is handed out whole',
    },
  );
}

function titleOf({ title, commit }: MinimiseRequest): string {
  return `Minimised: ${title ?? commit.slice(0, 12)}`;
}
