import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { endAll, start } from './children.ts';
import { aCampaign } from './sample.ts';

let workspace = '';
afterEach(async () => {
  await endAll();
  await rm(workspace, { recursive: true, force: true });
});

describe('the embedded database', () => {
  it('keeps every acknowledged transaction, whole, when its process is killed in the middle of others', async () => {
    workspace = await mkdtemp(join(tmpdir(), 'clade-crash-'));
    const first = await openStore({ workspace, label: 'a test' });
    await aCampaign(first);
    await first.close();
    let acknowledged = 0;
    for (const [round, lines] of [1, 17, 40].entries()) {
      const writer = start('write.ts', workspace);
      for (let line = 0; line < lines; line++) acknowledged = Number(await writer.line());
      const killed = writer.end('SIGKILL');
      // What it still managed to say before it died counts as well.
      for (let line = await writer.line(); line !== undefined; line = await writer.line()) acknowledged = Number(line);
      await killed;
      const stored = await counts();
      expect(stored.jobs, `round ${round}`).toBeGreaterThanOrEqual(acknowledged);
      expect(stored.jobs, `round ${round}`).toBeLessThanOrEqual(acknowledged + 1);
      expect(stored).toEqual({ jobs: stored.jobs, events: stored.jobs, entries: stored.jobs });
      acknowledged = stored.jobs;
    }
  });
});

async function counts(): Promise<{ jobs: number; events: number; entries: number }> {
  const store = await openStore({ workspace, label: 'a test' });
  const { rows } = await sql<{ jobs: number; events: number; entries: number }>`
    select (select count(*) from jobs) as jobs, (select count(*) from events) as events,
           (select count(*) from pgboss.job where name like 'generate%') as entries
  `.execute(store.db);
  await store.close();
  return rows[0] ?? { jobs: -1, events: -1, entries: -1 };
}
