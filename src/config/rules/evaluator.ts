import { isAbsolute, relative, resolve } from 'node:path';
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

const commandIsPinned: Rule = ({ directory, evaluator }, report) => {
  const at = ['evaluator', 'command', 0];
  const [file = ''] = evaluator.command;
  if (isAbsolute(file)) {
    report.warning(at, 'evaluator.command[0] is outside the campaign folder, so that its content is not pinned');
  } else if (file.includes('/') && !/^\.\.?\//.test(file)) {
    report.error(at, `evaluator.command[0] must be "./${file}" for a file of the campaign folder`);
  } else if (file.includes('/') && relative(directory, resolve(directory, file)).startsWith('..')) {
    report.error(at, 'evaluator.command[0] leaves the campaign folder; only files inside it are pinned');
  }
};

const trainIsMeasured: Rule = ({ evaluator }, report) => {
  const at = ['evaluator', 'splits'];
  if (!evaluator.splits.includes('train')) {
    report.error(at, 'evaluator.splits must have "train", the split that the search goes by');
  } else if (evaluator.splits.length > 1) {
    report.warning(at, 'evaluator.splits: only "train" is used; other splits are not built yet');
  }
};

const lanesHaveCpus: Rule = ({ evaluator: { cpus, concurrency } }, report) => {
  const at = ['evaluator', 'cpus'];
  const repeated = cpus.find((cpu, index) => cpus.indexOf(cpu) !== index);
  if (repeated !== undefined) report.error(at, `evaluator.cpus names CPU ${repeated} twice; a lane has it alone`);
  if (cpus.length > 0 && cpus.length < concurrency) {
    report.error(
      at,
      `evaluator.cpus names ${cpus.length} for evaluator.concurrency ${concurrency}; each lane needs its own`,
    );
  } else if (cpus.length > concurrency) {
    report.warning(at, `evaluator.cpus names ${cpus.length}, evaluator.concurrency ${concurrency} leaves some idle`);
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
  commandIsPinned,
  trainIsMeasured,
  lanesHaveCpus,
  contractVariablesAreOurs,
];
