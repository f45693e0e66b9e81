/** The last of those who wait for each key. */
const queues = new Map<string, Promise<void>>();

/** Runs `work` when all that was asked for before under this key, in this process, has ended, however it did. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = (queues.get(key) ?? Promise.resolve()).then(work);
  const ended = turn.then(
    () => {},
    () => {}, // told to whoever asked for it
  );
  queues.set(key, ended);
  try {
    return await turn;
  } finally {
    if (queues.get(key) === ended) queues.delete(key);
  }
}
