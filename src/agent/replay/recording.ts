import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ConfigurationError } from '../../errors.ts';
import {
  headSchema,
  PROPOSALS_FILE,
  proposalSchema,
  RECORDING_FILE,
  RECORDING_FORMAT,
  type RecordedProposal,
  type RecordingHead,
} from './format.ts';

/** A recording that was read and found whole. */
export interface Recording {
  readonly folder: string;
  readonly head: RecordingHead;
  /** The ordinal of its last proposal, 0 without any. */
  readonly last: number;
  readonly find: (ordinal: number, round: number) => RecordedProposal | undefined;
}

const AGAIN = 'make it again: clade export CAMPAIGN --recording --output DIR';

/**
 * Reads the recording in a folder, at once, because a campaign is to hear of what is wrong with it before its first job and
 * not in the middle of the night.
 * @param rootTree the tree of the campaign that it is for; null where it is not known yet
 * @throws ConfigurationError when it is missing, of another format, of another root, or not as it was written.
 */
export function openRecording(folder: string, rootTree: string | null = null): Recording {
  const head = readHead(folder);
  if (rootTree !== null && head.root_tree !== rootTree) {
    throw new ConfigurationError(
      `the recording in ${folder} begins at another root: its tree is ${head.root_tree}, that of this campaign ${rootTree}`,
      { hint: `name the repository and revision in target that "${head.campaign}" had` },
    );
  }
  const bytes = readBytes(folder, PROPOSALS_FILE);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== head.sha256) {
    throw new ConfigurationError(
      `${join(folder, PROPOSALS_FILE)} is not what was recorded: its SHA-256 is ${sha256}, not ${head.sha256}`,
      { hint: AGAIN },
    );
  }
  const proposals = new Map<string, RecordedProposal>();
  let last = 0;
  for (const line of bytes.toString('utf8').split('\n')) {
    if (line === '') continue;
    const proposal = parse(proposalSchema, line, join(folder, PROPOSALS_FILE));
    proposals.set(keyOf(proposal.ordinal, proposal.round), proposal);
    last = Math.max(last, proposal.ordinal);
  }
  return { folder, head, last, find: (ordinal, round) => proposals.get(keyOf(ordinal, round)) };
}

const keyOf = (ordinal: number, round: number): string => `${ordinal} ${round}`;

function readHead(folder: string): RecordingHead {
  const file = join(folder, RECORDING_FILE);
  const text = readBytes(folder, RECORDING_FILE).toString('utf8');
  const { format } = parse(z.object({ format: z.number() }), text, file);
  if (format !== RECORDING_FORMAT) {
    throw new ConfigurationError(`${file} has the format ${format}; this version reads ${RECORDING_FORMAT}`, {
      hint: 'record it again with this version, or replay it with the one that wrote it',
    });
  }
  return parse(headSchema, text, file);
}

function readBytes(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(`there is no recording in ${folder}: ${reason}`, { cause, hint: AGAIN });
  }
}

function parse<Value>(schema: z.ZodType<Value>, text: string, file: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ConfigurationError(`${file} is not JSON`, { cause, hint: AGAIN });
  }
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw new ConfigurationError(`${file}: ${z.prettifyError(error)}`, { hint: AGAIN });
}
