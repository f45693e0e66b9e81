import { useMemo, useState } from 'preact/hooks';
import type { CampaignStatus } from '../../server/answers.ts';
import { type Lead, leads } from '../chart/best.ts';
import { Chart } from '../chart/chart.tsx';
import { useHistory } from '../chart/history.ts';
import { count, number } from '../format.ts';
import { isOutcome, OUTCOMES } from '../parts/outcome.ts';
import { JobLink, Wide } from '../parts/parts.tsx';

interface ProgressProps {
  readonly status: CampaignStatus;
  readonly tick: number;
  readonly revision: number;
}

/** The best so far and all candidates over the settled jobs. */
export function Progress({ status, tick, revision }: ProgressProps) {
  const { name, objectives } = status;
  const history = useHistory(name, tick, revision);
  const [at, setAt] = useState<number | null>(null);
  const [primary] = objectives;
  const found = useMemo(() => leads(history, primary?.direction ?? 'maximize'), [history, primary?.direction]);
  const picture = useMemo(() => ({ history, leads: found }), [history, found]);
  if (primary === undefined || history.ordinals.length === 0) return null;
  const measured = history.low.some((end) => end !== null);
  const best = found.at(-1);
  const label = `${primary.name} of ${count(history.ordinals.length)} settled jobs${best === undefined ? '' : `; the best is ${number(best.score)}`}`;
  return (
    <section aria-labelledby="progress">
      <h2 id="progress">Best so far</h2>
      <figure>
        <Chart objective={primary.name} label={label} picture={picture} onPoint={setAt} />
        <figcaption>
          {at !== null && at < history.ordinals.length ? (
            <Point
              name={name}
              ordinal={history.ordinals[at] ?? 0}
              outcome={history.outcomes[at] ?? ''}
              score={history.scores[at] ?? null}
            />
          ) : (
            <span class="quiet">
              {primary.direction === 'maximize' ? 'Higher' : 'Lower'} is better. Line: best so far; points: candidates
              {measured && ', with their intervals'}; marks at the bottom: jobs without a valid candidate. Drag to zoom,
              double-click to see all.
            </span>
          )}
        </figcaption>
      </figure>
      <Leads name={name} objective={primary.name} found={found} />
    </section>
  );
}

interface PointProps {
  readonly name: string;
  readonly ordinal: number;
  readonly outcome: string;
  readonly score: number | null;
}

function Point({ name, ordinal, outcome, score }: PointProps) {
  return (
    <>
      <JobLink name={name} ordinal={ordinal} /> · {isOutcome(outcome) ? OUTCOMES[outcome] : outcome}
      {score !== null && <span class="figure"> · {number(score)}</span>}
    </>
  );
}

/** The same for those who do not see the chart. */
function Leads({
  name,
  objective,
  found,
}: {
  readonly name: string;
  readonly objective: string;
  readonly found: readonly Lead[];
}) {
  return (
    <details>
      <summary>Who took the lead</summary>
      <Wide label="Who took the lead">
        <table>
          <caption class="unseen">Who took the lead, the latest first</caption>
          <thead>
            <tr>
              <th scope="col">job</th>
              <th scope="col" class="figure">
                settled as
              </th>
              <th scope="col" class="figure">
                {objective}
              </th>
            </tr>
          </thead>
          <tbody>
            {found.toReversed().map(({ at, ordinal, score }) => (
              <tr key={at}>
                <th scope="row">
                  <JobLink name={name} ordinal={ordinal} />
                </th>
                <td class="figure">{count(at)}</td>
                <td class="figure">{number(score)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </details>
  );
}
