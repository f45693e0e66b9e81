import type { TidyView } from '../../daemon/index.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { print, size, table } from '../output.ts';

export interface TidyOptions extends GlobalOptions {
  readonly dryRun?: boolean;
}

/** Removes what campaigns do not want kept: of one, or of all. */
export async function tidy(options: TidyOptions, name?: string): Promise<number> {
  return withApi(options, 'tidy', async (api) => {
    const names = name === undefined ? (await api.campaigns()).map((campaign) => campaign.name) : [name];
    const views: TidyView[] = [];
    for (const one of names) views.push(await api.tidy(one, options.dryRun === true));
    print(views, options.json, overview);
    return 0;
  });
}

function overview(views: readonly TidyView[]): string {
  if (views.length === 0) return 'there is no campaign here yet';
  const dry = views.some(({ dryRun }) => dryRun);
  const cell = ({ items, bytes }: TidyView['logs']): string => (items === 0 ? '' : `${items}, ${size(bytes)}`);
  const rows = views.map(({ campaign, artifacts, transcripts, recordings, logs, folders }) => [
    campaign,
    ...[artifacts, transcripts, recordings, logs].map(cell),
    folders.join(' '),
  ]);
  const head = dry ? 'would be removed:' : 'removed:';
  return `${head}\n${table(['campaign', 'artifacts', 'transcripts', 'recordings', 'logs', 'checkouts'], rows)}`;
}
