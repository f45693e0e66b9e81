import type { Kysely } from 'kysely';
import { type CampaignRow, countTrials, openTrial, type Tables, type TrialRow } from '../../store/index.ts';

/** Second measurements of a campaign at a glance; plain JSON. */
export interface TrialsGlance {
  readonly confirmed: number;
  readonly refuted: number;
  /** The one under way, whose challenger holds up the settlement of all behind it. */
  readonly open: Pick<TrialRow, 'challenger' | 'incumbent' | 'cause'> | null;
}

export async function readTrials(db: Kysely<Tables>, row: CampaignRow): Promise<TrialsGlance> {
  const open = await openTrial(db, row.id);
  const shown = open && { challenger: open.challenger, incumbent: open.incumbent, cause: open.cause };
  return { ...(await countTrials(db, row.id)), open: shown ?? null };
}
