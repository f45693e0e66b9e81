import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CladeError } from '../errors.ts';
import { type Unsaved, unsavedChanges } from '../git/index.ts';
import type { Workshop } from './workshop.ts';

/** Beside a lane's checkout while a job's coder edits it: whose it is, and what it began with. */
const noteSchema = z.object({ ordinal: z.int().min(0), commit: z.string().regex(/^[0-9a-f]{40,64}$/) });
type Note = z.infer<typeof noteSchema>;

const SUFFIX = '.job';
const MOST_BYTES = 16 * 2 ** 20;
const PATCH_BYTES = 2 ** 20;

/** What a job that was cut off left in its lane. */
export interface Left {
  readonly ordinal: number;
  /** Null when there was too much of it, or it could not be read. */
  readonly changes: Unsaved | null;
}

/** Says whose the checkout is from now on. A process that is killed leaves the note, and what the coder changed by then. */
export async function noteLane(worktree: string, note: Note): Promise<void> {
  await writeFile(worktree + SUFFIX, JSON.stringify(note));
}

/** What the coder changed is a commit by now, or nothing. */
export async function clearLane(worktree: string): Promise<void> {
  await rm(worktree + SUFFIX, { force: true });
}

/** What dead processes left in the lanes of a campaign; to be called while nobody works in them. It stays there until `forget`. */
export async function leftBehind(workshop: Workshop): Promise<{ left: Left[]; forget: () => Promise<void> }> {
  const { folders, hub, campaign } = workshop;
  const left: Left[] = [];
  const notes = (await readdir(folders.lanes)).filter((name) => name.endsWith(SUFFIX)).sort();
  for (const name of notes) {
    const note = await readNote(join(folders.lanes, name));
    const worktree = join(folders.lanes, name.slice(0, -SUFFIX.length));
    if (note === null || !existsSync(worktree)) continue;
    const request = { worktree, commit: note.commit, ignore: campaign.target.link };
    try {
      const changes = await unsavedChanges(hub, { ...request, mostBytes: MOST_BYTES, patchBytes: PATCH_BYTES });
      if (changes !== null) left.push({ ordinal: note.ordinal, changes });
    } catch (error) {
      // An agent may have done anything to its folder; the job is done again all the same.
      if (!(error instanceof CladeError)) throw error;
      left.push({ ordinal: note.ordinal, changes: null });
    }
  }
  const forget = async (): Promise<void> => {
    for (const name of notes) await rm(join(folders.lanes, name), { force: true });
  };
  return { left, forget };
}

/** Null when it is not one of ours: a process may have been killed while it wrote it. */
async function readNote(file: string): Promise<Note | null> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
