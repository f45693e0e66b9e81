/** Why an agent ended without a proposal. `nothing`: it looked and found no change worth making. */
export type FailureKind = 'timeout' | 'crash' | 'refused' | 'nothing';

export interface Doubt {
  readonly kind: FailureKind;
  readonly detail: string;
}

/** What an agent reports while it works. The last event of every run is `finished` or `failed`. */
export type AgentEvent =
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'edit'; readonly path: string; readonly description: string }
  | {
      readonly type: 'finished';
      readonly title: string;
      readonly summary: string;
      /** Why this may be no finish at all, such as an exit code other than 0: why there is no change, when there is none. */
      readonly doubt?: Doubt;
    }
  | { readonly type: 'failed'; readonly kind: FailureKind; readonly detail: string };
