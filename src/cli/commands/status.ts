import type { CampaignStatus } from '../../daemon/index.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { duration, objectives, percent, print, scores, table, usage } from '../output.ts';
import { winnerLines } from '../winner.ts';

/** One campaign in full, or a line for each. */
export async function status(options: GlobalOptions, name?: string): Promise<number> {
  return withApi(options, 'status', async (api) => {
    if (name === undefined) print(await api.campaigns(), options.json, overview);
    else print(await api.status(name), options.json, detail);
    return 0;
  });
}

function overview(campaigns: readonly CampaignStatus[]): string {
  if (campaigns.length === 0) return 'there is no campaign here yet; clade run CAMPAIGN starts one';
  return table(
    ['campaign', 'state', 'jobs', 'valid', 'gain', 'cells', 'best', 'winner'],
    campaigns.map((campaign) => [
      campaign.name,
      campaign.running ? `${campaign.state} *` : campaign.state,
      `${campaign.budget.settled}/${campaign.budget.jobs}`,
      campaign.outcomes.candidate,
      percent(campaign.gain),
      `${campaign.archive.occupied}/${campaign.archive.cells}`,
      objectives(campaign.best?.objectives ?? null),
      winnerName(campaign),
    ]),
  );
}

function winnerName({ winner }: CampaignStatus): string {
  if (winner === null) return '';
  return winner.ordinal === 0 ? 'root' : `job ${winner.ordinal}`;
}

function detail(status: CampaignStatus): string {
  const { budget, outcomes, archive, root, best, staleness } = status;
  const wall = budget.wallMs === null ? '' : ` of ${duration(budget.wallMs)}`;
  const lines = [
    `${status.name}: ${status.state}${status.cause === null ? '' : ` (${status.cause})`}`,
    `jobs     ${budget.settled} of ${budget.jobs} settled, ${budget.planned - budget.settled} open`,
    `time     ${duration(budget.wallMsUsed)}${wall}`,
    `ended    ${Object.entries(outcomes)
      .map(([outcome, jobs]) => `${outcome} ${jobs}`)
      .join(', ')}`,
  ];
  const failures = Object.entries(status.failures).map(([kind, jobs]) => `${kind} × ${jobs}`);
  if (failures.length > 0) lines.push(`failures ${failures.join(', ')}`);
  lines.push(
    `root     ${objectives(root?.objectives ?? null) || 'not measured yet'}${scores(root)}`,
    `best     ${objectives(best?.objectives ?? null)}${scores(best)}  ${percent(status.gain)}`,
  );
  if (best !== null && best.ordinal !== 0) {
    lines.push(`         job ${best.ordinal}, ${best.commit.slice(0, 12)}: ${best.title ?? ''}`);
  }
  lines.push(...winnerLines(status, 9));
  lines.push(...trialLines(status));
  if (status.calls.calls > 0) lines.push(`models   ${usage(status.calls)}`);
  for (const { role, model, meanMs, longestMs, ...used } of status.models) {
    const took = `${duration(meanMs)} a call, at most ${duration(longestMs)}`;
    lines.push(`         ${role}, ${model ?? 'unnamed'}: ${usage(used)}; ${took}`);
  }
  for (const { name, jobs, mean } of status.coders) {
    const worth = mean === null ? '' : `, ${mean.toFixed(3)} for what it costs`;
    lines.push(`coder    ${name}: ${jobs} jobs${worth}`);
  }
  if (staleness !== null && staleness.max > 0) {
    const mean = staleness.mean.toFixed(2);
    lines.push(`stale    a job's island took ${mean} candidates on average while it ran, at most ${staleness.max}`);
  }
  lines.push(
    archive.warmup === null
      ? `archive  ${archive.occupied} of ${archive.cells} cells, ${archive.members} members, epoch ${archive.epoch}`
      : `archive  warming up, ${archive.warmup.have} of ${archive.warmup.need} valid candidates`,
    `sandbox  ${status.isolation === null ? 'nothing ran yet' : `isolation level ${status.isolation}`}`,
  );
  for (const lack of status.waitsFor) lines.push(`waits    ${lack}`);
  for (const flight of status.inFlight) {
    lines.push(`job ${flight.ordinal}  ${flight.stage}  ${duration(flight.forMs)}`);
  }
  return lines.join('\n');
}

/** What was measured again, and who is now, while nothing behind it is settled. */
function trialLines({ trials: { confirmed, refuted, open } }: CampaignStatus): string[] {
  const lines = confirmed + refuted === 0 ? [] : [`trials   ${confirmed} confirmed, ${refuted} refuted`];
  if (open === null) return lines;
  const beside = open.incumbent === null ? '' : `, job ${open.incumbent} beside it`;
  const why = open.cause === 'lead' ? 'it would take the lead' : 'its gain is not plausible';
  return [...lines, `trial    job ${open.challenger} is measured again${beside}: ${why}; nothing is settled meanwhile`];
}
