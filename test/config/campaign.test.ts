import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import {
  type Campaign,
  changedKeys,
  firstCoder,
  frozenPart,
  livePart,
  parseCampaign,
  toWritten,
} from '../../src/config/index.ts';
import { yamlWith } from './file.ts';

function campaignOf(text: string, file = '/ws/campaigns/demo/campaign.yaml'): Campaign {
  const { campaign, errors } = parseCampaign(text, file);
  if (campaign === null) throw new Error(errors.map(({ message }) => message).join('\n'));
  return campaign;
}

describe('the defaults', () => {
  it('are those of the design', () => {
    expect(campaignOf(yamlWith({}))).toEqual({
      name: 'demo',
      directory: '/ws/campaigns/demo',
      target: {
        repository: 'https://example.org/demo.git',
        mirror: null,
        root: 'HEAD',
        edit: ['**'],
        protect: [],
        prepare: [],
        link: [],
        setup: [],
      },
      goal: 'Make it faster.',
      constraints: [],
      evaluator: {
        steps: [{ name: 'evaluate', kind: null, command: ['python3', 'bench.py'], timeoutMs: 600_000, require: {} }],
        prepare: null,
        timeoutMs: 600_000,
        graceMs: 5_000,
        concurrency: 1,
        cpus: [],
        objectives: [{ name: 'speed', direction: 'maximize', epsilon: 0, rankBy: 'value' }],
        splits: ['train'],
        hidden: [],
        remeasure: { incumbent: false, jump: 0.5 },
        finals: { finalists: 10, every: 0, gates: [] },
        network: false,
        env: [],
      },
      agents: {
        concurrency: 2,
        planner: null,
        coders: [
          { name: 'mutate', weight: 1, agent: { kind: 'mutate', timeoutMs: 120_000, edits: { min: 1, max: 3 } } },
        ],
        choose: 'weights',
        rework: 0,
        novelty: 0,
        brief: { without: [], lessonsEvery: 0, metrics: 4 },
      },
      providers: expect.arrayContaining([
        {
          name: 'openai',
          baseUrl: 'https://api.openai.com/v1',
          apiKeyEnv: 'OPENAI_API_KEY',
          prices: {},
          concurrency: 64,
        },
      ]),
      search: {
        policy: 'quality-diversity',
        seed: 1,
        schedule: { mode: 'batch', size: 4 },
        islands: { count: 1, migrateEvery: 0 },
        warmup: 8,
        placeRoot: true,
        descriptor: { kind: 'displacement', provider: { kind: 'local', dimensions: 512 } },
        projection: { dimensions: 3, clip: 3, refit: 8, growth: 0.25, history: 4096 },
        grid: { cells: 4 },
        front: { capacity: 8, rule: 'box' },
        inspirations: { count: 2, radius: 1, maxRadius: 3, fallback: 8, cooldown: 64 },
      },
      budget: {
        jobs: 48,
        wallMs: null,
        noImprovement: 0,
        costUsd: null,
        tokens: null,
        jobCostUsd: null,
        jobTokens: null,
      },
      limits: { memoryBytes: 2 ** 33, fileBytes: 2 ** 32, diskBytes: 2 ** 34, tmpBytes: 2 ** 30, cpuMs: null },
      keep: { artifacts: null, transcripts: null, recordings: null, logs: null },
      notify: [],
      sandbox: 'prefer',
    });
  });

  it('of the warm-up grow with the dimensions', () => {
    const warmup = (dimensions: number) =>
      campaignOf(yamlWith({ search: { projection: { dimensions } } })).search.warmup;
    expect([1, 3, 4, 9].map(warmup)).toEqual([8, 8, 10, 20]);
  });

  it('of a section with a kind come with its bare word, or without its kind', () => {
    const provider = (written: unknown) =>
      campaignOf(yamlWith({ search: { descriptor: { provider: written } } })).search.descriptor.provider;
    expect(provider('local')).toEqual({ kind: 'local', dimensions: 512 });
    expect(provider({ dimensions: 64 })).toEqual({ kind: 'local', dimensions: 64 });
    expect(provider('openai')).toEqual({
      kind: 'openai',
      model: 'text-embedding-3-small',
      dimensions: 1536,
      baseUrl: null,
      apiKeyEnv: 'OPENAI_API_KEY',
    });
  });
});

