import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createAgent, planOf, summarise, type Task } from '../../../src/agent/index.ts';
import { ConfigurationError, InfrastructureError } from '../../../src/errors.ts';
import { findMarked, nameWorkspace } from '../../../src/process/index.ts';
import { installAcpAgent } from '../../fixtures/acp-agent/install.ts';
import { collect, openWorkshop, PACK, PLAIN, type Workshop } from '../workshop.ts';

const EXECUTABLE = installAcpAgent();
/** What this file starts carries this name. */
const WORKSPACE = 'acp-agent-test';
nameWorkspace(WORKSPACE);

interface Options {
  readonly model?: string;
  readonly timeoutMs?: number;
  readonly network?: boolean;
  readonly env?: string[];
}

const agentFor = (behaviour: string, { timeoutMs = 60_000, network = false, model, env = [] }: Options = {}) =>
  createAgent(
    { ...PLAIN, kind: 'acp', command: [EXECUTABLE, behaviour], model: model ?? null, timeoutMs, env, network },
    { directory: '/' },
  );

async function proposalOf(behaviour: string, workshop: Workshop, changes: Partial<Task> = {}, options: Options = {}) {
  const events = await collect(agentFor(behaviour, options), workshop.task(changes));
  expect(findMarked(WORKSPACE)).toEqual([]);
  return summarise(events);
}

const packOf = (workshop: Workshop) => readFileSync(join(workshop.worktree, 'pack.js'), 'utf8');
const rateOf = (workshop: Workshop) => /0\.\d+/.exec(packOf(workshop))?.[0];

describe('a turn', () => {
  it('is told as thoughts, plan, messages and edits; its last message gives title and summary', async () => {
    using workshop = openWorkshop();
    const events = await collect(agentFor('edit'), workshop.task());
    expect(packOf(workshop)).toBe(PACK.replace('0.95', '0.99'));
    expect(events).toEqual([
      { type: 'message', text: 'thought: It cools too fast.' },
      { type: 'message', text: 'plan: look (pending)\nplan: raise the rate (pending)' },
      { type: 'message', text: 'Let me see.' },
      { type: 'edit', path: 'pack.js', description: 'edit: edit pack.js' },
      { type: 'message', text: 'raised the cooling rate\n\nIt cools more slowly now.' },
      {
        type: 'finished',
        title: 'raised the cooling rate',
        summary: 'raised the cooling rate\n\nIt cools more slowly now.',
      },
    ]);
  });

  it('begins with the brief', async () => {
    using workshop = openWorkshop();
    expect((await proposalOf('brief', workshop)).summary).toBe('# Goal\n\nPack tighter.');
  });

  it('of a planner ends with its plan, and edits are refused', async () => {
    using workshop = openWorkshop();
    const events = await collect(agentFor('edit'), workshop.task({ role: 'planner' }));
    expect(planOf(events)).toEqual({ kind: 'plan', text: 'raised the cooling rate\n\nIt cools more slowly now.' });
    expect(packOf(workshop)).toBe(PACK);
    expect(summarise(events).transcript).toContain('not permitted: edit: edit pack.js (a planner changes nothing)');
  });

  it.each(['tokens', 'turns'])('that ran out of %s counts with what is left', async (behaviour) => {
    using workshop = openWorkshop();
    expect((await proposalOf(behaviour, workshop)).outcome).toEqual({ kind: 'finished' });
    expect(rateOf(workshop)).toBe('0.99');
  });

  it('that is refused says why', async () => {
    using workshop = openWorkshop();
    const { outcome } = await proposalOf('refuse', workshop);
    expect(outcome).toEqual({ kind: 'refused', detail: 'agent.mjs refused: I would rather not.' });
  });

  it('is bounded, and its last message is kept', async () => {
    using workshop = openWorkshop();
    const { title, transcript } = await proposalOf('long', workshop);
    expect(title).toBe('the end');
    expect(transcript.length).toBeLessThan(2_100_000);
    expect(transcript).toContain('characters left out');
    expect(transcript).toMatch(/… \d+ more were left out$/);
  });
});

