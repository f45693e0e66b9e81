import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { EVENT_CHANNEL } from './events.ts';
import type { QueueConnection } from './queue.ts';

/** Events that were committed: which campaign's, and of which kinds. */
export interface Heard {
  readonly campaignId: number | null;
  readonly kinds: readonly string[];
}

/** Hears of events as they are committed; null: some may have been missed, so look. Must not throw. */
export type Hear = (heard: Heard | null) => void;

/** What tells of new events, so that nobody has to look again and again. */
export interface Bell {
  /** Calls `hear` from now on; returns what ends that. */
  subscribe(hear: Hear): () => void;
  close(): Promise<void>;
}

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
/** A session that does not answer within `ANSWER_MS` is taken for lost: a host that is cut off says nothing. */
const PULSE_MS = 15_000;
const ANSWER_MS = 5_000;
const GOODBYE_MS = 1_000;

/**
 * The bell of a database, silent until the first one subscribes: then a session of its own listens on a server, connected again and again
 * while it is lost; embedded it is the one connection. A notification may get lost with its session, so whoever subscribes still looks
 * now and then.
 */
export function createBell(connection: QueueConnection): Bell {
  const hearing = new Set<Hear>();
  const ring = (heard: Heard | null): void => {
    for (const hear of hearing) hear(heard);
  };
  let listening: Listening | null = null;
  return {
    subscribe(hear) {
      hearing.add(hear);
      listening ??= connection.kind === 'pglite' ? embedded(connection.pglite, ring) : server(connection.url, ring);
      return () => void hearing.delete(hear);
    },
    async close() {
      hearing.clear();
      await listening?.end();
    },
  };
}

interface Listening {
  end(): Promise<void>;
}

function embedded(pglite: PGlite, ring: Hear): Listening {
  const begun = pglite
    .listen(EVENT_CHANNEL, (text) => ring(heardOf(text)))
    .then((end) => {
      ring(null);
      return end;
    });
  // Who waits for the bell looks now and then, too: a database that cannot listen can do nothing else either.
  begun.catch(() => undefined);
  return {
    async end() {
      const stop = await begun.catch(() => null); // it never listened
      await stop?.();
    },
  };
}

function server(url: string, ring: Hear): Listening {
  let ended = false;
  let client: pg.Client | null = null;
  let pause: NodeJS.Timeout | undefined;
  let wakeUp = (): void => undefined;

  const session = async (): Promise<void> => {
    const made = new pg.Client({
      connectionString: url,
      application_name: 'clade events',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: ANSWER_MS,
    });
    client = made;
    const over = new Promise<void>((resolve) => made.once('end', resolve).once('error', () => resolve()));
    made.on('error', () => undefined); // told by `over`; a second one would end the process
    made.on('notification', ({ payload = '' }) => ring(heardOf(payload)));
    let pulse: NodeJS.Timeout | undefined;
    try {
      await made.connect();
      await made.query(`listen ${EVENT_CHANNEL}`);
      waitMs = FIRST_WAIT_MS;
      ring(null);
      const lost = new Promise<void>((resolve) => {
        pulse = setInterval(() => void made.query('select 1').catch(() => resolve()), PULSE_MS);
        pulse.unref();
      });
      await Promise.race([over, lost]);
    } finally {
      clearInterval(pulse);
      await leave(made);
    }
  };
  let waitMs = FIRST_WAIT_MS;
  const loop = async (): Promise<void> => {
    while (!ended) {
      // A database that is away is waited for; who subscribed learns of its faults by asking it.
      await session().catch(() => undefined);
      if (ended) return;
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
        pause = setTimeout(resolve, waitMs);
        pause.unref();
      });
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
    }
  };
  const running = loop();
  return {
    async end() {
      ended = true;
      clearTimeout(pause);
      wakeUp();
      if (client !== null) await leave(client);
      await running;
    },
  };
}

/** Says goodbye to a server that may not hear it: the connection itself may have failed, or its host be cut off. */
async function leave(client: pg.Client): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GOODBYE_MS);
  });
  await Promise.race([client.end().catch(() => undefined), patience]);
  clearTimeout(timer);
}

function heardOf(text: string): Heard {
  const [campaign = '-', ...kinds] = text.split(' ');
  return { campaignId: campaign === '-' ? null : Number(campaign), kinds };
}
