import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ArchiveView, CampaignStatus, CandidateView, EventView } from '../../src/daemon/index.ts';
import { expectDone, type Workspace, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** Every job writes one line of its own, so that no candidate has another's; job 3 is lucky, job 5 better … */
const AGENT = `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
case $job in
  job-2) word=FLAKY ;;
  job-3) word=LUCKY ;;
  job-4) word=SHIFTY ;;
  job-5) word=GOOD ;;
  job-7) word=PLANTED ;;
  *) word=note ;;
esac
echo "// $word $job" > work.js
`;

/** How often a text was measured before is kept on the machine, as the luck of a real measurement would not be. */
const COUNTING = `
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, contract, pairedResult, writeResult } from 'clade/evaluator';
const { cache, commit, rootCommit } = contract();
const text = readFileSync('work.js', 'utf8');
const log = join(cache, createHash('sha256').update(text).digest('hex'));
const times = existsSync(log) ? readFileSync(log, 'utf8').length : 0;
appendFileSync(log, '.');
`;

/** The first measurement of the lucky one is 30 % too high; a better one is 2 % better. */
const LUCKY_EVALUATOR = `#!/usr/bin/env node
${COUNTING}
const speed = text.includes('LUCKY') && times === 0 ? 1.3 : text.includes('GOOD') ? 1.02 : 1;
writeResult({ status: 'valid', objectives: { speed } });
`;

/** Twelve rounds, each with noise of 1 %; the planted edit is worth 1 %. */
const NOISY_EVALUATOR = `#!/usr/bin/env node
${COUNTING}
const unit = (part) => (createHash('sha256').update(text + times + '/' + part).digest().readUInt32LE() + 0.5) / 2 ** 32;
const normal = (round) => Math.sqrt(-2 * Math.log(unit(round + 'a'))) * Math.cos(2 * Math.PI * unit(round + 'b'));
const gain = text.includes('PLANTED') ? Math.log(1.01) : 0;
const rounds = Array.from({ length: 12 }, (_, round) => gain + 0.01 * normal(round));
writeResult({ status: 'valid', ...pairedResult('speed', compare(rounds, 3), commit === rootCommit) });
`;

/** One fails when it is measured again, one meets a fault of the machine then, one is built to something else; all are lucky first. */
const TROUBLED_EVALUATOR = `#!/usr/bin/env node
${COUNTING}
const is = (word) => text.includes(word);
if (is('LUCKY') && times === 1) process.exit(75);
const speed = times === 0 && (is('FLAKY') || is('LUCKY') || is('SHIFTY')) ? 1.3 : is('GOOD') ? 1.02 : 1;
const identity = text + (is('SHIFTY') ? times : '');
writeResult(
  is('FLAKY') && times > 0
    ? { status: 'invalid', kind: 'test', summary: 'red this time' }
    : { status: 'valid', objectives: { speed }, identity },
);
`;

interface Options {
  readonly evaluator: string;
  readonly remeasure: string;
  readonly jobs: number;
  readonly epsilon: number;
}

async function finished({ evaluator, remeasure, jobs, epsilon }: Options): Promise<Workspace> {
  const workspace = await openWorkspace();
  const folder = await workspace.campaign('race', {
    'target/work.js': '// root\n',
    'agent.sh': AGENT,
    'evaluate.mjs': evaluator,
    'campaign.yaml': `target: {repository: ./target}
goal: be faster
evaluator:
  command: [./evaluate.mjs]
  objectives: [{name: speed, direction: maximize, epsilon: ${epsilon}}]
  remeasure: ${remeasure}
agents: {coder: {kind: command, command: [./agent.sh]}}
search:
  schedule: {size: 4}
  warmup: 4
  projection: {dimensions: 1, refit: 4}
  descriptor: {provider: {kind: local, dimensions: 16}}
budget: {jobs: ${jobs}}
`,
  });
  expectDone(await workspace.run('run', folder));
  return workspace;
}

/** The text of the winner's patch and whether its proof says that it beats the root. */
async function winner(workspace: Workspace): Promise<{ patch: string; beatsRoot: boolean }> {
  const [handed] = await workspace.ask<{ files: string[]; beatsRoot: boolean }[]>(
    'patch',
    'race',
    '--best',
    '--output',
    'out',
  );
  if (handed === undefined) throw new Error('no patch was handed out');
  const patch = await readFile(join(workspace.dir, handed.files[0] ?? ''), 'utf8');
  return { patch, beatsRoot: handed.beatsRoot };
}

test.each([
  { remeasure: '{jump: 0.2}', cause: 'jump', incumbent: null },
  { remeasure: '{incumbent: true, jump: 0}', cause: 'lead', incumbent: 0 },
])('a lucky outlier does not survive $remeasure', { timeout: 400_000 }, async ({ remeasure, cause, incumbent }) => {
  const workspace = await finished({ evaluator: LUCKY_EVALUATOR, remeasure, jobs: 8, epsilon: 0.005 });

  const lucky = await workspace.ask<CandidateView>('show', 'race:3');
  const [train] = lucky.evaluations;
  // The lucky number stays on record and ranks nowhere.
  expect(train?.objectives).toEqual({ speed: 1.3 });
  expect(lucky.scores).toEqual({ speed: 1 });
  expect(lucky.trials).toMatchObject([{ cause, challenger: 3, incumbent, outcome: 'refuted' }]);
  expect(lucky.trials[0]?.measurements[0]).toMatchObject({ ordinal: 3, status: 'valid', scores: { speed: 1 } });
  const said = await workspace.run('show', 'race:3');
  expect(said.stdout).toContain(`(${cause}): refuted`);
  expect(said.stdout).toContain('ranked by    speed 1\n');
  const { elites } = await workspace.ask<ArchiveView>('archive', 'race');
  expect(elites.find(({ ordinal }) => ordinal === 3)?.scores ?? { speed: 1 }).toEqual({ speed: 1 });

  expect(await workspace.ask<CampaignStatus>('status', 'race')).toMatchObject({
    best: { ordinal: 5, objectives: { speed: 1.02 }, scores: { speed: 1.02 } },
    beatsRoot: true,
  });
  const { patch, beatsRoot } = await winner(workspace);
  expect(patch).toContain('+// GOOD job-5');
  expect(patch).not.toContain('LUCKY');
  expect(beatsRoot).toBe(true);

  // Nothing was settled, and so nothing could be built on it, between the lucky number and the verdict.
  const events = await workspace.ask<EventView[]>('log', 'race', '--limit', '500');
  const at = (kind: string, ordinal: number) =>
    events.findIndex((event) => event.kind === kind && event.ordinal === ordinal);
  const held = events.slice(at('trial.begun', 3), at('job.settled', 3));
  expect(held.filter(({ kind }) => kind === 'job.settled' || kind === 'job.planned')).toEqual([]);
  expect(held.filter(({ kind }) => kind === 'split.used')).toMatchObject(
    incumbent === null ? [{ ordinal: 3 }] : [{ data: { purpose: 'trial' } }, { data: { purpose: 'trial' } }],
  );
  expect(at('trial.decided', 3)).toBeGreaterThan(at('job.settled', 3));
});

test('without either the same outlier rules', { timeout: 400_000 }, async () => {
  const remeasure = '{jump: 0}';
  const workspace = await finished({ evaluator: LUCKY_EVALUATOR, remeasure, jobs: 8, epsilon: 0.005 });
  expect(await workspace.ask<CampaignStatus>('status', 'race')).toMatchObject({ best: { ordinal: 3 } });
});

test('a speed-up of 1 % is found under noise of 1 % a round, and beats the root', { timeout: 400_000 }, async () => {
  const remeasure = '{incumbent: true}';
  const workspace = await finished({ evaluator: NOISY_EVALUATOR, remeasure, jobs: 24, epsilon: 0.003 });
  const status = await workspace.ask<CampaignStatus>('status', 'race');
  expect(status).toMatchObject({ best: { ordinal: 7 }, beatsRoot: true });
  const best = await workspace.ask<CandidateView>('show', 'race:7');
  expect(best.trials.find(({ challenger }) => challenger === 7)?.outcome).toBe('confirmed');
  expect(Math.abs((best.scores?.speed ?? 0) - 1.01)).toBeLessThan(0.006);
  const { patch } = await winner(workspace);
  expect(patch).toContain('+// PLANTED');
});

test('who fails when measured again, or is another artefact then, is no candidate; a fault of the machine is nobody’s', {
  timeout: 400_000,
}, async () => {
  const remeasure = '{incumbent: true}';
  const workspace = await finished({ evaluator: TROUBLED_EVALUATOR, remeasure, jobs: 8, epsilon: 0.005 });
  const flaky = await workspace.ask<CandidateView>('show', 'race:2');
  expect(flaky).toMatchObject({
    ...{ outcome: 'invalid', stage: 'evaluate', failureKind: 'test', reason: 'when measured again: red this time' },
    ...{ scores: null, placements: [] },
  });
  // What failed has lost already: the incumbent is not measured for it.
  expect(flaky.trials).toMatchObject([{ number: 0, outcome: 'refuted', measurements: [{ ordinal: 2 }] }]);
  const shifty = await workspace.ask<CandidateView>('show', 'race:4');
  expect(shifty).toMatchObject({ outcome: 'invalid', failureKind: 'other', scores: null });
  expect(shifty.reason).toMatch(/^when measured again: its identity was .* now$/s);
  const lucky = await workspace.ask<CandidateView>('show', 'race:3');
  // In an odd trial the incumbent is first.
  const [trial] = lucky.trials;
  expect(trial).toMatchObject({ number: 1, outcome: 'refuted', measurements: [{ ordinal: 0 }, { ordinal: 3 }] });
  expect(lucky).toMatchObject({ outcome: 'candidate', scores: { speed: 1 } });
  const events = await workspace.ask<EventView[]>('log', 'race', '--limit', '500');
  expect(events.filter(({ kind }) => kind === 'fault')).toMatchObject([{ data: { what: 'the trial of job 3' } }]);
  expect(events.filter(({ kind }) => kind === 'trial.refused').map(({ ordinal }) => ordinal)).toEqual([2, 4]);
  expect(await workspace.ask<CampaignStatus>('status', 'race')).toMatchObject({
    best: { ordinal: 5 },
    trials: { confirmed: 1, refuted: 3, open: null },
  });
});
