import { isAbsolute, relative, resolve } from 'node:path';
import { commandsOf, nameOf } from './commands.ts';
import type { Rule } from './rule.ts';

const objectivesHaveDifferentNames: Rule = ({ evaluator }, report) => {
  const seen = new Set<string>();
  for (const [index, { name }] of evaluator.objectives.entries()) {
    if (seen.has(name)) {
      report.error(['evaluator', 'objectives', index, 'name'], `evaluator.objectives[${index}].name repeats "${name}"`);
    }
    seen.add(name);
  }
};

const commandsArePinned: Rule = ({ directory, evaluator }, report) => {
  for (const { at, command } of commandsOf(evaluator)) {
    const [file = ''] = command;
    const name = nameOf(at);
    if (isAbsolute(file)) {
      report.warning(at, `${name} is outside the campaign folder, so that its content is not pinned`);
    } else if (file.includes('/') && !/^\.\.?\//.test(file)) {
      report.error(at, `${name} must be "./${file}" for a file of the campaign folder`);
    } else if (file.includes('/') && relative(directory, resolve(directory, file)).startsWith('..')) {
      report.error(at, `${name} leaves the campaign folder; only files inside it are pinned`);
    }
  }
};

const stepsHaveDifferentNames: Rule = ({ evaluator: { steps } }, report) => {
  for (const [index, { name }] of steps.entries()) {
    if (steps.findIndex((step) => step.name === name) === index) continue;
    report.error(['evaluator', 'steps', index, 'name'], `evaluator.steps[${index}].name repeats "${name}"`);
  }
};

const trainIsMeasured: Rule = ({ evaluator }, report) => {
  const at = ['evaluator', 'splits'];
  if (!evaluator.splits.includes('train')) {
    report.error(at, 'evaluator.splits must have "train", the split that the search goes by');
  } else if (evaluator.splits.includes('holdout') && !evaluator.splits.includes('validation')) {
    report.error(
      at,
      'evaluator.splits has "holdout" without "validation", which chooses the winner that holdout measures',
    );
  }
};

const hiddenSplitsAreDeclared: Rule = ({ evaluator }, report) => {
  for (const [index, { splits }] of evaluator.hidden.entries()) {
    const unknown = splits.find((split) => !evaluator.splits.includes(split));
    if (unknown === undefined) continue;
    const at = ['evaluator', 'hidden', index, 'splits'];
    report.error(at, `evaluator.hidden[${index}].splits names ${unknown}, which evaluator.splits does not`);
  }
};

const finalsHaveASplit: Rule = ({ evaluator: { splits, finals } }, report) => {
  if (splits.includes('validation') || (finals.every === 0 && finals.gates.length === 0)) return;
  report.warning(['evaluator', 'finals'], 'evaluator.finals has no effect: evaluator.splits has no "validation"');
};

/** Only objectives have intervals, and a worse end of one. */
const boundsAreOfObjectives: Rule = ({ evaluator: { objectives, finals } }, report) => {
  for (const [index, { name, of }] of finals.gates.entries()) {
    if (of === 'value' || objectives.some((objective) => objective.name === name)) continue;
    const at = ['evaluator', 'finals', 'gates', index, 'name'];
    report.error(at, `evaluator.finals.gates[${index}] asks for the bound of "${name}", which is no objective`);
  }
};

const lanesHaveCpus: Rule = ({ evaluator: { cpus, concurrency } }, report) => {
  if (cpus === 'auto') return;
  const at = ['evaluator', 'cpus'];
  const repeated = cpus.find((cpu, index) => cpus.indexOf(cpu) !== index);
  if (repeated !== undefined)
    report.error(at, `evaluator.cpus names CPU ${repeated} twice; an evaluation has it alone`);
  if (cpus.length > 0 && cpus.length < concurrency) {
    report.error(
      at,
      `evaluator.cpus names ${cpus.length} for evaluator.concurrency ${concurrency}; each evaluation needs its own`,
    );
  }
};

/** The variables that the evaluator contract sets are not to be taken from the daemon's environment. */
const contractVariablesAreOurs: Rule = ({ evaluator }, report) => {
  for (const [index, name] of evaluator.env.entries()) {
    if (!name.startsWith('CLADE_')) continue;
    report.error(['evaluator', 'env', index], `evaluator.env[${index}]: names that start with CLADE_ are set by Clade`);
  }
};

export const evaluatorRules: readonly Rule[] = [
  objectivesHaveDifferentNames,
  commandsArePinned,
  stepsHaveDifferentNames,
  trainIsMeasured,
  hiddenSplitsAreDeclared,
  finalsHaveASplit,
  boundsAreOfObjectives,
  lanesHaveCpus,
  contractVariablesAreOurs,
];
