import type { Descriptor } from './descriptor.ts';

/**
 * (1/n) Σ v_f over the candidate's n eligible files; zero when it has none (formulas §2). Small edits of a large
 * repository hardly move it: on Zstandard the median cosine distance of two candidates was 3.22e-6.
 */
export const repositoryMean = {
  kind: 'repository-mean',
  needs: ['repository'],
  describe({ candidate }) {
    const count = Math.max(candidate.count, 1);
    return Float32Array.from(candidate.sum, (value) => value / count);
  },
} as const satisfies Descriptor;
