import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fixture, type Workspace } from './workspace.ts';

const TARGET = `const book = (total, amount) => total + amount;

export function ledger(total) {
${Array.from({ length: 6 }, (_, index) => `  total = book(total, ${(index + 3) * 11});`).join('\n')}
  return total;
}
`;

export interface LedgerOptions {
  readonly jobs: number;
  /** How many agents and how many evaluations there are at a time; must not matter to the result. */
  readonly lanes?: number;
  /** Jobs that are planned at once, and edits that one of them makes at most. Many small ones make equal trees within a batch. */
  readonly batch?: number;
  readonly edits?: number;
  /** The evaluator's text, when it is not the ledger's. */
  readonly evaluator?: string;
  readonly goal?: string;
  /** `evaluator.remeasure` in flow form. */
  readonly remeasure?: string;
}

/** The files of a small campaign: a plain folder as its target, the mutate agent, two objectives, settled in seconds. */
export async function ledgerCampaign({
  jobs,
  lanes = 1,
  batch = 4,
  edits = 3,
  evaluator,
  goal,
  remeasure = '{}',
}: LedgerOptions): Promise<Record<string, string>> {
  return {
    'target/ledger.js': TARGET,
    'evaluate.mjs': evaluator ?? (await fixture('evaluators/ledger.mjs')),
    'campaign.yaml': `target: {repository: ./target, edit: [ledger.js]}
goal: ${goal ?? 'book more in fewer bytes'}
evaluator:
  command: [./evaluate.mjs]
  concurrency: ${lanes}
  remeasure: ${remeasure}
  objectives:
    - {name: sum, direction: maximize, epsilon: 1}
    - {name: bytes, direction: minimize, epsilon: 1}
search:
  seed: 7
  schedule: {size: ${batch}}
  warmup: 6
  projection: {dimensions: 2, refit: 8}
  descriptor: {provider: {kind: local, dimensions: 64}}
agents: {concurrency: ${lanes}, coder: {kind: mutate, edits: {max: ${edits}}}}
budget: {jobs: ${jobs}}
`,
  };
}

/** A word that the ledger's evaluator obeys while it is said: `hang`, `fault` or `strict`. */
export async function say(
  workspace: Workspace,
  campaign: string,
  word: 'hang' | 'fault' | 'strict',
): Promise<() => Promise<void>> {
  const cache = join(workspace.dir, '.clade/cache', campaign, 'train');
  await mkdir(cache, { recursive: true });
  await writeFile(join(cache, word), '');
  return () => rm(join(cache, word));
}
