import { useEffect, useState } from 'preact/hooks';
import type { CampaignStatus } from '../server/answers.ts';
import { count, number, percent } from './format.ts';
import { Trouble, Wide } from './parts/parts.tsx';
import { useResource } from './resource.ts';
import { hrefOf } from './route.ts';

const POLL_MS = 5_000;
/** While nothing runs. */
const IDLE_POLL_MS = 30_000;

/** All campaigns of the workspace with how far they are. */
export function CampaignsPage() {
  const [tick, setTick] = useState(0);
  const { value, error } = useResource<CampaignStatus[]>('/campaigns', tick);
  const idle = value !== null && value.length > 0 && !value.some((campaign) => campaign.running);
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) setTick((before) => before + 1);
    };
    const timer = window.setInterval(look, idle ? IDLE_POLL_MS : POLL_MS);
    return () => window.clearInterval(timer);
  }, [idle]);
  return (
    <>
      <h1 tabIndex={-1}>Campaigns</h1>
      <Trouble error={error} />
      {value?.length === 0 && <p>There is none in this workspace yet: clade run starts one.</p>}
      {value !== null && value.length > 0 && <Campaigns campaigns={value} />}
    </>
  );
}

function Campaigns({ campaigns }: { readonly campaigns: readonly CampaignStatus[] }) {
  return (
    <Wide label="Campaigns">
      <table>
        <caption class="unseen">Campaigns of this workspace</caption>
        <thead>
          <tr>
            <th scope="col">campaign</th>
            <th scope="col">state</th>
            <th scope="col">jobs</th>
            <th scope="col">best</th>
            <th scope="col">over the root</th>
          </tr>
        </thead>
        <tbody>
          {campaigns.map((campaign) => (
            <Line key={campaign.name} campaign={campaign} />
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function Line({ campaign }: { readonly campaign: CampaignStatus }) {
  const { name, state, cause, running, budget, best, gain, objectives } = campaign;
  const [primary] = objectives;
  const value = primary === undefined ? undefined : best?.scores[primary.name];
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf({ page: 'campaign', name, outcome: null, before: null })}>{name}</a>
      </th>
      <td>
        {state}
        {running && ' · being worked on'}
        {cause !== null && <span class="quiet"> {cause}</span>}
      </td>
      <td>
        <progress aria-label={`jobs of ${name}`} max={Math.max(1, budget.jobs)} value={budget.settled} />{' '}
        {count(budget.settled)}/{count(budget.jobs)}
      </td>
      <td class="figure">{value === undefined ? '' : `${primary?.name} ${number(value)}`}</td>
      <td class="figure">{percent(gain)}</td>
    </tr>
  );
}
