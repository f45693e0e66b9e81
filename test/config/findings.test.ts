import { describe, expect, it } from 'vitest';
import { formatFinding, parseCampaign } from '../../src/config/index.ts';

const FILE = '/campaigns/demo/campaign.yaml';

const HEAD = `target: {repository: "https://example.org/demo.git"}
goal: Make it faster.
evaluator:
  command: [python3, bench.py]
  objectives:
    - {name: speed, direction: maximize}
`;

function errorsOf(text: string): string[] {
  return parseCampaign(text, FILE).errors.map((finding) => formatFinding(finding));
}

describe('a finding', () => {
  it('names the file from where one stands', () => {
    const finding = { path: FILE, line: 12, column: 3, message: 'message' };
    expect(formatFinding(finding)).toBe('campaign.yaml:12:3 message');
    expect(formatFinding(finding, '/campaigns')).toBe('demo/campaign.yaml:12:3 message');
  });
});

describe('the shape', () => {
  it.each<[text: string, error: string]>([
    ['serach: {seed: 1}', '7:1 unknown key "serach"; did you mean "search"?'],
    [
      'search:\n  inspirations:\n    maxRadius: 3',
      '9:5 unknown key "maxRadius" in search.inspirations; did you mean "max_radius"?',
    ],
    [
      'budget: {zzz: 1}',
      '7:10 unknown key "zzz" in budget; known here: jobs, wall, no_improvement, cost_usd, tokens, job_cost_usd, job_tokens',
    ],
    ['agents: {coder: {edtis: {}}}', '7:18 unknown key "edtis" in agents.coder; did you mean "edits"?'],
    [
      'agents: {coder: {kind: command, command: [x], evn: []}}',
      '7:47 unknown key "evn" in agents.coder; did you mean "env"?',
    ],
    [
      'agents: {coder: {kind: mutate, network: true}}',
      '7:32 unknown key "network" in agents.coder; known here: kind, timeout, edits',
    ],
    [
      'search: {descriptor: {provider: {kind: openai, modle: m}}}',
      '7:48 unknown key "modle" in search.descriptor.provider; did you mean "model"?',
    ],
    ['notify: {url_env: X}', '7:9 notify must be a list, not a mapping'],
    ['notify: [{on: [best]}]', '7:10 notify[0] must have one of url, url_env and command'],
    ['notify: [{url: "https://x.org", command: [x]}]', '7:10 notify[0] must have one of url, url_env and command'],
    ['notify: [{url: "file:///etc/passwd"}]', '7:16 notify[0].url must be an http or https URL'],
    [
      'notify: [{url: "https://me:word@x.org"}]',
      '7:16 notify[0].url must not hold a password: the file is stored; use url_env or headers_env',
    ],
    [
      'notify: [{url_env: "https://x.org"}]',
      '7:20 notify[0].url_env must be the name of an environment variable, not its value',
    ],
    [
      'notify: [{url_env: X, headers_env: {Authorization: "Bearer x"}}]',
      '7:52 notify[0].headers_env.Authorization must be the name of an environment variable, not its value',
    ],
    [
      'notify: [{url_env: X, headers_env: {Content-Length: X}}]',
      '7:36 notify[0].headers_env must have names of headers that Clade does not set itself',
    ],
    [
      'notify: [{url_env: X, headers_env: {"a b": X}}]',
      '7:36 notify[0].headers_env must have names of headers that Clade does not set itself',
    ],
    [
      'notify: [{command: [x], headers_env: {A: B}}]',
      '7:38 notify[0].headers_env is for a URL: a command gets variables by env',
    ],
    ['notify: [{url_env: X, env: [A]}]', '7:28 notify[0].env is for a command: a URL gets headers by headers_env'],
    ['notify: [{url_env: X, on: []}]', '7:27 notify[0].on must have at least 1 entry'],
    [
      'notify: [{url_env: X, on: [never]}]',
      '7:28 notify[0].on[0] must be "best" or "paused" or "finished" or "fault", not "never"',
    ],
    ['agents: {coder: {kind: command}}', '7:17 agents.coder needs a preset or a command'],
    ['agents: {planner: {kind: acp}}', '7:19 agents.planner needs a preset or a command'],
    ['agents: {coder: {kind: openai}}', '7:10 agents.coder.model is required'],
    [
      'agents: {coder: {kind: codex}}',
      '7:24 agents.coder.kind must be "mutate" or "command" or "acp" or "openai" or "replay"',
    ],
    ['agents: {coder: codex}', '7:17 agents.coder.kind must be "mutate" or "command" or "acp" or "openai" or "replay"'],
    ['agents: {coder: 3}', '7:17 agents.coder must be a mapping of keys to values, not 3'],
    ['name: Demo', '7:7 name must be 1 to 63 lower-case letters, digits or "-", not "-" first'],
    ['name: 12', '7:7 name must be text, not 12; put it in quotes'],
    ['constraints: [ok, 3]', '7:19 constraints[1] must be text, not 3; put it in quotes'],
    ['constraints: "one"', '7:14 constraints must be a list, not "one"'],
    ['constraints: ["a\\0b"]', '7:15 constraints[0] must not contain a NUL character'],
    ['budget: {jobs: 0}', '7:16 budget.jobs must be at least 1, not 0'],
    ['budget: {jobs: 1.5}', '7:16 budget.jobs must be a whole number, not 1.5'],
    ['budget: {wall: 90}', '7:16 budget.wall must be a duration such as 90s, 2m or 5h'],
    ['budget: {wall: 1.5h}', '7:16 budget.wall must be a duration such as 90s, 2m or 5h'],
    ['search: {seed: .nan}', '7:16 search.seed must be a finite number, not NaN'],
    ['search: {projection: {clip: 0}}', '7:29 search.projection.clip must be more than 0, not 0'],
    ['search: {inspirations: {count: 17}}', '7:32 search.inspirations.count must be at most 16, not 17'],
    [
      'search: {policy: best}',
      '7:18 search.policy must be "quality-diversity" or "sequential-champion" or "independent-root", not "best"',
    ],
    ['search: {islands: {count: 0}}', '7:27 search.islands.count must be at least 1, not 0'],
    [
      'search: {descriptor: {provider: {kind: openai, base_url: "ftp://x"}}}',
      '7:58 search.descriptor.provider.base_url must be an http or https URL',
    ],
    [
      'search: {descriptor: {provider: {kind: openai, api_key_env: sk-123}}}',
      '7:61 search.descriptor.provider.api_key_env must be the name of an environment variable, not its value',
    ],
    ['search: []', '7:9 search must be a mapping of keys to values, not a list'],
    ['sandbox: maybe', '7:10 sandbox must be "required" or "prefer" or "off", not "maybe"'],
  ])('%s', (text, error) => {
    expect(errorsOf(HEAD + text)).toEqual([`campaign.yaml:${error}`]);
  });

  it.each<[text: string, errors: string[]]>([
    ['', ['1:1 target is required', '1:1 goal is required', '1:1 evaluator is required']],
    ['- x', ['1:1 the campaign must be a mapping of keys to values, not a list']],
    ['a: [', ['1:5 Flow sequence in block collection must be sufficiently indented and end with a ]']],
    ['goal: a\ngoal: b', ['2:1 Map keys must be unique']],
    ['goal: *x', ['1:1 Unresolved alias (the anchor must be set before the alias): x']],
    [
      'goal: " "\ntarget:\n  root: 1234567\nevaluator:\n  command: []\n  objectives: [{name: 9x, direction: up, epsilon: -1}]',
      [
        '1:7 goal must not be empty',
        '2:1 target.repository is required',
        '3:9 target.root must be text, not 1234567; put it in quotes',
        '5:12 evaluator.command must have at least 1 entry',
        '6:23 evaluator.objectives[0].name must be a letter followed by at most 62 letters, digits, "_", "." or "-"',
        '6:38 evaluator.objectives[0].direction must be "maximize" or "minimize", not "up"',
        '6:51 evaluator.objectives[0].epsilon must be at least 0, not -1',
      ],
    ],
    [
      'target: {repository: --x, root: -y}\ngoal: x\nevaluator: {command: [x], objectives: []}',
      [
        '1:22 target.repository must not start with "-"',
        '1:33 target.root must not start with "-"',
        '3:39 evaluator.objectives must have at least 1 entry',
      ],
    ],
  ])('%j', (text, errors) => {
    expect(errorsOf(text)).toEqual(errors.map((error) => `campaign.yaml:${error}`));
  });

  it('and the rules are reported together, in the order of the file', () => {
    const text = `${HEAD}    - {name: speed, direction: minimize, epsilon: -1}\nbudgte: {}\nsearch: {grid: {cells: 1000}}\n`;
    expect(errorsOf(text)).toEqual([
      'campaign.yaml:7:14 evaluator.objectives[1].name repeats "speed"',
      'campaign.yaml:7:51 evaluator.objectives[1].epsilon must be at least 0, not -1',
      'campaign.yaml:8:1 unknown key "budgte"; did you mean "budget"?',
      'campaign.yaml:9:24 search.grid.cells 1000 in 3 dimensions makes 1000000000 cells; at most 1000000',
    ]);
  });

  it('is found through anchors, in CRLF files and behind a byte order mark', () => {
    const anchored = `${HEAD}agents: &a {coder: {timeout: 5m}}\nbudget: *a\n`;
    expect(errorsOf(anchored)).toEqual([
      'campaign.yaml:7:13 unknown key "coder" in budget; known here: jobs, wall, no_improvement, cost_usd, tokens, job_cost_usd, job_tokens',
    ]);
    expect(errorsOf(`\uFEFF${HEAD}sandbox: x`.replaceAll('\n', '\r\n'))).toEqual([
      'campaign.yaml:7:10 sandbox must be "required" or "prefer" or "off", not "x"',
    ]);
  });

  it('does not multiply aliases without end', () => {
    const rows = ['a: &a [x]', ...Array.from({ length: 8 }, (_, i) => bomb(i))];
    expect(errorsOf(rows.join('\n'))[0]).toContain('Excessive alias count');
  });
});

