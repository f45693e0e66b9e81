import { type Descriptor, needed } from './descriptor.ts';

/** The mean embedding of the changed hunks' text against the root; zero for the root (formulas §2). */
export const diff = {
  kind: 'diff',
  needs: ['hunks'],
  describe: (input) => needed(input, 'hunks').slice(),
} as const satisfies Descriptor;
