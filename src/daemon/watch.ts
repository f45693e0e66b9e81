import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { watch } from 'chokidar';
import type { Campaign } from '../config/index.ts';
import { errorText } from './error-text.ts';
import type { Host } from './host.ts';

export interface WatchDeps {
  readonly host: Host;
  /** Loads a campaign file and says itself what is wrong with it; null when it cannot be used. */
  readonly load: (path: string) => Promise<Campaign | null>;
  /** Absolute; its subfolders are campaigns. */
  readonly folder: string;
  readonly log: { info(text: string): void; error(text: string): void };
}

/** States in which a campaign waits for a word of the user's. */
const RESTING = new Set(['paused', 'stopped', 'finished']);

/**
 * Starts every campaign of a folder, new and changed ones as their files appear, until `signal` ends; then waits for the
 * runs to end. At the start, campaigns that are paused, stopped or finished are left alone until they are resumed; a change
 * of their file is the user's word to look at them again.
 */
export async function watchCampaigns(deps: WatchDeps, signal: AbortSignal): Promise<void> {
  const { host, folder, log } = deps;
  const runs = new Set<Promise<void>>();
  const serve = async (path: string, fresh: boolean): Promise<void> => {
    try {
      const campaign = await deps.load(path);
      if (campaign === null || signal.aborted) return;
      const asleep = !fresh && (await rests(host, campaign.name));
      log.info(
        asleep ? `${campaign.name} rests; "clade resume ${campaign.name}" wakes it` : `serving ${campaign.name}`,
      );
      await (asleep ? host.hold(campaign) : host.run(campaign));
    } catch (error) {
      log.error(`${path}: ${errorText(error)}`);
    }
  };
  const start = (path: string, fresh: boolean): void => {
    if (basename(path) !== 'campaign.yaml' || dirname(dirname(path)) !== folder) return;
    const run = serve(path, fresh).finally(() => runs.delete(run));
    runs.add(run);
  };
  let settled = false;
  // A folder that is not there yet would never be noticed.
  await mkdir(folder, { recursive: true });
  const watcher = watch(folder, {
    depth: 1,
    // An editor writes a file in pieces; half a campaign is not to be read.
    awaitWriteFinish: { stabilityThreshold: 200, pollInterval: 50 },
  });
  watcher.on('ready', () => {
    settled = true;
  });
  watcher.on('add', (path) => start(join(path), settled));
  watcher.on('change', (path) => start(join(path), true));
  watcher.on('error', (error) => log.error(`cannot watch ${folder}: ${errorText(error)}`));
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await watcher.close();
  await Promise.all(runs);
}

async function rests(host: Host, name: string): Promise<boolean> {
  const known = (await host.api.campaigns()).find((campaign) => campaign.name === name);
  return known !== undefined && RESTING.has(known.state);
}