describe('a campaign', () => {
  const text = yamlWith({
    target: { repository: '../../demo' },
    evaluator: { hidden: ['./corpora', '/srv/corpora'], timeout: '90s' },
    budget: { wall: '24h' },
    agents: { coder: { kind: 'command', command: ['codex'] } },
  });

  it('shows what is hidden without saying to whom to the later splits, if there are any', () => {
    const campaign = campaignOf(
      yamlWith({
        evaluator: {
          splits: ['train', 'validation', 'holdout'],
          hidden: ['./later', { path: './last', splits: ['holdout'] }],
        },
      }),
    );
    expect(campaign.evaluator.hidden.map(({ splits }) => splits)).toEqual([['validation', 'holdout'], ['holdout']]);
  });

  it('tells those who are to be told, by URL or by command', () => {
    const { notify } = campaignOf(
      yamlWith({
        notify: [
          { url: 'https://example.org/x', headers_env: { Authorization: 'TOKEN' }, on: ['fault'] },
          { url_env: 'HOOK', timeout: '3s' },
          { command: ['./tell.sh', 'now'], env: ['HOME'] },
        ],
      }),
    );
    const on = ['best', 'paused', 'finished'];
    const place = { url: 'https://example.org/x' };
    expect(notify).toEqual([
      { kind: 'url', place, on: ['fault'], headersEnv: { Authorization: 'TOKEN' }, timeoutMs: 10_000 },
      { kind: 'url', place: { urlEnv: 'HOOK' }, on, headersEnv: {}, timeoutMs: 3_000 },
      { kind: 'command', command: ['./tell.sh', 'now'], env: ['HOME'], on, timeoutMs: 10_000 },
    ]);
  });

  it('gives its steps their deadlines', () => {
    const step = { name: 'build', kind: 'build', command: ['make'] };
    const campaign = campaignOf(
      yamlWith({
        evaluator: { command: undefined, timeout: '9m', steps: [step, { ...step, name: 'b', timeout: '5s' }] },
      }),
    );
    expect(campaign.evaluator.steps.map(({ name, kind, timeoutMs }) => [name, kind, timeoutMs])).toEqual([
      ['build', 'build', 540_000],
      ['b', 'build', 5_000],
    ]);
  });

  it('has its paths and times resolved', () => {
    const campaign = campaignOf(text);
    expect(campaign.target.repository).toBe('/ws/demo');
    expect(campaign.evaluator.hidden).toEqual([
      { path: '/ws/campaigns/demo/corpora', splits: ['train'] },
      { path: '/srv/corpora', splits: ['train'] },
    ]);
    expect(campaign.evaluator.timeoutMs).toBe(90_000);
    expect(campaign.budget.wallMs).toBe(86_400_000);
    expect(firstCoder(campaign).agent).toEqual({
      kind: 'command',
      preset: null,
      provider: 'openai',
      model: null,
      command: ['codex'],
      timeoutMs: 5_400_000,
      env: [],
      network: false,
    });
  });

  it('is frozen all the way down', () => {
    const campaign = campaignOf(text);
    expect(() => Object.assign(campaign.search.front, { capacity: 1 })).toThrow(TypeError);
    expect(() => Object.assign(campaign.evaluator.objectives, { 0: null })).toThrow(TypeError);
  });

  it('that is valid comes back as it was from its written form', () => {
    fc.assert(
      fc.property(writtenCampaign, (written) => {
        const campaign = campaignOf(stringify(written));
        expect(campaignOf(stringify(toWritten(campaign)))).toEqual(campaign);
        expect(toWritten(campaign)).toEqual(written);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the frozen part', () => {
  it('has what makes the search, in the words of the file, and the live part has the rest', () => {
    const campaign = campaignOf(yamlWith({ budget: { wall: '1d' } }));
    expect(Object.keys(frozenPart(campaign))).toEqual(['target', 'goal', 'constraints', 'evaluator', 'search']);
    expect(frozenPart(campaign)).toHaveProperty('search.inspirations.max_radius', 3);
    expect(frozenPart(campaign)).not.toHaveProperty('evaluator.cpus');
    expect(livePart(campaign)).toEqual({
      evaluator: { concurrency: 1, cpus: [] },
      agents: {
        concurrency: 2,
        coder: { kind: 'mutate', timeout: '2m', edits: { min: 1, max: 3 } },
        choose: 'weights',
        rework: 0,
        novelty: 0,
        brief: { without: [], lessons_every: 0, metrics: 4 },
      },
      providers: {},
      budget: { jobs: 48, wall: '1d', no_improvement: 0 },
      limits: { memory: '8GiB', file: '4GiB', disk: '16GiB', tmp: '1GiB' },
      keep: { artifacts: 'all', transcripts: 'all', recordings: 'all', logs: 'all' },
      notify: [],
      sandbox: 'prefer',
    });
  });

  it.each<[changes: object, frozen: string[], live: string[]]>([
    [{}, [], []],
    [{ search: { front: { capacity: 9 } } }, ['search.front.capacity'], []],
    [{ search: { inspirations: { max_radius: 4 } } }, ['search.inspirations.max_radius'], []],
    [
      { search: { descriptor: { provider: { kind: 'local', dimensions: 64 } } } },
      ['search.descriptor.provider.dimensions'],
      [],
    ],
    [{ evaluator: { objectives: [{ name: 'x', direction: 'maximize' }] } }, ['evaluator.objectives'], []],
    [{ evaluator: { timeout: '600s' }, search: { warmup: 8 } }, [], []],
    [{ evaluator: { timeout: '20m', concurrency: 2 } }, ['evaluator.timeout'], ['evaluator.concurrency']],
    [{ budget: { wall: '1h', jobs: 9 }, name: 'other' }, [], ['budget.jobs', 'budget.wall']],
    [{ agents: { coder: { timeout: '3m' } } }, [], ['agents.coder.timeout']],
    [{ notify: [{ url: 'https://example.org' }] }, [], ['notify']],
    [{ keep: { logs: 9 } }, [], ['keep.logs']],
    [{ goal: 'else', target: { root: 'v1' } }, ['target.root', 'goal'], []],
  ])('%j changes %j and %j', (changes, frozen, live) => {
    const [before, after] = [campaignOf(yamlWith({})), campaignOf(yamlWith(changes))];
    expect(changedKeys(frozenPart(before), frozenPart(after))).toEqual(frozen);
    expect(changedKeys(livePart(before), livePart(after)).toSorted()).toEqual(live);
    expect(changedKeys(frozenPart(after), frozenPart(before)).toSorted()).toEqual(frozen.toSorted());
  });

  it('survives a database that orders keys its own way', () => {
    const part = frozenPart(campaignOf(yamlWith({})));
    expect(changedKeys(reversed(part), part)).toEqual([]);
  });

  it('is the same in a workspace that was moved', () => {
    const text = yamlWith({ target: { repository: '../../demo' }, evaluator: { hidden: ['./corpora', '/srv/x'] } });
    const [here, there] = ['/ws', '/home/me/ws'].map((ws) => campaignOf(text, `${ws}/campaigns/demo/campaign.yaml`));
    if (here === undefined || there === undefined) throw new Error('two campaigns were read');
    expect(here.target.repository).not.toBe(there.target.repository);
    expect(frozenPart(here)).toEqual(frozenPart(there));
  });
});

/** What PostgreSQL's jsonb does to the order of keys, in its own way. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

const whole = (min: number, max: number) => fc.integer({ min, max });
const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => !text.includes('\0'));
const variable = fc.constantFrom('HOME_X', 'API_KEY', '_y');
const kept = fc.constantFrom(7, 'all');
const canonicalDuration = fc.constantFrom('1ms', '500ms', '90s', '2m', '5h', '1d', '24d');
const inside = fc.constantFrom('src/**', '*.c', '!src/x', 'a b/ü');

const processOf = (kind: 'command') =>
  fc.record(
    {
      kind: fc.constant(kind),
      preset: fc.constantFrom('codex', 'gemini'),
      command: fc.array(word, { minLength: 1, maxLength: 3 }),
      provider: fc.constantFrom('openai', 'ollama'),
      model: word,
      timeout: canonicalDuration,
      env: fc.array(variable, { maxLength: 2 }),
      network: fc.boolean(),
    },
    { requiredKeys: ['kind', 'command', 'provider', 'model', 'timeout', 'env', 'network'] },
  );
const model = fc.oneof(
  processOf('command'),
  fc.record(
    {
      kind: fc.constant('openai'),
      provider: fc.constantFrom('vllm', 'openrouter'),
      model: word,
      api: fc.constantFrom('responses', 'chat'),
      format: fc.constantFrom('tools', 'diff', 'whole'),
      turns: whole(1, 1000),
      output_tokens: whole(1, 1e6),
      context_tokens: whole(1, 1e6),
      temperature: fc.constantFrom(0, 0.7),
      reasoning: fc.constantFrom('low', 'high'),
      timeout: canonicalDuration,
    },
    {
      requiredKeys: [
        ...([
          'kind',
          'provider',
          'model',
          'api',
          'format',
          'turns',
          'output_tokens',
          'context_tokens',
          'timeout',
        ] as const),
      ],
    },
  ),
);
const coder = fc.oneof(
  fc.record({
    kind: fc.constant('mutate'),
    timeout: canonicalDuration,
    edits: fc.record({ min: whole(1, 3), max: whole(3, 64) }),
  }),
  fc.record({
    kind: fc.constant('replay'),
    from: fc.constantFrom('./recording', '../other', '/srv/recording'),
    timeout: canonicalDuration,
  }),
  fc.record(
    {
      kind: fc.constant('acp'),
      preset: fc.constantFrom('codex', 'opencode', 'kilo', 'gemini'),
      command: fc.array(word, { maxLength: 2 }).map((args) => ['./agent', ...args]),
      provider: fc.constant('openai'),
      model: word,
      timeout: canonicalDuration,
      env: fc.array(variable, { maxLength: 2 }),
      network: fc.boolean(),
    },
    { requiredKeys: ['kind', 'command', 'provider', 'timeout', 'env', 'network'] },
  ),
  model,
);

const anyCampaign = fc.record({
  name: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,62}$/),
  target: fc.record({
    repository: fc.constantFrom('https://example.org/x.git', 'git@example.org:x', '../../x', './x', '/srv/x', '..'),
    root: fc.constantFrom('HEAD', '1234567', 'v1', 'true', '1e5'),
    edit: fc.array(inside, { maxLength: 3 }).map((patterns) => ['**/*.ts', ...patterns]),
    protect: fc.array(inside, { maxLength: 3 }),
    prepare: fc.array(word, { maxLength: 2 }),
    link: fc.constantFrom([], ['node_modules'], ['a/b']),
    setup: fc.array(word, { maxLength: 2 }),
  }),
  goal: word.map((text) => text.trim()).filter((text) => text !== ''),
  constraints: fc.array(word, { maxLength: 3 }),
  evaluator: fc
    .record({
      judge: fc.oneof(
        fc.record({ command: fc.array(word, { maxLength: 2 }).map((args) => ['./evaluate.sh', ...args]) }),
        fc.record({
          steps: fc.uniqueArray(
            fc.record({
              name: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,20}$/),
              kind: fc.constantFrom('build', 'test', 'gate', 'scope', 'benchmark', 'other'),
              command: fc.array(word, { maxLength: 2 }).map((args) => ['./step.sh', ...args]),
              timeout: canonicalDuration,
              require: fc.constantFrom({}, { speed: { min: 1 } }, { rss: { min: 0, max: 5 } }),
            }),
            { minLength: 1, maxLength: 3, selector: ({ name }) => name },
          ),
        }),
      ),
      prepare: fc.option(fc.constant(['./prepare.sh', 'x']), { nil: undefined }),
      timeout: canonicalDuration,
      grace: canonicalDuration,
      lanes: whole(1, 4),
      pinned: fc.boolean(),
      objectives: fc.uniqueArray(
        fc.record({
          name: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,62}$/),
          direction: fc.constantFrom('maximize', 'minimize'),
          epsilon: fc.double({ min: 0, max: 10, noNaN: true }).map((value) => value + 0),
          rank_by: fc.constantFrom('value', 'bound'),
        }),
        { minLength: 1, maxLength: 4, selector: ({ name }) => name },
      ),
      splits: fc.constantFrom(['train'], ['train', 'validation', 'holdout']),
      hidden: fc.constantFrom(
        [],
        [
          { path: './corpora', splits: ['train'] },
          { path: '../x', splits: ['train'] },
          { path: '/srv/y', splits: ['train'] },
        ],
      ),
      remeasure: fc.record({ incumbent: fc.boolean(), jump: fc.constantFrom(0, 0.25) }),
      finals: fc.record({
        finalists: whole(1, 20),
        every: whole(0, 8),
        gates: fc.constantFrom([], [{ name: 'speed', of: 'value', min: 1 }]),
      }),
      network: fc.boolean(),
      env: fc.array(variable, { maxLength: 2 }),
    })
    .map(({ lanes, pinned, judge, prepare, ...rest }) => ({
      ...rest,
      ...judge,
      ...(prepare === undefined ? {} : { prepare }),
      concurrency: lanes,
      cpus: pinned ? Array.from({ length: lanes }, (_, index) => index) : [],
    })),
  agents: fc.record(
    {
      concurrency: whole(1, 8),
      planner: model,
      coder,
      choose: fc.constantFrom('weights', 'bandit'),
      rework: whole(0, 8),
      novelty: fc.constantFrom(0, 0.05, 2),
      brief: fc.record({
        without: fc.constantFrom([], ['evidence'], ['files', 'lessons']),
        lessons_every: fc.constant(0),
        metrics: whole(0, 16),
      }),
    },
    { requiredKeys: ['concurrency', 'coder', 'choose', 'rework', 'novelty', 'brief'] },
  ),
  providers: fc.constantFrom(
    {},
    {
      mine: {
        base_url: 'http://127.0.0.1:9/v1',
        api_key_env: null,
        prices: { m: { input: 1, cached: 0.5, output: 2 } },
        concurrency: 3,
      },
    },
  ),
  search: fc.record({
    policy: fc.constantFrom('quality-diversity', 'sequential-champion', 'independent-root'),
    seed: fc.maxSafeNat(),
    schedule: fc.oneof(
      fc.record({ mode: fc.constant('batch'), size: whole(1, 1024) }),
      fc.record({ mode: fc.constant('streaming'), slots: whole(1, 1024) }),
    ),
    islands: fc.record({ count: whole(1, 64), migrate_every: whole(0, 99) }),
    warmup: whole(1, 40),
    place_root: fc.boolean(),
    descriptor: fc.record({
      kind: fc.constantFrom('displacement', 'repository-mean', 'diff', 'structural', 'features', 'random'),
      provider: fc.oneof(
        fc.record({ kind: fc.constant('local'), dimensions: whole(8, 8192) }),
        fc.record(
          {
            kind: fc.constant('openai'),
            model: word,
            dimensions: whole(8, 8192),
            base_url: fc.constant('http://127.0.0.1:8080/v1'),
            api_key_env: variable,
          },
          { requiredKeys: ['kind', 'model', 'dimensions', 'api_key_env'] },
        ),
      ),
    }),
    projection: fc.record({
      dimensions: whole(1, 5),
      clip: fc.double({ min: 0.1, max: 9, noNaN: true }),
      refit: whole(1, 99),
      growth: fc.constantFrom(0, 0.25, 1),
      history: whole(40, 9999),
    }),
    grid: fc.record({ cells: whole(1, 15) }),
    front: fc.record({ capacity: whole(1, 99), rule: fc.constantFrom('box', 'pairwise') }),
    inspirations: fc.record({
      count: whole(0, 16),
      radius: whole(0, 3),
      max_radius: whole(3, 9),
      fallback: whole(0, 99),
      cooldown: whole(0, 99),
    }),
  }),
  budget: fc.record(
    {
      jobs: whole(1, 1e6),
      wall: canonicalDuration,
      no_improvement: whole(0, 1e6),
      cost_usd: fc.constantFrom(0.5, 50),
      tokens: whole(1, 1e9),
      job_cost_usd: fc.constant(2),
      job_tokens: whole(1, 1e6),
    },
    { requiredKeys: ['jobs', 'no_improvement'] },
  ),
  keep: fc.record({ artifacts: kept, transcripts: kept, recordings: kept, logs: kept }),
  notify: fc.constantFrom(
    [],
    [
      { on: ['best'], url: 'https://example.org/a', headers_env: { 'X-Key': 'API_KEY' }, env: [], timeout: '10s' },
      { on: ['paused', 'fault'], url_env: 'HOOK', headers_env: {}, env: [], timeout: '5s' },
      { on: ['finished'], command: ['mail', 'me'], headers_env: {}, env: ['HOME_X'], timeout: '2m' },
    ],
  ),
  limits: fc.record(
    {
      memory: fc.constantFrom('512MiB', '3GiB'),
      file: fc.constantFrom('2TiB', '7KiB'),
      disk: fc.constant('16GiB'),
      tmp: fc.constant('1GiB'),
      cpu: canonicalDuration,
    },
    { requiredKeys: ['memory', 'file', 'disk', 'tmp'] },
  ),
  sandbox: fc.constantFrom('required', 'prefer', 'off'),
});

/** Features are known after an evaluation, and novelty is looked at before it. */
const writtenCampaign = anyCampaign.map(({ agents, ...rest }) => ({
  ...rest,
  agents: rest.search.descriptor.kind === 'features' ? { ...agents, novelty: 0 } : agents,
}));
