import { describe, expect, it } from 'vitest';
import { type Campaign, frozenPart, parseCampaign } from '../../src/config/index.ts';
import { yamlWith } from './file.ts';

function searchOf(search: object): Campaign['search'] {
  const { campaign, errors } = parseCampaign(yamlWith({ search }), '/ws/campaigns/demo/campaign.yaml');
  expect(errors).toEqual([]);
  if (campaign === null) throw new Error('it has no errors');
  return campaign.search;
}

describe('a preset', () => {
  it('loreley-zstd is the published treatment', () => {
    expect(searchOf({ preset: 'loreley-zstd' })).toEqual({
      policy: 'quality-diversity',
      seed: 20260821,
      schedule: { mode: 'batch', size: 4 },
      islands: { count: 1, migrateEvery: 0 },
      warmup: 4,
      placeRoot: false,
      descriptor: {
        kind: 'repository-mean',
        provider: {
          kind: 'openai',
          model: 'text-embedding-3-small',
          dimensions: 1536,
          baseUrl: null,
          apiKeyEnv: 'OPENAI_API_KEY',
        },
      },
      projection: { dimensions: 3, clip: 3, refit: 4, growth: 0, history: 4096 },
      grid: { cells: 4 },
      front: { capacity: 8, rule: 'pairwise' },
      inspirations: { count: 2, radius: 1, maxRadius: 3, fallback: 8, cooldown: 64 },
    });
  });

  it.each(['small', 'exploit'])('%s is a search without advice against it', (preset) => {
    const { campaign, warnings } = parseCampaign(yamlWith({ search: { preset } }), '/ws/campaigns/demo/campaign.yaml');
    expect(campaign).not.toBeNull();
    expect(warnings).toEqual([]);
    expect(campaign?.search).not.toEqual(searchOf({}));
  });

  it('gives way to what is written beside it, key by key', () => {
    const search = searchOf({ preset: 'loreley-zstd', seed: 7, front: { capacity: 3 } });
    expect(search).toMatchObject({ seed: 7, front: { capacity: 3, rule: 'pairwise' }, warmup: 4 });
  });

  it('does not mix the keys of two kinds of provider', () => {
    for (const provider of ['local', { kind: 'local' }]) {
      const { descriptor } = searchOf({ preset: 'loreley-zstd', descriptor: { provider } });
      expect(descriptor).toEqual({ kind: 'repository-mean', provider: { kind: 'local', dimensions: 512 } });
    }
  });

  it('must be known', () => {
    const { errors } = parseCampaign(yamlWith({ search: { preset: 'best' } }), '/ws/campaigns/demo/campaign.yaml');
    expect(errors.map(({ message }) => message)).toEqual([
      'search.preset must be "loreley-zstd" or "small" or "exploit", not "best"',
    ]);
  });

  it('is frozen as the keys it stands for', () => {
    const parsed = (search: object) => parseCampaign(yamlWith({ search }), '/ws/campaigns/demo/campaign.yaml').campaign;
    const [named, spelt] = [parsed({ preset: 'small' }), parsed({ preset: 'small', grid: { cells: 3 } })];
    if (named === null || spelt === null) throw new Error('both are fine');
    expect(frozenPart(named)).toEqual(frozenPart(spelt));
    expect(frozenPart(named).search).not.toHaveProperty('preset');
  });
});