describe('permissions', () => {
  it('go by the edit scope: what lies outside is refused, told and not changed', async () => {
    using workshop = openWorkshop({ 'pack.js': PACK, 'secret.js': PACK });
    writeFileSync(join(workshop.outside, 'outside.js'), PACK);
    const { summary, transcript } = await proposalOf('outside', workshop, { editable: (path) => path === 'pack.js' });
    expect(summary).toBe('answers: no no yes');
    expect(transcript).toContain('not permitted: edit: edit secret.js (outside the edit scope: ');
    expect(readFileSync(join(workshop.worktree, 'secret.js'), 'utf8')).toBe(PACK);
    expect(rateOf(workshop)).toBe('0.97');
  });

  it('for what is no edit go by the sandbox', async () => {
    using workshop = openWorkshop();
    const kinds = (fetch: string, mode: string, removal: string) =>
      `read=yes search=yes execute=yes think=yes fetch=${fetch} other=yes switch_mode=${mode} delete=${removal}`;
    expect((await proposalOf('kinds', workshop)).summary).toBe(kinds('no', 'yes', 'yes'));
    expect((await proposalOf('kinds', workshop, {}, { network: true })).summary).toBe(kinds('yes', 'yes', 'yes'));
    expect((await proposalOf('kinds', workshop, { role: 'planner' })).summary).toBe(kinds('no', 'no', 'no'));
  });

  it('are never for more than was looked at, and never stay open', async () => {
    using workshop = openWorkshop({ 'pack.js': PACK, 'secret.js': PACK });
    const { summary } = await proposalOf('options', workshop, { editable: (path) => path === 'pack.js' });
    expect(summary).toBe('no cancelled cancelled cancelled always');
    expect(packOf(workshop)).toBe(PACK);
  });
});

it('a request that nobody handles is an error, an odd message is passed over', async () => {
  using workshop = openWorkshop();
  const { summary } = await proposalOf('requests', workshop);
  expect(summary).toBe('error -32601, error -32601, error -32601, error -32602');
  const said = vi.spyOn(console, 'error');
  const { outcome, transcript } = await proposalOf('noise', workshop);
  expect(outcome).toEqual({ kind: 'finished' });
  expect(transcript).toContain('a line of a log\n[1,2]');
  expect(said).not.toHaveBeenCalled();
});

describe('the model', () => {
  it.each([
    ['p/large', 'model: p/large'],
    ['Large', 'model: p/large'],
    ['large', 'model: p/large'],
    ['p/small', 'model: p/small'],
  ])('%s is set where the session offers it', async (model, said) => {
    using workshop = openWorkshop();
    const { outcome, summary } = await proposalOf('model', workshop, {}, { model });
    expect(outcome.kind).toBe('finished');
    expect(summary).toBe(said);
  });

  it('that is not among those that are offered is a failure', async () => {
    using workshop = openWorkshop();
    const { outcome } = await proposalOf('model', workshop, {}, { model: 'other' });
    expect(outcome).toEqual({ kind: 'crash', detail: 'agent.mjs offers no model other, only p/small, p/large' });
  });
});

describe('an agent that misbehaves has failed, and says how', () => {
  it.each([
    ['exit', 'agent.mjs ended before it answered initialize (exit code 3)'],
    ['dies', 'agent.mjs ended before it answered session/prompt (exit code 7): out of luck'],
    ['version', 'agent.mjs speaks version 7 of the protocol, and not 1'],
    ['auth', 'agent.mjs asks for authentication: Authentication required (session/new)'],
    ['malformed', expect.stringContaining('agent.mjs answered with error -32600')],
    ['shapeless', 'agent.mjs gave an answer of another form (initialize)'],
    ['nameless', 'agent.mjs gave an answer of another form (session/new)'],
    ['fails', 'agent.mjs answered with error -32603: the model is away {"status":503} (session/prompt)'],
    ['cancels', 'agent.mjs cancelled its turn, which nobody asked for'],
    ['garbage', 'agent.mjs printed more than 16777216 bytes that are no messages'],
    ['line', 'agent.mjs printed a line of more than 33554432 bytes'],
    ['updates', 'agent.mjs printed more than 268435456 bytes'],
    ['asks', expect.stringContaining('questions without taking the answers')],
  ])('%s', async (behaviour, detail) => {
    using workshop = openWorkshop();
    const before = process.memoryUsage().rss;
    const { outcome } = await proposalOf(behaviour, workshop);
    expect(outcome).toEqual({ kind: 'crash', detail });
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
  });
});

