import { below, between, logWithin, type Random, within } from './random.ts';
import type { Sink } from './sink.ts';

/**
 * What hardly gets smaller, as images, sound and encrypted files do: stretches of random bytes, stretches of bytes of which some
 * are commoner than others, and now and then a stretch that was there before. The seed chooses the shares.
 */
export function makeNoise(world: Random): (next: Random, sink: Sink) => void {
  const random = within(world, 0.25, 0.5);
  const repeated = within(world, 0.01, 0.05);
  const [shortest, longest] = [between(world, 256, 2_048), between(world, 16_384, 65_536)];
  const symbols = between(world, 60, 140);

  return (next, sink) => {
    while (!sink.full) {
      const length = Math.round(logWithin(next, shortest, longest));
      const kind = within(next, 0, 1);
      if (kind < repeated && sink.length > 2 * length) sink.repeat(between(next, length, sink.length), length);
      else if (kind < repeated + random) for (let i = 0; i < length; i += 4) word(sink, next());
      // The larger of two draws has a slope over the symbols: about 6 bits a byte.
      else for (let i = 0; i < length; i += 1) sink.byte(Math.max(below(next, symbols), below(next, symbols)));
    }
  };
}

function word(sink: Sink, bits: number): void {
  for (let shift = 0; shift < 32; shift += 8) sink.byte((bits >>> shift) & 255);
}
