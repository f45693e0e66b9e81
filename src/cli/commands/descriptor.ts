import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Campaign, restoreCampaign } from '../../config/index.ts';
import {
  type CladeApi,
  compareDescriptors,
  type DescriptorRow,
  type MaterialPage,
  type MaterialView,
} from '../../daemon/index.ts';
import { ConflictError, InfrastructureError } from '../../errors.ts';
import { campaignFolders, hubOf } from '../../pipeline/index.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { print, table } from '../output.ts';

/** What the literature reports of a repository mean over 1,536 dimensions, to read ours beside. */
const PUBLISHED = {
  source: 'Loreley on Zstandard, arXiv:2608.19703',
  descriptor: 'repository-mean',
  distances: { median: 3.22e-6, max: 8.32e-6 },
  moved: 0.43,
} as const;

/** Candidates asked for at once: their vectors are most of the answer. */
const PAGE = 100;
/** Milliseconds between two lines of progress. */
const PROGRESS_MS = 3_000;

interface Comparison {
  readonly campaign: string;
  readonly candidates: number;
  /** The kind that the campaign searches by. */
  readonly own: string;
  readonly descriptors: readonly DescriptorRow[];
  readonly published: typeof PUBLISHED;
}

/** Compares all descriptors on the history of a campaign. The work is done here, also when another process serves the workspace. */
export async function descriptor(options: GlobalOptions, name: string): Promise<number> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    const { campaign, candidates } = await withApi(options, `descriptor ${name}`, (api) => materials(api, name));
    const hub = hubOf(campaignFolders(resolve(options.workspace), name));
    if (!existsSync(hub.dir)) throw new InfrastructureError(`the commits of "${name}" are not there: ${hub.dir}`);
    const compared = { signal: stop.signal, onProgress: progress() };
    const descriptors = await compareDescriptors({ campaign, hub, candidates }, compared);
    const own = campaign.search.descriptor.kind;
    const comparison = { campaign: name, candidates: candidates.length, own, descriptors, published: PUBLISHED };
    print(comparison, options.json, (value) => render(value, campaign));
    return 0;
  } finally {
    process.off('SIGINT', interrupt);
  }
}

/** The whole history, page by page. */
async function materials(api: CladeApi, name: string): Promise<{ campaign: Campaign; candidates: MaterialView[] }> {
  const candidates: MaterialView[] = [];
  let page: MaterialPage;
  do {
    page = await api.materials(name, { from: (candidates.at(-1)?.settlement ?? -1) + 1, limit: PAGE });
    candidates.push(...page.candidates);
  } while (page.candidates.length === PAGE);
  if (candidates.length < 2) {
    throw new ConflictError(`"${name}" has no valid candidate yet besides its root: there is nothing to compare`);
  }
  return { campaign: restoreCampaign(page), candidates };
}

/** Says on stderr how far long work is. */
function progress(): (what: string, done: number, of: number) => void {
  let told = Date.now();
  return (what, done, of) => {
    if (Date.now() - told < PROGRESS_MS) return;
    told = Date.now();
    process.stderr.write(`${what}: ${done} of ${of}\n`);
  };
}

function render({ candidates, own, descriptors, published }: Comparison, { evaluator }: Campaign): string {
  const objectives = evaluator.objectives.map((objective) => objective.name);
  const header = ['descriptor', 'distance', 'max', 'explained', 'particip.', 'rank', 'cells', 'moved', 'by files'];
  const rows = descriptors.map(({ kind, report, why }) => [
    kind === own ? `${kind} *` : kind,
    ...(report === null ? header.slice(1).map(() => '') : measures(report)),
    ...objectives.map((name) => rounded(report?.separation.objectives[name] ?? null)),
    why ?? '',
  ]);
  return [
    `${candidates} valid candidates, the root with them; * the campaign’s own descriptor`,
    table([...header, ...objectives.map((name) => `by ${name}`), ''], rows),
    'distance, max: median and largest cosine distance of two candidates; explained: variance on the axes of the grid;',
    'particip., rank: participation ratio and effective rank, in components; moved: admissions that the last projection',
    'puts into another cell; by …: rank correlation of distance with the difference in changed files or in the objective.',
    `${published.source}, ${published.descriptor}: distance ${small(published.distances.median)}, max ${small(published.distances.max)}, moved ${share(published.moved)}`,
  ].join('\n');
}

function measures(report: NonNullable<DescriptorRow['report']>): string[] {
  const { distances, explained, participationRatio, effectiveRank, grid, separation } = report;
  return [
    small(distances?.median ?? null),
    small(distances?.max ?? null),
    share(explained),
    rounded(participationRatio),
    rounded(effectiveRank),
    `${grid.occupied}/${grid.cells}`,
    share(grid.moved),
    rounded(separation.files),
  ];
}

/** Distances of repository means are millionths. */
function small(value: number | null): string {
  if (value === null) return '';
  return value !== 0 && value < 1e-3 ? value.toExponential(2) : value.toPrecision(3);
}

function share(value: number | null): string {
  return value === null ? '' : `${Math.round(value * 100)} %`;
}

function rounded(value: number | null): string {
  // Adding 0 makes a 0 of −0.
  return value === null ? '' : (Number(value.toFixed(2)) + 0).toFixed(2);
}
