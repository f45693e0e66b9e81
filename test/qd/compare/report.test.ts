import { describe, expect, it } from 'vitest';
import { type Entry, generatorFor, reportDescriptor } from '../../../src/qd/index.ts';
import { SETTINGS } from '../samples.ts';

const rng = generatorFor({ seed: 4, island: 0, ordinal: 0, purpose: 'report' });
const noise = () => rng.unit() - 0.5;

/** Half of the entries change file a and lie in one direction, half change b and lie in another; the first objective is noise. */
function history(count: number): { entries: Entry[]; changed: Map<number, Set<string>> } {
  const entries = Array.from({ length: count }, (_, ordinal) => {
    const side = ordinal % 2;
    const vector = Float32Array.from({ length: 8 }, (_, j) => (j === side ? 1 : 0) + 0.05 * noise());
    return { ordinal, point: Float64Array.of(noise(), side), vector };
  });
  return {
    entries,
    changed: new Map(entries.map(({ ordinal }) => [ordinal, new Set([ordinal % 2 === 0 ? 'a' : 'b'])])),
  };
}

describe('the report on a descriptor', () => {
  const { entries, changed } = history(60);
  const report = reportDescriptor(SETTINGS, entries, changed);

  it('sees two groups: far apart, one component, one cell or two each', () => {
    expect(report.entries).toBe(60);
    expect(report.distances?.count).toBe((60 * 59) / 2);
    expect(report.distances?.max).toBeGreaterThan(0.8);
    expect(report.distances?.lower).toBeLessThan(0.05);
    expect(report.participationRatio).toBeLessThan(1.2);
    expect(report.explained).toBeGreaterThan(0.95);
    expect(report.grid.occupied).toBeGreaterThan(1);
  });

  it('sees what the groups have to do with files and objectives', () => {
    expect(report.separation.files).toBeGreaterThan(0.8);
    expect(report.separation.objectives.size).toBeGreaterThan(0.8);
    expect(Math.abs(report.separation.objectives.speed ?? 1)).toBeLessThan(0.2);
  });

  it('is JSON, also of a history that says nothing', () => {
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    for (const count of [0, 1, 3]) {
      const same = entries.slice(0, count).map((entry) => ({ ...entry, vector: new Float32Array(8) }));
      const silent = reportDescriptor(SETTINGS, same, new Map());
      expect(JSON.parse(JSON.stringify(silent))).toEqual(silent);
      expect(silent).toMatchObject({ entries: count, explained: null, separation: { files: null } });
    }
  });

  it('looks at 512 entries of a long history', () => {
    const long = history(1300);
    expect(reportDescriptor(SETTINGS, long.entries, long.changed).distances?.count).toBe((512 * 511) / 2);
  });
});
