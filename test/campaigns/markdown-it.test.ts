import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type ReadyRun, runReady } from '../evaluators/run-ready.ts';
import { CAMPAIGNS, copyTarget, temporaryFolder } from './run.ts';

const PACKAGE = resolve(import.meta.dirname, '../../node_modules/markdown-it');
const CAMPAIGN = join(CAMPAIGNS, 'markdown-it');

/** Evaluates the package with one text of its bundle replaced, its packages linked as the engine links them. */
async function evaluateWith(from: string, to: string, split = 'train'): Promise<ReadyRun> {
  await using folder = await temporaryFolder();
  const [root, checkout] = [join(folder.path, 'root'), join(folder.path, 'checkout')];
  const prepared = join(folder.path, 'prepared');
  await mkdir(join(prepared, 'node_modules'), { recursive: true });
  const env = { PATH: process.env.PATH ?? '', CLADE_CAMPAIGN_DIR: CAMPAIGN };
  await promisify(execFile)(process.execPath, [join(CAMPAIGN, 'prepare.mjs')], { cwd: prepared, env });
  for (const version of [root, checkout]) {
    await copyTarget(PACKAGE, version);
    await symlink(join(prepared, 'node_modules'), join(version, 'node_modules'));
  }
  const bundle = join(checkout, 'dist', 'markdown-it.mjs');
  const text = await readFile(bundle, 'utf8');
  expect(text).toContain(from);
  await writeFile(
    bundle,
    text.replace(from, () => to),
  );
  return await runReady({
    name: 'node-package',
    options: JSON.parse(await readFile(join(CAMPAIGN, 'options.json'), 'utf8')),
    checkout,
    root,
    scratch: folder.path,
    env: { CLADE_CAMPAIGN_DIR: CAMPAIGN, CLADE_SPLIT: split },
  });
}

const LAST_LINE = 'export { MarkdownItCallable as default };';

describe('the evaluator of markdown-it', () => {
  it('accepts the root as 1, with the noise in its metrics', async () => {
    const { exitCode, result } = await evaluateWith(LAST_LINE, LAST_LINE);
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ status: 'valid', objectives: { throughput: 1 }, intervals: { throughput: [1, 1] } });
    const { throughput_lower: lower, throughput_upper: upper } = result?.metrics ?? {};
    expect(upper).toBeGreaterThan(lower ?? Number.NaN);
  });

  it('gives a planted slow-down an interval that is below one, on another split too', async () => {
    const { result } = await evaluateWith(
      LAST_LINE,
      `const plain = Renderer.prototype.render;\nRenderer.prototype.render = function (...given) {\n  for (let i = 0; i < 3; i += 1) plain.apply(this, given);\n  return plain.apply(this, given);\n};\n${LAST_LINE}`,
      'validation',
    );
    expect(result?.status).toBe('valid');
    const [lower = Number.NaN, upper = Number.NaN] = result?.intervals?.throughput ?? [];
    expect(upper).toBeLessThan(1);
    expect(lower).toBeLessThan(result?.objectives?.throughput ?? Number.NaN);
  });

  it.each([
    ['one CommonMark example broken', 'state.push("hr", "hr", 0)', 'state.push("hr", "HR", 0)', 'test'],
    ['other output than the root’s where the specification says nothing', 'quotes: "“', 'quotes: "»', 'gate'],
    ['a bundle that cannot be loaded', LAST_LINE, `${LAST_LINE} (`, 'build'],
    ['a bundle that throws', LAST_LINE, `throw new Error('no');\n${LAST_LINE}`, 'build'],
    ['another import', LAST_LINE, `import 'node:fs';\n${LAST_LINE}`, 'scope'],
    ['a hand on the process', LAST_LINE, `process.exit(0);\n${LAST_LINE}`, 'scope'],
  ])('refuses %s', async (_, from, to, kind) => {
    const { exitCode, result } = await evaluateWith(from, to);
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ status: 'invalid', kind });
  });
});
