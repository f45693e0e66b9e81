import { expect, it } from 'vitest';
import type { CampaignStatus } from '../../src/daemon/index.ts';
import { startModelServer } from '../fixtures/model-server/server.ts';
import { shareDatabase } from '../support/cluster.ts';
import { describeServer } from '../support/databases.ts';
import { until, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();
const LIMIT_USD = 0.03;
/** 1,000 tokens in and 50 out. */
const CALL_USD = 0.0015;

const files = (baseUrl: string) => ({
  'target/pack.js': 'export const rate = 1;\n// end\n',
  'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"lines": %s}}' "$(wc -l < pack.js)" > "$CLADE_RESULT"
`,
  'campaign.yaml': `target: {repository: ./target}
goal: more lines
evaluator: {command: [./evaluate.sh], objectives: [{name: lines, direction: maximize}], remeasure: {jump: 0}}
agents: {concurrency: 4, coder: {kind: openai, provider: fake, model: scripted, output_tokens: 100}}
providers: {fake: {base_url: "${baseUrl}", api_key_env: FAKE_KEY, prices: {scripted: {input: 1, output: 10}}}}
search: {schedule: {mode: streaming, slots: 8}}
budget: {jobs: 400, cost_usd: ${LIMIT_USD}}
sandbox: "off"
`,
});

describeServer('the money of a campaign on three workers', (databases) => {
  it('is never overrun by all of them together, and what a killed one had under way is booked', {
    timeout: 300_000,
  }, async () => {
    let made = 0;
    await using server = await startModelServer(({ body }, index) => {
      // One call hangs until its worker is killed.
      if (index === 3) return { kind: 'silent' };
      if (JSON.stringify(body.messages).includes('replaced in pack.js')) {
        return { kind: 'answer', text: null, tools: [{ name: 'finish', input: { title: 'One more' } }] };
      }
      made += 1;
      const edit = { path: 'pack.js', old: '// end', new: `// ${made}\n// end` };
      return { kind: 'answer', text: null, tools: [{ name: 'replace', input: edit }] };
    });
    const { databaseUrl = '' } = await databases.fresh();
    const shared = await shareDatabase(openWorkspace, databaseUrl);
    const env = { FAKE_KEY: 'sk-not-to-be-seen' };
    const leader = await shared.host(env);
    await leader.campaign('pack', files(server.baseUrl));
    const daemon = leader.start('daemon', '--no-work');
    await daemon.says(/"serving pack"/);
    const begin = async () => (await shared.host(env)).start('worker', '--slots', '3', '--lanes', '1');
    const doomed = await begin();
    await until(
      async () => server.seen.length,
      (calls) => calls > 3,
    );
    const others = [await begin(), await begin()];
    doomed.press('SIGKILL');
    await doomed.ended;
    const status = await until(
      () => leader.ask<CampaignStatus>('status', 'pack'),
      ({ state }) => state !== 'running',
    );
    expect(status).toMatchObject({ state: 'finished', cause: expect.stringContaining('budget') });
    expect(status.calls.costUsd).toBeLessThanOrEqual(LIMIT_USD);
    expect(status.budget.settled).toBe(status.budget.planned);
    expect(status.outcomes.candidate).toBeGreaterThan(0);
    // What the server answered is no more than what is in the ledger: the calls that were cut off are in it with what was set aside.
    const answered = server.seen.length - 1;
    expect(status.calls.costUsd).toBeGreaterThanOrEqual((answered - 3) * CALL_USD);
    expect(status.calls.unpriced).toBe(0);
    for (const clade of [...others, daemon]) clade.signal('SIGTERM');
    for (const clade of [...others, daemon]) expect((await clade.ended).code).toBe(0);
  });
});
