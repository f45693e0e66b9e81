import type { Transaction } from 'kysely';
import { InfrastructureError } from '../../errors.ts';
import { type Population, rescore } from '../../qd/index.ts';
import {
  contestants,
  decidedTrials,
  decideTrial,
  type NewEvent,
  type Numbers,
  replacePlacements,
  type Tables,
  type TrialMeasurement,
  type TrialRow,
  type TrialVerdict,
} from '../../store/index.ts';
import { type Ledger, scoreOf } from '../restore.ts';
import { outcomeOf } from './rule.ts';
import { type Change, changesOf, freshOf, meanOf, type Standing } from './standing.ts';

type Refusal = Extract<TrialMeasurement, { status: 'invalid' }>;

/** The verdict on a measured trial with all that follows from it. */
export interface Ruling {
  readonly trial: TrialRow;
  readonly verdict: TrialVerdict;
  /** Whether the challenger was settled before. */
  readonly retrial: boolean;
  /** What the challenger is settled with, or stands at from now on; withdrawn when it was settled and failed. */
  readonly challenger: Standing;
  /** Why the challenger is no valid candidate. */
  readonly refusal: Refusal | null;
  /** Null when the incumbent stands as it did. */
  readonly incumbent: Standing | null;
  /** Why the incumbent keeps its score. */
  readonly incumbentRefusal: Refusal | null;
}

/**
 * The verdict on a trial that has been measured: the challenger gets what its fresh measurement says, the incumbent the mean of all its
 * fresh ones, and who is better by that is better. Reads only; nobody else decides trials.
 * @param leader what the challenger has to beat where no incumbent was measured beside it
 */
export async function rule({ store, campaignId, campaign }: Ledger, trial: TrialRow, leader: Numbers): Promise<Ruling> {
  const [primary] = campaign.evaluator.objectives;
  const first = await contestants(store.db, campaignId, [trial.challenger, 0]);
  const known = first.find(({ ordinal }) => ordinal === trial.challenger);
  const [own, other] = [measurementOf(trial, trial.challenger), measurementOf(trial, trial.incumbent)];
  if (primary === undefined || known === undefined || own === undefined) {
    throw new InfrastructureError(`trial ${trial.number} has no measurement of job ${trial.challenger}`);
  }
  const root = first.find(({ ordinal }) => ordinal === 0);
  const trials = [...(await decidedTrials(store.db, campaignId)), trial];
  const [fresh, ...more] = other?.status === 'valid' ? freshOf(other.ordinal, trials, root) : [];
  const incumbent = fresh === undefined ? null : meanOf([fresh, ...more]);
  const retrial = known.settled;
  const challengerScores = own.status === 'valid' ? own.scores : null;
  return {
    trial,
    retrial,
    verdict: {
      outcome: outcomeOf(challengerScores, incumbent?.scores ?? leader, primary),
      challengerScores,
      incumbentScores: incumbent?.scores ?? null,
    },
    challenger: own.status === 'valid' ? meanOf([own]) : { ...known, withdrawn: true },
    refusal: own.status === 'valid' ? null : own,
    incumbent,
    incumbentRefusal: other?.status === 'invalid' ? other : null,
  };
}

function measurementOf({ measurements }: TrialRow, ordinal: number | null): TrialMeasurement | undefined {
  return measurements?.find((one) => one.ordinal === ordinal);
}

/** What a ruling changes of candidates that are settled already. */
export function changesBy({ trial, verdict, retrial }: Ruling): Change[] {
  return changesOf({ ...trial, ...verdict, retrial });
}

/**
 * Puts a ruling in force, first in the transaction of its place in the settlement order: the row, the scores of settled candidates in
 * every population that has them, the fronts of their cells. Returns the events, which come last.
 */
export async function enforce(
  trx: Transaction<Tables>,
  { campaignId, campaign }: Ledger,
  islands: readonly Population[],
  ruling: Ruling,
): Promise<NewEvent[]> {
  const { trial, verdict, retrial, challenger, incumbent, refusal, incumbentRefusal } = ruling;
  await decideTrial(trx, trial, verdict);
  const changed: [number | null, Standing | null][] = [
    [trial.incumbent, incumbent],
    [trial.challenger, retrial ? challenger : null],
  ];
  for (const [ordinal, standing] of changed) {
    if (ordinal === null || standing === null) continue;
    for (const [island, population] of islands.entries()) {
      if (!population.ordinals.has(ordinal)) continue;
      const refold = rescore(population, ordinal, scoreOf(campaign, standing));
      if (refold !== null) {
        await replacePlacements(trx, { campaignId, island, epoch: refold.epoch }, refold.placements);
      }
    }
  }
  const told = { trial: trial.number, cause: trial.cause, incumbent: trial.incumbent, ...verdict };
  const events: NewEvent[] = [];
  if (incumbentRefusal !== null) events.push(refused(campaignId, trial.number, incumbentRefusal));
  if (refusal !== null) events.push(refused(campaignId, trial.number, refusal));
  return [...events, { campaignId, kind: 'trial.decided', ordinal: trial.challenger, data: told }];
}

function refused(campaignId: number, trial: number, { ordinal, kind, summary }: Refusal): NewEvent {
  return { campaignId, kind: 'trial.refused', ordinal, data: { trial, kind, summary } };
}
