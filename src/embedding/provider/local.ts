import { InterruptedError } from '../../errors.ts';
import { createCounts } from './counts.ts';
import { countFeatures, GROUP } from './features.ts';
import type { EmbeddingProvider } from './provider.ts';
import { createTokens, tokenize } from './tokens.ts';
import { unitLength } from './unit.ts';

/** Changes with the features, so that vectors of an older rule are not taken from the cache. */
const MODEL = 'hash-1';

/**
 * The weight of each group of `features.ts`. Shapes lead, so that a renamed copy stays near its original (cosine 0.94)
 * and far from a rewrite (0.56).
 */
const WEIGHTS = new Float64Array(4);
WEIGHTS[GROUP.words] = 0.7;
WEIGHTS[GROUP.shapes] = 1;
WEIGHTS[GROUP.pairs] = 0.15;

/**
 * The built-in provider: a signed feature hash of names' sub-tokens and of token 2- and 4-grams, without network, key or
 * model. A feature that occurs c times adds ±w·(1 + ln c) to the component that its hash names; the sum is scaled to
 * unit length. The same text gives the same vector on every machine.
 */
export function localProvider(dimensions: number): EmbeddingProvider {
  const encoder = new TextEncoder();
  const tokens = createTokens();
  const counts = createCounts();
  // Used again for each text: buffers that die young pile up faster than they are collected.
  const vector = new Float64Array(dimensions);
  let bytes = new Uint8Array(16 * 1024);

  const embedOne = (text: string): Float32Array => {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    if (bytes.length < text.length * 3) bytes = new Uint8Array(text.length * 3);
    const { written } = encoder.encodeInto(text, bytes);
    tokenize(bytes, written, tokens);
    countFeatures(bytes, tokens, counts);
    vector.fill(0);
    counts.drain((feature, count) => {
      const value = (WEIGHTS[feature & 3] ?? 0) * (count === 1 ? 1 : 1 + Math.log(count));
      const component = (feature >>> 3) % dimensions;
      vector[component] = (vector[component] ?? 0) + ((feature & 4) === 0 ? value : -value);
    });
    return unitLength(vector);
  };

  return {
    id: `local:${MODEL}:${dimensions}`,
    dimensions,
    async embed(texts, signal) {
      return texts.map((text) => {
        if (signal.aborted) throw new InterruptedError('embedding was stopped', { cause: signal.reason });
        return embedOne(text);
      });
    },
  };
}
