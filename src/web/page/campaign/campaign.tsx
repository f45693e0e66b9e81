import type { CampaignStatus } from '../../server/answers.ts';
import { campaignPath } from '../api.ts';
import { useFollow } from '../follow.ts';
import { Trouble } from '../parts/parts.tsx';
import { useResource } from '../resource.ts';
import type { Route } from '../route.ts';
import { Flights } from './flights.tsx';
import { Jobs } from './jobs.tsx';
import { Progress } from './progress.tsx';
import { Summary } from './summary.tsx';

/** One campaign, while it runs and after it. */
export function CampaignPage({ route }: { readonly route: Extract<Route, { page: 'campaign' }> }) {
  const { name } = route;
  const { tick, revision, connected } = useFollow(name);
  const { value: status, error } = useResource<CampaignStatus>(campaignPath(name), tick);
  return (
    <>
      <h1 tabIndex={-1}>{name}</h1>
      <Trouble error={error} />
      {status !== null && (
        <>
          <p class="state">
            <strong>{status.state}</strong>
            {status.running && ' · being worked on'}
            {status.cause !== null && ` · ${status.cause}`}
            <span class="quiet" role="status">
              {connected ? ' · live' : ' · not connected'}
            </span>
          </p>
          <Summary status={status} />
          <Progress status={status} tick={tick} revision={revision} />
          <Flights status={status} />
          <Jobs route={route} status={status} tick={tick} />
        </>
      )}
    </>
  );
}
