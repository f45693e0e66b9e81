import { below, between, choose, type Random, within, zipf } from './random.ts';
import type { Sink } from './sink.ts';
import { capital, makeWords } from './words.ts';

const KEYWORDS = ['if', 'while', 'for', 'switch'];
const OPERATORS = ['+', '-', '*', '&', '|', '<<', '>>', '^'];
const COMPARISONS = ['<', '>', '==', '!=', '<=', '>='];
const MOST_DEPTH = 5;

/** Program text: nested blocks of statements over names that come again and again. The seed chooses names and style. */
export function makeSource(world: Random): (next: Random, sink: Sink) => void {
  const parts = makeWords(world, between(world, 200, 900));
  const camel = below(world, 2) === 0;
  const name = zipf(
    Array.from({ length: between(world, 500, 3_000) }, () => {
      const own = Array.from({ length: between(world, 1, 3) }, () => choose(world, parts));
      return camel ? own.map((part, i) => (i === 0 ? part : capital(part))).join('') : own.join('_');
    }),
    within(world, 0.7, 1.1),
  );
  const type = zipf(
    parts.slice(0, 40).map((part) => (camel ? capital(part) : `${part}_t`)),
    1,
  );
  const indent = choose(world, ['\t', '  ', '    ']);
  const comments = within(world, 0.02, 0.15);

  const operand = (next: Random): string => {
    const chance = below(next, 8);
    if (chance === 0) return String(below(next, 256));
    if (chance === 1) return `0x${next().toString(16)}`;
    return chance === 2 ? `${name(next)}[${name(next)}]` : name(next);
  };
  const statement = (next: Random): string => {
    const chance = below(next, 10);
    if (chance < 4) return `${name(next)} = ${operand(next)} ${choose(next, OPERATORS)} ${operand(next)};`;
    if (chance < 7) return `${name(next)}(${operand(next)}, ${operand(next)});`;
    if (chance < 9) return `${type(next)} ${name(next)} = ${name(next)}(${operand(next)});`;
    return `return ${operand(next)};`;
  };

  return (next, sink) => {
    let depth = 0;
    while (!sink.full) {
      if (next() < comments * 2 ** 32)
        sink.text(`${indent.repeat(depth)}/* ${choose(next, parts)} ${choose(next, parts)} */\n`);
      const chance = below(next, 10);
      if (depth === 0) {
        sink.text(`\n${type(next)} ${name(next)}(${type(next)} ${name(next)}) {\n`);
        depth = 1;
      } else if (chance < 2) {
        depth -= 1;
        sink.text(`${indent.repeat(depth)}}\n`);
      } else if (chance < 4 && depth < MOST_DEPTH) {
        const test = `${operand(next)} ${choose(next, COMPARISONS)} ${operand(next)}`;
        sink.text(`${indent.repeat(depth)}${choose(next, KEYWORDS)} (${test}) {\n`);
        depth += 1;
      } else {
        sink.text(`${indent.repeat(depth)}${statement(next)}\n`);
      }
    }
  };
}
