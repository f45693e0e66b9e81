import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { RecordedProposal, RecordingHead } from '../../agent/index.ts';
import { type Campaign, restoreCampaign } from '../../config/index.ts';
import { type CladeApi, type ProposalPage, type ProposalView, writeExport } from '../../daemon/index.ts';
import { ConflictError, InfrastructureError } from '../../errors.ts';
import type { Hub } from '../../git/index.ts';
import { campaignFolders, hubOf, type Recorded, recordedFiles, writeRecording } from '../../pipeline/index.ts';
import { openStore } from '../../store/index.ts';
import { databaseUrl, type GlobalOptions, withApi } from '../context.ts';
import { print } from '../output.ts';
import { version } from '../version.ts';

export interface ExportOptions extends GlobalOptions {
  readonly recording?: boolean;
  readonly output?: string;
}

/** Jobs asked for at once. */
const PAGE = 100;

interface Exported extends RecordingHead {
  /** As it was given. */
  readonly folder: string;
  readonly bytes: number;
}

/** Writes a whole campaign, or what its agents proposed as a recording. */
export async function exportCampaign(options: ExportOptions, name: string): Promise<number> {
  if (options.recording !== true) return exportWhole(options, name);
  const folder = resolve(options.output ?? 'recording');
  const { head, bytes } = await withApi(options, `export ${name}`, async (api) => {
    const first = await api.proposals(name, { after: 0, limit: PAGE });
    if (first.proposals.length === 0) {
      throw new ConflictError(`no agent of "${name}" has proposed anything yet: there is nothing to record`);
    }
    const hub = hubOf(campaignFolders(resolve(options.workspace), name));
    if (!existsSync(hub.dir)) throw new InfrastructureError(`the commits of "${name}" are not there: ${hub.dir}`);
    const of = {
      campaign: name,
      root_tree: first.root.tree,
      clade: version(),
      coders: codersOf(restoreCampaign(first)),
    };
    return writeRecording(folder, of, recorded(api, hub, first));
  });
  const exported: Exported = { ...head, folder: relative(process.cwd(), folder) || '.', bytes };
  print(exported, options.json, render);
  return 0;
}

async function exportWhole(options: ExportOptions, name: string): Promise<number> {
  const workspace = resolve(options.workspace);
  const folder = resolve(options.output ?? `${name}-export`);
  const store = await openStore({ workspace, label: `clade export ${name}`, ...databaseUrl() });
  try {
    const { files, refs } = await writeExport({ store, workspace, name, folder, version: version() });
    const whole = { campaign: name, folder: relative(process.cwd(), folder), jobs: files['jobs.ndjson']?.rows ?? 0 };
    print({ ...whole, commits: Object.keys(refs).length }, options.json, ({ jobs, commits }) =>
      [
        `${name}: ${jobs} jobs and ${commits} commits in ${whole.folder}`,
        `clade import ${whole.folder} brings them into another workspace`,
      ].join('\n'),
    );
    return 0;
  } finally {
    await store.close();
  }
}

/** Who makes proposals, as the campaign stands. */
function codersOf({ agents }: Campaign): RecordingHead['coders'] {
  return agents.coders.map(({ name, agent }) => ({
    name,
    kind: 'preset' in agent && agent.preset !== null ? `${agent.kind} ${agent.preset}` : agent.kind,
    model: 'model' in agent ? agent.model : null,
  }));
}

/** All proposals, page by page: one job with its files is in memory at a time. */
async function* recorded(api: CladeApi, hub: Hub, first: ProposalPage): AsyncGenerator<Recorded> {
  let page = first;
  for (;;) {
    for (const view of page.proposals) yield { proposal: await proposalOf(hub, view), madeAt: view.madeAt };
    if (page.next === null) return;
    page = await api.proposals(first.name, { after: page.next, limit: PAGE });
  }
}

async function proposalOf(hub: Hub, view: ProposalView): Promise<RecordedProposal> {
  const { start, made, madeAt: _madeAt, ...told } = view;
  return {
    ...told,
    start: start.tree,
    tree: made?.tree ?? null,
    files: made === null ? [] : await recordedFiles(hub, start.commit, made.commit),
  };
}

function render({ folder, campaign, proposals, bytes, coders }: Exported): string {
  const names = coders.map(({ kind, model }) => (model === null ? kind : `${kind} (${model})`)).join(', ');
  return [
    `${proposals} proposals of ${campaign} by ${names}: ${folder}, ${(bytes / 1024).toFixed(0)} KiB`,
    `to replay it, in a campaign on the same root: coder: {kind: replay, from: FOLDER}`,
  ].join('\n');
}
