import type { ComponentChildren } from 'preact';
import type { CandidateView, EvaluationView, TrialView } from '../../server/answers.ts';
import { duration, number, values } from '../format.ts';
import { Facts, Folded, JobLink, JobLinks } from '../parts/parts.tsx';

/** What was measured, split by split, and again. */
export function Evaluations({ view }: { readonly view: CandidateView }) {
  if (view.evaluations.length === 0) return null;
  return (
    <section aria-labelledby="evaluations">
      <h2 id="evaluations">Evaluation</h2>
      {view.evaluations.map((evaluation) => (
        <Evaluation key={evaluation.split} name={view.campaign} evaluation={evaluation} />
      ))}
      {view.trials.map((trial) => (
        <Trial key={trial.number} name={view.campaign} trial={trial} />
      ))}
    </section>
  );
}

function Evaluation({ name, evaluation }: { readonly name: string; readonly evaluation: EvaluationView }) {
  const { split, status, state, kind, objectives, intervals, metrics, summary, durationMs, isolation } = evaluation;
  const facts: [string, ComponentChildren][] = [
    ['verdict', status === null ? state : kind === null ? status : `${status} (${kind})`],
  ];
  if (objectives !== null) facts.push(['objectives', <span class="figure">{values(objectives)}</span>]);
  for (const [objective, [low, high]] of Object.entries(intervals ?? {})) {
    facts.push([`${objective} in`, <span class="figure">{`${number(low)} to ${number(high)}`}</span>]);
  }
  if (metrics !== null && Object.keys(metrics).length > 0)
    facts.push(['metrics', <span class="figure">{values(metrics)}</span>]);
  if (summary !== null && summary !== '') facts.push(['summary', summary]);
  if (durationMs !== null) facts.push(['took', duration(durationMs)]);
  if (isolation !== null) facts.push(['isolation', `level ${isolation}`]);
  if (evaluation.sharedWith !== null) {
    facts.push(['measured with', <JobLinks name={name} ordinals={[evaluation.sharedWith]} />]);
  }
  return (
    <>
      <h3>{split}</h3>
      <Facts facts={facts} />
      {evaluation.stages.length > 1 && (
        <ul class="flights">
          {evaluation.stages.map((stage) => (
            <li key={stage.position} class={stage.status === 'failed' ? 'bad' : undefined}>
              {stage.name} {stage.status} <span class="quiet">{duration(stage.durationMs)}</span> {stage.summary}
            </li>
          ))}
        </ul>
      )}
      <Folded label={`evidence of ${split}`} text={evaluation.evidence} />
      <Folded label={`end of the output of ${split}`} text={evaluation.stdoutTail} />
      <Folded label={`end of the errors of ${split}`} text={evaluation.stderrTail} />
    </>
  );
}

function Trial({ name, trial }: { readonly name: string; readonly trial: TrialView }) {
  const { number: place, cause, challenger, incumbent, outcome, measurements } = trial;
  return (
    <>
      <h3>trial {place}</h3>
      <p>
        <JobLink name={name} ordinal={challenger} />
        {incumbent !== null && (
          <>
            {' '}
            against <JobLink name={name} ordinal={incumbent} />
          </>
        )}{' '}
        ({cause}): {outcome ?? 'being measured'}
      </p>
      <ul class="flights">
        {measurements.map((one) => (
          <li key={one.ordinal}>
            <JobLink name={name} ordinal={one.ordinal} /> measured again:{' '}
            <span class="figure">
              {one.status === 'valid' ? values(one.objectives) : `invalid ${one.kind}: ${one.summary}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
