import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type Campaign, placeOf, restoreCampaign } from '../../config/index.ts';
import {
  beats,
  type CladeApi,
  gainOf,
  type PatchCandidate,
  type PatchChoice,
  type PatchSource,
} from '../../daemon/index.ts';
import { ConflictError, UsageError } from '../../errors.ts';
import { openWorkshop, type ProvedPatch, prove } from '../../pipeline/index.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { minimiseCandidate, type Reduction, reductionLines } from '../minimised.ts';
import { harmless, objectives, percent, print } from '../output.ts';

export interface PatchOptions extends GlobalOptions {
  readonly best?: boolean;
  readonly commit?: string;
  readonly front?: boolean;
  readonly output?: string;
  readonly squash?: boolean;
  readonly onto?: string;
  readonly minimize?: boolean;
  readonly evaluations?: number;
  readonly tolerance?: number;
  readonly target?: string;
}

/** What was handed out for one candidate. */
interface Handed {
  readonly job: number;
  readonly commit: string;
  readonly tree: string;
  readonly appliesTo: string;
  readonly files: readonly string[];
  readonly pictures: readonly string[];
  readonly root: Readonly<Record<string, number>> | null;
  readonly recorded: Readonly<Record<string, number>>;
  readonly measured: Readonly<Record<string, number>>;
  readonly gain: number | null;
  /** Whether the measurement of the proof confirms that it beats the root by more than ε. */
  readonly beatsRoot: boolean;
  /** Only with --minimize: what it was made of. */
  readonly minimised?: Reduction;
}

const EVALUATIONS = 64;
const TOLERANCE = 0.05;

/** Hands out candidates as patches, each applied and measured in a fresh clone first. */
export async function patch(options: PatchOptions, name: string): Promise<number> {
  if (options.target !== undefined && options.onto === undefined) {
    throw new UsageError('--target says where --onto fetches from; without --onto nothing is fetched');
  }
  if (options.minimize !== true && (options.evaluations ?? options.tolerance) !== undefined) {
    throw new UsageError('--evaluations and --tolerance say how --minimize is done; it is not given');
  }
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    return await withApi(options, `patch ${name}`, async (api) => {
      const choice = await chosen(api, options, name);
      const source = await api.patchSource(name, choice);
      if (source.candidates.length === 0) throw nothing(name, choice.kind === 'best' && source.winner === 0);
      const handed: Handed[] = [];
      for (const candidate of source.candidates) {
        handed.push(await handOut(api, options, source, candidate, stop.signal));
      }
      print(handed, options.json, (all) => all.map((one) => render(one, options)).join('\n\n'));
      return 0;
    });
  } finally {
    process.off('SIGINT', interrupt);
  }
}

function nothing(name: string, rootWon: boolean): ConflictError {
  const why = rootWon
    ? `the root won the finals of "${name}": no candidate did better on validation`
    : `no candidate of "${name}" beats its root by more than ε`;
  return new ConflictError(`${why}; there is nothing to hand out`, {
    hint: 'clade jobs shows what there is; --commit hands out any valid candidate',
  });
}

async function chosen(api: CladeApi, options: PatchOptions, name: string): Promise<PatchChoice> {
  const given = [options.best, options.front, options.commit !== undefined].filter(Boolean).length;
  if (given > 1) throw new UsageError('--best, --front and --commit exclude each other');
  if (options.front === true) return { kind: 'front' };
  if (options.commit === undefined) return { kind: 'best' };
  const { campaign, ordinal } = await api.candidate(options.commit);
  if (campaign !== name) throw new UsageError(`${options.commit} is a candidate of "${campaign}", not of "${name}"`);
  return { kind: 'job', ordinal };
}

/** The campaign with its target at another place; only `--onto` fetches anything. */
function fetched(campaign: Campaign, target: string | undefined): Campaign {
  return { ...campaign, target: { ...campaign.target, mirror: placeOf(target) } };
}

