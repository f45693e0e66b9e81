/** An amount of spending. Money that nobody knows counts in no sum; `unpriced` says how many calls had none. */
export interface Spending {
  readonly costUsd: number;
  readonly tokens: number;
  readonly unpriced: number;
}

/** What may be spent; null is no limit. */
export interface Allowance {
  readonly costUsd: number | null;
  readonly tokens: number | null;
}

/** Money and tokens set aside for a call that is under way. */
export interface Reservation {
  /** Puts what was really used in its place, once. */
  settle(spent: Spending): void;
}

/** Spending of a job or a campaign: reserved before a call, settled after it, so that calls at the same time cannot overrun it together. */
export interface Budget {
  /** Null when it would not fit. */
  reserve(estimate: Spending): Reservation | null;
  readonly spent: Spending;
  readonly reserved: Spending;
  /** The limit that is used up, as text, or null. */
  readonly exhausted: string | null;
  /** The limit that left no room for a call, from the first time on that it did; null before. */
  readonly refused: string | null;
}

const NOTHING: Spending = { costUsd: 0, tokens: 0, unpriced: 0 };

/** `allowance` is asked each time, because it may be changed while a campaign runs. */
export function createBudget(name: string, allowance: () => Allowance, already: Spending = NOTHING): Budget {
  let spent = already;
  let reserved = NOTHING;
  let refused: string | null = null;
  const fits = (more: Spending): boolean => {
    const { costUsd, tokens } = allowance();
    const all = plus(plus(spent, reserved), more);
    return (costUsd === null || all.costUsd <= costUsd) && (tokens === null || all.tokens <= tokens);
  };
  const exhausted = (): string | null => {
    const { costUsd, tokens } = allowance();
    if (costUsd !== null && spent.costUsd >= costUsd) return `${name}: ${costUsd} USD`;
    if (tokens !== null && spent.tokens >= tokens) return `${name}: ${tokens} tokens`;
    return null;
  };
  return {
    reserve(estimate) {
      if (!fits(estimate)) {
        refused ??= exhausted() ?? `${name}: what is left is less than a call may cost`;
        return null;
      }
      reserved = plus(reserved, estimate);
      let open = true;
      return {
        settle(really) {
          if (!open) return;
          open = false;
          reserved = plus(reserved, {
            costUsd: -estimate.costUsd,
            tokens: -estimate.tokens,
            unpriced: -estimate.unpriced,
          });
          spent = plus(spent, really);
        },
      };
    },
    get spent() {
      return spent;
    },
    get reserved() {
      return reserved;
    },
    get exhausted() {
      return exhausted();
    },
    get refused() {
      return refused;
    },
  };
}

function plus(a: Spending, b: Spending): Spending {
  return { costUsd: a.costUsd + b.costUsd, tokens: a.tokens + b.tokens, unpriced: a.unpriced + b.unpriced };
}
