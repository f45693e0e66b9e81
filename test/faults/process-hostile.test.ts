import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import type { Campaign } from '../../src/config/index.ts';
import { type EvaluationRecord, evaluate, type Stage } from '../../src/evaluator/index.ts';
import { findMarked, removeFolder } from '../../src/process/index.ts';
import { listPids } from '../../src/process/proc.ts';
import { requester } from '../evaluator/fixture.ts';
import { type Hostile, hostileEvaluator } from '../fixtures/hostile.ts';
import { watchForLeaks } from '../process/fixture.ts';
import { describeIf } from '../support/requirements.ts';

const workspace = watchForLeaks();
const MIB = 2 ** 20;
const LIMITS = { memoryBytes: 128 * MIB, fileBytes: 32 * MIB, cpuMs: 2_000, tmpBytes: 16 * MIB, diskBytes: 64 * MIB };
/** A look of the watchdog comes every 400 ms, and a disk may be fast. */
const OVERSHOOT_BYTES = 1024 * MIB;
const TIMEOUT_MS = 700;
const GRACE_MS = 100;
const PARALLEL = 4;

const never = new AbortController().signal;
const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await removeFolder(folder);
});

/** The one call of what is tested. */
async function judge(make: Awaited<ReturnType<typeof requester>>, { script }: Hostile) {
  const step = { name: 'evaluate', kind: null, command: ['sh', '-c', script], timeoutMs: TIMEOUT_MS, require: {} };
  const request = await make({ steps: [step], graceMs: GRACE_MS });
  const own = [request.checkout, request.rootCheckout, request.scratch, request.cache];
  folders.push(...own);
  const stages: Stage[] = [];
  const onStage = async (stage: Stage) => {
    stages.push(stage);
    return null;
  };
  const campaign = { ...request.campaign, limits: LIMITS };
  const record = await evaluate({ ...request, campaign }, { onStage }, never);
  const leftBytes = own.reduce((sum, folder) => sum + bytesBelow(folder), 0);
  for (const folder of own) await removeFolder(folder);
  return { record, stages, leftBytes, left: own.filter((folder) => existsSync(folder)) };
}

function bytesBelow(folder: string): number {
  const told = execFileSync('sh', ['-c', 'du -sk "$0" 2> /dev/null || :', folder], { encoding: 'utf8' });
  return Number(/^\d+/.exec(told)?.[0] ?? 0) * 1024;
}

/** Runs them, some at a time, and says of each what was not as it should be. */
async function survive(sandbox: Campaign['sandbox'], count: number): Promise<string[]> {
  const make = await requester(sandbox);
  const waiting = Array.from({ length: count }, (_, seed) => hostileEvaluator(seed, sandbox === 'required'));
  const wrong: string[] = [];
  const lane = async () => {
    for (let hostile = waiting.shift(); hostile !== undefined; hostile = waiting.shift()) {
      const say = (what: string) => void wrong.push(`${sandbox} ${hostile?.seed} (${hostile?.name}): ${what}`);
      try {
        const { record, stages, leftBytes, left } = await judge(make, hostile);
        if (!isRecord(record)) say(`no record: ${JSON.stringify(record).slice(0, 200)}`);
        if (stages.length !== 1) say(`${stages.length} stages`);
        if (leftBytes > LIMITS.diskBytes + OVERSHOOT_BYTES) say(`left ${leftBytes} bytes`);
        if (left.length > 0) say(`cannot be removed: ${left.join(', ')}`);
        JSON.parse(JSON.stringify([record, stages]));
      } catch (error) {
        say(`threw ${error}`);
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  return wrong;
}

/** One verdict, of which all text can be stored. */
function isRecord({ evaluation, stdout, stderr }: EvaluationRecord): boolean {
  const texts = [evaluation.summary, evaluation.evidence, stdout.text, stderr.text];
  const storable = texts.every((text) => text.isWellFormed() && !text.includes('\0'));
  if (evaluation.status === 'invalid') return storable && evaluation.summary !== '';
  return storable && Object.values(evaluation.objectives).every(Number.isFinite);
}

/** Who sleeps as only the evaluators here do, with or without our mark. */
function sleepers(): number[] {
  return listPids().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('sleep\x004321');
    } catch {
      return false; // It ended while we looked.
    }
  });
}

await describeIf('bubblewrap', 'faults 1–4: random hostile evaluators in the sandbox', () => {
  test('150 of them: each has one verdict, no process stays, what they wrote is bounded', async () => {
    expect(await survive('required', 150)).toEqual([]);
    expect(findMarked(workspace)).toEqual([]);
    expect(sleepers()).toEqual([]);
  });
});

test('faults 1–4: 50 random hostile evaluators without a sandbox do the same', async () => {
  expect(await survive('off', 50)).toEqual([]);
  expect(findMarked(workspace)).toEqual([]);
  expect(sleepers()).toEqual([]);
});
