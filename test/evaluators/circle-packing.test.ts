import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exact, ONE, violations } from '../../evaluators/circle-packing/exact.ts';
import { cost, program, tokens } from '../../evaluators/circle-packing/source.ts';
import { CAMPAIGNS, copyTarget, temporaryFolder } from '../campaigns/run.ts';
import { type ReadyRun, runReady } from './run-ready.ts';

const TARGET = join(CAMPAIGNS, 'circle-packing', 'target');

/** Evaluates the target with `pack.js` replaced by what `change` makes of it. */
async function evaluateWith(
  change: (text: string) => string,
  options?: unknown,
): Promise<ReadyRun & { picture: string }> {
  await using folder = await temporaryFolder();
  const checkout = join(folder.path, 'checkout');
  await copyTarget(TARGET, checkout);
  const file = join(checkout, 'pack.js');
  await writeFile(file, change(await readFile(file, 'utf8')));
  const run = await runReady({ name: 'circle-packing', options, checkout, root: TARGET, scratch: folder.path });
  const picture = join(run.artifacts, 'packing.svg');
  return { ...run, picture: existsSync(picture) ? await readFile(picture, 'utf8') : '' };
}

/** A constructor that ends in `statements` on the root's circles. */
const ending = (statements: string) => (text: string) =>
  text.replace('return circles;', `${statements}\n  return circles;`);

describe('the evaluator of circle-packing', () => {
  it('accepts the root, with a picture', async () => {
    const { exitCode, result, picture } = await evaluateWith((text) => text);
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ status: 'valid', objectives: { cost: 60 } });
    expect(result?.objectives?.sum_radii).toBeCloseTo(1.5883, 4);
    expect(picture.match(/<circle /g)).toHaveLength(26);
  });

  it('gives the same identity and cost to another layout, and a better score to a better packing', async () => {
    const plain = await evaluateWith((text) => text);
    const commented = await evaluateWith((text) => text.replace('return circles;', '  // done\n  return circles;'));
    expect(commented.result?.identity).toBe(plain.result?.identity);
    const better = await evaluateWith((text) => text.replaceAll('grow(circles, 2,', 'grow(circles, 4,'));
    expect(better.result?.objectives?.sum_radii).toBeGreaterThan(1.7);
    expect(better.result?.objectives?.cost).toBe(60);
  });

  it.each([
    [
      'an overlap of one last bit',
      'circles[0] = { x: 0.5, y: 0.5, r: 0.1 }; circles[1] = { x: 0.7, y: 0.5, r: 0.10000000000000002 };',
      'gate',
    ],
    ['a circle outside', 'circles[3].x = 1.2;', 'gate'],
    ['a number that is not one', 'circles[3].r = Number.NaN;', 'gate'],
    ['an infinite one', 'circles[3].r = Number.POSITIVE_INFINITY;', 'gate'],
    ['a number as text', "circles[3].r = '0.01';", 'gate'],
    ['a radius of zero', 'circles[3].r = 0;', 'gate'],
    ['25 circles', 'circles.pop();', 'gate'],
    ['27 circles', 'circles.push({ x: 0.001, y: 0.001, r: 0.0001 });', 'gate'],
    ['an exception', 'nowhere();', 'test'],
    ['a syntax error', 'return (;', 'build'],
    ['an endless loop', 'for (;;);', 'benchmark'],
    ['chance', 'circles[3].r *= Math.random();', 'test'],
    ['the end of the process', 'process.exit(0);', 'gate'],
    ['a kill of itself', "process.kill(process.pid, 'SIGKILL');", 'benchmark'],
    ['code from text', "new Function('return 1')();", 'test'],
  ])('refuses %s', async (_, statements, kind) => {
    const { exitCode, result, picture } = await evaluateWith(ending(statements));
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ status: 'invalid', kind });
    expect(picture).toBe('');
  });

  it('keeps a candidate from files, processes and the environment', async () => {
    const spy = (statement: string) => (text: string) =>
      `import { readFileSync, writeFileSync } from 'node:fs';\nimport { execFileSync } from 'node:child_process';\n${ending(statement)(text)}`;
    const attempts = [
      "writeFileSync('/tmp/clade-campaign-written', 'x');",
      "readFileSync('/proc/self/environ');",
      "execFileSync('true');",
      "if (!('CLADE_RESULT' in process.env)) throw new Error('not told');",
    ];
    for (const attempt of attempts) {
      const { result } = await evaluateWith(spy(attempt));
      expect(result).toMatchObject({ status: 'invalid', kind: 'test' });
    }
  });

  it('packs another number of circles into another square', async () => {
    const seven = (text: string) => text.replace('rings(26', 'rings(7');
    expect((await evaluateWith(seven)).result).toMatchObject({ status: 'invalid', kind: 'gate' });
    const smaller = await evaluateWith(seven, { circles: 7, side: 0.75 });
    expect(smaller.result).toMatchObject({ status: 'invalid', summary: expect.stringContaining('leave the square') });
    const { result, picture } = await evaluateWith(seven, { circles: 7, side: 1.5 });
    expect(result).toMatchObject({ status: 'valid' });
    expect(picture.match(/<circle /g)).toHaveLength(7);
  });

  it('refuses more source than the campaign allows', async () => {
    const { result } = await evaluateWith((text) => text, { maxCost: 59 });
    expect(result).toMatchObject({ status: 'invalid', kind: 'scope' });
  });

  it.each([{ circels: 7 }, { circles: 7.5 }, { side: 0 }, { side: '1' }, []])(
    'calls the options %j the fault of the campaign',
    async (options) => {
      const { exitCode, result, stderr } = await evaluateWith((text) => text, options);
      expect({ exitCode, result }).toEqual({ exitCode: 75, result: null });
      expect(stderr).toContain('circle-packing');
    },
  );

  it('takes the library from the root', async () => {
    await using folder = await temporaryFolder();
    const checkout = join(folder.path, 'checkout');
    await copyTarget(TARGET, checkout);
    await writeFile(join(checkout, 'lib', 'grow.js'), 'broken(');
    const { result } = await runReady({ name: 'circle-packing', checkout, root: TARGET, scratch: folder.path });
    expect(result).toMatchObject({ status: 'valid' });
  });

  it('calls a missing root the fault of the machine', async () => {
    await using folder = await temporaryFolder();
    const root = join(folder.path, 'nowhere');
    const run = await runReady({ name: 'circle-packing', checkout: TARGET, root, scratch: folder.path });
    expect(run).toMatchObject({ exitCode: 75, result: null });
  });
});

