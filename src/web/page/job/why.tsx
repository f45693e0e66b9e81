import { useState } from 'preact/hooks';
import type { CandidateView, Explanation } from '../../server/answers.ts';
import { campaignPath } from '../api.ts';
import { Trouble } from '../parts/parts.tsx';
import { useResource } from '../resource.ts';

/** Why it was placed or not; and, when somebody asks, why it was planned as it was, which the server has to work out. */
export function Why({ view }: { readonly view: CandidateView }) {
  const [open, setOpen] = useState(false);
  return (
    <section aria-labelledby="why">
      <h2 id="why">Why</h2>
      {view.placements.length > 0 && (
        <ul class="flights">
          {view.placements.map(({ epoch, verdict, cell, reason }) => (
            <li key={epoch}>
              epoch {epoch}: {verdict} in cell {cell} ({reason})
            </li>
          ))}
        </ul>
      )}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>The whole explanation</summary>
        {open && <Explained view={view} />}
      </details>
    </section>
  );
}

function Explained({ view: { campaign, ordinal } }: { readonly view: CandidateView }) {
  const { value, error } = useResource<Explanation>(campaignPath(campaign, `/jobs/${ordinal}/explanation`));
  if (value === null) return error === null ? <p role="status">Being worked out…</p> : <Trouble error={error} />;
  const { base, inspirations, knowledge, verdict, replay } = value;
  return (
    <>
      <Sentences title="base" sentences={base.because} />
      <Sentences title="inspirations" sentences={inspirations.because} />
      <Sentences title="what was known" sentences={knowledge.because} />
      <Sentences title="verdict" sentences={verdict.because} />
      <Sentences title={`planned again: ${replay.result}`} sentences={replay.details} />
    </>
  );
}

function Sentences({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) {
  return (
    <>
      <h3>{title}</h3>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </>
  );
}
