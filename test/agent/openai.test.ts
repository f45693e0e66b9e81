import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAgent, type ModelAccess, planOf, summarise } from '../../src/agent/index.ts';
import type { OpenaiConfig } from '../../src/config/index.ts';
import { type CallRecord, clientOf, createGateway } from '../../src/gateway/index.ts';
import { type Script, startModelServer } from '../fixtures/model-server/server.ts';
import type { ToolCall } from '../fixtures/model-server/steps.ts';
import { collect, openWorkshop, PACK } from './workshop.ts';

const NEVER = new AbortController().signal;

const CONFIG: OpenaiConfig = {
  ...{ kind: 'openai', provider: 'p', model: 'm', api: 'chat', format: 'tools', turns: 12 },
  ...{ outputTokens: 1_000, contextTokens: 100_000, temperature: null, reasoning: null, timeoutMs: 60_000 },
};

async function setup(script: Script) {
  const server = await startModelServer(script);
  const calls: CallRecord[] = [];
  const gateway = createGateway({
    providers: [{ name: 'p', baseUrl: server.baseUrl, apiKeyEnv: null, prices: {}, concurrency: 8 }],
    environment: {},
    onCall: async (call) => void calls.push(call),
    patience: { attempts: 2, backoffMs: 5, answerMs: 2_000, silenceMs: 2_000 },
  });
  const ticket = gateway.issue({ campaignId: 1, ordinal: 1, role: 'coder', budgets: [], deadline: NEVER });
  const models: ModelAccess = {
    client: (provider) => clientOf(gateway, ticket, provider),
    socket: '/nowhere',
    pathOf: () => '',
    deadline: NEVER,
    blame(provider, message) {
      ticket.fault ??= { kind: 'unreachable', provider, message };
    },
    fault: () => ticket.fault,
  };
  return { server, calls, models, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const call = (name: string, input: unknown): ToolCall => ({ name, input });
const use = (...tools: ToolCall[]) => ({ kind: 'answer', text: null, tools }) as const;
const DONE = use(call('finish', { title: 'Cool faster', summary: 'Fewer steps.' }));
const REPLACE = call('replace', { path: 'pack.js', old: '0.95', new: '0.9' });

const REPLACE_AND_DONE = use(REPLACE, call('finish', { title: 'Cool faster', summary: '' }));

async function propose(script: Script, changes: Partial<OpenaiConfig> = {}, files?: Record<string, string>) {
  await using set = await setup(script);
  using workshop = openWorkshop(files);
  const agent = createAgent({ ...CONFIG, ...changes }, { directory: '/' });
  const events = await collect(agent, workshop.task({ models: set.models }));
  const text = readFileSync(join(workshop.worktree, 'pack.js'), 'utf8');
  return { proposal: summarise(events), events, text, seen: set.server.seen, calls: set.calls };
}

/** What the model was told by its last request, as text. */
const lastTold = (seen: readonly { body: object }[]): string => JSON.stringify(seen.at(-1)?.body);

describe.each(['chat', 'responses'] as const)('the built-in agent by %s', (api) => {
  it('looks, edits and finishes by tools', async () => {
    const script = [
      use(call('list_files', {}), call('search', { pattern: 'temperature' })),
      use(call('read_file', { path: 'pack.js' })),
      use(REPLACE),
      DONE,
    ];
    const { proposal, text, seen, calls } = await propose(script, { api });
    expect(text).toBe(PACK.replace('0.95', '0.9'));
    expect(proposal).toMatchObject({ title: 'Cool faster', summary: 'Fewer steps.', outcome: { kind: 'finished' } });
    expect(seen).toHaveLength(4);
    expect(lastTold(seen)).toContain('replaced in pack.js');
    expect(lastTold(seen)).toContain('pack.js:2');
    expect(calls.every(({ usage }) => usage?.inputTokens === 1000)).toBe(true);
  });

  it('is told of broken calls and goes on', async () => {
    const script = [
      use(call('replace', '{"path": "pack.js", "old'), call('fly', {}), call('read_file', { file: 1 })),
      use(call('replace', { path: '../x', old: 'a', new: 'b' }), call('write_file', { path: '.git/config', text: '' })),
      use(call('replace', { path: 'pack.js', old: 'best', new: 'b' })),
      use(REPLACE),
      DONE,
    ];
    const { text, seen } = await propose(script, { api });
    expect(text).toContain('0.9;');
    for (const told of [
      'the arguments of replace are not JSON',
      'there is no tool fly',
      'outside the repository',
      '.git is not yours',
      'more than once',
    ]) {
      expect(lastTold(seen)).toContain(told);
    }
  });

  it('reports a refusal', async () => {
    const { proposal } = await propose([{ kind: 'answer', refusal: 'I will not.' }], { api });
    expect(proposal.outcome).toEqual({ kind: 'refused', detail: 'I will not.' });
  });

  it('answers every call by an id of its own, however they were numbered', async () => {
    const list = call('list_files', {});
    const script = [use({ ...list, id: 'same' }, { ...list, id: 'same' }, { ...list, id: '' }), REPLACE_AND_DONE];
    const { seen } = await propose(script, { api });
    const ids = [...lastTold(seen).matchAll(/"(?:tool_)?call_id":"([^"]*)"/g)].map(([, id]) => id);
    // The Responses interface says the id of a call and of its result by the same key.
    expect(ids).toHaveLength(api === 'chat' ? 3 : 6);
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain('');
  });

  it('says that an answer was held back, and asks again for one without an end', async () => {
    const { proposal } = await propose([{ kind: 'answer', text: 'x', finish: 'content_filter' }], { api });
    expect(proposal.outcome).toMatchObject({ kind: 'refused', detail: expect.stringContaining('filter') });
    const endless = { kind: 'answer', text: 'x'.repeat(2 ** 21) } as const;
    const { seen, text } = await propose((_seen, index) => [endless, use(REPLACE)][index] ?? DONE, { api });
    expect(seen).toHaveLength(3);
    expect(lastTold(seen)).not.toContain('xxxx');
    expect(text).toContain('0.9;');
  });

  it('asks again for an answer that broke off', async () => {
    const broken = { ...use(REPLACE), breakAt: 1 };
    const { text, seen } = await propose((_seen, index) => [broken, use(REPLACE)][index] ?? DONE, { api });
    expect(text).toContain('0.9;');
    expect(seen).toHaveLength(3);
  });
});

describe('the built-in agent', () => {
  it('gives up a model that only talks, or says nothing', async () => {
    for (const step of [
      { kind: 'answer', text: 'Well …' },
      { kind: 'answer', text: null },
      { kind: 'empty' },
    ] as const) {
      const { seen, text } = await propose([step]);
      expect(seen).toHaveLength(3);
      expect(text).toBe(PACK);
    }
  });

  it('ends after its turns', async () => {
    const { seen, proposal } = await propose([use(call('list_files', {}))], { turns: 5 });
    expect(seen).toHaveLength(5);
    expect(proposal.summary).toContain('5 turns');
  });

  it('is ended by its deadline', async () => {
    const { proposal } = await propose([{ kind: 'silent' }], { timeoutMs: 300 });
    expect(proposal.outcome.kind).toBe('timeout');
  });

  it('fails when the provider refuses, and says why', async () => {
    const { proposal } = await propose([{ kind: 'status', status: 401, error: { message: 'bad key' } }]);
    expect(proposal.outcome).toMatchObject({ kind: 'crash', detail: expect.stringContaining('bad key') });
  });

  it('runs commands in the sandbox, and applies patches', async () => {
    const patch = '--- a/pack.js\n+++ b/pack.js\n@@ -2,1 +2,1 @@\n-  let temperature = 1.5;\n+  let temperature = 2;\n';
    const script = [
      use(call('run_command', { command: 'echo $((6 * 7)); exit 3' })),
      use(call('apply_patch', { patch })),
      DONE,
    ];
    const { text, seen } = await propose(script);
    expect(text).toContain('let temperature = 2;');
    expect(lastTold(seen)).toContain('exit code 3\\n42');
  });

  it('cuts what it said long ago to stay within the context', async () => {
    const read = use(call('read_file', { path: 'pack.js' }));
    const script: Script = (_seen, index) => (index < 10 ? read : DONE);
    const { seen } = await propose(script, { contextTokens: 3_600 }, { 'pack.js': PACK.repeat(4) });
    expect(lastTold(seen)).toContain('left out to save room');
    expect(lastTold(seen)).toContain('Pack tighter.');
    expect(lastTold(seen).length).toBeLessThan(40_000);
  });
});

describe('a model without tools', () => {
  const diff =
    'Cool faster\n\n```diff\n--- a/pack.js\n+++ b/pack.js\n@@ -5,1 +5,1 @@\n-    temperature *= 0.95;\n+    temperature *= 0.9;\n```\n';
  it('edits by a diff, after it was told that its first one does not apply', async () => {
    const wrong = diff.replace('0.95', '0.85');
    const script: Script = (_seen, index) => ({ kind: 'answer', text: index === 0 ? wrong : diff });
    const { text, proposal, seen } = await propose(script, { format: 'diff' });
    expect(text).toContain('0.9;');
    expect(proposal.title).toBe('Cool faster');
    expect(lastTold(seen)).toContain('does not apply to pack.js');
    expect(seen[0]?.body.tools).toBeUndefined();
  });

  it.each(['```js pack.js', '**pack.js**\n```js', '```pack.js'])(
    'edits by whole files, named as in %j',
    async (head) => {
      const answer = `Start anew\n\n${head}\nexport const pack = 1;\n\`\`\`\n`;
      const { text, proposal } = await propose([{ kind: 'answer', text: answer }], { format: 'whole' });
      expect(text).toBe('export const pack = 1;\n');
      expect(proposal.title).toBe('Start anew');
    },
  );

  it('is not taken at half of its word: a file that was cut off is not written', async () => {
    const half = { kind: 'answer', text: 'Start anew\n\n```pack.js\nexport const pa', finish: 'length' } as const;
    const { text, seen, proposal } = await propose([half], { format: 'whole' });
    expect(text).toBe(PACK);
    expect(lastTold(seen)).toContain('cut off');
    expect(proposal.outcome.kind).toBe('nothing');
  });

  it('is given up when nothing that it says can be applied', async () => {
    const { proposal, seen } = await propose([{ kind: 'answer', text: 'I cannot.' }], { format: 'whole' });
    expect(proposal.outcome.kind).toBe('nothing');
    expect(seen).toHaveLength(3);
  });
});

describe('the built-in agent as a planner', () => {
  const PLAN = 'Cool faster in pack.js.';

  async function plan(script: Script, changes: Partial<OpenaiConfig> = {}) {
    await using set = await setup(script);
    using workshop = openWorkshop();
    const agent = createAgent({ ...CONFIG, ...changes }, { directory: '/' });
    const events = await collect(agent, workshop.task({ models: set.models, role: 'planner' }));
    const text = readFileSync(join(workshop.worktree, 'pack.js'), 'utf8');
    return { plan: planOf(events), text, seen: set.server.seen };
  }

  it('is given nothing to edit with, and ends with the plan', async () => {
    const script = [
      use(call('read_file', { path: 'pack.js' }), REPLACE, call('run_command', { command: 'ls' })),
      use(call('finish', { title: 'Cool faster' })),
      use(call('finish', { title: 'Cool faster', summary: PLAN })),
    ];
    const made = await plan(script);
    expect(made).toMatchObject({ plan: { kind: 'plan', text: PLAN }, text: PACK });
    expect(JSON.stringify(made.seen[0]?.body.tools)).not.toMatch(/replace|write|delete|patch/);
    expect(lastTold(made.seen)).toContain('there is no tool replace');
    expect(JSON.stringify(made.seen[0]?.body)).not.toContain('Make one');
  });

  it('may answer with the plan in words', async () => {
    expect((await plan([{ kind: 'answer', text: PLAN }])).plan).toEqual({ kind: 'plan', text: PLAN });
    const made = await plan([{ kind: 'answer', text: PLAN }], { format: 'whole' });
    expect(made).toMatchObject({ plan: { kind: 'plan', text: PLAN }, text: PACK });
    expect(JSON.stringify(made.seen[0]?.body)).not.toContain('fenced block');
  });

  it('has no plan when its turns are over', async () => {
    const made = await plan([use(call('list_files', {}))], { turns: 3 });
    expect(made.plan).toEqual({ kind: 'none', why: expect.stringContaining('3 turns were used') });
  });
});
