import { below, between, choose, type Random, within, zipf } from './random.ts';
import type { Sink } from './sink.ts';
import { makeWords } from './words.ts';

const LEVELS = ['INFO', 'DEBUG', 'WARN', 'ERROR'];
type Part = (next: Random) => string;

/** Logs: a time stamp, a level, a source and one of a few hundred messages with values in it. The seed chooses all of them. */
export function makeLog(world: Random): (next: Random, sink: Sink) => void {
  const words = makeWords(world, between(world, 300, 1_500));
  const values: Part[] = [
    (next) => String(below(next, 10 ** between(next, 1, 6))),
    (next) => `0x${next().toString(16).padStart(8, '0')}`,
    (next) => `10.${below(next, 4)}.${below(next, 256)}.${below(next, 256)}`,
    (next) => `/${choose(next, words)}/${choose(next, words)}.${choose(next, words)}`,
    (next) => `${(below(next, 100_000) / 1000).toFixed(3)}ms`,
    (next) => choose(next, words),
  ];
  const message = zipf(
    Array.from({ length: between(world, 60, 500) }, () => makeMessage(world, words, values)),
    within(world, 0.5, 1.1),
  );
  const source = zipf(
    words.slice(0, between(world, 10, 60)).map((word) => `${word}.${choose(world, words)}`),
    0.8,
  );
  const level = zipf(LEVELS, within(world, 1, 3));
  const seconds = below(world, 2) === 0;
  const [open, close] = choose(world, [
    ['[', ']'],
    ['', ':'],
    ['<', '>'],
  ] as const);
  const gap = between(world, 5, 3_000);

  return (next, sink) => {
    let time = 1.7e12 + below(next, 2 ** 31);
    while (!sink.full) {
      time += below(next, gap);
      const stamp = seconds ? (time / 1000).toFixed(3) : new Date(time).toISOString();
      sink.text(`${stamp} ${level(next)} ${open}${source(next)}${close} `);
      for (const part of message(next)) sink.text(part(next));
      sink.text('\n');
    }
  };
}

function makeMessage(world: Random, words: readonly string[], values: readonly Part[]): Part[] {
  return Array.from({ length: between(world, 2, 6) }, (): Part[] => {
    const fixed = Array.from({ length: between(world, 1, 4) }, () => choose(world, words)).join(' ');
    const value = choose(world, values);
    return below(world, 3) === 0 ? [() => `${fixed} `] : [() => `${fixed}=`, value, () => ' '];
  }).flat();
}
