import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { timed } from './process.ts';
import type { Target } from './target.ts';
import type { Timeline } from './timeline.ts';

export interface Baseline {
  /** Runs the jobs with these numbers; a later call goes on in the same repository. */
  run(from: number, to: number): Promise<Timeline>;
}

/** The shell script, in a folder of its own below `folder`. */
export async function openBaseline(folder: string, { repository, evaluator, agent }: Target): Promise<Baseline> {
  const place = join(folder, 'baseline');
  await mkdir(place);
  return {
    async run(from, to) {
      const script = join(import.meta.dirname, 'baseline.sh');
      const argv = ['/bin/sh', script, place, repository, evaluator, agent, `${from}`, `${to}`];
      const { lines, wholeMs, cpuMs } = await timed(argv);
      return { settledMs: lines.map(({ atMs }) => atMs), wholeMs, cpuMs };
    },
  };
}
