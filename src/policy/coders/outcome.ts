/** What a settled job of a coder came to. */
export interface CoderOutcome {
  readonly coder: string;
  /**
   * Of the primary objective over what the job began with, by more than its ε, in its own unit; 0 when it is no better, or there was no valid
   * candidate. Not over the best: the policy chose the base, not the coder, and late in a search hardly any job beats the best, so that there would
   * be nothing to learn from. The price: from a poor base it is easier; bases do not depend on who is asked, so that evens out.
   */
  readonly improvement: number;
  /** US dollars of its model calls; null when the price of one is unknown. A job without calls cost 0. */
  readonly costUsd: number | null;
  readonly tokens: number;
}

/** A coder that may be asked. */
export interface Arm {
  readonly name: string;
  /** Greater than 0. */
  readonly weight: number;
}
