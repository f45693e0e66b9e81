import type { ComponentChildren } from 'preact';
import type { CampaignStatus, Scored } from '../../server/answers.ts';
import { cost, count, duration, number, percent, values } from '../format.ts';
import { Command, Facts, JobLink } from '../parts/parts.tsx';
import { patchCommand } from '../parts/patch.ts';

/** What was reached, and what it took. */
export function Summary({ status }: { readonly status: CampaignStatus }) {
  const { name, root, best, gain, budget, calls, archive, winner, isolation } = status;
  const facts: [string, ComponentChildren][] = [
    ['best so far', best === null ? 'being measured' : <Of name={name} of={best} status={status} />],
    ['over the root', percent(gain) || (root === null ? 'not known yet' : 'no ratio: the root is 0')],
    ['root', root === null ? 'being measured' : <Of name={name} of={root} status={status} />],
    ['jobs', <Jobs key="jobs" budget={budget} />],
    [
      'time',
      budget.wallMs === null
        ? duration(budget.wallMsUsed)
        : `${duration(budget.wallMsUsed)} of ${duration(budget.wallMs)}`,
    ],
    ['archive', archiveText(archive)],
  ];
  if (calls.calls > 0) {
    facts.push(['cost', cost(calls)]);
    const cached = calls.cachedTokens === 0 ? '' : ` (${count(calls.cachedTokens)} cached)`;
    facts.push([
      'tokens',
      `${count(calls.inputTokens)} in${cached}, ${count(calls.outputTokens)} out, ${count(calls.calls)} calls`,
    ]);
  }
  if (winner !== null) facts.push(['winner', <Winner key="winner" status={status} />]);
  if (isolation !== null) facts.push(['isolation', `level ${isolation}`]);
  const worth = winner === null ? status.beatsRoot : winner.ordinal !== 0;
  return (
    <section aria-label="Summary">
      <Facts facts={facts} />
      {worth && <Command text={patchCommand(name)} />}
    </section>
  );
}

function Jobs({ budget }: { readonly budget: CampaignStatus['budget'] }) {
  return (
    <>
      <progress aria-label="jobs settled" max={Math.max(1, budget.jobs)} value={budget.settled} />{' '}
      {count(budget.settled)}/{count(budget.jobs)}
    </>
  );
}

/** A candidate by its numbers: the scores that it ranks by, and what was measured first where that is something else. */
function Of({ name, of, status }: { readonly name: string; readonly of: Scored; readonly status: CampaignStatus }) {
  const other = status.objectives.some((objective) => of.scores[objective.name] !== of.objectives[objective.name]);
  return (
    <>
      <span class="figure">{values(of.scores)}</span>
      {other && <span class="quiet"> first measured {values(of.objectives)}</span>} ·{' '}
      <JobLink name={name} ordinal={of.ordinal} /> <code>{of.commit.slice(0, 12)}</code>
    </>
  );
}

function Winner({ status: { name, winner } }: { readonly status: CampaignStatus }) {
  if (winner === null) return null;
  return (
    <>
      <JobLink name={name} ordinal={winner.ordinal} />
      {winner.splits.map(({ split, objectives, gain, refusal }) => (
        <div key={split}>
          {split} <span class="figure">{refusal ?? values(objectives)}</span> {percent(gain)}
        </div>
      ))}
    </>
  );
}

function archiveText({ warmup, occupied, cells, members, epoch }: CampaignStatus['archive']): string {
  if (warmup !== null) return `warming up: ${number(warmup.have)} of ${number(warmup.need)} valid candidates`;
  return `${count(occupied)} of ${count(cells)} cells occupied, ${count(members)} members, epoch ${epoch}`;
}
