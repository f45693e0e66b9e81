import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import type { CampaignStatus, EventView } from '../../src/daemon/index.ts';
import { describeServer } from '../support/databases.ts';
import { mountDisk } from '../support/disk.ts';
import { ledgerCampaign, say } from '../support/ledger.ts';
import { install, LATER } from '../support/release.ts';
import { itIf } from '../support/requirements.ts';
import { expectDone, until, type Workspace, workspaces } from '../support/workspace.ts';
import { type Dump, dumpCampaign } from './dump.ts';

/** What befalls a campaign on a server in the middle of its jobs; it comes to the same end as one that was left in peace. */
const JOBS = 12;
const openWorkspace = workspaces();
const files = () => ledgerCampaign({ jobs: JOBS, lanes: 2 });
const status = (workspace: Workspace): Promise<CampaignStatus> => workspace.ask('status', 'ledger');
const settled = (jobs: number): RegExp => new RegExp(`^\\[${jobs}/${JOBS}\\]`, 'm');

let undisturbed: Dump;
beforeAll(async () => {
  const workspace = await openWorkspace();
  expectDone(await workspace.run('run', await workspace.campaign('ledger', await files())));
  undisturbed = await dumpCampaign({ workspace: workspace.dir }, 'ledger');
}, 300_000);

/** Every job is settled once, and the campaign is what it would have been. */
async function expectUndisturbed(workspace: Workspace, databaseUrl: string): Promise<EventView[]> {
  expect(await dumpCampaign({ workspace: workspace.dir, databaseUrl }, 'ledger')).toEqual(undisturbed);
  const events = await workspace.ask<EventView[]>('log', 'ledger', '--limit', '1000');
  const ends = events.filter(({ kind }) => kind === 'job.settled').map(({ ordinal }) => ordinal);
  expect(ends).toEqual(Array.from({ length: JOBS + 1 }, (_, index) => index));
  return events;
}

/** What an evaluator hangs in. */
const hangs = ({ state, inFlight }: CampaignStatus): boolean =>
  state === 'finished' || inFlight.some(({ stage, forMs }) => stage === 'evaluate' && forMs > 200);

/** Asks another database of the server. */
async function administer(databaseUrl: string, ask: (client: pg.Client, name: string) => Promise<void>): Promise<void> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await ask(client, name);
  } finally {
    await client.end();
  }
}

/** Longer than the first waits between two tries. */
const AWAY_MS = 1_000;

/** Every session ends, and for a while new ones find the database so. */
const disturb = (databaseUrl: string, [so, over]: readonly [string, string]): Promise<void> =>
  administer(databaseUrl, async (client, name) => {
    const end = () => client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await client.query(`alter database ${name} ${so}`);
    await end();
    await sleep(AWAY_MS);
    await client.query(`alter database ${name} ${over}`);
    await end();
  });