function bomb(index: number): string {
  const [name, previous] = [String.fromCharCode(98 + index), String.fromCharCode(97 + index)];
  return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${previous}`).join(', ')}]`;
}

describe('the evaluator', () => {
  it('is a command or steps, and one of them', () => {
    const steps = 'steps: [{name: b, kind: build, command: [make]}]';
    const objectives = 'objectives: [{name: s, direction: maximize}]';
    const file = (evaluator: string) => `target: {repository: x}\ngoal: g\nevaluator: {${evaluator}}\n`;
    expect(errorsOf(file(`${steps}, ${objectives}`))).toEqual([]);
    expect(errorsOf(file(objectives))).toEqual([expect.stringContaining('evaluator.command is missing')]);
    expect(errorsOf(file(`command: [x], ${steps}, ${objectives}`))).toEqual([
      expect.stringContaining('evaluator.steps excludes evaluator.command'),
    ]);
  });

  it('has a step that requires a range', () => {
    const step = (range: string) =>
      `target: {repository: x}\ngoal: g\nevaluator: {steps: [{name: b, kind: build, command: [make], require: {s: ${range}}}], objectives: [{name: s, direction: maximize}]}\n`;
    expect(errorsOf(step('{min: 1}'))).toEqual([]);
    expect(errorsOf(step('{}'))).toEqual([expect.stringContaining('must have min, max or both')]);
  });
});
