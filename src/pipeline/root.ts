import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Split } from '../config/index.ts';
import { type EvaluationRequest, prepareEvaluator } from '../evaluator/index.ts';
import { proveCheckout, removeWorktree } from '../git/index.ts';
import { probeIsolation } from '../process/index.ts';
import { checkout } from './checkout.ts';
import { inTurn } from './in-turn.ts';
import type { Workshop } from './workshop.ts';

/**
 * A lane's checkout of the root for one split: what an evaluation of another split left in its own is not there. Without
 * `evaluator.prepare` it is reset before each evaluation; with it `prepareLane` cares for it.
 */
export async function placeRoot(
  workshop: Workshop,
  { lane, split }: { readonly lane: string; readonly split: Split },
  signal: AbortSignal,
): Promise<string> {
  const dir = join(workshop.folders.lanes, `evaluate-${lane}`, `root-${split}`);
  if (workshop.campaign.evaluator.prepare === null) await checkout(workshop, dir, workshop.root.commit, signal);
  return dir;
}

/**
 * Runs `evaluator.prepare` once per lane, split, pinned evaluator and root. A stamp is written last, so that what a dead process
 * left half prepared is made anew. Lanes take turns on a split, whose cache they share; the later one finds it filled.
 *
 * In a sandbox nobody can write to the root checkout afterwards. Without one it is proved before each evaluation, but only by
 * its tracked files: what was built there a candidate could still change.
 *
 * @throws InfrastructureError when it fails.
 */
export async function prepareLane(workshop: Workshop, request: EvaluationRequest, signal: AbortSignal): Promise<void> {
  const { campaign, bundle, root, folders, hub } = workshop;
  const { prepare } = campaign.evaluator;
  if (prepare === null) return;
  const dir = request.rootCheckout;
  const stamp = `${dir}.done`;
  const key = createHash('sha256')
    .update(JSON.stringify([bundle.hash, root.commit, prepare]))
    .digest('hex');
  await inTurn(`${folders.cache} ${request.split}`, async () => {
    if ((await stampOf(stamp)) === key && (await unspoilt(workshop, dir))) return;
    await rm(stamp, { force: true });
    await removeWorktree(hub, dir);
    await checkout(workshop, dir, root.commit, signal);
    // A scratch of its own: what it leaves as artifacts is no evaluation's.
    await prepareEvaluator({ ...request, scratch: join(request.scratch, 'preparation') }, signal);
    await writeFile(stamp, key);
  });
}

async function stampOf(file: string): Promise<string | null> {
  return existsSync(file) ? readFile(file, 'utf8') : null;
}

async function unspoilt({ campaign, hub, root }: Workshop, dir: string): Promise<boolean> {
  if (!existsSync(dir)) return false;
  if (campaign.sandbox !== 'off' && (await probeIsolation()).level >= 2) return true;
  try {
    await proveCheckout(hub, dir, root.commit, { keep: campaign.target.link, untracked: 'allowed' });
    return true;
  } catch {
    // Whatever is wrong with a used checkout, a new one is the remedy; if Git itself is broken, making it will say so.
    return false;
  }
}
