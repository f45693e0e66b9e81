import type { Point } from './objectives.ts';

export interface FrontSettings {
  readonly rule: 'box' | 'pairwise';
  /** One per objective, ≥ 0; 0 is plain Pareto. */
  readonly epsilons: readonly number[];
  /** At least 1; may be Infinity. */
  readonly capacity: number;
}

export interface Member {
  readonly ordinal: number;
  readonly point: Point;
}

export type AcceptedReason = 'empty' | 'dominates' | 'incomparable' | 'same_box_better';
export type RejectedReason = 'dominated' | 'same_box' | 'too_close' | 'crowded';

/** A front's verdict on one more member. Fronts are in settlement order. */
export type Offer<M extends Member> =
  | {
      readonly accepted: true;
      readonly reason: AcceptedReason;
      readonly front: readonly M[];
      readonly evicted: readonly M[];
    }
  | {
      readonly accepted: false;
      readonly reason: RejectedReason;
      readonly front: readonly M[];
      readonly evicted: readonly M[];
    };

export function offer<M extends Member>(_front: readonly M[], _member: M, _settings: FrontSettings): Offer<M> {
  throw new Error('to be written');
}

/** The front of a whole set, in settlement order. */
export function frontOf<M extends Member>(_members: readonly M[], _settings: FrontSettings): readonly M[] {
  throw new Error('to be written');
}
