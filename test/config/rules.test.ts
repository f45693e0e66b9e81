import { describe, expect, it } from 'vitest';
import { parseCampaign } from '../../src/config/index.ts';
import { yamlWith } from './file.ts';

function check(changes: object, folder = 'demo') {
  const { errors, warnings, campaign } = parseCampaign(yamlWith(changes), `/ws/campaigns/${folder}/campaign.yaml`);
  expect(campaign === null).toBe(errors.length > 0);
  return { errors: errors.map(({ message }) => message), warnings: warnings.map(({ message }) => message) };
}

const evaluator = (changes: object) => ({ evaluator: changes });
const target = (changes: object) => ({ target: changes });
const search = (changes: object) => ({ search: changes });
const speed = { name: 'speed', direction: 'maximize' };
const step = { name: 'build', kind: 'build', command: ['make'] };

describe('an error', () => {
  it.each<[name: string, changes: object, message: string]>([
    [
      'novelty by what only an evaluation tells',
      { agents: { novelty: 0.1 }, search: { descriptor: { kind: 'features' } } },
      'agents.novelty compares proposals before they are evaluated, and search.descriptor.kind features is known only after that',
    ],
    [
      'two objectives of one name',
      evaluator({ objectives: [speed, speed] }),
      'evaluator.objectives[1].name repeats "speed"',
    ],
    [
      'a command of a folder without ./',
      evaluator({ command: ['bin/x'] }),
      'evaluator.command[0] must be "./bin/x" for a file of the campaign folder',
    ],
    [
      'a command above the folder',
      evaluator({ command: ['../x'] }),
      'evaluator.command[0] leaves the campaign folder; only files inside it are pinned',
    ],
    [
      'no train split',
      evaluator({ splits: ['holdout'] }),
      'evaluator.splits must have "train", the split that the search goes by',
    ],
    [
      'holdout without a choice',
      evaluator({ splits: ['train', 'holdout'] }),
      'evaluator.splits has "holdout" without "validation", which chooses the winner that holdout measures',
    ],
    [
      'a path for a split that is not declared',
      evaluator({ hidden: [{ path: './x', splits: ['holdout'] }] }),
      'evaluator.hidden[0].splits names holdout, which evaluator.splits does not',
    ],
    [
      'a gate on the bound of a metric',
      evaluator({ splits: ['train', 'validation'], finals: { gates: [{ name: 'memory', of: 'bound', max: 1 }] } }),
      'evaluator.finals.gates[0] asks for the bound of "memory", which is no objective',
    ],
    [
      'somebody who would be told twice',
      { notify: [{ url: 'https://example.org' }, { command: ['x'] }, { on: ['fault'], url: 'https://example.org' }] },
      'notify[2] is the receiver of notify[0] again: put all it is told of into one on',
    ],
    [
      'a command to tell that is in the folder, without ./',
      { notify: [{ command: ['bin/tell'] }] },
      'notify[0].command[0] must be "./bin/tell" for a file of the campaign folder',
    ],
    [
      'two steps of one name',
      evaluator({ command: undefined, steps: [step, step] }),
      'evaluator.steps[1].name repeats "build"',
    ],
    [
      'a step of a folder without ./',
      evaluator({ command: undefined, steps: [{ ...step, command: ['bin/x'] }] }),
      'evaluator.steps[0].command[0] must be "./bin/x" for a file of the campaign folder',
    ],
    [
      'a step above what timers hold',
      evaluator({ command: undefined, steps: [{ ...step, timeout: '25d' }] }),
      'evaluator.steps[0].timeout must be at most 24d',
    ],
    [
      'a CPU for two lanes',
      evaluator({ concurrency: 2, cpus: [1, 1] }),
      'evaluator.cpus names CPU 1 twice; an evaluation has it alone',
    ],
    [
      'too few CPUs',
      evaluator({ concurrency: 2, cpus: [1] }),
      'evaluator.cpus names 1 for evaluator.concurrency 2; each evaluation needs its own',
    ],
    [
      'a variable of the contract',
      evaluator({ env: ['CLADE_SEED'] }),
      'evaluator.env[0]: names that start with CLADE_ are set by Clade',
    ],
    ['a timeout above what timers hold', evaluator({ timeout: '25d' }), 'evaluator.timeout must be at most 24d'],
    ['nothing to edit', target({ edit: [] }), 'target.edit names no file that a candidate may change'],
    ['only exceptions to edit', target({ edit: ['!x'] }), 'target.edit names no file that a candidate may change'],
    [
      'everything protected',
      target({ protect: ['x', '**/*'] }),
      'target.protect[1] protects everything, so that no edit is left',
    ],
    [
      'a pattern of the shell',
      target({ edit: ['./src'] }),
      'target.edit[0] never matches: gitignore patterns are relative to the repository, without "./" or "../"',
    ],
    [
      'a pattern that is a comment',
      target({ protect: ['#x'] }),
      'target.protect[0] is a blank or a comment to gitignore; write "\\#" for a name that starts with "#"',
    ],
    [
      'a link out of the repository',
      target({ link: ['a/../../b'] }),
      'target.link[0] must be a path inside the repository',
    ],
    ['an absolute link', target({ link: ['/usr'] }), 'target.link[0] must be a path inside the repository'],
    [
      'a password',
      target({ repository: 'https://me:secret@example.org/x' }),
      'target.repository holds a password; use a credential helper of git',
    ],
    [
      'a huge grid',
      search({ grid: { cells: 101 } }),
      'search.grid.cells 101 in 3 dimensions makes 1030301 cells; at most 1000000',
    ],
    [
      'a short history',
      search({ projection: { history: 7 } }),
      'search.projection.history 7 is less than search.warmup 8',
    ],
    [
      'a radius that shrinks',
      search({ inspirations: { radius: 4 } }),
      'search.inspirations.radius 4 is above max_radius 3',
    ],
    [
      'a range of edits upside down',
      { agents: { coder: { edits: { min: 4 } } } },
      'agents.coder.edits.min 4 is above max 3',
    ],
  ])('%s', (_name, changes, message) => {
    expect(check(changes)).toEqual({ errors: [message], warnings: [] });
  });

  it('a folder whose name cannot be the campaign’s', () => {
    expect(check({}, 'My Demo').errors).toEqual([
      'name is the folder\'s name by default, and that (My Demo) must be 1 to 63 lower-case letters, digits or "-", not "-" first; set name',
    ]);
    expect(check({ name: 'demo' }, 'My Demo').errors).toEqual([]);
  });
});

