import type { CandidateView } from '../../server/answers.ts';
import { bytes } from '../format.ts';

/** As pictures: a picture runs no script and loads nothing. Everything else is a link to its bytes. */
const PICTURES = new Set(['image/svg+xml', 'image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** What the evaluator left. */
export function Artifacts({ artifacts }: Pick<CandidateView, 'artifacts'>) {
  if (artifacts.length === 0) return null;
  return (
    <section aria-labelledby="artifacts">
      <h2 id="artifacts">Artifacts</h2>
      <div class="artifacts">
        {artifacts.map(({ id, name, mediaType, size }) => (
          <figure key={id}>
            {PICTURES.has(mediaType) && <img src={`/api/artifacts/${id}`} alt={name} loading="lazy" />}
            <figcaption>
              <a href={`/api/artifacts/${id}`}>{name}</a> <span class="quiet">{bytes(size)}</span>
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}
