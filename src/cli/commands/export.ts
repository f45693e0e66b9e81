import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { RecordedProposal, RecordingHead } from '../../agent/index.ts';
import { type Campaign, restoreCampaign } from '../../config/index.ts';
import type { CladeApi, ProposalPage, ProposalView } from '../../daemon/index.ts';
import { ConflictError, InfrastructureError, UsageError } from '../../errors.ts';
import type { Hub } from '../../git/index.ts';
import { campaignFolders, hubOf, type Recorded, recordedFiles, writeRecording } from '../../pipeline/index.ts';
import { type GlobalOptions, withApi } from '../context.ts';
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

/** Writes what the agents of a campaign proposed as a recording. */
export async function exportCampaign(options: ExportOptions, name: string): Promise<number> {
  if (options.recording !== true) {
    throw new UsageError('say what of the campaign is to be exported: --recording, what its agents proposed');
  }
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
