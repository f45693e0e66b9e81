import type { Campaign, Occasion } from '../../config/index.ts';
import { deliver, nameOf } from './deliver.ts';
import { testMessage } from './message.ts';

/** What came of a test message; plain JSON. */
export interface RehearsalView {
  readonly receiver: string;
  readonly on: readonly Occasion[];
  /** Why it was not taken; null when it was. */
  readonly problem: string | null;
  readonly durationMs: number;
}

/** Sends a test message to each receiver of a campaign, once. */
export function rehearse(
  campaign: Pick<Campaign, 'name' | 'directory' | 'notify'>,
  folder: string,
): Promise<RehearsalView[]> {
  const { directory } = campaign;
  const place = { directory, folder, signal: new AbortController().signal };
  return Promise.all(
    campaign.notify.map(async (receiver) => {
      const begun = performance.now();
      const problem = await deliver(receiver, testMessage(campaign), place);
      const durationMs = Math.round(performance.now() - begun);
      return { receiver: nameOf(receiver), on: receiver.on, problem, durationMs };
    }),
  );
}
