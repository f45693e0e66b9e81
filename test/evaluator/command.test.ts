import { expect, test } from 'vitest';
import { resolveCommand } from '../../src/evaluator/command.ts';
import { EVALUATORS } from './fixture.ts';

test.each([
  [['./printed.sh'], [`${EVALUATORS}/printed.sh`]],
  [
    ['node', 'report.mjs', 'other.mjs'],
    ['node', `${EVALUATORS}/report.mjs`, 'other.mjs'],
  ],
  [
    ['node', './report.mjs'],
    ['node', `${EVALUATORS}/report.mjs`],
  ],
  [['printed.sh'], ['printed.sh']],
  [
    ['sh', '-c', '--x=report.mjs'],
    ['sh', '-c', '--x=report.mjs'],
  ],
  [
    ['sh', '../evaluators/report.mjs', '/etc/passwd', ''],
    ['sh', '../evaluators/report.mjs', '/etc/passwd', ''],
  ],
])('%j', async (command, resolved) => {
  expect(await resolveCommand(command, EVALUATORS)).toEqual(resolved);
});
