import { expect, test } from 'vitest';
import { workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

/** The n-th measurement gives the n-th number. */
const SCRIPTED = `#!/bin/sh
echo >> "$CLADE_CACHE/times"
speed=$(echo "$NUMBERS" | cut -d' ' -f"$(wc -l < "$CLADE_CACHE/times")")
printf '{"status":"valid","objectives":{"speed":%s}%s}' "$speed" "$MORE" > "$CLADE_RESULT"
`;

interface Report {
  readonly findings: readonly { readonly subject: string; readonly verdict: string; readonly text: string }[];
  readonly noise: readonly {
    readonly values: readonly number[];
    readonly supported: number;
    readonly sensible: boolean;
  }[];
  readonly estimate: { readonly evaluations: number; readonly again: number } | null;
}

async function checked(numbers: string, { more = '', epsilon = 0, keys = '' } = {}, ...options: string[]) {
  const workspace = await openWorkspace();
  const evaluator = SCRIPTED.replace('$NUMBERS', numbers).replace('"$MORE"', `'${more}'`);
  const folder = await workspace.campaign('noisy', {
    'target/work.js': '// root\n',
    'evaluate.sh': evaluator,
    'campaign.yaml': `target: {repository: ./target}
goal: be faster
evaluator:
  command: [./evaluate.sh]
  objectives: [{name: speed, direction: maximize, epsilon: ${epsilon}}]
  ${keys}
budget: {jobs: 10}
`,
  });
  const { code, stdout } = await workspace.run('check', folder, '--json', ...options);
  const report: Report = JSON.parse(stdout);
  return { code, ...report, of: (subject: string) => report.findings.filter((finding) => finding.subject === subject) };
}

test('an ε below the noise is a problem, with the number to write; that number is none', async () => {
  const numbers = '100 101 99 102 98';
  const low = await checked(numbers, { epsilon: 0.5 });
  expect(low.code).toBe(1);
  expect(low.noise).toMatchObject([{ values: [100, 101, 99, 102, 98], supported: 6.3, sensible: false }]);
  expect(low.of('noise')).toMatchObject([{ verdict: 'problem' }]);
  expect(low.of('noise')[0]?.text).toContain('not sensible: write epsilon: 6.3');
  const right = await checked(numbers, { epsilon: 6.3, keys: 'remeasure: {incumbent: true}' });
  expect(right).toMatchObject({ code: 0, noise: [{ sensible: true }] });
  // 1 + 1/2 + … + 1/10 is 2.93.
  expect(right.estimate).toMatchObject({ evaluations: 10, again: 6 });
  expect(right.of('time')[0]?.text).toContain('6 evaluations of those that would take the lead');
});

test('what never differs supports an ε of 0; rounds are as many as asked for', async () => {
  const { code, noise, of } = await checked('7 7 7', {}, '--rounds', '3');
  expect(code).toBe(0);
  expect(noise).toMatchObject([{ values: [7, 7, 7], supported: 0, sensible: true }]);
  expect(of('noise')[0]?.text).toContain('any ε is sensible');
});

test('an identity that changes is a problem where candidates are measured again', async () => {
  const more = ',"identity":"\'"$(wc -l < "$CLADE_CACHE/times")"\'"';
  const { code, of } = await checked('7 7', { more }, '--rounds', '2');
  expect(code).toBe(1);
  expect(of('identity')).toMatchObject([{ verdict: 'problem' }]);
  const calm = await checked('7 7', { more, keys: 'remeasure: {jump: 0}' }, '--rounds', '2');
  expect(calm.code).toBe(0);
  expect(calm.of('identity')).toMatchObject([{ verdict: 'warning' }]);
});
