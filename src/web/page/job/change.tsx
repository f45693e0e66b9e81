import type { CandidateView, DiffView } from '../../server/answers.ts';
import { campaignPath } from '../api.ts';
import { Trouble } from '../parts/parts.tsx';
import { useResource } from '../resource.ts';
import { kindsOf } from './lines.ts';

/** What the job changed of its base, as a unified diff. */
export function Change({ view: { campaign, ordinal, commit, parentCommit } }: { readonly view: CandidateView }) {
  const path = commit === null || parentCommit === null ? null : campaignPath(campaign, `/jobs/${ordinal}/diff`);
  const { value, error } = useResource<DiffView>(path);
  if (path === null) return null;
  return (
    <section aria-labelledby="change">
      <h2 id="change">Change</h2>
      <Trouble error={error} />
      {value !== null && <Diff diff={value} />}
    </section>
  );
}

function Diff({ diff: { text, truncated } }: { readonly diff: DiffView }) {
  const lines = text.replace(/\n$/, '').split('\n');
  const kinds = kindsOf(lines);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="text" tabIndex={0} aria-label="Diff to the base">
        <pre>
          {lines.map((line, index) => (
            <span key={index} class={kinds[index]}>
              {`${line}\n`}
            </span>
          ))}
        </pre>
      </section>
      {truncated && <p class="quiet">The rest is cut off; clade patch hands out all of it.</p>}
    </>
  );
}
