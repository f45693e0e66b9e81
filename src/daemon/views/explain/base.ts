import type { Objective } from '../../../config/index.ts';
import type { Decision } from '../../../policy/index.ts';
import { elites, type Population } from '../../../qd/index.ts';
import type { JobRow } from '../../../store/index.ts';
import { counted } from './words.ts';

/** Why a job starts where it does. */
export interface BaseExplanation {
  /** Null for the root. */
  readonly ordinal: number | null;
  readonly policy: string | null;
  readonly reason: Decision['reason'] | null;
  /** Where the base was drawn from an archive: its cell, and what the archive was like then. */
  readonly drawn: {
    readonly epoch: number;
    readonly cell: number;
    readonly occupied: number;
    readonly members: number;
  } | null;
  /** Sentences. */
  readonly because: readonly string[];
}

/** What no policy decided. */
const GIVEN: Readonly<Partial<Record<JobRow['kind'], readonly string[]>>> = {
  root: ['It is the root of the campaign.'],
  seed: ['It is a commit or a patch of the user, brought in on the root.'],
  minimised: ['It is what pays of a candidate, as one commit on the root.'],
};

/**
 * @param then the population of the job's island when the job was planned, where it could be rebuilt
 * @param triedBefore the job that this one tries again
 */
export function explainBase(
  { kind, island, baseOrdinal }: Pick<JobRow, 'kind' | 'island' | 'baseOrdinal'>,
  decision: Decision | null,
  then: Readonly<Population> | null,
  {
    primary,
    triedBefore = null,
  }: { readonly primary?: Objective | undefined; readonly triedBefore?: number | null } = {},
): BaseExplanation {
  const drawn = decision?.reason === 'archive' ? { ...surroundings(decision.cell, then), epoch: decision.epoch } : null;
  return {
    ordinal: baseOrdinal,
    policy: decision?.policy ?? null,
    reason: decision?.reason ?? null,
    drawn,
    because:
      triedBefore === null
        ? (GIVEN[kind] ?? reasons(decision, island, drawn, primary))
        : [`Somebody asked for another try of job ${triedBefore}: it has the same base and inspirations.`],
  };
}

function surroundings(cell: number, then: Readonly<Population> | null) {
  const retained = then === null || then.archive === null ? [] : elites(then.archive);
  const members = retained.filter((elite) => elite.cell === cell).length;
  return { cell, occupied: new Set(retained.map((elite) => elite.cell)).size, members };
}

function reasons(
  decision: Decision | null,
  island: number,
  drawn: BaseExplanation['drawn'],
  primary: Objective | undefined,
): string[] {
  switch (decision?.reason) {
    case undefined:
      return ['No decision is stored that this version can read.'];
    case 'root':
      return [`Policy ${decision.policy} starts from the root, always or until there is a candidate.`];
    case 'champion':
      return [`Policy ${decision.policy} starts from the best of island ${island}${boundInWords(decision, primary)}.`];
    case 'warmup':
      return [
        `Island ${island} was warming up with ${decision.have} of ${decision.need} entries: the job starts from the root.`,
      ];
    case 'archive': {
      const cells = counted(drawn?.occupied ?? 0, 'occupied cell', 'occupied cells');
      const members = counted(drawn?.members ?? 0, 'member', 'members');
      const where = `epoch ${decision.epoch} of island ${island}: cell ${decision.cell}, drawn from ${cells}`;
      return [`From ${where}; its front had ${members}.`, ...draws(decision)];
    }
  }
}

/** The bound is oriented, larger is better; people read the objective as it is measured. */
function boundInWords({ bound }: { readonly bound: number }, primary: Objective | undefined): string {
  if (primary === undefined) return '';
  return primary.direction === 'maximize'
    ? `: ${primary.name} at least ${bound}`
    : `: ${primary.name} at most ${0 - bound}`;
}

function draws({ resamples, baseReused, recipeReused }: Extract<Decision, { reason: 'archive' }>): string[] {
  const again = `It was drawn again ${counted(resamples, 'time', 'times')}, because base or recipe were in use.`;
  return [
    ...(resamples > 0 ? [again] : []),
    ...(baseReused ? ['Another unsettled job has the same base.'] : []),
    ...(recipeReused ? ['An earlier job has the same base and inspirations.'] : []),
  ];
}
