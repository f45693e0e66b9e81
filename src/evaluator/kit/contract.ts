import { MachineFault } from './refusal.ts';

/** What an evaluator is told by its environment. Paths are absolute. */
export interface Contract {
  /** A checkout of the root. The candidate's is the current folder. */
  readonly rootDir: string;
  /** null outside Clade: the result goes to stdout. */
  readonly resultPath: string | null;
  /** What is left in this folder is stored with the evaluation. */
  readonly artifacts: string;
  /** Kept for this split of the campaign on this machine. */
  readonly cache: string;
  /** The pinned copy of the campaign's folder. */
  readonly campaignDir: string;
  readonly split: 'train' | 'validation' | 'holdout';
  readonly seed: number;
  /** The CPUs that the evaluation is pinned to; none: not pinned. */
  readonly cpus: readonly number[];
  readonly commit: string;
  readonly rootCommit: string;
  /** The candidate is the root itself. */
  readonly isRoot: boolean;
  /** Hidden paths that this split may see. */
  readonly hidden: readonly string[];
  /** The name of the step that runs. */
  readonly step: string;
}

/**
 * Reads the environment of the contract.
 *
 * @throws MachineFault when CLADE_ROOT_DIR is missing, or a variable is not what it must be
 */
export function contract(env: NodeJS.ProcessEnv = process.env): Contract {
  const commit = env.CLADE_COMMIT ?? '';
  const rootCommit = env.CLADE_ROOT_COMMIT ?? '';
  return {
    rootDir: needed(env, 'CLADE_ROOT_DIR'),
    resultPath: env.CLADE_RESULT || null,
    artifacts: env.CLADE_ARTIFACTS || process.cwd(),
    cache: env.CLADE_CACHE || process.cwd(),
    campaignDir: env.CLADE_CAMPAIGN_DIR || process.cwd(),
    split: splitOf(env.CLADE_SPLIT || 'train'),
    seed: wholeNumber(env.CLADE_SEED || '0', 'CLADE_SEED'),
    cpus: listOf(env.CLADE_CPUS, ',').map((cpu) => wholeNumber(cpu, 'CLADE_CPUS')),
    commit,
    rootCommit,
    isRoot: commit !== '' && commit === rootCommit,
    hidden: listOf(env.CLADE_HIDDEN, ':'),
    step: env.CLADE_STEP || 'evaluate',
  };
}

function needed(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  throw new MachineFault(`${name} is not set: an evaluator is run by "clade run" or "clade check"`);
}

function splitOf(text: string): Contract['split'] {
  if (text === 'train' || text === 'validation' || text === 'holdout') return text;
  throw new MachineFault(`CLADE_SPLIT is ${JSON.stringify(text)}, not train, validation or holdout`);
}

function wholeNumber(text: string, name: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new MachineFault(`${name} has ${JSON.stringify(text)}, which is not a whole number`);
}

function listOf(text: string | undefined, separator: string): string[] {
  return (text ?? '').split(separator).filter((part) => part !== '');
}
