import type { Campaign } from '../../config/index.ts';
import type { CampaignStatus, RunEnd } from '../../daemon/index.ts';
import { type GlobalOptions, requireCampaignFile } from '../context.ts';
import { createDisplay, type Display } from '../live/display.ts';
import { type LogLevelOptions, processLog } from '../logging.ts';
import { objectives, percent, print } from '../output.ts';
import { onSignals, serving } from '../serving.ts';
import { winnerLines } from '../winner.ts';

export interface RunOptions extends GlobalOptions, LogLevelOptions {
  readonly port?: number;
  readonly seed?: number;
  readonly jobs?: number;
  readonly target?: string;
}

/** Runs or resumes one campaign in the foreground, with a live view and the HTTP API. */
export async function run(options: RunOptions, path: string): Promise<number> {
  const campaign = adjusted(await requireCampaignFile(path, options.target), options);
  let display: Display | null = null;
  const reports = {
    onSettled: (_name: string, job: Parameters<Display['settled']>[0]) => display?.settled(job),
    onWarning: (_name: string, warning: string) => void process.stderr.write(`warning: ${warning}\n`),
  };
  return serving(
    options,
    `run ${campaign.name}`,
    processLog(options, 'foreground'),
    { onBreak: 'end', reports },
    async ({ host, server }) => {
      if (!options.json) display = createDisplay(() => host.api.status(campaign.name), `${server.url}/`);
      const release = onSignals(host, (message) => (display === null ? undefined : display.note(message)));
      try {
        const end = await host.run(campaign).finally(() => display?.close());
        const status = await host.api.status(campaign.name);
        print({ end, ...status }, options.json, () => farewell(end, status));
        return exitCode(end);
      } finally {
        release();
      }
    },
  );
}

/** `--seed` makes a campaign of its own, because the seed of a campaign is frozen; `--jobs` is a budget, which is live. */
function adjusted(campaign: Campaign, { seed, jobs }: RunOptions): Campaign {
  return {
    ...campaign,
    ...(seed === undefined ? {} : { name: `${campaign.name}-${seed}`, search: { ...campaign.search, seed } }),
    budget: { ...campaign.budget, ...(jobs === undefined ? {} : { jobs }) },
  };
}

function farewell(end: RunEnd, status: CampaignStatus): string {
  const { root, best, gain, beatsRoot, winner, name } = status;
  const lines: string[] = [];
  if (end.kind === 'finished') lines.push(`finished: ${end.cause}`);
  else if (end.kind === 'paused') lines.push(`paused: ${end.cause}`, 'run the same command again to go on');
  else lines.push('stopped; the same command goes on where this ended');
  if (root !== null && best !== null) {
    lines.push(`root  ${objectives(root.objectives)}`);
    if (best.ordinal !== root.ordinal) {
      const commit = best.commit.slice(0, 12);
      lines.push(`best  ${objectives(best.objectives)}  ${percent(gain)}  (job ${best.ordinal}, ${commit})`);
    }
    lines.push(...winnerLines(status, 7));
    const worth = winner === null ? beatsRoot : winner.ordinal !== 0;
    lines.push(worth ? `take it home: clade patch ${name}` : nothingBetter(status));
  }
  return lines.join('\n');
}

function nothingBetter({ objectives: [primary], winner }: CampaignStatus): string {
  if (winner !== null) return 'the root is the winner: there is nothing to take home';
  return `nothing beats the root by more than ε (${primary?.name} ${primary?.epsilon}): there is nothing to take home`;
}

function exitCode(end: RunEnd): number {
  if (end.kind === 'finished') return 0;
  return end.kind === 'paused' ? 1 : 130;
}
