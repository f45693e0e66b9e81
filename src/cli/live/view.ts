import { stripVTControlCharacters, styleText } from 'node:util';
import type { CampaignStatus } from '../../daemon/index.ts';
import { duration, harmless, objectives, percent } from '../output.ts';
import { winnerLines } from '../winner.ts';

const BAR = 30;
const MAX_FLIGHTS = 8;

/** The live picture of one campaign as lines, none wider than `columns`. Pure but for colours. */
export function viewLines(status: CampaignStatus, address: string, columns: number): string[] {
  const { budget, archive, best, root, outcomes } = status;
  // A budget may be lowered below what is settled.
  const share = budget.jobs === 0 ? 1 : Math.min(1, budget.settled / budget.jobs);
  const filled = Math.round(share * BAR);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
  const lines = [
    `${styleText('bold', status.name)}  ${status.state}  ${duration(budget.wallMsUsed)}  ${styleText('dim', `dashboard ${address}`)}`,
    `${bar} ${budget.settled}/${budget.jobs} jobs`,
    `root   ${objectives(root?.objectives ?? null) || 'being measured'}`,
    `best   ${objectives(best?.objectives ?? null)}  ${styleText('green', percent(status.gain))}`,
  ];
  if (best !== null && best.ordinal !== 0) lines.push(`       job ${best.ordinal}: ${harmless(best.title ?? '')}`);
  if (status.winner !== null) lines.push(...winnerLines(status, 7).map(harmless));
  lines.push(
    archive.warmup === null
      ? `cells  ${archive.occupied} of ${archive.cells} occupied, ${archive.members} members, epoch ${archive.epoch}`
      : `cells  warming up: ${archive.warmup.have} of ${archive.warmup.need} valid candidates`,
    `ended  ${outcomes.candidate} valid, ${outcomes.invalid} invalid, ${outcomes.duplicate} duplicate, ${outcomes.no_change} without change, ${outcomes.failed} failed`,
  );
  const failures = Object.entries(status.failures).map(([kind, jobs]) => `${kind} × ${jobs}`);
  if (failures.length > 0) lines.push(`       ${failures.join(', ')}`);
  for (const flight of status.inFlight.slice(0, MAX_FLIGHTS)) {
    lines.push(styleText('dim', `  job ${flight.ordinal}  ${flight.stage.padEnd(8)}  ${duration(flight.forMs)}`));
  }
  return lines.map((line) => clip(line, columns));
}

/** Cuts a line by what is seen of it; a cut line loses its colours. */
function clip(line: string, columns: number): string {
  const seen = stripVTControlCharacters(line);
  return seen.length <= columns ? line : `${seen.slice(0, columns - 1)}…`;
}