describe('exact comparison', () => {
  it('turns doubles into integers', () => {
    expect(exact(1)).toBe(ONE);
    expect(exact(-0.75)).toBe((-3n * ONE) / 4n);
    expect(exact(Number.MIN_VALUE)).toBe(1n);
    expect(exact(0)).toBe(0n);
  });

  it('allows touching and nothing more', () => {
    const touching = [
      { x: 0.25, y: 0.25, r: 0.25 },
      { x: 0.75, y: 0.25, r: 0.25 },
    ];
    expect(violations(touching)).toEqual({ outside: [], overlapping: [] });
    const larger = touching.map((circle) => ({ ...circle, r: 0.25 + 2 ** -54 }));
    expect(violations(larger)).toEqual({ outside: [0, 1], overlapping: [[0, 1]] });
    expect(violations(touching, 1 - 2 ** -53)).toEqual({ outside: [1], overlapping: [] });
  });
});

describe('the cost of source', () => {
  const texts = (source: string) => tokens(source).map(({ text }) => text);

  it('counts tokens, and long ones by their length', () => {
    expect(cost(tokens('const a = 1; // free'))).toBe(5);
    expect(cost(tokens(`'${'x'.repeat(98)}'`))).toBe(7);
    expect(cost(tokens('/* free */'))).toBe(0);
  });

  it('tells divisions from regular expressions, and comments from text', () => {
    expect(texts('a / b / c')).toEqual(['a', '/', 'b', '/', 'c']);
    expect(texts('return /[/]"/g')).toEqual(['return', '/[/]"/g']);
    expect(texts("'// no comment'")).toEqual(["'// no comment'"]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template is the input
    expect(texts('`a ${f(`}`)} // b` + 1')).toEqual(['`a ${f(`}`)} // b`', '+', '1']);
  });

  it('gives a program that still ends its lines', () => {
    expect(program(tokens('let a = 1 // one\nlet b = .5'))).toBe('let a = 1\nlet b = .5\n');
  });
});
