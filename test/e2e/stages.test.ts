/** Faults 8 and 11 on real processes: what earlier steps reported stays, and an identity is measured once. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CandidateView } from '../../src/daemon/index.ts';
import { COUNTING_AGENT } from '../pipeline/fixture.ts';
import { expectDone, until, workspaces } from '../support/workspace.ts';

const workspace = workspaces();

/** Steps over value.txt, which holds the number of the job. */
const campaign = (steps: string, more = ''): Record<string, string> => ({
  'target/value.txt': '0\n',
  'agent.sh': COUNTING_AGENT,
  'build.sh': `#!/bin/sh
odd=$(($(cat value.txt) % 2))
echo "{\\"status\\":\\"valid\\",\\"identity\\":\\"odd$odd\\",\\"metrics\\":{\\"warnings\\":3},\\"summary\\":\\"built\\"}" > "$CLADE_RESULT"
`,
  'plain.sh':
    '#!/bin/sh\necho "{\\"status\\":\\"valid\\",\\"metrics\\":{\\"warnings\\":3},\\"summary\\":\\"built\\"}" > "$CLADE_RESULT"\n',
  'bench.sh': `#!/bin/sh
cat value.txt >> "$CLADE_CACHE/runs"
while test "$(cat value.txt)" = 2 && test -e "$CLADE_CACHE/hang"; do sleep 0.05; done
if test "$(cat value.txt)" = 1; then echo "assertion failed at line 40" >&2; exit 1; fi
echo "{\\"status\\":\\"valid\\",\\"objectives\\":{\\"speed\\":$(cat value.txt)}}" > "$CLADE_RESULT"
`,
  'campaign.yaml': `target: {repository: ./target, edit: [value.txt]}
goal: go faster
evaluator:
  steps: ${steps}
  objectives: [{name: speed, direction: maximize}]
  ${more}
agents: {concurrency: 1, coder: {kind: command, command: [./agent.sh]}}
search: {seed: 5, schedule: {size: 1}, descriptor: {provider: {kind: local, dimensions: 16}}}
budget: {jobs: 4}
`,
});

test('a late crash keeps what earlier steps reported, and the next agent sees the tail of stderr', async () => {
  const { campaign: put, run, ask } = await workspace();
  await put(
    'late',
    campaign(
      '[{name: build, kind: build, command: [./plain.sh]}, {name: bench, kind: benchmark, command: [./bench.sh]}]',
    ),
  );
  expectDone(await run('run', 'campaigns/late'));
  const crashed = await ask<CandidateView>('show', 'late:1');
  expect(crashed).toMatchObject({ outcome: 'invalid', failureKind: 'benchmark' });
  expect(crashed.evaluations[0]).toMatchObject({
    evidence: 'Passed before: build (built, warnings 3)\n\nassertion failed at line 40',
    stages: [
      { name: 'build', status: 'passed', summary: 'built', metrics: { warnings: 3 } },
      { name: 'bench', status: 'failed', kind: 'benchmark', stderrTail: 'assertion failed at line 40\n' },
    ],
  });
  const next = await ask<CandidateView>('show', 'late:2');
  expect(next.brief).toContain('assertion failed at line 40');
  expect(next.brief).toContain('build: passed, built');
  const shown = await run('show', 'late:1');
  expect(shown.stdout).toMatch(/step {7}build passed, .*: built\n/);
  expect(shown.stdout).toMatch(/step {7}bench failed \(benchmark\), /);
});

test('a stage is kept although the process is killed in the next one', async () => {
  const { dir, campaign: put, start, run, ask } = await workspace();
  await put(
    'killed',
    campaign(
      '[{name: build, kind: build, command: [./plain.sh]}, {name: bench, kind: benchmark, command: [./bench.sh]}]',
    ),
  );
  const cache = join(dir, '.clade/cache/killed/train');
  await mkdir(cache, { recursive: true });
  await writeFile(join(cache, 'hang'), '');
  const clade = start('run', 'campaigns/killed');
  await until(
    () => readFile(join(cache, 'runs'), 'utf8').catch(() => ''),
    (text) => text.includes('2'),
  );
  clade.signal('SIGKILL');
  await clade.ended;
  const before = await ask<CandidateView>('show', 'killed:2');
  expect(before.evaluations[0]).toMatchObject({
    status: null,
    stages: [{ name: 'build', summary: 'built', attempt: 1 }],
  });
  await rm(join(cache, 'hang'));
  expectDone(await run('run', 'campaigns/killed'));
  const after = await ask<CandidateView>('show', 'killed:2');
  expect(after.evaluations[0]).toMatchObject({ status: 'valid', stages: [{ attempt: 2 }, { attempt: 2 }] });
});

test('an identity that was measured costs no evaluation', async () => {
  const { dir, campaign: put, run, ask } = await workspace();
  await put(
    'equal',
    campaign(
      '[{name: build, kind: build, command: [./build.sh]}, {name: bench, kind: benchmark, command: [./bench.sh]}]',
    ),
  );
  expectDone(await run('run', 'campaigns/equal'));
  // The root and job 1 (which fails, so that its identity is no measurement) and job 3.
  expect(await readFile(join(dir, '.clade/cache/equal/train/runs'), 'utf8')).toBe('0\n1\n3\n');
  const jobs: CandidateView[] = [];
  for (const ordinal of [2, 3, 4]) jobs.push(await ask<CandidateView>('show', `equal:${ordinal}`));
  expect(
    jobs.map(({ outcome, duplicateOf, evaluations }) => [outcome, duplicateOf, evaluations[0]?.sharedWith]),
  ).toEqual([
    ['duplicate', 0, 0],
    ['candidate', null, null],
    ['duplicate', 0, 0],
  ]);
  expect(jobs[0]?.evaluations[0]).toMatchObject({ objectives: { speed: 0 }, stages: [{ name: 'build' }] });
  const { stdout } = await run('log', 'equal');
  expect(stdout).toContain('evaluation.shared');
});