describe('a warning', () => {
  it.each<[name: string, changes: object, message: string]>([
    [
      'a warm-up that fits anything',
      search({ warmup: 7 }),
      'search.warmup 7 is below 8, twice the dimensions + 1: the first projection fits its few states, not their differences',
    ],
    [
      'a budget spent on warm-up',
      { budget: { jobs: 8 } },
      'budget.jobs 8 does not reach beyond search.warmup 8: every job would start from the root',
    ],
    [
      'finals without their split',
      evaluator({ finals: { every: 8 } }),
      'evaluator.finals has no effect: evaluator.splits has no "validation"',
    ],
    [
      'an evaluator elsewhere',
      evaluator({ command: ['/usr/bin/true'] }),
      'evaluator.command[0] is outside the campaign folder, so that its content is not pinned',
    ],
    [
      'idle agents',
      { agents: { concurrency: 5 } },
      'agents.concurrency 5 is above search.schedule.size 4: the rest would never have work',
    ],
  ])('%s', (_name, changes, message) => {
    expect(check(changes)).toEqual({ errors: [], warnings: [message] });
  });
});

it('a warning about a default that stands in for a wrong value is not given', () => {
  expect(check({ search: { schedule: { size: 'x' } }, agents: { concurrency: 8 } })).toEqual({
    errors: ['search.schedule.size must be a number, not "x"'],
    warnings: [],
  });
});

describe('nothing', () => {
  it.each<[name: string, changes: object]>([
    ['epsilon 0', evaluator({ objectives: [{ ...speed, epsilon: 0 }] })],
    ['an exception after everything protected', target({ protect: ['**', '!src/**'] })],
    ['a grid at the limit', search({ grid: { cells: 100 } })],
    ['a CPU for each lane', evaluator({ concurrency: 2, cpus: [0, 3] })],
    ['a user without a password', target({ repository: 'https://me@example.org/x' })],
    ['a file deep in the campaign folder', evaluator({ command: ['./a/../b/c.sh'] })],
    [
      'several who are told',
      { notify: [{ url_env: 'A' }, { url_env: 'B' }, { command: ['x', 'A'] }, { command: ['x'] }] },
    ],
    ['an empty section', { search: null, budget: { wall: null } }],
  ])('is said against %s', (_name, changes) => {
    expect(check(changes)).toEqual({ errors: [], warnings: [] });
  });
});
