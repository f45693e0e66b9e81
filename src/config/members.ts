import type { CoderMember } from './agent-config.ts';
import type { Campaign } from './campaign.ts';

/** The first of the coders, which is the only one where there is no ensemble. */
export function firstCoder({ agents }: Pick<Campaign, 'agents'>): CoderMember {
  const [first] = agents.coders;
  if (first === undefined) throw new RangeError('a campaign has at least one coder');
  return first;
}
