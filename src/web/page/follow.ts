import { useEffect, useState } from 'preact/hooks';
import type { EventView } from '../server/answers.ts';
import { campaignPath } from './api.ts';

export interface Following {
  /** Grows when there is something new to ask for. */
  readonly tick: number;
  /** Grows when a second measurement changed scores that were known. */
  readonly revision: number;
  readonly connected: boolean;
}

/** However many events come, nothing is asked for more often. */
const PACE_MS = 1_000;
/** Stages and times of jobs in flight leave no event. */
const POLL_MS = 5_000;

/** Follows the events of a campaign while the page is seen: a hidden one holds no connection, of which a browser has few. */
export function useFollow(name: string): Following {
  const [following, setFollowing] = useState<Following>({ tick: 0, revision: 0, connected: false });
  useEffect(() => {
    let source: EventSource | null = null;
    let due: number | undefined;
    const ask = (revised: boolean): void => {
      setFollowing((before) => ({ ...before, revision: before.revision + (revised ? 1 : 0) }));
      due ??= window.setTimeout(() => {
        due = undefined;
        setFollowing((before) => ({ ...before, tick: before.tick + 1 }));
      }, PACE_MS);
    };
    const connect = (): void => {
      const opened = new EventSource(`/api${campaignPath(name, '/events/stream')}`);
      source = opened;
      const tell = (connected: boolean): void => setFollowing((before) => ({ ...before, connected }));
      opened.onopen = () => {
        tell(true);
        // What was written while nobody listened.
        ask(false);
      };
      opened.onmessage = ({ data }: MessageEvent<string>) => {
        const event = JSON.parse(data) as EventView;
        ask(event.kind === 'trial.decided');
      };
      // The browser connects again by itself, unless it was refused.
      opened.onerror = () => tell(false);
    };
    const look = (): void => {
      if (document.hidden) {
        source?.close();
        source = null;
      } else if (source === null || source.readyState === EventSource.CLOSED) connect();
    };
    const poll = window.setInterval(() => {
      look();
      if (!document.hidden) ask(false);
    }, POLL_MS);
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.clearInterval(poll);
      window.clearTimeout(due);
      source?.close();
    };
  }, [name]);
  return following;
}