describe.each(['off', 'prefer'] as const)('an agent that does not end, sandbox %s', (sandbox) => {
  it('is ended after its answer, and has finished', async () => {
    using workshop = openWorkshop();
    const { outcome } = await proposalOf('stays', workshop, { sandbox });
    expect(outcome).toEqual({ kind: 'finished' });
  });

  it.each(['silent', 'hang'])('but is %s has a deadline', async (behaviour) => {
    using workshop = openWorkshop();
    const { outcome } = await proposalOf(behaviour, workshop, { sandbox }, { timeoutMs: 1_500 });
    expect(outcome).toMatchObject({ kind: 'timeout', detail: expect.stringContaining('was ended after 1500 ms') });
  });

  it('is ended with everything it started when the job is interrupted', async () => {
    using workshop = openWorkshop();
    const abort = new AbortController();
    const reason = new Error('stop');
    const ended = expect(collect(agentFor('hang'), workshop.task({ sandbox }), abort.signal)).rejects.toBe(reason);
    while (rateOf(workshop) !== '0.5') await sleep(10);
    abort.abort(reason);
    await ended;
    expect(findMarked(WORKSPACE)).toEqual([]);
  });

  it('is asked to cancel first, and gets no permission any more', async () => {
    using workshop = openWorkshop();
    const abort = new AbortController();
    const running = collect(agentFor('cancel'), workshop.task({ sandbox }), abort.signal);
    const ended = expect(running).rejects.toThrow();
    while (rateOf(workshop) !== '0.5') await sleep(10);
    abort.abort();
    await ended;
    expect(readFileSync(join(workshop.worktree, 'cancelled.txt'), 'utf8')).toBe('cancelled');
  });
});

it('is infrastructure when the command does not exist, and configuration when there is none', async () => {
  using workshop = openWorkshop();
  const config = { ...PLAIN, kind: 'acp', timeoutMs: 60_000, env: [], network: false } as const;
  const missing = createAgent({ ...config, command: ['no-such-agent'] }, { directory: '/' });
  await expect(collect(missing, workshop.task())).rejects.toThrow(InfrastructureError);
  expect(() => createAgent({ ...config, command: [] }, { directory: '/' })).toThrow(ConfigurationError);
});

it('keeps no key that was said', async () => {
  using workshop = openWorkshop();
  vi.stubEnv('CLADE_TEST_KEY', 'Pack tighter');
  const events = await collect(agentFor('brief', { env: ['CLADE_TEST_KEY'] }), workshop.task());
  vi.unstubAllEnvs();
  expect(JSON.stringify(events)).not.toContain('Pack tighter');
});

describe('a preset tells its agent of the model server', () => {
  const models = {
    client: () => ({ baseURL: '', fetch }),
    socket: '/nowhere',
    pathOf: () => '/secret/p',
    deadline: new AbortController().signal,
    blame: () => {},
    fault: () => null,
  };
  const BASE = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/secret\/p$/);
  const config = (name: string) => (env: Record<string, string>) => JSON.parse(env[name] ?? '');
  const options = { baseURL: BASE };

  it.each([
    [
      'codex',
      [],
      config('CODEX_CONFIG'),
      { model: 'm', model_provider: 'clade', model_providers: { clade: { base_url: BASE } } },
    ],
    [
      'opencode',
      ['acp'],
      config('OPENCODE_CONFIG_CONTENT'),
      { model: 'clade/m', provider: { clade: { options } }, permission: { edit: 'ask' } },
    ],
    [
      'kilo',
      ['acp'],
      config('KILO_CONFIG_CONTENT'),
      { model: 'clade/m', provider: { clade: { options } }, permission: { edit: 'ask' } },
    ],
    [
      'gemini',
      ['--acp', '--skip-trust', '-m', 'm'],
      (env: Record<string, string>) => env,
      { GOOGLE_GEMINI_BASE_URL: BASE },
    ],
  ] as const)('%s', async (preset, argv, read, wanted) => {
    using workshop = openWorkshop();
    const command = [EXECUTABLE, 'called'];
    const kind = { kind: 'acp', provider: 'p', timeoutMs: 60_000, env: [], network: false } as const;
    const agent = createAgent({ ...kind, preset, command, model: 'm' }, { directory: '/' });
    const events = await collect(agent, workshop.task({ models }));
    const said = events.findLast((event) => event.type === 'message');
    const called = JSON.parse(said?.type === 'message' ? said.text : '');
    expect(called.argv).toEqual(argv);
    expect(read(called.env)).toMatchObject(wanted);
  });
});
