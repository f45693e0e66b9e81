import * as z from 'zod';

/**
 * A recording is a folder of two files: `recording.json`, what it is, and `proposals.ndjson`, one proposal a line in the order of
 * (ordinal, round). It is whole in itself: nothing of the recorded campaign is needed to read it.
 */
export const RECORDING_FORMAT = 1;
export const RECORDING_FILE = 'recording.json';
export const PROPOSALS_FILE = 'proposals.ndjson';

/** Of the files that Git has; a submodule is none that an agent could have made. */
const mode = z.enum(['100644', '100755', '120000']);
const objectId = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

const coderSchema = z.object({
  name: z.string(),
  kind: z.string(),
  /** Null where a coder has no model, or does not say which. */
  model: z.string().nullable(),
});

export const headSchema = z.object({
  format: z.literal(RECORDING_FORMAT),
  campaign: z.string(),
  root_tree: objectId,
  /** The version of Clade that wrote it. */
  clade: z.string(),
  /** When the last of its proposals was made; null when there are none. */
  recorded_at: z.iso.datetime().nullable(),
  /** Who made the proposals. */
  coders: z.array(coderSchema),
  proposals: z.int().min(0),
  /** Of the bytes of the proposals. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** A name that leads out of the worktree or into its `.git` was made by nobody that we recorded. */
const path = z
  .string()
  .refine((value) => value !== '' && value.split('/').every((part) => !['', '.', '..', '.git'].includes(part)), {
    error: 'is no path inside a repository',
  });

const side = { mode, blob: objectId };
const afterSchema = z.union([
  /** A unified diff without file names: what it makes of the blob before is the blob after. */
  z.strictObject({ ...side, patch: z.string() }),
  /** The whole content; of a symbolic link where it leads. */
  z.strictObject({ ...side, text: z.string() }),
  z.strictObject({ ...side, base64: z.base64() }),
  /** The content stays, the mode changes. */
  z.strictObject(side),
]);

const fileSchema = z.strictObject({
  /** As `decodePath` writes it: any bytes that Git can hold. */
  path,
  /** Null: it was not there. */
  before: z.strictObject({ mode: z.string(), blob: objectId }).nullable(),
  /** Null: it is deleted. A renamed file is one that is deleted and one that is new. */
  after: afterSchema.nullable(),
});

const outcomeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('finished') }),
  z.strictObject({ kind: z.literal('nothing'), detail: z.string() }),
  /** `stage` and `failure` as the ledger has them. */
  z.strictObject({ kind: z.literal('failed'), stage: z.string(), failure: z.string(), detail: z.string() }),
]);

export const proposalSchema = z.strictObject({
  ordinal: z.int().min(1),
  /** Times that the job's proposal had gone back to its coder. */
  round: z.int().min(0),
  base: z.strictObject({ ordinal: z.int().min(0), tree: objectId }),
  /** What the worktree began with: the base, or what the round before left. */
  start: objectId,
  /** What it ended with; null when no commit came of it. */
  tree: objectId.nullable(),
  /** The name of its coder. */
  coder: z.string().nullable(),
  title: z.string(),
  summary: z.string(),
  plan: z.string().nullable(),
  /** Its beginning and its end, where it was long. */
  transcript: z.string(),
  outcome: outcomeSchema,
  /** What its calls used, as the ledger has it. */
  usage: z.unknown(),
  files: z.array(fileSchema),
});

export type RecordingHead = z.infer<typeof headSchema>;
export type RecordedProposal = z.infer<typeof proposalSchema>;
export type RecordedFile = z.infer<typeof fileSchema>;
export type RecordedContent = NonNullable<RecordedFile['after']>;
