import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Campaign } from '../../config/index.ts';
import { type Forecast, forecast, inspectNotify, type Probe, probeModels, type Spent } from '../../daemon/index.ts';
import { CladeError, InfrastructureError } from '../../errors.ts';
import type { ValidEvaluation } from '../../evaluator/index.ts';
import { editable, listTree } from '../../git/index.ts';
import {
  type Finding,
  inspect,
  measureRoot,
  type Noise,
  noiseOf,
  openWorkshop,
  type Workshop,
  workspaceFolders,
} from '../../pipeline/index.ts';
import { processStart } from '../../process/index.ts';
import { type GlobalOptions, requireCampaignFile, withApi } from '../context.ts';
import { type Estimate, estimateOf, timeInWords } from '../estimate.ts';
import { modelFindings } from '../model-findings.ts';
import { duration, number, objectives, print } from '../output.ts';

/** Few enough for long evaluations; with Student's t the floor of so few is 1.4 times that of many. */
const ROUNDS = 5;

export interface CheckOptions extends GlobalOptions {
  /** False with `--no-measure`. */
  readonly measure?: boolean;
  /** How often the root is measured. */
  readonly rounds?: number;
  readonly target?: string;
  /** Asks no model. */
  readonly offline?: boolean;
}

interface CheckReport extends Measurements {
  readonly campaign: string;
  readonly forecast: Forecast;
  readonly probes: readonly Probe[];
}

