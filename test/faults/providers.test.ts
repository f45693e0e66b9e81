/** Faults 18: one campaign in which every job meets another trouble of a provider or a model. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { CampaignStatus, JobView } from '../../src/daemon/index.ts';
import { goodModel, modelCampaign } from '../fixtures/model-server/campaign.ts';
import { providerCases } from '../fixtures/model-server/cases.ts';
import { type Seen, startModelServer } from '../fixtures/model-server/server.ts';
import type { Step } from '../fixtures/model-server/steps.ts';
import { expectDone, type Workspace, workspaces } from '../support/workspace.ts';

const KEY = 'sk-not-to-be-seen';
const openWorkspace = workspaces();

test('faults 18: each job has the outcome that it should, and none is lost', { timeout: 300_000 }, async () => {
  await using other = await startModelServer([{ kind: 'status', status: 500 }]);
  const cases = providerCases(`${other.baseUrl}/chat/completions`);
  const good = goodModel();
  // One job at a time: what was not answered yet is the present job's, and a new conversation after that is the next one's.
  let at = -1;
  let left: (typeof cases)[number]['answers'] = [];
  let settled = true;
  const script = (seen: Seen): Step => {
    if (settled) {
      at += 1;
      left = cases[at]?.answers ?? [];
      settled = false;
    }
    const [next, ...rest] = left;
    left = rest;
    const answer = next === undefined ? good(seen) : typeof next === 'function' ? next() : next;
    settled = next === undefined ? good.finished : rest.length === 0 && cases[at]?.fate !== undefined;
    return answer;
  };
  await using server = await startModelServer(script);
  const workspace = await openWorkspace({ FAKE_KEY: KEY });
  const agents =
    'concurrency: 1, coder: {kind: openai, provider: fake, model: m, output_tokens: 100, turns: 6, timeout: 3s}';
  const folder = await modelCampaign(workspace, server, { agents, size: 1, jobs: cases.length });
  const ended = await workspace.run('run', folder);
  const jobs = await workspace.ask<JobView[]>('jobs', 'pack');
  expectDone(ended);

  const fates = cases.map(({ name, fate = { outcome: 'candidate' } }, index) => {
    const job = jobs.find(({ ordinal }) => ordinal === index + 1);
    return { name, ...Object.fromEntries(Object.keys(fate).map((key) => [key, job?.[key as keyof JobView]])) };
  });
  expect(fates).toEqual(cases.map(({ name, fate = { outcome: 'candidate' } }) => ({ name, ...fate })));
  const status = await workspace.ask<CampaignStatus>('status', 'pack');
  expect(status).toMatchObject({ state: 'finished', budget: { settled: cases.length } });
  expect(other.seen).toEqual([]);
  expect(server.seen.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  expect(server.seen.flatMap(sameIds)).toEqual([]);
  await expectNoKey(workspace, ended.stdout + ended.stderr);
});

/** Ids of results that a request gives twice, or not at all. */
function sameIds({ body }: Seen): string[] {
  const messages = body.messages as { role: string; tool_call_id?: string; tool_calls?: { id: string }[] }[];
  return messages.flatMap(({ tool_calls: calls = [] }) => {
    const ids = calls.map(({ id }) => id);
    return ids.filter((id, index) => id === '' || ids.indexOf(id) !== index);
  });
}

/** Neither in what was printed nor in any file: database, recordings, events, logs. */
async function expectNoKey(workspace: Workspace, printed: string): Promise<void> {
  expect(printed).not.toContain(KEY);
  const clade = join(workspace.dir, '.clade');
  const found = await promisify(execFile)('grep', ['-rlF', KEY, clade]).catch(({ code, stdout }) => ({ code, stdout }));
  expect(found).toEqual({ code: 1, stdout: '' });
  const calls = join(clade, 'calls/pack');
  for (const name of await readdir(calls)) {
    expect(gunzipSync(await readFile(join(calls, name))).includes(KEY)).toBe(false);
  }
}
