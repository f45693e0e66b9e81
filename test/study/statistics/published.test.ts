import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bcaInterval, holm, mean, pairedEffect, percent, signFlip } from '../../../src/study/index.ts';

type Arm = 'independent' | 'qd' | 'sequential';
type Block = Readonly<Record<Arm, number>>;
interface Comparison {
  readonly effect_percent: number;
  readonly bca95?: readonly [number, number];
  readonly sign_flip_p: number;
  readonly holm_p?: number;
  readonly qd_wins?: number;
  readonly leave_one_out?: readonly [number, number];
}
interface Published {
  readonly compression_ratio_by_block: readonly Block[];
  readonly decompression_gain_percent_by_block: readonly Block[];
  readonly combined_gain_percent_by_block: readonly Block[];
  readonly published: {
    readonly compression: Readonly<Record<string, Comparison>> & {
      readonly exact_bca95_by_enumeration: Readonly<Record<string, readonly [number, number]>>;
      readonly mean_percent: Block;
    };
    readonly combined: Readonly<Record<string, Comparison>>;
    readonly decompression: Readonly<Record<string, Comparison>>;
  };
}

/** The published matched study of Zstandard (Loreley, arXiv:2608.19703), as `source` in the file says. */
const DATA = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/study/zstd-matched.json'), 'utf8'),
) as Published;

const ratio = (gain: number): number => 1 + gain / 100;
const OBJECTIVES: readonly (readonly [name: 'compression' | 'combined' | 'decompression', blocks: readonly Block[]])[] =
  [
    ['compression', DATA.compression_ratio_by_block],
    ['decompression', DATA.decompression_gain_percent_by_block.map(byRatio)],
    ['combined', DATA.combined_gain_percent_by_block.map(byRatio)],
  ];

function byRatio({ independent, qd, sequential }: Block): Block {
  return { independent: ratio(independent), qd: ratio(qd), sequential: ratio(sequential) };
}

const COMPARISONS = OBJECTIVES.flatMap(([objective, blocks]) =>
  Object.entries(DATA.published[objective]).flatMap(([pair, published]) => {
    const [first, second] = pair.split('_vs_') as [Arm, Arm | undefined];
    return second === undefined ? [] : [{ objective, pair, first, second, blocks, published: published as Comparison }];
  }),
);

describe('the published study', () => {
  test('has the seven comparisons that are looked at', () => {
    expect(COMPARISONS).toHaveLength(7);
    expect(COMPARISONS.filter(({ published }) => published.bca95 !== undefined)).toHaveLength(6);
  });

  test.each(COMPARISONS)('$objective, $pair: effect, p, wins and range to the printed digit', (compared) => {
    const { first, second, blocks, published } = compared;
    const effect = pairedEffect(
      blocks.map((block) => block[first]),
      blocks.map((block) => block[second]),
    );
    expect(effect.effectPercent.toFixed(3)).toBe(published.effect_percent.toFixed(3));
    const { p, assignments } = signFlip(effect.logRatios);
    expect(assignments).toBe('all');
    expect(p.toFixed(digits(published.sign_flip_p))).toBe(String(published.sign_flip_p));
    if (published.qd_wins !== undefined) expect(effect.wins).toBe(published.qd_wins);
    if (published.leave_one_out !== undefined) {
      expect(effect.leaveOneOut?.map((bound) => bound.toFixed(3))).toEqual(
        published.leave_one_out.map((bound) => bound.toFixed(3)),
      );
    }
    if (published.bca95 === undefined) return;
    const { lower, upper, resamples } = bcaInterval(effect.logRatios);
    expect(resamples).toBe('all');
    expect(Math.abs(percent(lower) - published.bca95[0])).toBeLessThan(0.03);
    expect(Math.abs(percent(upper) - published.bca95[1])).toBeLessThan(0.03);
    const drawn = bcaInterval(effect.logRatios, { enumerate: 0, seed: 1 });
    expect(drawn.resamples).toBe(20_000);
    expect(Math.abs(percent(drawn.lower) - published.bca95[0])).toBeLessThan(0.03);
    expect(Math.abs(percent(drawn.upper) - published.bca95[1])).toBeLessThan(0.03);
  });

  test('its two tests of compression as a family', () => {
    const of = (pair: string): Comparison => {
      const found = DATA.published.compression[pair];
      if (found === undefined) throw new Error(`${pair} was not published`);
      return found;
    };
    const pairs = ['qd_vs_sequential', 'qd_vs_independent'].map(of);
    expect(holm(pairs.map(({ sign_flip_p }) => sign_flip_p))).toEqual(pairs.map(({ holm_p }) => holm_p));
  });

  test.each(
    Object.entries(DATA.published.compression.exact_bca95_by_enumeration).filter(([pair]) => pair.includes('_vs_')),
  )('the enumerated bounds of %s', (pair, bounds) => {
    const [first, second] = pair.split('_vs_') as [Arm, Arm];
    const { logRatios } = pairedEffect(
      DATA.compression_ratio_by_block.map((block) => block[first]),
      DATA.compression_ratio_by_block.map((block) => block[second]),
    );
    const { lower, upper } = bcaInterval(logRatios);
    expect(Math.abs(percent(lower) - bounds[0])).toBeLessThan(0.01);
    expect(Math.abs(percent(upper) - bounds[1])).toBeLessThan(0.01);
  });

  test('its means', () => {
    for (const arm of ['independent', 'qd', 'sequential'] as const) {
      const gains = DATA.compression_ratio_by_block.map((block) => 100 * (block[arm] - 1));
      expect(mean(gains).toFixed(3)).toBe(DATA.published.compression.mean_percent[arm].toFixed(3));
    }
  });
});

/** Of a number as it was printed. */
const digits = (value: number): number => String(value).split('.')[1]?.length ?? 0;
