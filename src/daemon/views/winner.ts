import type { Kysely } from 'kysely';
import type { Campaign, Split } from '../../config/index.ts';
import {
  type CampaignRow,
  countLooks,
  evaluationsOn,
  type Looks,
  latestChoice,
  type Numbers,
  type SplitEvaluation,
  type Tables,
} from '../../store/index.ts';
import { gainOf } from '../gain.ts';

/** Whom the latest finals chose; plain JSON. */
export interface Winner {
  /** 0 is the root: no candidate did better. */
  readonly ordinal: number;
  readonly commit: string;
  readonly title: string | null;
  /** Jobs that were settled when it was chosen. */
  readonly settled: number;
  /** False for a checkpoint of a campaign that went on. */
  readonly closing: boolean;
  readonly reason: string;
  /** In the order in which the campaign declares them. */
  readonly splits: readonly SplitResult[];
}

/** One split of the campaign as the winner and the root did on it. */
export interface SplitResult {
  readonly split: Split;
  /** Null where it was not measured, or refused. */
  readonly objectives: Numbers | null;
  readonly root: Numbers | null;
  /** Relative gain over the root in the primary objective, positive is better. */
  readonly gain: number | null;
  /** Why the evaluator refused the winner on this split. */
  readonly refusal: string | null;
}

/** The part of a status that finals make. */
export interface Verdict {
  readonly winner: Winner | null;
  readonly looks: Looks;
}

/** Asks nothing of the database for a campaign without a validation split. */
export async function readVerdict(db: Kysely<Tables>, row: CampaignRow, campaign: Campaign): Promise<Verdict> {
  if (!campaign.evaluator.splits.includes('validation')) return { winner: null, looks: { validation: 0, holdout: 0 } };
  return { winner: await readWinner(db, row, campaign), looks: await countLooks(db, row.id) };
}

async function readWinner(db: Kysely<Tables>, row: CampaignRow, campaign: Campaign): Promise<Winner | null> {
  const choice = await latestChoice(db, row.id);
  if (choice === undefined) return null;
  const splits: SplitResult[] = [];
  for (const split of campaign.evaluator.splits) splits.push(await resultOn(db, row, campaign, split, choice.ordinal));
  return { ...choice, reason: choice.reason ?? '', splits };
}

async function resultOn(
  db: Kysely<Tables>,
  row: CampaignRow,
  { evaluator }: Campaign,
  split: Split,
  ordinal: number,
): Promise<SplitResult> {
  const found = await evaluationsOn(db, row.id, split, [0, ordinal]);
  const [objectives, root] = [valuesOf(found.get(ordinal)), valuesOf(found.get(0))];
  const [primary] = evaluator.objectives;
  return {
    split,
    objectives,
    root,
    gain: primary === undefined ? null : gainOf(root, objectives, primary),
    refusal: refusalOf(found.get(ordinal)),
  };
}

const valuesOf = (row: SplitEvaluation | undefined): Numbers | null =>
  row?.status === 'valid' ? row.objectives : null;

function refusalOf(row: SplitEvaluation | undefined): string | null {
  if (row?.status !== 'invalid') return null;
  return `${row.kind ?? 'other'}: ${row.summary ?? 'no reason given'}`;
}
