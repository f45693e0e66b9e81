import { expect, test } from 'vitest';
import type { Forecast, Probe } from '../../src/daemon/index.ts';
import { startModelServer } from '../fixtures/model-server/server.ts';
import type { Step } from '../fixtures/model-server/steps.ts';
import { workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

interface Report {
  readonly findings: readonly { readonly subject: string; readonly verdict: string; readonly text: string }[];
  readonly forecast: Forecast;
  readonly probes: readonly Probe[];
}

/** Several coders, each of a model of its own, which the server treats by its name. */
const ANSWERS: Readonly<Record<string, Step>> = {
  fine: { kind: 'answer', text: 'ok', usage: { input: 9, output: 1 } },
  unknown: { kind: 'status', status: 404, error: { code: 'model_not_found', message: 'no such model' } },
  html: { kind: 'raw', text: '<html>a login page</html>', type: 'text/html' },
  odd: { kind: 'raw', text: '{"object": "list"}' },
};

test('check asks every model once, says what is wrong with which, and what all of it will cost', async () => {
  await using server = await startModelServer(({ body }) => ANSWERS[String(body.model)] ?? { kind: 'hangUp' });
  const workspace = await openWorkspace({ FAKE_KEY: 'sk-fake' });
  const coder = (name: string, more = '') =>
    `    - {name: ${name}, coder: {kind: openai, provider: fake, model: ${name}${more}}}\n`;
  const folder = await workspace.campaign('asked', {
    'target/work.js': '// root\n',
    'evaluate.sh': '#!/bin/sh\nprintf \'{"status":"valid","objectives":{"speed":1}}\' > "$CLADE_RESULT"\n',
    'campaign.yaml': `target: {repository: ./target}
goal: be faster
evaluator: {command: [./evaluate.sh], objectives: [{name: speed, direction: maximize}]}
agents:
  ensemble:
${coder('fine')}${coder('unknown')}${coder('html')}${coder('odd', ', api: responses')}${coder('dead')}    - {name: keyless, coder: {kind: openai, model: gpt-5}}
    - {name: blind, coder: mutate}
providers: {fake: {base_url: "${server.baseUrl}", api_key_env: FAKE_KEY, prices: {fine: {input: 1, output: 10}}}}
budget: {jobs: 10}
`,
  });
  const { code, stdout } = await workspace.run('check', folder, '--json', '--no-measure');
  const { findings, forecast, probes }: Report = JSON.parse(stdout);
  expect(code).toBe(1);
  const problems = Object.fromEntries(probes.map(({ model, problem }) => [model, problem]));
  expect(problems).toEqual({
    fine: null,
    unknown: expect.stringContaining('no such model'),
    html: expect.stringContaining('a web page'),
    odd: expect.stringContaining('no "output"'),
    dead: expect.any(String),
    'gpt-5': expect.stringContaining('OPENAI_API_KEY is not set'),
  });
  expect(probes.find(({ model }) => model === 'fine')?.costUsd).toBeCloseTo(9e-6 + 1e-5, 10);
  expect(findings.filter(({ subject, verdict }) => subject === 'model' && verdict === 'problem')).toHaveLength(5);
  expect(forecast.unpriced).toEqual(expect.arrayContaining(['unknown', 'html', 'odd', 'dead']));
  expect(forecast.unpriced).not.toContain('gpt-5');
  expect(findings.find(({ subject }) => subject === 'budget')?.text).toContain('nothing limits');
  expect(server.seen.every(({ headers }) => headers.authorization === 'Bearer sk-fake')).toBe(true);

  const asked = server.seen.length;
  const offline = await workspace.run('check', folder, '--json', '--no-measure', '--offline');
  expect({ code: offline.code, probes: JSON.parse(offline.stdout).probes }).toEqual({ code: 0, probes: [] });
  expect(server.seen).toHaveLength(asked);
});
