/** Why a job got its base and inspirations; plain JSON, kept with the job, read by `clade explain`. */
export type Decision = {
  readonly policy: string;
  /** Entries of the population that the decision looked at: `staleness` counts from here. */
  readonly version: number;
} & Reason;

type Reason =
  | { readonly reason: 'warmup'; readonly have: number; readonly need: number }
  | {
      readonly reason: 'archive';
      readonly epoch: number;
      readonly cell: number;
      readonly resamples: number;
      readonly baseReused: boolean;
      readonly recipeReused: boolean;
      readonly radius: number;
      readonly fallback: number;
      /** The last inspiration came from another island; null when none was due or none was there. */
      readonly migrant?: Migrant | null;
    }
  /** `bound`: the least that the incumbent's primary objective may be, larger is better. */
  | { readonly reason: 'champion'; readonly bound: number }
  | { readonly reason: 'root' };

export interface Migrant {
  readonly island: number;
  readonly ordinal: number;
}

/**
 * How many entries a population took between the planning of a job and its own settlement [AGAR, arXiv:2610.09215: τ]. One job at
 * a time has 0; the more slots, the more a job knew only the past.
 * @param entries of the population when the job is settled, itself not among them
 */
export function staleness(decision: Pick<Decision, 'version'>, entries: number): number {
  return Math.max(0, entries - decision.version);
}
