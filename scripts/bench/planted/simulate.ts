import { type Agent, type AgentEvent, createAgent, summarise } from '../../../src/agent/index.ts';
import { firstCoder } from '../../../src/config/index.ts';
import { editable } from '../../../src/git/index.ts';
import { createPopulation, generatorFor, orient, type Population, settle } from '../../../src/qd/index.ts';
import type { Arm, Plan } from './arm.ts';
import { BEST_SCORE, type Problem } from './problem.ts';
import { Checkout, patchBetween, type Tree, treeId } from './tree.ts';

/** What became of one job, in the words of the ledger. */
export interface Job {
  readonly ordinal: number;
  readonly base: number;
  readonly inspirations: readonly number[];
  readonly outcome: 'candidate' | 'invalid' | 'duplicate' | 'no_change';
  /** Null when it is no candidate. */
  readonly objectives: { readonly score: number; readonly cost: number } | null;
}

export interface Run {
  readonly jobs: readonly Job[];
  /** Ordinal of the first job that reached the optimum; null when the budget ended first. */
  readonly solvedAt: number | null;
}

interface Candidate {
  readonly tree: Tree;
  /** Ordinals from the root to itself. */
  readonly line: readonly number[];
}

/** The memory of one campaign: what the daemon keeps in its database. */
interface Ledger {
  readonly population: Population;
  readonly candidates: Map<number, Candidate>;
  readonly trees: Set<string>;
  readonly identities: Set<string>;
  readonly jobs: Job[];
  readonly recipes: string[];
}

/**
 * One campaign in this process: the real policies, agent, descriptor and archive, the judge of the evaluator, and neither Git nor
 * a database. Ends with the job that reaches the optimum or with the budget. `clade run` makes the same jobs from the same seed.
 */
export async function simulate(problem: Problem, arm: Arm, { seed, budget, folder }: Options): Promise<Run> {
  const { campaign } = problem;
  const search = { ...campaign.search, seed };
  const agent = createAgent(firstCoder(campaign).agent, { directory: campaign.directory });
  const checkout = new Checkout(folder);
  const ledger: Ledger = {
    population: createPopulation({ ...search, objectives: campaign.evaluator.objectives }),
    candidates: new Map(),
    trees: new Set(),
    identities: new Set(),
    jobs: [],
    recipes: [],
  };
  await record(problem, ledger, { ordinal: 0, base: 0, inspirations: [], recipe: '' }, problem.root);
  for (let nextOrdinal = 1; nextOrdinal <= budget; ) {
    const plans = arm.plan({
      search,
      population: ledger.population,
      nextOrdinal,
      count: budget + 1 - nextOrdinal,
      recipes: ledger.recipes,
      latestSince: (since) =>
        ledger.jobs.findLast((job) => job.outcome === 'candidate' && job.ordinal >= since)?.ordinal ?? null,
    });
    // All of a batch is made before any of it is settled.
    const made: (Tree | null)[] = [];
    for (const plan of plans) made.push(await propose(problem, ledger, { agent, checkout, seed }, plan));
    for (const [index, plan] of plans.entries()) {
      const job = await record(problem, ledger, plan, made[index] ?? null);
      if (job.objectives?.score === BEST_SCORE) return { jobs: ledger.jobs, solvedAt: job.ordinal };
    }
    nextOrdinal += plans.length;
  }
  return { jobs: ledger.jobs, solvedAt: null };
}

export interface Options {
  readonly seed: number;
  readonly budget: number;
  /** An empty folder in which the agent edits. */
  readonly folder: string;
}

interface Tools {
  readonly agent: Agent;
  readonly checkout: Checkout;
  readonly seed: number;
}

/** The tree that the agent makes of a job's base; null when it made none. */
async function propose({ campaign }: Problem, ledger: Ledger, tools: Tools, plan: Plan): Promise<Tree | null> {
  const base = known(ledger, plan.base);
  await tools.checkout.show(base.tree);
  const task = {
    brief: { sections: [] },
    role: 'coder' as const,
    round: 0,
    worktree: tools.checkout.folder,
    rng: generatorFor({ seed: tools.seed, island: 0, ordinal: plan.ordinal, purpose: 'agent' }),
    seen: async (changed: Tree) => ledger.trees.has(treeId(new Map([...base.tree, ...changed]))),
    inspirations: async () =>
      plan.inspirations.map((ordinal) => {
        const { line, tree } = known(ledger, ordinal);
        const shared = base.line.filter((ancestor, at) => line[at] === ancestor).at(-1) ?? 0;
        return patchBetween(ordinal, known(ledger, shared).tree, tree);
      }),
    editable: editable(campaign.target),
    files: async () => [...base.tree.keys()],
    sandbox: campaign.sandbox,
    models: null,
    ordinal: plan.ordinal,
    scratch: tools.checkout.folder,
  };
  const events: AgentEvent[] = [];
  for await (const event of tools.agent.propose(task, new AbortController().signal)) events.push(event);
  if (summarise(events).outcome.kind !== 'finished') return null;
  const edited = events.flatMap((event) => (event.type === 'edit' ? [event.path] : []));
  return tools.checkout.read(base.tree, new Set(edited));
}

function known({ candidates }: Ledger, ordinal: number): Candidate {
  const candidate = candidates.get(ordinal);
  if (candidate === undefined) throw new Error(`job ${ordinal} has no candidate`);
  return candidate;
}

/** Settles one job as the daemon does: a repeated tree or identity is a duplicate, only a valid candidate meets the archive. */
async function record(problem: Problem, ledger: Ledger, plan: Plan, tree: Tree | null): Promise<Job> {
  const { ordinal, base, inspirations, recipe } = plan;
  const job = { ordinal, base, inspirations, ...(await settleTree(problem, ledger, plan, tree)) };
  ledger.jobs.push(job);
  if (ordinal > 0) ledger.recipes.push(recipe);
  return job;
}

async function settleTree(
  problem: Problem,
  ledger: Ledger,
  { ordinal, base }: Plan,
  tree: Tree | null,
): Promise<Pick<Job, 'outcome' | 'objectives'>> {
  if (tree === null) return { outcome: 'no_change', objectives: null };
  const id = treeId(tree);
  const verdict = problem.judge(tree);
  const repeated = ledger.trees.has(id) || (verdict.status === 'valid' && ledger.identities.has(verdict.identity));
  ledger.trees.add(id);
  if (repeated) return { outcome: 'duplicate', objectives: null };
  if (verdict.status === 'invalid') return { outcome: 'invalid', objectives: null };
  ledger.identities.add(verdict.identity);
  const line = ordinal === 0 ? [0] : [...known(ledger, base).line, ordinal];
  ledger.candidates.set(ordinal, { tree, line });
  const point = orient(problem.campaign.evaluator.objectives, verdict.objectives);
  settle(ledger.population, { ordinal, point, vector: await problem.describe(tree), bound: null });
  return { outcome: 'candidate', objectives: verdict.objectives };
}
