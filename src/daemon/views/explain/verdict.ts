import { orient } from '../../../qd/index.ts';
import {
  type JobDetail,
  listPlacements,
  listProjections,
  placementsOf,
  settledCandidates,
} from '../../../store/index.ts';
import type { Ledger } from '../../restore.ts';
import { explainPlacement, type PlacementExplanation } from './placement.ts';

/** What became of a job, and why. */
export interface VerdictExplanation {
  readonly outcome: JobDetail['job']['outcome'];
  readonly stage: string | null;
  readonly failureKind: string | null;
  readonly duplicateOf: number | null;
  /** In the epoch that it settled in and in the present one, where there are such; the root on every island. */
  readonly placements: readonly PlacementExplanation[];
  /** Sentences. */
  readonly because: readonly string[];
}

export async function explainVerdict(ledger: Ledger, detail: JobDetail): Promise<VerdictExplanation> {
  const { outcome, stage, failureKind, duplicateOf, island, ordinal } = detail.job;
  const { count } = ledger.campaign.search.islands;
  const islands = ordinal === 0 ? Array.from({ length: count }, (_, number) => number) : [island];
  const stories =
    outcome === 'candidate' ? await Promise.all(islands.map((one) => explainOn(ledger, detail, one))) : [];
  return {
    ...{ outcome, stage, failureKind, duplicateOf },
    placements: stories.flatMap(({ placements }) => placements),
    because: [fate(detail), ...stories.flatMap(({ because }) => because)],
  };
}

function fate({ job, evaluations }: JobDetail): string {
  const { state, outcome, stage, failureKind, reason, duplicateOf } = job;
  const train = evaluations.find(({ split }) => split === 'train');
  const why = reason === null ? '' : `: ${reason}`;
  const kind = failureKind === null || failureKind === stage ? '' : ` (${failureKind})`;
  switch (outcome) {
    case null:
      return `It is ${state === 'generated' ? 'to be measured or settled' : state}: there is no verdict yet.`;
    case 'candidate':
      return `The evaluator accepted it: ${measured(train?.objectives ?? {})}.`;
    case 'invalid':
      return `The evaluator refused it${kind}${why}.`;
    case 'duplicate':
      return `It repeats job ${duplicateOf}${why}.`;
    case 'no_change':
      return `It made no candidate${why}.`;
    case 'failed':
      return `It failed${stage === null ? '' : ` at ${stage}`}${kind}${why}.`;
  }
}

function measured(objectives: Readonly<Record<string, number>>): string {
  return Object.entries(objectives)
    .map(([name, value]) => `${name} ${Number(value.toPrecision(6))}`)
    .join(', ');
}

async function explainOn(
  { store: { db }, campaignId, campaign }: Ledger,
  { job }: JobDetail,
  island: number,
): Promise<{ placements: PlacementExplanation[]; because: string[] }> {
  const projections = await listProjections(db, campaignId, island);
  const settledIn = projections.findLast(({ settlement }) => settlement <= (job.settlement ?? -1))?.epoch ?? 0;
  const current = projections.at(-1)?.epoch ?? 0;
  const objectives = campaign.evaluator.objectives;
  const valid = await settledCandidates(db, campaignId);
  const members = new Map(
    valid.map(({ ordinal, scores }) => [ordinal, { ordinal, point: orient(objectives, scores) }]),
  );
  const settings = { rule: campaign.search.front.rule, epsilons: objectives.map(({ epsilon }) => epsilon) };
  const placements: PlacementExplanation[] = [];
  for (const own of await placementsOf(db, campaignId, job.ordinal)) {
    if (own.island !== island || (own.epoch !== settledIn && own.epoch !== current)) continue;
    const epoch = await listPlacements(db, { campaignId, island, epoch: own.epoch });
    const explained = explainPlacement(own, epoch, members, settings);
    placements.push({ ...explained, atSettlement: own.epoch === settledIn, current: own.epoch === current });
  }
  const warming = settledIn === 0 ? [`Island ${island} was warming up: nothing was placed when it settled.`] : [];
  const keptOut =
    job.ordinal === 0 && !campaign.search.placeRoot
      ? [`It is not placed on island ${island}: search.place_root is off.`]
      : [];
  return { placements, because: [...warming, ...keptOut, ...placements.map(({ because }) => because)] };
}
