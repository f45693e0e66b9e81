import { join } from 'node:path';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { openModels } from '../../../src/daemon/models/index.ts';
import { callTotals, insertCall } from '../../../src/store/index.ts';
import { startModelServer } from '../../fixtures/model-server/server.ts';
import { campaignIn, temporary } from '../../pipeline/fixture.ts';
import { aCampaign } from '../../store/sample.ts';
import { describeDatabases } from '../../support/databases.ts';

describeDatabases('the budget of a job', (databases) => {
  test('is one for its planner, its coder and all its rounds, also after a restart', async () => {
    const store = await databases.open();
    const { db } = store;
    const campaignId = await aCampaign(store);
    const workspace = await temporary();
    await using server = await startModelServer([{ kind: 'answer', text: 'hi', usage: { input: 100, output: 10 } }]);
    const file = await campaignIn(workspace);
    const campaign = {
      search: file.search,
      budget: { ...file.budget, jobCostUsd: 0.01, jobTokens: null, costUsd: null, tokens: null },
      providers: [
        {
          name: 'p',
          baseUrl: server.baseUrl,
          apiKeyEnv: null,
          prices: { m: { input: 1, cached: 1, output: 1 } },
          concurrency: 2,
        },
      ],
    };
    /** What one call of a job comes to in a process of its own. */
    const ask = async (ordinal: number, role: string) => {
      const folder = join(workspace, 'calls');
      const models = await openModels({ db, campaignId, campaign, folder, environment: {}, worker: () => 'w' });
      try {
        const run = await models.openModels({ ordinal, role, coder: 'c', timeoutMs: 60_000 });
        const client = new OpenAI({ apiKey: 'none', maxRetries: 0, ...run.access.client('p') });
        const messages = [{ role: 'user', content: 'hi' } as const];
        await client.chat.completions.create({ model: 'm', max_tokens: 10, messages }).catch(() => null);
        return run.access.fault()?.kind ?? null;
      } finally {
        await models.close();
      }
    };
    expect(await ask(1, 'planner')).toBeNull();
    expect((await callTotals(db, campaignId, 1)).calls).toBe(1);
    await insertCall(db, {
      ...{ campaignId, ordinal: 1, role: 'coder', provider: 'p', wire: 'chat', model: 'm', attempts: 1, status: 200 },
      ...{ inputTokens: 1, outputTokens: 1, costUsd: 0.0099, durationMs: 1, requestBytes: 1, responseBytes: 1 },
      startedAt: new Date(),
    });
    expect(await ask(1, 'coder')).toBe('budget');
    expect(await ask(2, 'coder')).toBeNull();
  });
});
