import type { CampaignStatus } from '../../server/answers.ts';
import { count, duration } from '../format.ts';
import { JobLink } from '../parts/parts.tsx';

/** What is being worked on, and what failed so far. */
export function Flights({ status: { name, inFlight, failures } }: { readonly status: CampaignStatus }) {
  const kinds = Object.entries(failures);
  return (
    <>
      {inFlight.length > 0 && (
        <section aria-labelledby="flights">
          <h2 id="flights">In flight</h2>
          <ul class="flights">
            {inFlight.map(({ ordinal, stage, forMs }) => (
              <li key={ordinal}>
                <JobLink name={name} ordinal={ordinal} /> {stage} <span class="quiet">{duration(forMs)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {kinds.length > 0 && (
        <section aria-labelledby="failures">
          <h2 id="failures">Failures by stage and kind</h2>
          <ul class="flights">
            {kinds.map(([kind, jobs]) => (
              <li key={kind}>
                {kind} × {count(jobs)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
