import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Campaign } from '../../src/config/index.ts';
import { type CladeApi, type Host, type RunEnd, watchCampaigns } from '../../src/daemon/index.ts';
import { ConflictError } from '../../src/errors.ts';
import { campaignIn, temporary, writeFiles } from '../pipeline/fixture.ts';
import { eventually } from './fixture.ts';

/** A host that only remembers; a campaign named `bad` cannot be run. */
function fakeHost(resting: readonly string[] = []) {
  const asked: string[] = [];
  const serve = async (verb: string, { name }: Campaign): Promise<RunEnd> => {
    asked.push(`${verb} ${name}`);
    if (name === 'bad') throw new ConflictError('it is frozen', { hint: 'give it a new name' });
    return { kind: 'drained' };
  };
  const campaigns = async () => resting.map((name) => ({ name, state: 'finished' }));
  const host: Host = {
    api: { campaigns } as Partial<CladeApi> as CladeApi,
    run: (campaign) => serve('run', campaign),
    hold: (campaign) => serve('hold', campaign),
    closing: false,
    drain: () => undefined,
    interrupt: () => undefined,
  };
  return { host, asked };
}

async function watching(workspace: string, host: Host) {
  const stop = new AbortController();
  const said: string[] = [];
  const loaded = new Map<string, Campaign>();
  const done = watchCampaigns(
    {
      host,
      folder: join(workspace, 'campaigns'),
      log: { info: (text) => said.push(text), error: (text) => said.push(`error: ${text}`) },
      async load(path) {
        if (path.includes('unloadable')) throw new TypeError('nobody foresaw this');
        const name = path.split('/').at(-2) ?? '';
        const campaign = loaded.get(name) ?? (await campaignIn(await temporary(), { name }));
        loaded.set(name, campaign);
        return campaign;
      },
    },
    stop.signal,
  );
  const end = async (): Promise<void> => {
    stop.abort();
    await done;
  };
  return { said, end };
}

test('campaigns that are there are run, those that rest are held, and a change of a file runs it again', async () => {
  const workspace = await temporary();
  await writeFiles(join(workspace, 'campaigns'), {
    'one/campaign.yaml': 'a',
    'two/campaign.yaml': 'a',
    'x/notes.md': '',
  });
  const { host, asked } = fakeHost(['two']);
  const { said, end } = await watching(workspace, host);
  await eventually(() => asked.length === 2);
  expect(asked.toSorted()).toEqual(['hold two', 'run one']);
  expect(said).toContain('two rests; "clade resume two" wakes it');
  await writeFile(join(workspace, 'campaigns/two/campaign.yaml'), 'b');
  await eventually(() => asked.includes('run two'));
  await end();
});

test('a campaign that appears is run, and what goes wrong with one is logged and stops nothing', async () => {
  const workspace = await temporary();
  await mkdir(join(workspace, 'campaigns'));
  const { host, asked } = fakeHost();
  const { said, end } = await watching(workspace, host);
  for (const name of ['bad', 'unloadable', 'good']) {
    await writeFiles(join(workspace, 'campaigns', name), { 'campaign.yaml': 'a', 'target/campaign.yaml': 'not one' });
  }
  await eventually(
    () =>
      asked.includes('run good') && asked.includes('run bad') && said.some((line) => line.includes('nobody foresaw')),
  );
  expect(said.find((line) => line.includes('it is frozen'))).toContain('(give it a new name)');
  expect(asked).toHaveLength(2);
  await end();
});

test('a workspace without campaigns is watched until there are some', async () => {
  const workspace = await temporary();
  const { host, asked } = fakeHost();
  const { end } = await watching(workspace, host);
  await writeFiles(join(workspace, 'campaigns/first'), { 'campaign.yaml': 'a' });
  await eventually(() => asked.includes('run first'));
  await end();
});
