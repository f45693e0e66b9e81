import type { Transaction } from 'kysely';
import { changesBetween, extentOf } from '../../git/index.ts';
import {
  appendEvents,
  beginFinals,
  bestCandidates,
  candidatesOf,
  closeFinals,
  decideFinals,
  ensurePendingEvaluation,
  evaluationsOn,
  type FinalRow,
  listFinals,
  SPLIT_USED,
  type Tables,
} from '../../store/index.ts';
import { leading } from '../leading.ts';
import type { Session } from '../session.ts';
import { chooseWinner, type Finalist } from './choose.ts';

type Hosting = Pick<Session, 'store' | 'lead' | 'queue' | 'campaignId' | 'campaign'> & {
  readonly workshop: Pick<Session['workshop'], 'hub' | 'root'>;
};

/** What a split is looked at for. */
type Purpose = 'checkpoint' | 'finals' | 'holdout';

/**
 * Begins a checkpoint when one is due. It is measured beside the jobs that are planned next, and holds nothing up.
 * @param settled jobs settled, the root not counted; nothing else may be settled before it returns
 */
export async function atCheckpoint(session: Hosting, settled: number): Promise<void> {
  const { splits, finals } = session.campaign.evaluator;
  if (!splits.includes('validation') || finals.every === 0) return;
  const due = Math.floor(settled / finals.every) * finals.every;
  if (due === 0) return;
  const known = await listFinals(session.store.db, session.campaignId);
  if (known.every((row) => row.settled < due)) await begin(session, settled, false);
}

/** Decides the checkpoints whose finalists are measured. */
export async function decideOpen(session: Hosting): Promise<void> {
  const { splits, finals } = session.campaign.evaluator;
  if (splits.includes('validation') && finals.every > 0) await decideInOrder(session);
}

/**
 * Takes a campaign whose jobs are all settled through its finals, as far as can be done now: true when nothing is left,
 * false while evaluations are waited for. A campaign without a validation split has none.
 */
export async function atTheEnd(session: Hosting, settled: number): Promise<boolean> {
  const { store, campaignId, campaign } = session;
  if (!campaign.evaluator.splits.includes('validation')) return true;
  const known = (await listFinals(store.db, campaignId)).find((row) => row.settled === settled);
  if (known === undefined) await begin(session, settled, true);
  else if (!known.closing) await leading(session, (trx) => closeFinals(trx, campaignId, settled));
  const winner = (await decideInOrder(session)).get(settled);
  if (winner === undefined) return false;
  return !campaign.evaluator.splits.includes('holdout') || measuredOnHoldout(session, winner);
}

/** Fixes the finalists, the root and the best of train, and asks for their validation. */
async function begin(session: Hosting, settled: number, closing: boolean): Promise<void> {
  const { store, campaignId, campaign } = session;
  const { objectives, finals } = campaign.evaluator;
  const [primary] = objectives;
  if (primary === undefined) throw new RangeError('a campaign has at least one objective');
  const ranked = (await bestCandidates(store.db, campaignId, primary, finals.finalists + 1)).map((one) => one.ordinal);
  const best = new Set(ranked.filter((ordinal) => ordinal !== 0).slice(0, finals.finalists));
  const finalists = [...ranked.filter((ordinal) => ordinal === 0 || best.has(ordinal))];
  if (!finalists.includes(0)) finalists.push(0);
  await leading(session, async (trx) => {
    await beginFinals(trx, campaignId, { settled, finalists, closing });
    await ask(session, trx, 'validation', closing ? 'finals' : 'checkpoint', finalists);
  });
}

/** Asks for the evaluations that were never asked for; each leaves an event. */
async function ask(
  { queue, campaignId }: Hosting,
  trx: Transaction<Tables>,
  split: 'validation' | 'holdout',
  purpose: Purpose,
  ordinals: readonly number[],
): Promise<void> {
  const candidates = await candidatesOf(trx, campaignId, ordinals);
  const events = [];
  for (const ordinal of ordinals) {
    const candidate = candidates.get(ordinal);
    if (candidate === undefined) throw new RangeError(`job ${ordinal} of campaign ${campaignId} has no candidate`);
    const { tree, commit } = candidate;
    const key = { campaignId, tree, split };
    if ((await ensurePendingEvaluation(trx, key, { commit, ordinal })) === 'exists') continue;
    await queue.enqueue(trx, 'evaluate', campaignId, [key]);
    events.push({ campaignId, kind: SPLIT_USED, ordinal, data: { split, purpose, commit } });
  }
  await appendEvents(trx, events);
}

/**
 * Decides what can be decided, in the order of settled jobs, so that the campaign's winner is that of the latest finals.
 * Returns the winners that are known, by settled jobs.
 */
async function decideInOrder(session: Hosting): Promise<Map<number, number>> {
  const winners = new Map<number, number>();
  for (const row of await listFinals(session.store.db, session.campaignId)) {
    const winner = row.winner ?? (await decide(session, row));
    if (winner === null) break;
    winners.set(row.settled, winner);
  }
  return winners;
}

/** The winner, or null while finalists are still to be measured. */
async function decide(session: Hosting, { settled, finalists, closing }: FinalRow): Promise<number | null> {
  const { campaignId, campaign } = session;
  const { objectives, finals } = campaign.evaluator;
  const measured = await finalistsOf(session, finalists);
  if (measured === null) return null;
  const { winner, reason, refused } = chooseWinner({ objectives, gates: finals.gates }, measured);
  await leading(session, async (trx) => {
    if (!(await decideFinals(trx, campaignId, { settled, winner, reason }))) return;
    const data = { settled, finalists, winner, reason, refused, closing };
    await appendEvents(trx, [{ campaignId, kind: 'finals.decided', ordinal: winner, data }]);
  });
  return winner;
}

/** Null while one is not measured. */
async function finalistsOf(session: Hosting, ordinals: readonly number[]): Promise<Finalist[] | null> {
  const { store, campaignId, workshop } = session;
  const validations = await evaluationsOn(store.db, campaignId, 'validation', ordinals);
  const candidates = await candidatesOf(store.db, campaignId, ordinals);
  const found: Omit<Finalist, 'changedLines'>[] = [];
  for (const ordinal of ordinals) {
    const [validation, candidate] = [validations.get(ordinal), candidates.get(ordinal)];
    if (validation?.state !== 'done' || candidate === undefined) return null;
    found.push({ ordinal, commit: candidate.commit, validation });
  }
  const finalists: Finalist[] = [];
  for (const one of found) {
    const changes = await changesBetween(workshop.hub, workshop.root.commit, one.commit);
    const { added, deleted } = extentOf(changes);
    finalists.push({ ...one, changedLines: added + deleted });
  }
  return finalists;
}

/** Holdout is measured for a winner at the end and for nobody else; it changes nothing. */
async function measuredOnHoldout(session: Hosting, winner: number): Promise<boolean> {
  const { store, campaignId } = session;
  const known = (await evaluationsOn(store.db, campaignId, 'holdout', [winner])).get(winner);
  if (known === undefined) {
    await leading(session, (trx) => ask(session, trx, 'holdout', 'holdout', [winner]));
  }
  return known?.state === 'done';
}
