import type { CampaignStatus, SplitResult } from '../daemon/index.ts';
import { objectives, percent } from './output.ts';

/** What the finals came to, as lines under labels of one width; none before them. */
export function winnerLines({ winner, looks }: Pick<CampaignStatus, 'winner' | 'looks'>, width: number): string[] {
  const line = (label: string, text: string): string => `${label.padEnd(width)}${text}`.trimEnd();
  const { validation, holdout } = looks;
  const looked = validation + holdout === 0 ? [] : [line('looks', `validation ${validation}, holdout ${holdout}`)];
  if (winner === null) return looked;
  const { ordinal, commit, title, settled, closing, reason, splits } = winner;
  const who = ordinal === 0 ? 'the root' : `job ${ordinal}, ${commit.slice(0, 12)}: ${title ?? ''}`;
  return [
    line('winner', `${who} (${closing ? 'finals' : 'checkpoint'} after ${settled} jobs)`),
    line('', reason),
    ...splits.map((split) => line('', splitText(split, ordinal))),
    ...looked,
  ];
}

function splitText({ split, objectives: values, root, gain, refusal }: SplitResult, ordinal: number): string {
  if (values === null) return `${split}: ${refusal === null ? 'not measured' : `refused, ${refusal}`}`;
  const beside = ordinal === 0 || root === null ? '' : `  ${percent(gain)}  (root ${objectives(root)})`;
  return `${split}: ${objectives(values)}${beside}`;
}
