import type { Descriptor } from './descriptor.ts';

/**
 * The direction in which the candidate's sum of file vectors left the root's, of unit length; the zero vector for the
 * root and for every state with the root's files (formulas §2). The length is left out on purpose: the direction is what
 * tells small edits apart.
 */
export const displacement = {
  kind: 'displacement',
  needs: ['repository'],
  describe({ candidate, root }) {
    const moved = candidate.sum.map((value, index) => value - (root.sum[index] ?? 0));
    const length = Math.sqrt(moved.reduce((total, value) => total + value * value, 0));
    // Sums are exact, so a state equal to the root gives 0 and not a tiny random direction.
    return Float32Array.from(moved, (value) => (length === 0 ? 0 : value / length));
  },
} as const satisfies Descriptor;
