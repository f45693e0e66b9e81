import { knownKeys } from './json-schema.ts';
import { dotted, type KeyPath, without } from './key-path.ts';
import { nearest } from './nearest.ts';
import type { Report } from './report.ts';
import { campaignSchema, type WrittenCampaign } from './schema/campaign.ts';
import { wording } from './wording.ts';

/**
 * Holds the written value against the schema and reports every difference. The result is the value with its defaults;
 * where keys were wrong it is the value as if they had not been written, so that the rules can still look at the
 * rest; and null when something that is required is missing or wrong.
 */
export function checkShape(written: unknown, report: Report): WrittenCampaign | null {
  const parsed = campaignSchema.safeParse(written, { error: wording });
  if (parsed.success) return parsed.data;
  let rest = written;
  for (const issue of parsed.error.issues) {
    const at = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        report.error([...at, key], unknownKey(at, key, written), 'key');
        rest = without(rest, [...at, key]);
      }
    } else {
      report.error(at, `${dotted(at) || 'the campaign'} ${issue.message}`);
      rest = without(rest, at);
    }
  }
  return campaignSchema.safeParse(rest).data ?? null;
}

function unknownKey(at: KeyPath, key: string, written: unknown): string {
  const known = knownKeys(at, written);
  const meant = nearest(key, known);
  const advice = meant === null ? `known here: ${known.join(', ')}` : `did you mean "${meant}"?`;
  return `unknown key "${key}"${at.length === 0 ? '' : ` in ${dotted(at)}`}; ${advice}`;
}
