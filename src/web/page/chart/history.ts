import { useEffect, useState } from 'preact/hooks';
import type { SeriesView } from '../../server/answers.ts';
import { campaignPath, get } from '../api.ts';
import { append, EMPTY, type History } from './best.ts';

/** A history longer than this is not read anew more often than so often. */
const LONG = 5_000;
const REREAD_MS = 60_000;

/**
 * All settled jobs of a campaign, page by page as they come. A new `tick` asks for what is new; a new `revision`, after which older scores
 * may be others, for everything.
 */
export function useHistory(name: string, tick: number, revision: number): History {
  const [{ history }, setState] = useState({ history: EMPTY, revision, readAt: 0 });
  useEffect(() => {
    const leaving = new AbortController();
    const read = async (from: History): Promise<void> => {
      let known = from;
      for (;;) {
        const path = campaignPath(name, `/series?after=${known.ordinals.length - 1}`);
        const longer = append(known, await get<SeriesView>(path, leaving.signal));
        if (longer === known || leaving.signal.aborted) break;
        known = longer;
        // While it is read anew the old one stays in sight until the new one is as long.
        setState((before) =>
          known.ordinals.length >= before.history.ordinals.length ? { ...before, history: known } : before,
        );
      }
    };
    setState((before) => {
      const due = before.history.ordinals.length < LONG || performance.now() - before.readAt > REREAD_MS;
      const anew = before.revision !== revision && due;
      // What cannot be read now is asked for at the next tick; the page says elsewhere that nobody answers.
      read(anew ? EMPTY : before.history).catch(() => undefined);
      return anew ? { ...before, revision, readAt: performance.now() } : before;
    });
    return () => leaving.abort();
  }, [name, tick, revision]);
  return history;
}