async function handOut(
  api: CladeApi,
  options: PatchOptions,
  source: PatchSource,
  whole: PatchCandidate,
  signal: AbortSignal,
): Promise<Handed> {
  const campaign = fetched(restoreCampaign(source), options.target);
  const workshop = await openWorkshop(resolve(options.workspace), campaign, source);
  const how = {
    evaluations: options.evaluations ?? EVALUATIONS,
    tolerance: options.tolerance ?? TOLERANCE,
    say: (line: string) => void (options.json || process.stderr.write(`${harmless(line)}\n`)),
  };
  const minimised = options.minimize === true ? await minimiseCandidate(api, workshop, whole, how, signal) : null;
  const candidate = minimised?.candidate ?? whole;
  const { commit, tree } = candidate;
  const request = { commit, tree, squash: options.squash === true, onto: options.onto ?? null };
  const proved = await prove(workshop, request, signal);
  const folder = resolve(options.output ?? 'patches', options.front === true ? `job-${whole.ordinal}` : '.');
  await mkdir(folder, { recursive: true });
  const files = await Promise.all(
    proved.patches.map(async ({ name, bytes }) => {
      await writeFile(join(folder, name), bytes);
      return relative(process.cwd(), join(folder, name));
    }),
  );
  const root = proved.ontoEvaluation?.objectives ?? source.rootObjectives;
  const rootScores = proved.ontoEvaluation?.scores ?? source.rootScores;
  const [primary] = campaign.evaluator.objectives;
  const handed: Handed = {
    job: candidate.ordinal,
    commit,
    tree: proved.tree,
    appliesTo: proved.root.commit,
    files,
    pictures: await pictures(api, source, proved, folder),
    root,
    recorded: candidate.objectives,
    measured: proved.evaluation.objectives,
    gain: primary === undefined ? null : gainOf(rootScores, proved.evaluation.scores, primary),
    beatsRoot: primary !== undefined && beats(proved.evaluation.scores, rootScores, primary),
    ...(minimised === null ? {} : { minimised: minimised.reduction }),
  };
  await writeFile(join(folder, 'proof.json'), `${JSON.stringify(handed, null, 2)}\n`);
  return handed;
}

/** Pictures that the evaluator drew of the root and, in the proof, of the winner, side by side as before- and after-. */
async function pictures(api: CladeApi, source: PatchSource, proved: ProvedPatch, folder: string): Promise<string[]> {
  const made: string[] = [];
  const keep = async (name: string, content: Uint8Array): Promise<void> => {
    const path = join(folder, name.replaceAll('/', '-'));
    await writeFile(path, content);
    made.push(relative(process.cwd(), path));
  };
  for (const { name, mediaType, content } of proved.artifacts) {
    if (!mediaType.startsWith('image/')) continue;
    const before = source.rootArtifacts.find((artifact) => artifact.name === name);
    if (before !== undefined) await keep(`before-${name}`, (await api.artifact(before.id)).content);
    await keep(`after-${name}`, content);
  }
  return made;
}

function render(handed: Handed, options: PatchOptions): string {
  const lines = [
    `job ${handed.job}, commit ${handed.commit}`,
    `  applied in a fresh clone of ${handed.appliesTo}: tree ${handed.tree}, as it should be`,
    `  ${options.onto === undefined ? 'root     ' : 'upstream '} ${objectives(handed.root)}`,
    `  recorded  ${objectives(handed.recorded)}`,
    `  measured  ${objectives(handed.measured)}  ${percent(handed.gain)}`,
    ...(handed.minimised === undefined ? [] : reductionLines(handed.minimised).map((line) => `  ${line}`)),
    ...(handed.beatsRoot ? [] : ['  measured again it does not beat the root by more than ε']),
    ...handed.files.map((file) => `  ${file}`),
    ...handed.pictures.map((file) => `  ${file}`),
  ];
  return `${lines.join('\n')}\n  apply with: git am ${handed.files.join(' ')}`;
}
