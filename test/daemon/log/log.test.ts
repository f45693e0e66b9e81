import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../src/daemon/index.ts';
import { jobLogFile, jobLogs, readJobLog } from '../../../src/daemon/log/index.ts';
import { openStore } from '../../../src/store/index.ts';
import { temporary } from '../../pipeline/fixture.ts';
import { campaignIn, eventually, hostOn } from '../fixture.ts';

type Line = Readonly<Record<string, unknown>>;

/** A log that is kept as it was written. */
function kept(level: 'debug' | 'info', environment: NodeJS.ProcessEnv = {}) {
  const lines: Line[] = [];
  return { lines, log: createLog(level, (line) => lines.push(JSON.parse(line)), {}, environment) };
}

/** Job 2 waits for `go`. */
const agent = (folder: string) => `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
job=\${job#job-}
if test "$job" = 2; then touch "${folder}/begun"; while ! test -e "${folder}/go"; do sleep 0.05; done; fi
echo "$job" > value.txt
`;

async function open() {
  const workspace = await temporary();
  const store = await openStore({ workspace, label: 'a test' });
  onTestFinished(() => store.close());
  return { workspace, store };
}

test('what is done for a job is told with its campaign, stage and attempt, also in a file of its own that goes on after an interruption', async () => {
  const { workspace, store } = await open();
  const campaign = await campaignIn(workspace, { agent: agent(workspace), jobs: 2 });
  const first = kept('info');
  const one = await hostOn(store, workspace, 'end', first.log);
  const run = one.host.run(campaign);
  await eventually(() => existsSync(join(workspace, 'begun')));
  one.host.interrupt();
  await run;
  await writeFile(join(workspace, 'go'), '');
  const second = kept('info');
  const { host } = await hostOn(store, workspace, 'end', second.log);
  expect(await host.run(campaign)).toMatchObject({ kind: 'finished' });

  const { file, text } = await host.api.jobLog('counting', 2);
  expect(file).toBe(join(workspace, '.clade/logs/counting/2.ndjson'));
  const lines = (text ?? '')
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line));
  expect(lines.map(({ stage, attempt, msg }) => [stage, attempt, msg])).toEqual([
    ['generate', 1, 'claimed'],
    ['generate', 1, 'came to no end'],
    ['generate', 2, 'claimed'],
    ['generate', 2, 'generated'],
    ['evaluate', 1, 'claimed'],
    ['evaluate', 1, 'step ended'],
    ['evaluate', 1, 'measured'],
    ['trial', 1, 'claimed'],
    ['trial', 1, 'measured again'],
    [undefined, undefined, 'settled'],
  ]);
  expect(lines[1]).toMatchObject({ level: 50, interrupted: true, err: { stack: expect.any(String) } });
  expect(lines[3]).toMatchObject({ kind: 'candidate', commit: expect.stringMatching(/^[0-9a-f]{40}$/), files: 1 });
  expect(lines[6]).toMatchObject({ status: 'valid', objectives: { speed: 2 } });
  expect(lines.at(-1)).toMatchObject({ outcome: 'candidate' });
  const own = [...first.lines, ...second.lines].filter(({ job }) => job === 2);
  expect(own.map(({ msg }) => msg)).toEqual(lines.map(({ msg }) => msg));
  expect(new Set(own.map(({ campaign }) => campaign))).toEqual(new Set(['counting']));
  expect(second.lines.every(({ msg }) => msg !== 'child ended')).toBe(true);
  expect(await readJobLog(workspace, 'counting', 77)).toMatchObject({ text: null });
});

test('at debug the children of a job are told with it', async () => {
  const { workspace, store } = await open();
  const campaign = await campaignIn(workspace, { jobs: 1 });
  const { lines, log } = kept('debug');
  const { host } = await hostOn(store, workspace, 'end', log);
  await host.run(campaign);
  const children = lines.filter(({ msg }) => msg === 'child ended');
  const of = (job: number, stage: string) => children.filter((line) => line.job === job && line.stage === stage);
  expect(of(1, 'generate').some(({ argv }) => (argv as string[]).includes('write-tree'))).toBe(true);
  expect(of(1, 'evaluate').some(({ code, durationMs }) => code === 0 && typeof durationMs === 'number')).toBe(true);
  expect(await readFile(jobLogFile(workspace, 'counting', 1), 'utf8')).toContain('"msg":"child ended"');
});

test('secrets of the environment are in no line', () => {
  const { lines, log } = kept('info', { PROVIDER_API_KEY: 'k-0123456789', HOME: '/home/someone-else' });
  log.child({ campaign: 'c' }).error({ err: new Error('401 for k-0123456789 of /home/someone-else') }, 'failed');
  expect(JSON.stringify(lines)).not.toContain('k-0123456789');
  expect(JSON.stringify(lines)).toContain('/home/someone-else');
});

test('the file of a job is bounded, and one that cannot be written ends nothing', async () => {
  const workspace = await temporary();
  const { lines, log } = kept('info');
  const logs = jobLogs(log, workspace, 'c');
  const own = logs.of(1);
  for (let line = 0; line < 1200; line += 1) own.info({ text: 'x'.repeat(1000) }, 'a line');
  const { text } = await readJobLog(workspace, 'c', 1);
  expect(text?.length).toBeLessThanOrEqual(1024 * 1024);
  expect(text?.length).toBeGreaterThan(1000 * 1000);
  expect(lines).toHaveLength(1200);
  await writeFile(join(workspace, '.clade/logs/c/2.ndjson'), '');
  await writeFile(join(workspace, '.clade/logs/file'), 'in the way of a folder');
  jobLogs(log, workspace, 'file').of(1).info({}, 'still told');
  expect(lines.at(-1)).toMatchObject({ msg: 'still told' });
});
