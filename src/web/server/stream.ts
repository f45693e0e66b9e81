import { setTimeout as sleep } from 'node:timers/promises';
import { createWake, type EventView, type Wake } from '../../daemon/index.ts';
import { CladeError } from '../../errors.ts';
import type { Bell } from '../../store/index.ts';

/** What a stream of events goes by; the defaults are those of the product. */
export interface StreamLimits {
  /** Between two looks at the table of events where nothing is announced: announcements may get lost. */
  readonly pollMs: number;
  /** The least time between two looks: many events in a row are one look, a query by its index. */
  readonly gapMs: number;
  /** A comment is sent after so long without an event, so that neither end takes the other for dead. */
  readonly heartbeatMs: number;
  /** A reader that has not taken what it was sent by then is dropped. */
  readonly patienceMs: number;
  /** Readers at a time, of all campaigns. */
  readonly readers: number;
}

export const LIMITS: StreamLimits = {
  pollMs: 5_000,
  gapMs: 200,
  heartbeatMs: 15_000,
  patienceMs: 30_000,
  readers: 64,
};

/** What announces events; those of other campaigns ring too, which costs a look. */
export type Announcements = Pick<Bell, 'subscribe'>;

/** Reads the events after an id, oldest first, a page at most. */
export type ReadEvents = (after: number) => Promise<readonly EventView[]>;

/** Who follows, where its reader is and how to get rid of it. */
export interface Follower {
  /** The id after which its events begin. */
  readonly after: number;
  readonly read: ReadEvents;
  /** Breaks the connection of a reader that takes nothing. */
  drop(): void;
}

/** The streams of one server. */
export interface Streams {
  /** Events as they are written, as server-sent events; null when there are too many readers. */
  open(follower: Follower): ReadableStream<Uint8Array> | null;
  /** Ends all streams, and later ones at once; resolves when none of them asks for events any more. */
  close(): Promise<void>;
}

export function createStreams(
  onBug: (error: Error) => void,
  bell: Announcements | null,
  limits: StreamLimits = LIMITS,
): Streams {
  const open = new Set<OpenStream>();
  let closed = false;
  return {
    open(follower) {
      if (open.size >= limits.readers) return null;
      const news = createWake();
      const deaf = bell?.subscribe(news.wake);
      const made = stream(follower, limits, news, onBug, () => {
        deaf?.();
        open.delete(made);
      });
      open.add(made);
      if (closed) made.end();
      return made.body;
    },
    async close() {
      closed = true;
      const ending = [...open];
      for (const one of ending) one.end();
      await Promise.all(ending.map((one) => one.idle()));
    },
  };
}

interface OpenStream {
  readonly body: ReadableStream<Uint8Array>;
  end(): void;
  /** Resolves when it asks for nothing. */
  idle(): Promise<unknown>;
}

/**
 * A stream that looks for events only when its reader has taken what came before: nothing is kept for a slow one but its place, and after
 * `patienceMs` not even that.
 */
function stream(
  { after: start, read, drop }: Follower,
  { pollMs, gapMs, heartbeatMs, patienceMs }: StreamLimits,
  news: Wake,
  onBug: (error: Error) => void,
  onEnd: () => void,
): OpenStream {
  const ended = new AbortController();
  const { signal } = ended;
  const encoder = new TextEncoder();
  let after = start;
  let patience: NodeJS.Timeout | undefined;
  let looking: Promise<unknown> = Promise.resolve();
  let looked = Number.NEGATIVE_INFINITY;
  let finish = (): void => undefined;

  const end = (): void => {
    if (signal.aborted) return;
    ended.abort();
    news.wake();
    clearTimeout(patience);
    finish();
    onEnd();
  };
  /** The next events or a heartbeat; null when the stream has ended. */
  const next = async (): Promise<string | null> => {
    const until = performance.now() + heartbeatMs;
    while (!signal.aborted) {
      const early = looked + gapMs - performance.now();
      // Woken by the end of the stream it rejects; the loop looks at the signal.
      if (early > 0) await sleep(early, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      looked = performance.now();
      const events = await read(after);
      after = events.at(-1)?.id ?? after;
      if (events.length > 0) return events.map(message).join('');
      const left = until - performance.now();
      if (left <= 0) return ': still here\n\n';
      await news.sleep(Math.min(pollMs, left));
    }
    return null;
  };
  const look = async (): Promise<string | null> => {
    try {
      return await next();
    } catch (error) {
      // The reader connects again and goes on from its place: by then the database may be back.
      if (!(error instanceof CladeError)) onBug(error instanceof Error ? error : new Error(String(error)));
      return null;
    }
  };

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        finish = () => controller.close();
      },
      async pull(controller) {
        clearTimeout(patience);
        const found = look();
        looking = found;
        const text = await found;
        if (text === null) end();
        if (text === null || signal.aborted) return;
        patience = setTimeout(() => {
          end();
          drop();
        }, patienceMs);
        controller.enqueue(encoder.encode(text));
      },
      cancel() {
        // It is closed already, and a second time is an error.
        finish = () => undefined;
        end();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, end, idle: () => looking };
}

function message(event: EventView): string {
  return `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
}
