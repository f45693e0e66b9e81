import type { Agent, ModelAccess } from '../../agent/index.ts';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null when at least one call's price is unknown. */
  readonly costUsd: number | null;
}

/** The way to models for one run of an agent. */
export interface ModelRun {
  readonly access: ModelAccess;
  /** What its calls used so far; null when there were none. */
  readonly usage: () => Usage | null;
  /** No call of it is served after this. */
  readonly close: () => void;
}

/** An agent with the name that it is called by in the ledger. */
export interface Maker {
  readonly name: string;
  readonly agent: Agent;
  readonly timeoutMs: number;
}

/** What makes proposals. */
export interface Makers {
  /** Null: coders get no plan. */
  readonly planner: Maker | null;
  /** The coder of that name; another where the campaign no longer has it, or none was chosen. */
  readonly coder: (name: string | null) => Maker;
  /** Opens the way to models for a run that may take `timeoutMs` in all; what the job spent before counts. */
  readonly openModels: (run: {
    /** Null for what no job asked for. */
    readonly ordinal: number | null;
    readonly role: string;
    readonly coder: string | null;
    readonly timeoutMs: number;
  }) => Promise<ModelRun>;
}

/** What several runs used together; null when none of them called a model. */
export function sumUsage(...parts: readonly (Usage | null)[]): Usage | null {
  const used = parts.filter((part) => part !== null);
  if (used.length === 0) return null;
  return used.reduce((sum, part) => ({
    inputTokens: sum.inputTokens + part.inputTokens,
    outputTokens: sum.outputTokens + part.outputTokens,
    costUsd: sum.costUsd === null || part.costUsd === null ? null : sum.costUsd + part.costUsd,
  }));
}