describeServer('a campaign', (databases) => {
  const open = async (env: Readonly<Record<string, string>> = {}) => {
    const { databaseUrl = '' } = await databases.fresh();
    const workspace = await openWorkspace({ CLADE_DATABASE_URL: databaseUrl, ...env });
    return { databaseUrl, workspace, folder: await workspace.campaign('ledger', await files()) };
  };

  it('outlives a deploy of another version, whose schema the old one then refuses', { timeout: 300_000 }, async () => {
    const { databaseUrl, workspace, folder } = await open();
    const later = workspace.by(
      await install([
        "alter table jobs add column later text not null default 'yes'",
        'alter table evaluations alter column duration_ms type bigint',
        'create table later (id integer primary key)',
      ]),
    );
    // Drained: what is in flight ends under the old version. The new one comes too early, and touches nothing.
    const first = workspace.start('daemon');
    await first.says(/("settled".*){2}/s);
    const goOn = await say(workspace, 'ledger', 'hang');
    const early = await later.run('daemon');
    expect(early).toMatchObject({ code: 1, stderr: expect.stringMatching(/in use by clade daemon \(pid/) });
    first.signal('SIGTERM');
    await first.says(/finishing the jobs in flight/);
    await goOn();
    expect(await first.ended).toMatchObject({ code: 0, stderr: '' });
    // Interrupted: what is in flight is given back, and the new version does it again.
    const unhang = await say(workspace, 'ledger', 'hang');
    const second = workspace.start('run', folder);
    await second.says(/dashboard/);
    await until(() => status(workspace), hangs);
    second.signal('SIGTERM');
    await second.says(/finishing the jobs in flight/);
    second.signal('SIGTERM');
    expect((await second.ended).code).toBe(130);
    await unhang();

    expectDone(await later.run('run', folder));
    for (const command of [['status'], ['run', folder], ['daemon']]) {
      const refused = await workspace.run(...command);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(new RegExp(`migration ${LATER}, this Clade knows up to .*: upgrade Clade`));
    }
    // This process is of the old version, too.
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    expect((await client.query("select count(*) from jobs where later = 'yes'")).rows).toEqual([
      { count: String(JOBS + 1) },
    ]);
    await client.query('delete from migrations where name = $1', [LATER]);
    await client.query('alter table jobs drop column later');
    await client.end();
    await expectUndisturbed(workspace, databaseUrl);
  });

  it('outlives a database that is away, and one that comes back read-only', { timeout: 300_000 }, async () => {
    const { databaseUrl, workspace, folder } = await open();
    const run = workspace.start('run', folder);
    await run.says(settled(2));
    await disturb(databaseUrl, ['allow_connections false', 'allow_connections true']);
    await run.says(settled(6));
    // What is left of a server after a failover.
    await disturb(databaseUrl, ['set default_transaction_read_only = on', 'reset default_transaction_read_only']);
    expect((await run.ended).code).toBe(0);
    expect(run.output()).toMatch(/trying again/);
    const events = await expectUndisturbed(workspace, databaseUrl);
    expect(events.map(({ kind }) => kind)).not.toContain('campaign.paused');
  });

  it('minds no wall clock that jumps a day ahead and back', { timeout: 300_000 }, async () => {
    const clock = join((await openWorkspace()).dir, 'clock');
    await writeFile(clock, '0');
    const { databaseUrl, workspace, folder } = await open({
      CLOCK_FILE: clock,
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, '../fixtures/clock.mjs'))}`,
      CLADE_LEASE_SECONDS: '3',
    });
    const text = (await files())['campaign.yaml'] ?? '';
    await workspace.campaign('ledger', { 'campaign.yaml': text.replace('budget: {', 'budget: {wall: 1h, ') });
    const run = workspace.start('run', folder);
    for (const [jobs, days] of [
      [2, 1],
      [5, -1],
      [8, 0],
    ] as const) {
      await run.says(settled(jobs));
      await writeFile(clock, String(days * 86_400_000));
    }
    expectDone(await run.ended);
    const { wallMsUsed } = (await status(workspace)).budget;
    expect(wallMsUsed).toBeGreaterThan(0);
    expect(wallMsUsed).toBeLessThan(3_600_000);
    const events = await expectUndisturbed(workspace, databaseUrl);
    const trouble = /^fault$|^campaign\.(paused|recovered|reconciled)$/;
    expect(events.filter(({ kind }) => trouble.test(kind))).toEqual([]);
  });

  itIf('mounts', 'waits while its disk has no byte, and then no file, to spare', 300_000, async () => {
    const { databaseUrl, workspace, folder } = await open();
    await using disk = await mountDisk(join(workspace.dir, '.clade'), { mebibytes: 64, files: 4096 });
    const run = workspace.start('run', folder);
    const faults = async () => {
      const events = await workspace.ask<EventView[]>('log', 'ledger', '--limit', '1000');
      return events.filter(({ kind }) => kind === 'fault').map(({ data }) => JSON.stringify(data));
    };
    for (const [after, what, cause] of [
      [2, 'bytes', /^the disk of .* has less than 4 MiB left/],
      [6, 'files', /^the disk of .* has room for less than 256 files/],
    ] as const) {
      await run.says(settled(after));
      const unhang = await say(workspace, 'ledger', 'hang');
      await until(() => status(workspace), hangs);
      const free = await disk.fill(what);
      const before = (await faults()).length;
      await unhang();
      // What was measured cannot write its result.
      await until(faults, (all) => all.length > before);
      const paused = await until(
        () => status(workspace),
        ({ state }) => state !== 'running',
      );
      expect(paused).toMatchObject({ state: 'paused', cause: expect.stringMatching(cause) });
      await free();
    }
    expect((await run.ended).code).toBe(0);
    await expectUndisturbed(workspace, databaseUrl);
    const other = (await faults()).filter(
      (fault) => !/no space left|no room for a file|nearly full|ENOSPC/.test(fault),
    );
    expect(other).toEqual([]);
  });
});
