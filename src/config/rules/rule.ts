import type { Campaign } from '../campaign.ts';
import type { Report } from '../report.ts';

/** One thing that can be wrong with a campaign whose shape is right. */
export type Rule = (campaign: Campaign, report: Report) => void;

/** The same for what only a look at the disk can tell. */
export type DiskRule = (campaign: Campaign, report: Report) => Promise<void>;
