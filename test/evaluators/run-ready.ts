import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Run } from '../campaigns/run.ts';

export const EVALUATORS = resolve(import.meta.dirname, '../../evaluators');

export interface ReadyRun extends Run {
  readonly stderr: string;
}

export interface Ready {
  /** The folder of the evaluator. */
  readonly name: string;
  readonly options?: unknown;
  readonly checkout: string;
  readonly root: string;
  /** For the result, the artifacts and temporary files. */
  readonly scratch: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What it is asked to do, before its options: `prepare`, `build`. */
  readonly mode?: string;
}

/** Runs a ready evaluator from its source as the engine does: in the checkout, with nothing but the contract's variables. */
export async function runReady({ name, options, checkout, root, scratch, env, mode }: Ready): Promise<ReadyRun> {
  const artifacts = join(scratch, 'artifacts');
  const resultFile = join(scratch, 'result.json');
  await mkdir(artifacts, { recursive: true });
  await rm(resultFile, { force: true });
  const argv = ['-C', 'clade-source', join(EVALUATORS, name, 'evaluate.ts')];
  if (mode !== undefined) argv.push(mode);
  if (options !== undefined) argv.push('--options', JSON.stringify(options));
  const contract = {
    PATH: process.env.PATH ?? '',
    TMPDIR: scratch,
    HOME: scratch,
    CLADE_ROOT_DIR: root,
    CLADE_RESULT: resultFile,
    CLADE_ARTIFACTS: artifacts,
    CLADE_CACHE: scratch,
    CLADE_SPLIT: 'train',
    CLADE_SEED: '1',
    CLADE_CPUS: '',
    CLADE_COMMIT: '1'.repeat(40),
    CLADE_ROOT_COMMIT: '0'.repeat(40),
    CLADE_CAMPAIGN_DIR: scratch,
    ...env,
  };
  const { promise, resolve: done } = Promise.withResolvers<{ exitCode: number; stderr: string }>();
  execFile(process.execPath, argv, { cwd: checkout, env: contract }, (error, _, stderr) => {
    done({ exitCode: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stderr });
  });
  const { exitCode, stderr } = await promise;
  const text = await readFile(resultFile, 'utf8').catch(() => null);
  return { exitCode, stderr, result: text === null ? null : JSON.parse(text), artifacts };
}
