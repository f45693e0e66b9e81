/**
 * The table of all keys in docs/campaign.md, made of the schema: `node scripts/reference.ts` writes it between its markers,
 * and a test compares.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { campaignJsonSchema, livePart, loadCampaign } from '../src/config/index.ts';

export const CAMPAIGN_PAGE = resolve(import.meta.dirname, '../docs/campaign.md');

const BEGIN = '<!-- keys: made by scripts/reference.ts -->\n';
const END = '<!-- /keys -->';

/** What the table needs of a node of the JSON schema. */
interface Node {
  type?: string | undefined;
  description?: string | undefined;
  default?: unknown;
  const?: unknown;
  enum?: unknown[] | undefined;
  pattern?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  properties?: Record<string, Node> | undefined;
  required?: string[] | undefined;
  items?: Node | undefined;
  anyOf?: Node[] | undefined;
}

const nodeSchema: z.ZodType<Node> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    description: z.string().optional(),
    default: z.unknown().optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    pattern: z.string().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    properties: z.record(z.string(), nodeSchema).optional(),
    required: z.array(z.string()).optional(),
    items: nodeSchema.optional(),
    anyOf: z.array(nodeSchema).optional(),
  }),
);

/** One row for every key that holds a value, in the order of the schema. */
export function keyTable(): string {
  const rows = rowsOf(nodeSchema.parse(campaignJsonSchema()), '');
  return ['| key | value | default | changes | meaning |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

const { campaign } = await loadCampaign(resolve(import.meta.dirname, '../campaigns/circle-packing'));
if (campaign === null) throw new Error('the campaign that shows which keys are live cannot be loaded');
const live = livePart(campaign);

/** Whether a key may change while a campaign runs. Only the evaluator has keys of both sorts. */
function lifeOf(name: string): string {
  const [top = '', second = ''] = name.replaceAll('[]', '').split('.');
  if (top === 'name') return '';
  const keys = top === 'evaluator' ? live.evaluator : live;
  return Object.hasOwn(Object(keys), top === 'evaluator' ? second : top) ? 'live' : 'frozen';
}

/** The page with the table of today. */
export function withKeyTable(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`the page has no place for the table: ${BEGIN}${END}`);
  return `${before}${BEGIN}\n${keyTable()}\n\n${END}${after}`;
}

function rowsOf(parent: Node, prefix: string): string[] {
  return Object.entries(parent.properties ?? {}).flatMap(([key, node]) => {
    const name = prefix + key;
    const required = parent.required?.includes(key) === true;
    if (node.properties !== undefined) return rowsOf(node, `${name}.`);
    if (node.items?.properties !== undefined) return [row(name, node, required), ...rowsOf(node.items, `${name}[].`)];
    if (node.anyOf !== undefined)
      return [row(name, node, required), ...node.anyOf.flatMap((kind) => kindRows(kind, name))];
    return [row(name, node, required)];
  });
}

/** A kind of a section, such as `agents.coder` with `kind: command`. */
function kindRows(node: Node, name: string): string[] {
  const { kind, ...properties } = node.properties ?? {};
  if (kind === undefined) return [];
  const title = `| **\`${name}: {kind: ${String(kind.const)}}\`** | | | | ${kind.description ?? ''} |`;
  return [title, ...rowsOf({ ...node, properties }, `${name}.`)];
}

function row(name: string, node: Node, required: boolean): string {
  const given = node.default === undefined ? (required ? 'required' : '') : `\`${JSON.stringify(node.default)}\``;
  return `| \`${name}\` | ${shapeOf(node)} | ${given} | ${lifeOf(name)} | ${node.description ?? ''} |`;
}

function shapeOf(node: Node): string {
  if (node.anyOf !== undefined) return `a kind: ${kindsOf(node.anyOf)}`;
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.enum !== undefined) return node.enum.map((word) => `\`${String(word)}\``).join(', ');
  if (node.items !== undefined) return node.items.properties === undefined ? `list of ${shapeOf(node.items)}` : 'list';
  if (node.type === 'integer' || node.type === 'number') return numberOf(node);
  if (node.type === 'boolean') return '`true`, `false`';
  return node.pattern?.includes('ms|s|m|h|d') === true ? 'duration' : 'text';
}

function kindsOf(branches: readonly Node[]): string {
  const kinds = branches.flatMap(({ properties }) => (properties?.kind === undefined ? [] : [properties.kind.const]));
  return kinds.map((kind) => `\`${String(kind)}\``).join(', ');
}

function numberOf({ type, minimum, maximum = Number.MAX_SAFE_INTEGER, exclusiveMinimum }: Node): string {
  const word = type === 'integer' ? 'whole number' : 'number';
  if (exclusiveMinimum !== undefined) return `${word} > ${exclusiveMinimum}`;
  if (minimum === undefined) return word;
  return maximum < Number.MAX_SAFE_INTEGER ? `${word}, ${minimum} to ${maximum}` : `${word} ≥ ${minimum}`;
}

if (import.meta.main) await writeFile(CAMPAIGN_PAGE, withKeyTable(await readFile(CAMPAIGN_PAGE, 'utf8')));
