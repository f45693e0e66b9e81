import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Campaign } from '../../config/index.ts';
import { CladeError, InfrastructureError } from '../../errors.ts';
import {
  type Finding,
  inspect,
  measureRootTwice,
  noiseOf,
  openWorkshop,
  workspaceFolders,
} from '../../pipeline/index.ts';
import { type GlobalOptions, requireCampaignFile, withApi } from '../context.ts';
import { duration, number, objectives, print } from '../output.ts';

export interface CheckOptions extends GlobalOptions {
  /** False with `--no-measure`. */
  readonly measure?: boolean;
  readonly target?: string;
}

interface CheckReport {
  readonly campaign: string;
  readonly findings: readonly Finding[];
}

/** Looks for everything that would stop or spoil a run. Nothing of it stays: it works in a workspace of its own. */
export async function check(options: CheckOptions, path: string): Promise<number> {
  const campaign = await requireCampaignFile(path, options.target);
  const { state } = workspaceFolders(resolve(options.workspace));
  await mkdir(state, { recursive: true });
  const scratch = await mkdtemp(join(state, 'check-'));
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    const findings = [await database(options)];
    const workshop = await openWorkshop(scratch, campaign, null);
    findings.push(...(await inspect(workshop)));
    if (options.measure !== false) findings.push(...(await measured(campaign, workshop, stop.signal)));
    print({ campaign: campaign.name, findings }, options.json, render);
    return findings.some((finding) => finding.verdict === 'problem') ? 1 : 0;
  } finally {
    process.off('SIGINT', interrupt);
    await rm(scratch, { recursive: true, force: true });
  }
}

async function database(options: CheckOptions): Promise<Finding> {
  try {
    const campaigns = await withApi(options, 'check', (api) => api.campaigns());
    return { subject: 'database', verdict: 'fine', text: `${campaigns.length} campaigns in it` };
  } catch (error) {
    if (!(error instanceof CladeError)) throw error;
    return { subject: 'database', verdict: 'problem', text: error.message };
  }
}

/** The root against itself: its noise beside ε, and how long the whole campaign will take. */
async function measured(
  campaign: Campaign,
  workshop: Parameters<typeof measureRootTwice>[0],
  signal: AbortSignal,
): Promise<Finding[]> {
  process.stderr.write('measuring the root twice …\n');
  const pair = await measureRootTwice(workshop, signal).catch((error: unknown) => {
    if (error instanceof InfrastructureError) return error;
    throw error;
  });
  if (pair instanceof InfrastructureError) {
    return [{ subject: 'evaluator', verdict: 'problem', text: `the root could not be measured: ${pair.message}` }];
  }
  const bad = pair.find((one) => one.evaluation.status === 'invalid');
  if (bad !== undefined && bad.evaluation.status === 'invalid') {
    const { kind, summary, evidence } = bad.evaluation;
    const text = `the evaluator refuses the root (${kind}): ${summary}\n${evidence || bad.stderr.text}`.trim();
    return [{ subject: 'evaluator', verdict: 'problem', text }];
  }
  const [first] = pair;
  const values = first.evaluation.status === 'valid' ? objectives(first.evaluation.objectives) : '';
  const totalMs = (campaign.budget.jobs * first.durationMs) / campaign.evaluator.concurrency;
  return [
    { subject: 'evaluator', verdict: 'fine', text: `root: ${values}, in ${duration(first.durationMs)}` },
    ...noiseOf(campaign.evaluator.objectives, pair).map(noiseFinding),
    {
      subject: 'time',
      verdict: 'fine',
      text: `about ${duration(totalMs)} of evaluations for ${campaign.budget.jobs} jobs, and what the agent takes`,
    },
  ];
}

function noiseFinding({ objective, difference, reach, epsilon }: ReturnType<typeof noiseOf>[number]): Finding {
  const interval = reach === null ? '' : `, its interval reaches ${number(reach)} from its value`;
  const text = `${objective}: two measurements of the root differ by ${number(difference)}${interval}; ε is ${number(epsilon)}`;
  const noise = Math.max(difference, reach ?? 0);
  if (noise <= epsilon || noise === 0) return { subject: 'noise', verdict: 'fine', text };
  return {
    subject: 'noise',
    verdict: 'warning',
    text: `${text}; a difference of ε means nothing yet: raise ε, or measure longer`,
  };
}

function render({ campaign, findings }: CheckReport): string {
  const marks = { fine: 'ok     ', warning: 'warning', problem: 'PROBLEM' };
  const lines = findings.map(({ subject, verdict, text }) => `${marks[verdict]}  ${subject.padEnd(9)}  ${text}`);
  const stops = findings.some((finding) => finding.verdict === 'problem');
  return `${lines.join('\n')}\n${campaign}: ${stops ? 'mend the problems first' : 'ready to run'}`;
}
