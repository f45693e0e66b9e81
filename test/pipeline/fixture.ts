/** What the tests of `pipeline/` and `daemon/` share: a campaign of shell scripts on a target of three files. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Agent, AgentEvent, ModelAccess, Task } from '../../src/agent/index.ts';
import { type Campaign, loadCampaign } from '../../src/config/index.ts';
import { type GenerateInput, type Makers, openWorkshop, type Usage, type Workshop } from '../../src/pipeline/index.ts';

/** Puts the number of its job into value.txt: HOME is `…/job-<ordinal>/home`. */
export const COUNTING_AGENT = `#!/bin/sh
cat > /dev/null
job=$(basename "$(dirname "$HOME")")
echo "\${job#job-}" > value.txt
`;

/** The number in value.txt is the measurement. */
export const READING_EVALUATOR = `#!/bin/sh
printf '{"status":"valid","objectives":{"speed":%s},"summary":"read"}' "$(cat value.txt)" > "$CLADE_RESULT"
`;

export interface CampaignOptions {
  readonly name?: string;
  readonly agent?: string;
  /** The coder in flow form; default: the agent above. */
  readonly coder?: string;
  readonly evaluator?: string;
  /** More keys of `target`, `evaluator` and `search` in flow form, such as `prepare: [make]`. */
  readonly target?: string;
  readonly evaluatorKeys?: string;
  readonly search?: string;
  /** The line of the descriptor. */
  readonly descriptor?: string;
  /** More lines at the top level. */
  readonly more?: string;
  readonly jobs?: number;
}

export async function temporary(): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'clade-test-')));
  onTestFinished(async () => {
    // Pinned evaluators are read-only folders.
    await makeWritable(join(dir, '.clade/bundles'));
    await rm(dir, { recursive: true, force: true });
  });
  return dir;
}

async function makeWritable(dir: string): Promise<void> {
  if (!existsSync(dir)) return;
  await chmod(dir, 0o755);
  const entries = await readdir(dir, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await makeWritable(join(dir, entry.name));
}

/** Writes a campaign folder into the workspace and loads it as a person's would be. */
export async function campaignIn(workspace: string, options: CampaignOptions = {}): Promise<Campaign> {
  const { name = 'counting', agent = COUNTING_AGENT, evaluator = READING_EVALUATOR } = options;
  const folder = join(workspace, 'campaigns', name);
  await writeFiles(folder, {
    'target/value.txt': '0\n',
    'target/src/main.js': 'export const speed = 1;\n',
    'target/README.md': 'A target.\n',
    'agent.sh': agent,
    'evaluate.sh': evaluator,
    'campaign.yaml': `name: ${name}
target: {repository: ./target, edit: [value.txt, "src/**"]${options.target === undefined ? '' : `, ${options.target}`}}
goal: go faster
evaluator:
  command: [./evaluate.sh]
  objectives: [{name: speed, direction: maximize, epsilon: 0.5}]
  ${options.evaluatorKeys ?? ''}
agents: {concurrency: 2, coder: ${options.coder ?? '{kind: command, command: [./agent.sh], timeout: 1m}'}}
search:
  seed: 5
  warmup: 4
  projection: {dimensions: 1, refit: 4}
  ${options.descriptor ?? 'descriptor: {provider: {kind: local, dimensions: 16}}'}
  ${options.search ?? ''}
budget: {jobs: ${options.jobs ?? 4}}
sandbox: "off"
${options.more ?? ''}
`,
  });
  const loaded = await loadCampaign(join(folder, 'campaign.yaml'));
  if (loaded.campaign === null) throw new Error(loaded.errors.map((error) => error.message).join('\n'));
  return loaded.campaign;
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    if (text.startsWith('#!')) await chmod(file, 0o755);
  }
}

export async function workshopOf(options: CampaignOptions = {}): Promise<Workshop> {
  const workspace = await temporary();
  return openWorkshop(workspace, await campaignIn(workspace, options), null);
}

export const SIGNAL = new AbortController().signal;

/** A job from the root. */
export function inputFor(workshop: Workshop, ordinal = 1): GenerateInput {
  return {
    ordinal,
    island: 0,
    coder: null,
    round: 0,
    earlier: null,
    planned: null,
    base: { ordinal: 0, commit: workshop.root.commit },
    brief: {
      goal: 'go faster',
      constraints: [],
      objectives: workshop.campaign.evaluator.objectives,
      edit: workshop.campaign.target.edit,
      protect: [],
      base: {
        ...{ ordinal: 0, title: 'root', objectives: { speed: 0 }, extent: null, paths: [] },
        ...{ intervals: {}, metrics: {}, summary: '', evidence: '' },
      },
      root: null,
      steps: [],
      lineage: [],
      inspirations: [],
      files: { shown: [], more: 0 },
      audience: 'coder',
      lessons: '',
      plan: '',
      rework: null,
      failures: [],
    },
    inspirations: async () => [],
    files: async () => ['README.md', 'src/main.js', 'value.txt'],
    seen: async () => false,
    lane: 0,
  };
}

/** What ended a call of the run, and what its calls used. */
export interface Served {
  readonly fault?: ReturnType<ModelAccess['fault']>;
  readonly usage?: Usage;
  /** Does as it is told before the coder. */
  readonly planner?: Act;
  /** Of the planner's calls alone; the coder's have `fault`. */
  readonly planningFault?: ReturnType<ModelAccess['fault']>;
  readonly coderKind?: string;
}

type Act = (task: Task, signal: AbortSignal) => Promise<readonly AgentEvent[]>;

/** A coder that does as it is told, with models that nobody serves. */
export function agentThat(
  act: Act,
  { fault = null, usage, planner, planningFault = null, coderKind = 'fake' }: Served = {},
): Makers {
  const agentOf = (kind: string, act: Act): Agent => ({
    kind,
    async *propose(task, signal) {
      yield* await act(task, signal);
    },
  });
  const accessOf = (fault: ReturnType<ModelAccess['fault']>): ModelAccess => ({
    client: (provider) => ({ baseURL: `http://${provider}.invalid`, fetch }),
    socket: '/nowhere',
    pathOf: (provider) => `/secret/${provider}`,
    deadline: new AbortController().signal,
    blame: () => {},
    fault: () => fault,
  });
  return {
    planner: planner === undefined ? null : { name: 'planner', agent: agentOf('fake', planner), timeoutMs: 60_000 },
    coder: () => ({ name: 'fake', agent: agentOf(coderKind, act), timeoutMs: 60_000 }),
    openModels: async ({ role }) => ({
      access: accessOf(role === 'planner' ? planningFault : fault),
      usage: () => usage ?? null,
      close: () => {},
    }),
  };
}
