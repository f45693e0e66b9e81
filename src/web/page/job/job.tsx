import type { ComponentChildren } from 'preact';
import type { CandidateView } from '../../server/answers.ts';
import { campaignPath } from '../api.ts';
import { useFollow } from '../follow.ts';
import { cost, count, values } from '../format.ts';
import { fateOf, toneOf } from '../parts/outcome.ts';
import { Command, Facts, Folded, JobLinks, Text, Trouble } from '../parts/parts.tsx';
import { patchCommand } from '../parts/patch.ts';
import { useResource } from '../resource.ts';
import { hrefOf } from '../route.ts';
import { Artifacts } from './artifacts.tsx';
import { Change } from './change.tsx';
import { Evaluations } from './evaluations.tsx';
import { Why } from './why.tsx';

/** One job and its candidate. */
export function JobPage({ name, ordinal }: { readonly name: string; readonly ordinal: number }) {
  const path = campaignPath(name, `/jobs/${ordinal}`);
  const { tick } = useFollow(name);
  // The end of a job is final; what trials and finals say of it later is there when the page is opened again.
  const first = useResource<CandidateView>(path, 0);
  const settled = first.value?.state === 'settled';
  const latest = useResource<CandidateView>(settled ? null : path, tick);
  const view = latest.value ?? first.value;
  return (
    <>
      <h1 tabIndex={-1}>{ordinal === 0 ? 'Root' : `Job ${ordinal}`}</h1>
      <nav class="pages" aria-label="Neighbours">
        {ordinal > 0 && <a href={hrefOf({ page: 'job', name, ordinal: ordinal - 1 })}>previous</a>}
        <a href={hrefOf({ page: 'job', name, ordinal: ordinal + 1 })}>next</a>
      </nav>
      <Trouble error={first.error ?? latest.error} />
      {view !== null && <Job view={view} />}
    </>
  );
}

function Job({ view }: { readonly view: CandidateView }) {
  const { campaign, ordinal, title, summary, commit, reason } = view;
  return (
    <>
      <p class="state">
        <strong class={toneOf(view.outcome)}>{fateOf(view)}</strong>
        {view.failureKind !== null && ` (${view.stage}/${view.failureKind})`}
        {view.winner && ' · winner of the latest finals'}
        {reason !== null && ` · ${reason}`}
      </p>
      {title !== null && <p class="headline">{title}</p>}
      {summary !== null && summary !== '' && summary !== title && <Text label="message" text={summary} />}
      <Facts facts={factsOf(view)} />
      {commit !== null && ordinal > 0 && <Command text={patchCommand(campaign, commit.slice(0, 12))} />}
      <Change view={view} />
      <Evaluations view={view} />
      <Artifacts artifacts={view.artifacts} />
      <Why view={view} />
      <section aria-labelledby="texts">
        <h2 id="texts">What the agent was told and said</h2>
        {view.brief === null && view.plan === null && view.transcript === null && <p>Nothing is kept of it.</p>}
        <Folded label="plan" text={view.plan} />
        <Folded label="brief" text={view.brief} />
        <Folded label="transcript" text={view.transcript} />
      </section>
    </>
  );
}

function factsOf(view: CandidateView): [string, ComponentChildren][] {
  const { campaign, scores, commit, base, inspirations, changedPaths, calls, coder, island } = view;
  const facts: [string, ComponentChildren][] = [];
  if (scores !== null) facts.push(['ranked by', <span class="figure">{values(scores)}</span>]);
  if (view.duplicateOf !== null)
    facts.push(['duplicate of', <JobLinks name={campaign} ordinals={[view.duplicateOf]} />]);
  facts.push(
    ['commit', commit === null ? 'none' : <code>{commit}</code>],
    ['base', base === null ? 'none' : <JobLinks name={campaign} ordinals={[base]} />],
    ['inspirations', <JobLinks name={campaign} ordinals={inspirations} />],
  );
  if (view.lineage.length > 0) {
    facts.push(['lineage', <JobLinks name={campaign} ordinals={view.lineage.map((one) => one.ordinal)} />]);
  }
  facts.push(['changed', changedPaths.length === 0 ? 'nothing' : changedPaths.join(', ')], ['island', count(island)]);
  if (coder !== null) facts.push(['coder', coder]);
  if (calls.calls > 0) {
    const tokens = `${count(calls.inputTokens)} in, ${count(calls.outputTokens)} out`;
    facts.push(['models', `${count(calls.calls)} calls, ${tokens}, ${cost(calls)}`]);
  }
  return facts;
}
