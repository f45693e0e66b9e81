import fc from 'fast-check';
import type { Archive, Entry, FrontSettings, Member, Population, PopulationSettings } from '../../src/qd/index.ts';
import { createArchive, elites } from '../../src/qd/index.ts';

/** Coordinates in quarters of ε = 1, so that equal values, equal boxes and box edges all turn up, and no rounding does. */
const coordinate = fc.integer({ min: -12, max: 12 }).map((quarters) => quarters / 4);

export interface Offers {
  readonly members: Member[];
  readonly settings: FrontSettings;
}

/** Members in settlement order with the settings of a front of 1 … 4 objectives, some of them with ε = 0. */
export function offers(rule: FrontSettings['rule'], capacity: fc.Arbitrary<number>): fc.Arbitrary<Offers> {
  return fc.integer({ min: 1, max: 4 }).chain((objectives) =>
    fc.record({
      members: fc
        .array(fc.array(coordinate, { minLength: objectives, maxLength: objectives }), { minLength: 1, maxLength: 40 })
        .map(membersOf),
      settings: fc.record({
        rule: fc.constant(rule),
        epsilons: fc.array(fc.constantFrom(0, 0.5, 1), { minLength: objectives, maxLength: objectives }),
        capacity,
      }),
    }),
  );
}

export function membersOf(points: readonly (readonly number[])[]): Member[] {
  return points.map((point, ordinal) => ({ ordinal, point: Float64Array.from(point) }));
}

export const ordinals = (members: readonly Member[]): number[] => members.map(({ ordinal }) => ordinal);

const VECTOR_LENGTH = 6;

/**
 * A history in settlement order: few distinct vectors, the zero vector among them, and sometimes an identity. Up to the whole
 * length, so that several epochs turn up; by default fast-check keeps to a dozen.
 */
export function histories(maxLength = 40): fc.Arbitrary<Entry[]> {
  const value = fc.integer({ min: -8, max: 8 }).map((eighths) => eighths / 8);
  const entry = fc.record({
    point: fc.array(coordinate, { minLength: 2, maxLength: 2 }).map((point) => Float64Array.from(point)),
    vector: fc
      .array(value, { minLength: VECTOR_LENGTH, maxLength: VECTOR_LENGTH })
      .map((vector) => Float32Array.from(vector)),
    identity: fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 3 }),
  });
  return fc
    .array(entry, { minLength: 1, maxLength, size: 'max' })
    .map((entries) => entries.map((rest, ordinal) => ({ ordinal, ...rest })));
}

export const SETTINGS: PopulationSettings = {
  objectives: [
    { name: 'speed', direction: 'maximize', epsilon: 0.5 },
    { name: 'size', direction: 'minimize', epsilon: 0 },
  ],
  warmup: 6,
  projection: { dimensions: 2, clip: 3, refit: 5, history: 20 },
  grid: { cells: 4 },
  front: { rule: 'box', capacity: 3 },
};

/** An archive of 4 × 4 cells whose fronts are as given: cell → ordinals. Nothing in it was placed. */
export function archiveWith(fronts: Readonly<Record<number, readonly number[]>>): Archive {
  const axes = [new Float64Array(1), new Float64Array(1)];
  const archive = createArchive(SETTINGS, { clip: 3, mean: new Float64Array(1), axes, explained: [] });
  for (const [cell, members] of Object.entries(fronts)) {
    const entries = members.map((ordinal) => ({
      ordinal,
      point: Float64Array.of(0, 0),
      vector: new Float32Array(1),
    }));
    archive.fronts.set(Number(cell), entries);
  }
  return archive;
}

/** All that decides what happens next. */
export const stateOf = ({ history, identities, epoch, fittedAt, archive }: Population) => ({
  history,
  identities: [...identities],
  epoch,
  fittedAt,
  projection: archive?.projection,
  elites: archive && elites(archive),
});
