import type { CandidateView, EvaluationView, RevisionView, TrialView } from '../../daemon/index.ts';
import { namedCandidate } from '../candidate.ts';
import { type GlobalOptions, withApi } from '../context.ts';
import { duration, number, objectives, print, usage } from '../output.ts';

const OUTPUT_LINES = 20;

export interface ShowOptions extends GlobalOptions {
  readonly brief?: boolean;
  readonly transcript?: boolean;
}

export async function show(options: ShowOptions, name: string): Promise<number> {
  return withApi(options, 'show', async (api) => {
    print(await namedCandidate(api, name), options.json, (view) => render(view, options));
    return 0;
  });
}

function render(view: CandidateView, options: ShowOptions): string {
  const lines = [
    `${view.campaign} job ${view.ordinal}: ${view.outcome ?? view.state}${view.reason === null ? '' : ` (${view.reason})`}`,
    ...triesLines(view),
    ...(view.winner ? ['winner       of the latest finals'] : []),
    `title        ${view.title ?? ''}`,
    `commit       ${view.commit ?? 'none'}`,
    `base         ${view.base === null ? 'none: this is the root' : `job ${view.base}`}`,
    `inspirations ${view.inspirations.length === 0 ? 'none' : view.inspirations.map((job) => `job ${job}`).join(', ')}`,
    `why          ${JSON.stringify(view.decision)}`,
    `island       ${view.island}${view.staleness === null ? '' : `, staleness ${view.staleness}`}`,
    ...(view.coder === null ? [] : [`coder        ${view.coder}`]),
    ...(view.calls.calls === 0 ? [] : [`models       ${usage(view.calls)}`]),
    `changed      ${view.changedPaths.join(', ') || 'nothing'}`,
    ...view.revisions.map(revisionLine),
    ...view.evaluations.flatMap(evaluationLines),
    ...view.trials.flatMap((trial) => trialLines(view.ordinal, trial)),
    ...(view.trials.length > 0 && view.scores !== null ? [`ranked by    ${objectives(view.scores)}`] : []),
    ...view.placements.map(
      ({ epoch, verdict, cell, reason }) => `epoch ${epoch}: ${verdict} in cell ${cell} (${reason})`,
    ),
    ...(view.tidiedAt === null
      ? []
      : [`tidied       ${view.tidiedAt}: what keep of the campaign does not want is gone`]),
    ...view.artifacts.map(({ id, name, size }) => `artifact     ${name}, ${size} bytes (id ${id})`),
  ];
  if (view.summary !== null && view.summary !== '') lines.push('', view.summary);
  if (options.brief === true) lines.push('', '--- brief ---', view.brief ?? 'none was kept');
  if (options.transcript === true) lines.push('', '--- transcript ---', view.transcript ?? 'none was kept');
  return lines.join('\n');
}

function triesLines({ tries: { of, again, waits } }: CandidateView): string[] {
  const later = [...again.map((job) => `job ${job}`), ...(waits ? ['the next jobs that are planned'] : [])];
  return [
    ...(of === null ? [] : [`another try  of job ${of}`]),
    ...(later.length === 0 ? [] : [`tried again  by ${later.join(', ')}`]),
  ];
}

function revisionLine({ round, cause, reason, commit }: RevisionView): string {
  return `round ${String(round).padEnd(6)} ${commit.slice(0, 10)} went back for ${cause}: ${reason}`;
}

function trialLines(
  ordinal: number,
  { number: place, cause, challenger, incumbent, outcome, measurements }: TrialView,
) {
  const other = ordinal === challenger ? incumbent : challenger;
  const role = ordinal === challenger ? 'challenger' : 'incumbent';
  const against = other === null ? '' : ` with job ${other}`;
  return [
    `trial ${String(place).padEnd(6)} ${role}${against} (${cause}): ${outcome ?? 'being measured'}`,
    ...measurements.map((one) => {
      const said = one.status === 'valid' ? objectives(one.objectives) : `invalid ${one.kind}: ${one.summary}`;
      return `             job ${one.ordinal} measured again: ${said}  (${duration(one.durationMs)})`;
    }),
  ];
}

function evaluationLines(evaluation: EvaluationView): string[] {
  const { split, status, kind, state, intervals, metrics, summary, evidence, durationMs } = evaluation;
  const verdict = status === 'valid' ? objectives(evaluation.objectives) : `${status ?? state} ${kind ?? ''}`;
  const lines = [`${split.padEnd(12)} ${verdict}${durationMs === null ? '' : `  (${duration(durationMs)})`}`];
  for (const [name, [low, high]] of Object.entries(intervals ?? {})) {
    lines.push(`             ${name} in [${number(low)}, ${number(high)}]`);
  }
  if (metrics !== null && Object.keys(metrics).length > 0) lines.push(`             ${objectives(metrics)}`);
  if (summary !== null && summary !== '') lines.push(`             ${summary}`);
  if (evidence !== null && evidence !== '') lines.push(...indented(evidence));
  if (evaluation.sharedWith !== null) {
    lines.push(`             measured with job ${evaluation.sharedWith}, which has the same identity`);
  }
  return [...lines, ...machineLines(evaluation), ...stageLines(evaluation)];
}

/** What else the machine did meanwhile. */
function machineLines({ machine }: EvaluationView): string[] {
  if (machine === null) return [];
  const { host, cpu, load1, otherBusy, stolen } = machine;
  const parts = [
    cpu === null ? `on ${host}` : `on CPU ${cpu} of ${host}`,
    `load ${load1.map((load) => load.toFixed(2)).join(' to ')}`,
    otherBusy === null ? [] : `${cpu === null ? 'CPUs' : 'other CPUs'} ${Math.round(100 * otherBusy)} % busy`,
    stolen === null || stolen < 0.005 ? [] : `${Math.round(100 * stolen)} % stolen`,
  ];
  return [`             ${parts.flat().join(', ')}`];
}

/** The steps of an evaluator that has several, and the end of what the one that failed printed. */
function stageLines({ stages, evidence }: EvaluationView): string[] {
  if (stages.length < 2 && stages[0]?.status !== 'failed') return [];
  return stages.flatMap(({ name, status, kind, durationMs, summary, stdoutTail, stderrTail }) => {
    const verdict = status === 'passed' ? status : `${status} (${kind})`;
    const told = summary === '' ? '' : `: ${summary}`;
    const end = status === 'passed' ? '' : endOf(stderrTail.trim() === '' ? stdoutTail : stderrTail);
    return [
      `  step       ${name} ${verdict}, ${duration(durationMs)}${told}`,
      ...(end === '' || (evidence ?? '').includes(end) ? [] : indented(end)),
    ];
  });
}

function endOf(output: string): string {
  return output.trim().split('\n').slice(-OUTPUT_LINES).join('\n');
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `             ${line}`);
}