/** Looks for everything that would stop or spoil a run. Nothing of it stays: it works in a workspace of its own. */
export async function check(options: CheckOptions, path: string): Promise<number> {
  const campaign = await requireCampaignFile(path, options.target);
  const { state } = workspaceFolders(resolve(options.workspace));
  await mkdir(state, { recursive: true });
  // Whose it is, so that it is swept when this process is killed.
  const scratch = await mkdtemp(join(state, `check-${process.pid}-${processStart(process.pid) ?? 0}-`));
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    const known = await database(options, campaign.name);
    const findings = [known.finding];
    const workshop = await openWorkshop(scratch, campaign, null);
    findings.push(...(await inspect(workshop)));
    const editable = await editableCharacters(workshop);
    const cost = forecast(campaign, known.spent, editable);
    const probes = options.offline === true ? [] : await probeModels(campaign, process.env, stop.signal);
    findings.push(...(await inspectNotify(campaign)));
    findings.push(...modelFindings(campaign, cost, probes));
    const { rounds = ROUNDS } = options;
    const root = options.measure === false ? NOTHING : await measured(campaign, workshop, rounds, stop.signal);
    findings.push(...root.findings);
    print({ campaign: campaign.name, ...root, findings, forecast: cost, probes }, options.json, render);
    return findings.some((finding) => finding.verdict === 'problem') ? 1 : 0;
  } finally {
    process.off('SIGINT', interrupt);
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Whether the database answers, and what the campaign used so far. */
async function database(options: CheckOptions, name: string): Promise<{ finding: Finding; spent: Spent }> {
  try {
    const campaigns = await withApi(options, 'check', (api) => api.campaigns());
    const known = campaigns.find((campaign) => campaign.name === name);
    const spent = known === undefined ? UNSPENT : { jobs: known.budget.settled, models: known.models };
    return { finding: { subject: 'database', verdict: 'fine', text: `${campaigns.length} campaigns in it` }, spent };
  } catch (error) {
    if (!(error instanceof CladeError)) throw error;
    return { finding: { subject: 'database', verdict: 'problem', text: error.message }, spent: UNSPENT };
  }
}

const UNSPENT: Spent = { jobs: 0, models: [] };

/** Of the files that agents may edit, in bytes, which are about as many characters. */
async function editableCharacters({ hub, root, campaign }: Workshop): Promise<number> {
  const mayEdit = editable(campaign.target);
  const files = (await listTree(hub, root.commit)).filter(({ path }) => mayEdit(path));
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** What measuring the root says: findings to read, and the figures. */
interface Measurements {
  readonly findings: readonly Finding[];
  readonly noise: readonly Noise[];
  /** Null when the root could not be measured. */
  readonly estimate: Estimate | null;
}

const NOTHING: Measurements = { findings: [], noise: [], estimate: null };

/** The root against itself: its noise beside ε, and how long the whole campaign will take. */
async function measured(
  campaign: Campaign,
  workshop: Workshop,
  rounds: number,
  signal: AbortSignal,
): Promise<Measurements> {
  const onRound = (round: number) => process.stderr.write(`measuring the root, ${round} of ${rounds} …\n`);
  const records = await measureRoot(workshop, { rounds, onRound }, signal).catch((error: unknown) => {
    if (error instanceof InfrastructureError) return error;
    throw error;
  });
  if (records instanceof InfrastructureError) return troubled(`the root could not be measured: ${records.message}`);
  const valid: ValidEvaluation[] = [];
  for (const { evaluation, stderr } of records) {
    if (evaluation.status === 'invalid') {
      const { kind, summary, evidence } = evaluation;
      return troubled(`the evaluator refuses the root (${kind}): ${summary}\n${evidence || stderr.text}`.trim());
    }
    valid.push(evaluation);
  }
  const durationMs = records.reduce((sum, record) => sum + record.durationMs, 0) / records.length;
  const noise = noiseOf(campaign.evaluator.objectives, valid);
  const estimate = estimateOf(campaign, durationMs);
  const values = objectives(valid[0]?.objectives ?? null);
  return {
    findings: [
      { subject: 'evaluator', verdict: 'fine', text: `root: ${values}, in ${duration(durationMs)}` },
      ...noise.map(noiseFinding),
      ...identityFinding(valid, campaign),
      { subject: 'time', verdict: 'fine', text: timeInWords(campaign, estimate) },
    ],
    noise,
    estimate,
  };
}

function troubled(text: string): Measurements {
  return { ...NOTHING, findings: [{ subject: 'evaluator', verdict: 'problem', text }] };
}

function noiseFinding({ objective, values, floor, halfWidth, epsilon, sensible, supported }: Noise): Finding {
  const said = halfWidth === null ? '' : `, its own intervals reach ±${number(halfWidth)}`;
  const range = `${number(Math.min(...values))} … ${number(Math.max(...values))}`;
  const text =
    floor === 0
      ? `${objective}: ${values.length} measurements of the root are all equal: any ε is sensible, 0 too`
      : `${objective}: ${values.length} measurements of the root give ${range}${said}; two of equal candidates differ by up to ${number(floor)} (95 %)`;
  const declared = `ε is ${number(epsilon)}`;
  if (sensible) return { subject: 'noise', verdict: 'fine', text: `${text}; ${declared}` };
  const advice = `an ε below that is not sensible: write epsilon: ${supported}, or measure longer`;
  return { subject: 'noise', verdict: 'problem', text: `${text}; ${declared}; ${advice}` };
}

/** Equal commits must have equal identities, or an identity says nothing, and who is measured again counts as another one. */
function identityFinding(valid: readonly ValidEvaluation[], { evaluator }: Campaign): Finding[] {
  const identities = new Set(valid.map(({ identity }) => identity));
  if (identities.size < 2) return [];
  const { incumbent, jump } = evaluator.remeasure;
  const verdict = incumbent || jump > 0 ? 'problem' : 'warning';
  const text = `the evaluator gave the root ${identities.size} identities in ${valid.length} measurements: make the build reproducible, or give none`;
  return [{ subject: 'identity', verdict, text }];
}

function render({ campaign, findings }: CheckReport): string {
  const marks = { fine: 'ok     ', warning: 'warning', problem: 'PROBLEM' };
  const lines = findings.map(({ subject, verdict, text }) => `${marks[verdict]}  ${subject.padEnd(9)}  ${text}`);
  const stops = findings.some((finding) => finding.verdict === 'problem');
  return `${lines.join('\n')}\n${campaign}: ${stops ? 'mend the problems first' : 'ready to run'}`;
}
