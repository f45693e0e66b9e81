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

/** Whose call something is set aside for. */
export interface Caller {
  readonly ordinal: number | null;
  readonly role: string;
  readonly provider: string;
}

/** Money and tokens set aside for a call that is under way. One of the two, once. */
export interface Reservation {
  /** Where it is kept beyond this process: whoever keeps the call puts it in the place. */
  readonly id: number | null;
  /** Puts what was really used in its place. */
  settle(spent: Spending): void;
  /** The call is not made. */
  release(): void | Promise<void>;
}

/** Spending of a job or a campaign: reserved before a call, settled after it, so that calls at the same time cannot overrun it together. */
export interface Budget {
  /** Null when it would not fit. */
  reserve(estimate: Spending, caller: Caller): Reservation | null | Promise<Reservation | null>;
  /** Why a call did not fit, as text. */
  refusal(): string | Promise<string>;
}

/** A budget that one process keeps by itself. */
export interface OwnBudget extends Budget {
  reserve(estimate: Spending): Reservation | null;
  refusal(): string;
  readonly spent: Spending;
  readonly reserved: Spending;
}

const NOTHING: Spending = { costUsd: 0, tokens: 0, unpriced: 0 };

/** `allowance` is asked each time, because it may be changed while a campaign runs. */
export function createBudget(name: string, allowance: () => Allowance, already: Spending = NOTHING): OwnBudget {
  let spent = already;
  let reserved = NOTHING;
  const fits = (more: Spending): boolean => {
    const { costUsd, tokens } = allowance();
    const all = plus(plus(spent, reserved), more);
    return (costUsd === null || all.costUsd <= costUsd) && (tokens === null || all.tokens <= tokens);
  };
  return {
    reserve(estimate) {
      if (!fits(estimate)) return null;
      reserved = plus(reserved, estimate);
      let open = true;
      const settle = (really: Spending): void => {
        if (!open) return;
        open = false;
        const { costUsd, tokens, unpriced } = estimate;
        reserved = plus(reserved, { costUsd: -costUsd, tokens: -tokens, unpriced: -unpriced });
        spent = plus(spent, really);
      };
      return { id: null, settle, release: () => settle(NOTHING) };
    },
    refusal() {
      const { costUsd, tokens } = allowance();
      if (costUsd !== null && spent.costUsd >= costUsd) return `${name}: ${costUsd} USD`;
      if (tokens !== null && spent.tokens >= tokens) return `${name}: ${tokens} tokens`;
      return 'what is left of it is less than this call may cost';
    },
    get spent() {
      return spent;
    },
    get reserved() {
      return reserved;
    },
  };
}

function plus(a: Spending, b: Spending): Spending {
  return { costUsd: a.costUsd + b.costUsd, tokens: a.tokens + b.tokens, unpriced: a.unpriced + b.unpriced };
}
