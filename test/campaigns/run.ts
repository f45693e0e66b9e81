import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const CAMPAIGNS = resolve(import.meta.dirname, '../../campaigns');

/** What an evaluator wrote, with the fields that these tests look at; both statuses in one shape. */
export interface Result {
  readonly status: string;
  readonly kind?: string;
  readonly objectives?: Readonly<Record<string, number>>;
  readonly intervals?: Readonly<Record<string, readonly [number, number]>>;
  readonly metrics?: Readonly<Record<string, number>>;
  readonly identity?: string;
  readonly summary: string;
  readonly evidence: string;
}

export interface Run {
  readonly exitCode: number;
  readonly result: Result | null;
  readonly artifacts: string;
}

/** A temporary folder that is gone at the end of the scope. */
export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'clade-campaigns-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** A copy of a target, as the checkout of a candidate would be. */
export async function copyTarget(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (path) => !path.endsWith('.map') });
}

/** Runs an evaluator as the engine does, in `checkout` and with nothing but the contract's variables. */
export async function runEvaluator(campaign: string, checkout: string, root: string, scratch: string): Promise<Run> {
  const artifacts = join(scratch, 'artifacts');
  const resultFile = join(scratch, 'result.json');
  await mkdir(artifacts, { recursive: true });
  await rm(resultFile, { force: true });
  const env = {
    PATH: process.env.PATH ?? '',
    TMPDIR: scratch,
    CLADE_ROOT_DIR: root,
    CLADE_RESULT: resultFile,
    CLADE_ARTIFACTS: artifacts,
    CLADE_CACHE: scratch,
    CLADE_SPLIT: 'train',
    CLADE_SEED: '1',
    CLADE_CPUS: '',
    CLADE_COMMIT: '0'.repeat(40),
    CLADE_ROOT_COMMIT: '0'.repeat(40),
    CLADE_CAMPAIGN_DIR: join(CAMPAIGNS, campaign),
  };
  const exitCode = await new Promise<number>((done) => {
    execFile(join(CAMPAIGNS, campaign, 'evaluate.mjs'), { cwd: checkout, env }, (error) => {
      done(error === null ? 0 : typeof error.code === 'number' ? error.code : -1);
    });
  });
  const text = await readFile(resultFile, 'utf8').catch(() => null);
  return { exitCode, result: text === null ? null : (JSON.parse(text) as Result), artifacts };
}
