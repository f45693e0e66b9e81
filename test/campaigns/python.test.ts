import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCampaign } from '../../src/config/index.ts';
import { CAMPAIGNS } from './run.ts';

describe.each(['markdown-it-py', 'python-pathspec', 'sds', 'circle-packing'])('the campaign %s', (name) => {
  it('is sound', async () => {
    const { errors } = await loadCampaign(join(CAMPAIGNS, name));
    expect(errors).toEqual([]);
  });
});

describe.each(['markdown-it-py', 'python-pathspec', 'sds'])('the splits of %s', (name) => {
  it('are hidden from one another', async () => {
    const { campaign } = await loadCampaign(join(CAMPAIGNS, name));
    expect(campaign?.evaluator.splits).toEqual(['train', 'validation', 'holdout']);
    const hidden = campaign?.evaluator.hidden.map(({ path, splits }) => [path.split('/').at(-1), ...splits]);
    expect(hidden).toEqual([
      ['validation.seed', 'validation'],
      ['holdout.seed', 'holdout'],
    ]);
  });
});
