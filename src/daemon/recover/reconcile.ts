import { reconcileWorktrees, sweepHub } from '../../git/index.ts';
import { leftBehind, workspaceFolders } from '../../pipeline/index.ts';
import { removeFolder } from '../../process/index.ts';
import { appendEvents, lostBefore } from '../../store/index.ts';
import { leading } from '../leading.ts';
import type { Session } from '../session.ts';
import { keepLeft } from './left.ts';
import { mendRefs } from './refs.ts';
import { sweepChecks, sweepGateways } from './sweep.ts';

/**
 * Puts database, Git and disk right against one another, before anything of the campaign runs here. What was found is one event
 * `campaign.reconciled`; a candidate whose commit is gone for good is marked by an event `job.lost`. Returns what the user should know.
 */
export async function reconcile(session: Session): Promise<string[]> {
  const { store, campaignId, campaign, workshop } = session;
  const { hub, folders, workspace } = workshop;
  const hubFiles = await sweepHub(hub);
  const swept = {
    ...hubFiles,
    gateways: await sweepGateways(),
    checks: await sweepChecks(workspaceFolders(workspace).state),
  };
  const { mended, lost } = await mendRefs(store.db, campaignId, campaign.name, hub);
  const { left, forget } = await leftBehind(workshop);
  const known = await lostBefore(store.db, campaignId);
  const news = lost.filter(({ commit }) => commit !== null && !known.has(commit));
  // Gateways are of the whole machine: that other campaigns left some is no event of this one.
  const { locks, unfinished, checks } = swept;
  const found = locks + unfinished + checks + mended + left.length + news.length > 0;
  if (found) {
    await leading(session, async (trx) => {
      const kept = await keepLeft(trx, campaignId, left);
      await appendEvents(trx, [
        ...news.map(({ ordinal, commit }) => ({ campaignId, ordinal, kind: 'job.lost', data: { commit } })),
        {
          campaignId,
          kind: 'campaign.reconciled',
          data: { ...swept, refs: mended, lost: news.length, interrupted: kept },
        },
      ]);
    });
  }
  await forget();
  await removeFolder(folders.scratch);
  await reconcileWorktrees(hub);
  return lost.map(({ ordinal, commit }) => `the commit ${commit} of job ${ordinal} is in no hub any more`);
}
