import type { Campaign } from './campaign.ts';
import { isRecord } from './key-path.ts';
import { normalise } from './normalise.ts';
import { campaignSchema } from './schema/campaign.ts';

/** A campaign as a store keeps it: what `frozenPart` and `livePart` made of it, as plain JSON. */
export interface StoredCampaign {
  readonly name: string;
  /** Absolute. */
  readonly directory: string;
  readonly frozen: unknown;
  readonly live: unknown;
}

/**
 * The campaign back from its two parts.
 * @throws ZodError when they are not what this version wrote.
 */
export function restoreCampaign({ name, directory, frozen, live }: StoredCampaign): Campaign {
  const { evaluator: measurement, ...fixed } = asRecord(frozen);
  const { evaluator: lanes, ...loose } = asRecord(live);
  const evaluator = { ...asRecord(measurement), ...asRecord(lanes) };
  return normalise(campaignSchema.parse({ ...fixed, ...loose, evaluator, name }), directory);
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
