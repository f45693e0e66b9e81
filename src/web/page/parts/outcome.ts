/** The ends of a job, in the words of the page. */
export const OUTCOMES = {
  candidate: 'valid',
  invalid: 'invalid',
  duplicate: 'duplicate',
  no_change: 'no change',
  failed: 'failed',
} as const;

export type Outcome = keyof typeof OUTCOMES;

export function isOutcome(text: string | null): text is Outcome {
  return text !== null && Object.hasOwn(OUTCOMES, text);
}

/** What became of a job, or where it is. */
export function fateOf(job: { readonly state: string; readonly outcome: Outcome | null }): string {
  return job.outcome === null ? job.state : OUTCOMES[job.outcome];
}

/** For the colour of it. */
export function toneOf(outcome: Outcome | null): string {
  if (outcome === 'candidate') return 'good';
  return outcome === 'failed' || outcome === 'invalid' ? 'bad' : 'plain';
}
