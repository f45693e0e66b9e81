import { join } from 'node:path';
import { type Campaign, receiverKey } from '../../config/index.ts';
import { InfrastructureError } from '../../errors.ts';
import { campaignFolders } from '../../pipeline/index.ts';
import { findCampaign, type Store, setReceivers } from '../../store/index.ts';
import { leading } from '../leading.ts';
import type { Session } from '../session.ts';
import type { Turns } from '../turns.ts';
import { inPassing, leadingBy } from './leader.ts';
import { openPost, type Post } from './post.ts';

/** What every post of a process has in common. */
export interface Office {
  readonly workspace: string;
  /** Ends everything at once. */
  readonly signal: AbortSignal;
  readonly onWarning: (warning: string) => void;
}

/** Those who are told of what happens from now on, while this process leads the campaign; disposed of, it tells what is due. */
export async function postOf(session: Session, { workspace, signal, onWarning }: Office): Promise<AsyncDisposable> {
  const { store, campaignId, campaign, lead, lost } = session;
  await leading(session, (trx) => setReceivers(trx, campaignId, campaign.notify.map(receiverKey)));
  const post = openPost({
    ...{ store, campaignId, campaign, onWarning },
    folder: folderOf(workspace, campaign),
    asLeader: leadingBy(lead, lost),
    signal: AbortSignal.any([signal, lost]),
  });
  return { [Symbol.asyncDispose]: () => post.close() };
}

/** Tells what a dead process, or a receiver that was away, left untold of a campaign that nobody works on. */
export async function postAtRest(
  { store, turns }: { readonly store: Store; readonly turns: Turns },
  campaign: Campaign,
  { workspace, signal, onWarning }: Office,
): Promise<Post | null> {
  const { name } = campaign;
  if (campaign.notify.length === 0) return null;
  try {
    const row = await findCampaign(store.db, name);
    if (row === undefined) return null;
    const asLeader = inPassing(store, turns, row);
    const folder = folderOf(workspace, campaign);
    return openPost({ ...{ store, campaignId: row.id, campaign, folder, asLeader, signal, onWarning } });
  } catch (error) {
    // The database is away: it is told when the campaign is opened, at the latest.
    if (error instanceof InfrastructureError) return null;
    throw error;
  }
}

/** Where commands have their HOME. */
export function folderOf(workspace: string, { name }: Pick<Campaign, 'name'>): string {
  return join(campaignFolders(workspace, name).scratch, 'notify');
}
