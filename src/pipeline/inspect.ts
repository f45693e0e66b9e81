import { statfs } from 'node:fs/promises';
import { openRecording } from '../agent/index.ts';
import type { AgentConfig } from '../config/index.ts';
import { requireEmbeddingKey } from '../embedding/index.ts';
import { ConfigurationError } from '../errors.ts';
import { editable, listTree } from '../git/index.ts';
import { findExecutable, type Isolation, probeIsolation } from '../process/index.ts';
import type { Workshop } from './workshop.ts';

/** Free bytes under which a campaign should not start: checkouts, results and the database all grow. */
const DISK_FLOOR_BYTES = 1 * 2 ** 30;

/** One thing that was looked at. A `problem` would stop a run, a `warning` would not. */
export interface Finding {
  readonly subject: string;
  readonly verdict: 'fine' | 'warning' | 'problem';
  readonly text: string;
}

/** Looks at what a campaign needs of the machine, without running the evaluator. */
export async function inspect(workshop: Workshop): Promise<Finding[]> {
  const { planner, coders } = workshop.campaign.agents;
  const agents: Finding[] = [];
  for (const { name, agent } of coders) {
    agents.push(await inspectAgent(workshop, coders.length === 1 ? 'agent' : `agent ${name}`, agent));
  }
  return [
    await inspectTarget(workshop),
    inspectSandbox(workshop, await probeIsolation()),
    ...agents,
    ...(planner === null ? [] : [await inspectAgent(workshop, 'planner', planner)]),
    inspectProvider(workshop),
    await inspectDisk(workshop.workspace),
  ];
}

async function inspectTarget({ hub, root, campaign }: Workshop): Promise<Finding> {
  const files = (await listTree(hub, root.commit)).filter((entry) => entry.type === 'blob');
  const mayEdit = editable(campaign.target);
  const open = files.filter((file) => mayEdit(file.path)).length;
  const text = `root ${root.commit.slice(0, 12)}, ${files.length} files, ${open} of them may be edited`;
  if (open > 0) return { subject: 'target', verdict: 'fine', text };
  return { subject: 'target', verdict: 'problem', text: `${text}: target.edit matches nothing that is there` };
}

function inspectSandbox({ campaign }: Workshop, isolation: Isolation): Finding {
  const text = `isolation level ${isolation.level}${isolation.notes.map((note) => `; ${note}`).join('')}`;
  if (isolation.level >= 2) return { subject: 'sandbox', verdict: 'fine', text };
  const wanted = campaign.sandbox === 'required';
  const hint = 'install bubblewrap to keep candidates from files and network';
  return { subject: 'sandbox', verdict: wanted ? 'problem' : 'warning', text: `${text}; ${hint}` };
}

async function inspectAgent({ campaign, root }: Workshop, subject: string, agent: AgentConfig): Promise<Finding> {
  if (agent.kind === 'mutate') return { subject, verdict: 'fine', text: 'mutate works offline, free of charge' };
  if (agent.kind === 'openai') return { subject, verdict: 'fine', text: agent.kind };
  if (agent.kind === 'replay') return inspectRecording(agent.from, root.tree);
  const [program = ''] = agent.command;
  const found = await findExecutable(program, process.env.PATH ?? '', campaign.directory);
  if (found === null) return { subject, verdict: 'problem', text: `${program} is not on the PATH` };
  const missing = agent.env.filter((name) => process.env[name] === undefined);
  if (missing.length === 0) return { subject, verdict: 'fine', text: found };
  return { subject, verdict: 'warning', text: `${found}; ${missing.join(', ')} not set` };
}

function inspectRecording(folder: string, rootTree: string): Finding {
  try {
    const { campaign, proposals, coders } = openRecording(folder, rootTree).head;
    const makers = coders.map(({ kind }) => kind).join(', ');
    return { subject: 'agent', verdict: 'fine', text: `replay of ${proposals} proposals of ${campaign} by ${makers}` };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const { message, hint } = error;
    return { subject: 'agent', verdict: 'problem', text: hint === undefined ? message : `${message}; ${hint}` };
  }
}

function inspectProvider({ campaign }: Workshop): Finding {
  const { provider } = campaign.search.descriptor;
  requireEmbeddingKey(provider, process.env);
  const text =
    provider.kind === 'local'
      ? `built in, ${provider.dimensions} dimensions`
      : `${provider.model}, ${provider.dimensions} dimensions`;
  return { subject: 'embedding', verdict: 'fine', text };
}

async function inspectDisk(workspace: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(workspace);
  const free = bavail * bsize;
  const text = `${(free / 2 ** 30).toFixed(1)} GiB free in ${workspace}`;
  return { subject: 'disk', verdict: free < DISK_FLOOR_BYTES ? 'problem' : 'fine', text };
}
