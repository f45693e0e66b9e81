/** When projections are fitted. Entries are counted without duplicates, the root included. */
export interface Schedule {
  /** Entries that the first fit needs. */
  readonly warmup: number;
  readonly projection: {
    /** Entries between two fits; 0 = the first fit stays. */
    readonly refit: number;
    /**
     * Entries between two fits as a share of those at the last one, where that is more than `refit`; 0 by default. Each fit
     * places the whole history again. At a constant period that makes n entries cost n²; with a share they cost n.
     */
    readonly growth?: number;
  };
}

/** The epoch that a history of `entries` is in (0 while it warms up), and the length at which that epoch was fitted. */
export function epochAt({ warmup, projection }: Schedule, entries: number): { epoch: number; fittedAt: number } {
  if (entries < warmup) return { epoch: 0, fittedAt: 0 };
  const { refit, growth = 0 } = projection;
  if (refit === 0) return { epoch: 1, fittedAt: warmup };
  let [epoch, fittedAt] = [1, warmup];
  if (growth === 0) {
    const periods = Math.floor((entries - warmup) / refit);
    return { epoch: 1 + periods, fittedAt: warmup + periods * refit };
  }
  for (;;) {
    const next = fittedAt + Math.max(refit, Math.ceil(fittedAt * growth));
    if (next > entries) return { epoch, fittedAt };
    fittedAt = next;
    epoch++;
  }
}

/** @throws RangeError naming the setting that makes no schedule. */
export function refuseBadSchedule({ warmup, projection: { refit, growth = 0 } }: Schedule): void {
  if (!Number.isInteger(warmup) || warmup < 1) throw new RangeError(`warmup must be at least 1, got ${warmup}`);
  if (!Number.isInteger(refit) || refit < 0) throw new RangeError(`refit must be at least 0, got ${refit}`);
  if (!(growth >= 0 && growth < Infinity)) throw new RangeError(`growth must be at least 0, got ${growth}`);
}
