import { createHash } from 'node:crypto';
import type { ChangedFile } from '../change/hunks.ts';
import type { SyntaxChange, SyntaxMeasure } from '../change/structure.ts';
import { type Descriptor, needed } from './descriptor.ts';
import { signedLog } from './signed-log.ts';

/** Components that node kinds are spread over, by a hash of their names: grammars have hundreds. */
const KIND_COMPONENTS = 48;

/**
 * Language-neutral measures of the change against the root (formulas §2), each a signed logarithm: files added, deleted and
 * modified, hunks, lines added and deleted, the growth of complexity and of depth, and the growth of each kind of syntax
 * node. A 1 comes first, for the reason given in `features.ts`.
 */
export const structural = {
  kind: 'structural',
  needs: ['change'],
  describe(input) {
    const { files, syntax } = needed(input, 'change');
    const hunks = files.flatMap((file) => file.hunks);
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const count = (status: ChangedFile['status']) => files.filter((file) => file.status === status).length;
    const growth = (measure: (syntax: SyntaxMeasure) => number) => sum(syntax.map((file) => grown(file, measure)));
    const measures = [
      count('added'),
      count('deleted'),
      count('modified'),
      hunks.length,
      sum(hunks.map(({ added }) => added)),
      sum(hunks.map(({ deleted }) => deleted)),
      growth(({ cyclomatic }) => cyclomatic),
      growth(({ depth }) => depth),
      ...grownKinds(syntax),
    ];
    return Float32Array.of(1, ...measures.map(signedLog));
  },
} as const satisfies Descriptor;

function grown({ before, after }: SyntaxChange, measure: (syntax: SyntaxMeasure) => number): number {
  return (after === null ? 0 : measure(after)) - (before === null ? 0 : measure(before));
}

function grownKinds(files: readonly SyntaxChange[]): Float64Array {
  const components = new Float64Array(KIND_COMPONENTS);
  for (const { before, after } of files) {
    for (const [measure, sign] of [[before, -1] as const, [after, 1] as const]) {
      for (const [kind, nodes] of Object.entries(measure?.kinds ?? {})) {
        const { component, side } = placeOf(kind);
        components[component] = (components[component] ?? 0) + sign * side * nodes;
      }
    }
  }
  return components;
}

/** Half of the kinds count negatively, so that two of one component seldom pass for one another. */
function placeOf(kind: string): { component: number; side: 1 | -1 } {
  const digest = createHash('sha256').update(kind).digest();
  return { component: digest.readUInt32BE(0) % KIND_COMPONENTS, side: (digest[4] ?? 0) % 2 === 0 ? 1 : -1 };
}
