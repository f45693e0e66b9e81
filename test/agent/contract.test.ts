import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Agent, createAgent, summarise } from '../../src/agent/index.ts';
import { installAcpAgent } from '../fixtures/acp-agent/install.ts';
import { aProposal, recordingOf, written } from './replay/sample.ts';
import { collect, openWorkshop, PACK, PLAIN, processesNaming } from './workshop.ts';

const directory = resolve(import.meta.dirname, '../fixtures/agents');
const command = (script: string, timeoutMs = 60_000): Agent =>
  createAgent({ ...PLAIN, kind: 'command', command: [script], timeoutMs, env: [], network: false }, { directory });
const mutate = createAgent({ kind: 'mutate', timeoutMs: 60_000, edits: { min: 1, max: 3 } }, { directory });
const replay = createAgent(
  {
    kind: 'replay',
    from: recordingOf([aProposal({ files: [written('pack.js', PACK, `${PACK}// tighter\n`)] })]),
    timeoutMs: 60_000,
  },
  { directory },
);
const acp = createAgent(
  {
    ...PLAIN,
    ...{ kind: 'acp', command: [installAcpAgent(), 'edit'], timeoutMs: 60_000, env: [], network: false },
  },
  { directory },
);

const cases = [
  { name: 'mutate', agent: mutate, sandbox: 'off' },
  { name: 'replay', agent: replay, sandbox: 'off' },
  { name: 'command without a sandbox', agent: command('./edit.sh'), sandbox: 'off' },
  { name: 'command in what sandbox there is', agent: command('./edit.sh'), sandbox: 'prefer' },
  { name: 'acp without a sandbox', agent: acp, sandbox: 'off' },
  { name: 'acp in what sandbox there is', agent: acp, sandbox: 'prefer' },
] as const;

describe.each(cases)('the contract of an agent: $name', ({ agent, sandbox }) => {
  it('reports, ends with its last word, and leaves a difference in the worktree', async () => {
    using workshop = openWorkshop();
    const events = await collect(agent, workshop.task({ sandbox }));
    expect(events.at(-1)?.type).toBe('finished');
    expect(events.filter(({ type }) => type === 'finished' || type === 'failed')).toHaveLength(1);
    expect(readFileSync(join(workshop.worktree, 'pack.js'), 'utf8')).not.toBe(PACK);
    const proposal = summarise(events);
    expect(proposal.outcome).toEqual({ kind: 'finished' });
    expect(proposal.title).not.toBe('');
    expect(proposal.transcript).not.toBe('');
  });

  it('changes nothing outside the worktree and its scratch folder', async () => {
    using workshop = openWorkshop();
    writeFileSync(join(workshop.outside, 'precious.js'), PACK);
    await collect(agent, workshop.task({ sandbox }));
    expect(readdirSync(workshop.outside).sort()).toEqual(['precious.js', 'scratch', 'worktree']);
    expect(readFileSync(join(workshop.outside, 'precious.js'), 'utf8')).toBe(PACK);
  });

  it('throws the reason when it is aborted before it starts, and touches nothing', async () => {
    using workshop = openWorkshop();
    const reason = new Error('stop');
    await expect(collect(agent, workshop.task({ sandbox }), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(readFileSync(join(workshop.worktree, 'pack.js'), 'utf8')).toBe(PACK);
  });

  it('works on several tasks at once', async () => {
    using one = openWorkshop();
    using two = openWorkshop();
    const all = await Promise.all([one, two].map((workshop) => collect(agent, workshop.task({ sandbox }))));
    expect(all[0]).toEqual(all[1]);
  });
});

describe.each(['off', 'prefer'] as const)('an agent that hangs, sandbox %s', (sandbox) => {
  it('is ended when aborted, with everything it started', async () => {
    using workshop = openWorkshop();
    const home = join(workshop.outside, 'scratch/home');
    const abort = new AbortController();
    const reason = new Error('stop');
    const running = collect(command('./hang.sh'), workshop.task({ sandbox }), abort.signal);
    const ended = expect(running).rejects.toBe(reason);
    while (processesNaming(home).length < 2) await sleep(10);
    abort.abort(reason);
    await ended;
    expect(processesNaming(home)).toEqual([]);
  });

  it('fails with a timeout, leaves nothing running and its edits in place', async () => {
    using workshop = openWorkshop();
    const events = await collect(command('./hang.sh', 1_000), workshop.task({ sandbox }));
    expect(events.at(-1)).toMatchObject({ type: 'failed', kind: 'timeout' });
    expect(processesNaming(join(workshop.outside, 'scratch/home'))).toEqual([]);
    expect(readFileSync(join(workshop.worktree, 'pack.js'), 'utf8')).toContain('// half done');
  });
});

it('mutate is stopped by a signal in the middle of its search', async () => {
  using workshop = openWorkshop();
  const abort = new AbortController();
  const reason = new Error('stop');
  let asked = 0;
  const seen = async () => {
    asked += 1;
    if (asked === 3) abort.abort(reason);
    return asked < 3;
  };
  await expect(collect(mutate, workshop.task({ seen }), abort.signal)).rejects.toBe(reason);
  expect(readFileSync(join(workshop.worktree, 'pack.js'), 'utf8')).toBe(PACK);
});

it('a script of the campaign folder is meant, not one of the same name in the worktree', async () => {
  using workshop = openWorkshop({ 'pack.js': PACK, 'own.sh': '#!/bin/sh\necho "// trapped" >> pack.js\n' });
  const campaign = mkdtempSync(join(tmpdir(), 'clade-campaign-'));
  writeFileSync(join(campaign, 'own.sh'), '#!/bin/sh\necho "// mine" >> pack.js\n', { mode: 0o755 });
  const config = {
    ...PLAIN,
    kind: 'command',
    command: ['./own.sh'],
    timeoutMs: 60_000,
    env: [],
    network: false,
  } as const;
  await collect(createAgent(config, { directory: campaign }), workshop.task());
  expect(readFileSync(join(workshop.worktree, 'pack.js'), 'utf8')).toBe(`${PACK}// mine\n`);
  rmSync(campaign, { recursive: true });
});
