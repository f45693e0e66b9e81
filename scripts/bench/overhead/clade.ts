import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { timed } from './process.ts';
import type { Target } from './target.ts';
import type { Timeline } from './timeline.ts';

const CLADE = join(import.meta.dirname, '../../../src/cli/clade.ts');

/** As many events as one answer holds. */
const PAGE = 1000;

const eventsSchema = z.array(
  z.object({ id: z.int(), at: z.iso.datetime(), kind: z.string(), ordinal: z.int().nullable() }),
);

/** Runs a campaign on the target, as a user would, in a workspace of its own below `folder`; reads from its log when jobs were settled. */
export async function runClade(
  folder: string,
  target: Target,
  { jobs, concurrency }: { readonly jobs: number; readonly concurrency: number },
): Promise<Timeline> {
  const workspace = join(folder, `clade-${concurrency}`);
  const campaign = join(workspace, 'campaigns', 'bench');
  await mkdir(campaign, { recursive: true });
  await copyFile(target.evaluator, join(campaign, 'evaluate.sh'));
  await writeFile(
    join(campaign, 'campaign.yaml'),
    JSON.stringify({
      target: { repository: target.repository, edit: ['src/**'] },
      goal: 'Nothing: this campaign measures what Clade itself costs.',
      evaluator: {
        command: ['sh', 'evaluate.sh'],
        concurrency,
        objectives: [{ name: 'score', direction: 'maximize' }],
      },
      agents: { concurrency, coder: { kind: 'command', command: ['sh', '-c', target.agent] } },
      budget: { jobs },
    }),
  );
  const clade = (...argv: string[]) =>
    timed([process.execPath, ...process.execArgv, CLADE, '--workspace', workspace, '--json', ...argv], {
      CLADE_DATABASE_URL: '',
    });
  const { wholeMs, cpuMs } = await clade('run', join(campaign, 'campaign.yaml'));
  const events: z.infer<typeof eventsSchema> = [];
  for (let page = PAGE; page === PAGE; ) {
    const last = events.at(-1);
    const log = await clade(
      'log',
      'bench',
      '--limit',
      `${PAGE}`,
      ...(last === undefined ? [] : ['--after', `${last.id}`]),
    );
    const more = eventsSchema.parse(JSON.parse(log.lines.map(({ text }) => text).join('\n')));
    events.push(...more);
    page = more.length;
  }
  const settled = events.filter((event) => event.kind === 'job.settled');
  if (settled.length !== jobs + 1) throw new Error(`${settled.length - 1} of ${jobs} jobs were settled`);
  return { settledMs: settled.map(({ at }) => Date.parse(at)), wholeMs, cpuMs };
}
