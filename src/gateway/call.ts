import type { TokenUsage } from './usage.ts';

/** One model call as it is kept: never a key, never a header. */
export interface CallRecord {
  readonly campaignId: number;
  readonly ordinal: number | null;
  readonly role: string;
  readonly provider: string;
  readonly wire: string;
  readonly model: string | null;
  readonly startedAt: Date;
  /** From the first attempt to the last byte, waits at the gate included. */
  readonly durationMs: number;
  readonly attempts: number;
  /** Of the answer that the caller got; null when there was none. */
  readonly status: number | null;
  /** Null when the answer said none. */
  readonly usage: TokenUsage | null;
  /** Null when the price or the usage is unknown. */
  readonly costUsd: number | null;
  /** Why the caller got no success, null when it did. */
  readonly failure: string | null;
  /** What was set aside for it beyond this process; null where nothing was. */
  readonly reservation: number | null;
  /** The request as it was sent and the answer as it came, for the recording. */
  readonly request: Uint8Array;
  readonly response: Uint8Array;
}
