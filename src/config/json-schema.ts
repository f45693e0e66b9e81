import * as z from 'zod';
import { isRecord, type KeyPath, valueAt } from './key-path.ts';
import { campaignSchema } from './schema/campaign.ts';

/** The JSON schema (draft 2020-12) of campaign.yaml, for editors. Plain data. */
export function campaignJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(campaignSchema, { io: 'input' });
  const published = withWords(schema);
  if (!isRecord(published)) throw new TypeError('the schema of a campaign is an object');
  return { ...published, title: 'Clade campaign' };
}

/** Completes what a `kinded` section accepts beyond its union: the bare word, and a mapping without its kind. */
function withWords(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withWords);
  if (!isRecord(node)) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, withWords(value)]);
  const whole: Record<string, unknown> = Object.fromEntries(entries);
  const { words, fallback, oneOf, ...rest } = whole;
  // A mapping may well have a key that is called "fallback".
  if (words === undefined) return whole;
  const branches = (Array.isArray(oneOf) ? oneOf : []).map((branch) =>
    kindOf(branch) === fallback ? optionalKind(branch) : branch,
  );
  return { ...rest, anyOf: [{ enum: words }, ...branches] };
}

function kindOf(branch: unknown): unknown {
  return valueAt(branch, ['properties', 'kind', 'const']);
}

function optionalKind(branch: unknown): unknown {
  if (!isRecord(branch)) return branch;
  const { required, ...rest } = branch;
  const others = Array.isArray(required) ? required.filter((key) => key !== 'kind') : [];
  return others.length === 0 ? rest : { ...rest, required: others };
}

/** The keys that the mapping at `keys` may have. `written` decides which kind of a kinded section is meant. */
export function knownKeys(keys: KeyPath, written: unknown): string[] {
  let node: unknown = campaignJsonSchema();
  let value = written;
  for (const key of keys) {
    node = valueAt(branchFor(node, value), typeof key === 'number' ? ['items'] : ['properties', key]);
    value = valueAt(value, [key]);
  }
  const properties = valueAt(branchFor(node, value), ['properties']);
  return isRecord(properties) ? Object.keys(properties) : [];
}

function branchFor(node: unknown, value: unknown): unknown {
  const branches = valueAt(node, ['anyOf']);
  if (!Array.isArray(branches)) return node;
  const kind = valueAt(value, ['kind']);
  const objects = branches.filter((branch) => kindOf(branch) !== undefined);
  return objects.find((branch) => (kind === undefined ? !requiresKind(branch) : kindOf(branch) === kind));
}

function requiresKind(branch: unknown): boolean {
  const required = valueAt(branch, ['required']);
  return Array.isArray(required) && required.includes('kind');
}
