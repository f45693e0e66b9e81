import { randomBytes } from 'node:crypto';
import type { Budget } from './budget.ts';

/** Whose calls they are: each counts against all of the budgets. */
export interface Holder {
  readonly campaignId: number;
  /** The job, null for calls of the campaign itself (embeddings, lessons). */
  readonly ordinal: number | null;
  /** `coder`, `planner`, `lessons`, `embedding`. */
  readonly role: string;
  readonly budgets: readonly Budget[];
  /** One for a whole proposal with all its calls and waits. */
  readonly deadline: AbortSignal;
}

/** Why a call was not made or not answered, which is the fault of no candidate. */
export interface CallFault {
  readonly kind: 'shut' | 'budget' | 'unreachable';
  readonly provider: string;
  readonly message: string;
}

/** The right to make calls for a job until it is given back. */
export interface Ticket {
  /** Part of the address that an agent is given; worth nothing outside this process. */
  readonly secret: string;
  readonly holder: Holder;
  /** The first fault of the machine or the provider that a call of it met, and that no later call got over. */
  fault: CallFault | null;
  /** Whether a call of it was answered to the end. */
  answered: boolean;
}

export function createTicket(holder: Holder): Ticket {
  return { secret: randomBytes(24).toString('base64url'), holder, fault: null, answered: false };
}
