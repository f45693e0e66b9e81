import { below, between, choose, type Random, within, zipf } from './random.ts';
import type { Sink } from './sink.ts';
import { capital, makeWords } from './words.ts';

/** Prose: words by Zipf's law, set phrases, sentences, paragraphs. The seed chooses the language and the style. */
export function makeText(world: Random): (next: Random, sink: Sink) => void {
  const words = makeWords(world, between(world, 2_000, 12_000));
  const word = zipf(words, within(world, 0.85, 1.15));
  const phrases = Array.from({ length: between(world, 300, 2_500) }, () =>
    Array.from({ length: between(world, 2, 6) }, () => word(world)).join(' '),
  );
  const phrase = zipf(phrases, within(world, 0.6, 1));
  const phraseShare = within(world, 0.05, 0.3);
  const [shortest, longest] = [between(world, 3, 7), between(world, 12, 28)];
  const paragraph = between(world, 3, 9);
  const marks = choose(world, [', ', '; ', ' - ']);

  return (next, sink) => {
    while (!sink.full) {
      for (let sentences = between(next, 1, paragraph); sentences > 0; sentences -= 1) {
        sink.text(capital(word(next)));
        for (let left = between(next, shortest, longest); left > 0; left -= 1) {
          sink.text(below(next, 12) === 0 ? marks : ' ');
          sink.text(next() < phraseShare * 2 ** 32 ? phrase(next) : word(next));
        }
        sink.text('. ');
      }
      sink.text('\n\n');
    }
  };
}
