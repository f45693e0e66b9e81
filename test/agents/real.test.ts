import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CampaignStatus, CandidateView } from '../../src/daemon/index.ts';
import { startModelServer } from '../fixtures/model-server/server.ts';
import type { Step } from '../fixtures/model-server/steps.ts';
import { expectDone, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();
const BIN = join(import.meta.dirname, 'node_modules/.bin');
const EDIT = "sed -i 's/0.95/0.97/' pack.js";

type Call = (asked: string) => { readonly name: string; readonly input: object };

/** One call after the other of the agent's own tools, then a word. Each gets what the agent asked. */
function script(...calls: readonly Call[]) {
  return ({ body, path }: { body: Record<string, unknown>; path: string }): Step => {
    const offered = JSON.stringify(body.tools ?? []);
    const told = JSON.stringify(path.endsWith('/responses') ? body.input : body.messages);
    const results = told.split(/"role":"tool"|"type":"function_call_output"/).length - 1;
    const next = calls[results]?.(told);
    if (next === undefined) return { kind: 'answer', text: 'Cool more slowly' };
    // A question beside the work, such as for a title.
    if (!offered.includes(`"${next.name}"`)) return { kind: 'answer', text: 'A title' };
    return { kind: 'answer', text: null, tools: [next] };
  };
}

const shell: Call = () => ({ name: 'bash', input: { command: EDIT, description: 'edit' } });
/** The tool for edits of OpenCode, which wants an absolute path. */
const edit =
  (file: string): Call =>
  (asked) => {
    const folder = /Working directory: ([^\s\\]+)/.exec(asked)?.[1];
    return { name: 'edit', input: { filePath: `${folder}/${file}`, oldString: '0.95', newString: '0.97' } };
  };

const AGENTS = [
  { kind: 'command', preset: 'codex', script: script(() => ({ name: 'exec_command', input: { cmd: EDIT } })) },
  { kind: 'command', preset: 'opencode', script: script(shell) },
  { kind: 'acp', preset: 'opencode', script: script(edit('other.js'), edit('pack.js')) },
] as const;

test.each(AGENTS)(
  '$preset by $kind edits, and what it used is in the ledger',
  async ({ kind, preset, script: answers }) => {
    expect(existsSync(join(BIN, preset)), `npm run test:agents installs ${preset}`).toBe(true);
    await using server = await startModelServer(answers);
    const workspace = await openWorkspace();
    const folder = await workspace.campaign('pack', {
      'target/pack.js': 'export const cooling = 0.95;\n',
      'target/other.js': 'export const heating = 0.95;\n',
      'evaluate.sh': `#!/bin/sh
rate=$(sed -n 's/.*= \\(.*\\);/\\1/p' pack.js)
printf '{"status": "valid", "objectives": {"rate": %s}}' "$rate" > "$CLADE_RESULT"
`,
      'campaign.yaml': `target: {repository: ./target, edit: [pack.js]}
goal: cool more slowly
evaluator: {command: [./evaluate.sh], objectives: [{name: rate, direction: maximize}]}
agents:
  concurrency: 1
  coder: {kind: ${kind}, preset: ${preset}, command: [${join(BIN, preset)}], model: scripted, provider: fake, timeout: 2m}
providers: {fake: {base_url: "${server.baseUrl}", api_key_env: null, prices: {scripted: {input: 1, output: 10}}}}
search: {schedule: {size: 1}}
budget: {jobs: 1}
`,
    });
    expectDone(await workspace.run('run', folder));
    const status = await workspace.ask<CampaignStatus>('status', 'pack');
    expect(status).toMatchObject({ outcomes: { candidate: 1 }, best: { objectives: { rate: 0.97 } } });
    const winner = await workspace.ask<CandidateView>('show', 'pack:1', '--transcript');
    expect(winner.transcript).toContain('Cool more slowly');
    expect(winner.transcript?.includes('not permitted: edit: ')).toBe(kind === 'acp');
    expect(server.seen.length).toBeGreaterThanOrEqual(2);
    expect(winner.calls).toMatchObject({
      calls: server.seen.length,
      unpriced: 0,
      inputTokens: 1000 * server.seen.length,
      outputTokens: 50 * server.seen.length,
    });
  },
);
