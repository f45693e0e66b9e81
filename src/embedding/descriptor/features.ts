import { ConfigurationError } from '../../errors.ts';
import { type Descriptor, needed } from './descriptor.ts';
import { signedLog } from './signed-log.ts';

/**
 * The evaluator's own features, in the order of their names: for each of the root's the logarithm of how far the candidate is from
 * it. Features that only a candidate has are left out, those that it lacks count as unchanged, so that all vectors have one length.
 *
 * A 1 comes first: projections look at directions only, and without it twice the change would be the same place.
 * @throws ConfigurationError when the root has no features.
 */
export const features = {
  kind: 'features',
  needs: ['features'],
  describe(input) {
    const { candidate, root } = needed(input, 'features');
    const names = Object.keys(root).sort();
    if (names.length === 0) {
      throw new ConfigurationError('the evaluator gives the root no features to describe candidates by', {
        hint: 'write "features" in the evaluator’s result, or choose another search.descriptor.kind',
      });
    }
    return Float32Array.of(
      1,
      ...names.map((name) => {
        const origin = root[name] ?? 0;
        const scale = origin === 0 ? 1 : Math.abs(origin);
        return signedLog(((candidate[name] ?? origin) - origin) / scale);
      }),
    );
  },
} as const satisfies Descriptor;
