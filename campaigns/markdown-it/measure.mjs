import { measureRounds } from './paired.mjs';
import { Version } from './version.mjs';

/**
 * Paired throughput. Every round starts a fresh process for each version: two processes of the very same code differ by 1
 * to 2 % for as long as they live (layout, and what the compiler decided early), and rounds in one pair of processes would
 * repeat that difference instead of averaging it.
 */

/** About 2.1 MB and 50 ms of work. */
const DOCUMENTS = 250;
const WARMUP_DOCUMENTS = 1000;
/** Largest standard error of the log ratio that needs no more than twelve rounds. */
const PRECISION = 0.004;

/** In a timed round the candidate's output was not the root's. */
export class OutputError extends Error {}

/**
 * @param {{rootDirectory: string, candidateDirectory: string, sources: readonly string[], seed: number}} input
 * @returns {Promise<import('./paired.mjs').Comparison & {rootMegabytesPerSecond: number}>}
 * @throws {OutputError} @throws {import('./version.mjs').VersionError}
 */
export async function measureThroughput({ rootDirectory, candidateDirectory, sources, seed }) {
  const rootSpeeds = [];
  const comparison = await measureRounds(async (round) => {
    const versions = [];
    try {
      for (const directory of [rootDirectory, candidateDirectory])
        versions.push(await Version.start(directory, sources));
      const [root, candidate] = versions;
      await Promise.all(versions.map((version) => warmUp(version, seed + 2 * round)));
      await Promise.all(
        versions.map((version) => version.ask('load', { seed: seed + 2 * round + 1, count: DOCUMENTS })),
      );
      const times = new Map();
      for (const version of round % 2 === 0 ? [root, candidate] : [candidate, root])
        times.set(version, await version.time('run'));
      const [a, b] = await Promise.all(versions.map((version) => version.ask('digest')));
      if (a.sha256 !== b.sha256) throw new OutputError(`the output of round ${round} differs from the root's`);
      rootSpeeds.push((1000 * times.get(root).reply.bytes) / times.get(root).nanoseconds);
      return Math.log(times.get(root).nanoseconds / times.get(candidate).nanoseconds);
    } finally {
      for (const version of versions) version.stop();
    }
  }, PRECISION);
  return { ...comparison, rootMegabytesPerSecond: rootSpeeds.sort((a, b) => a - b)[rootSpeeds.length >> 1] };
}

async function warmUp(version, seed) {
  await version.ask('load', { seed, count: WARMUP_DOCUMENTS });
  await version.ask('run');
}
