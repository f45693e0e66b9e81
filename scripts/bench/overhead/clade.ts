import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { timed } from './process.ts';
import type { Target } from './target.ts';
import type { Timeline } from './timeline.ts';

const CLADE = join(import.meta.dirname, '../../../src/cli/clade.ts');
const COUNT = join(import.meta.dirname, 'count.ts');

/** As many events as one answer holds. */
const PAGE = 1000;

const eventsSchema = z.array(
  z.object({ id: z.int(), at: z.iso.datetime(), kind: z.string(), ordinal: z.int().nullable() }),
);

const countsSchema = z.object({ statements: z.int(), children: z.int() });

/** What one run took, and what it asked for, its start and end included. */
export interface Counted extends Timeline, z.infer<typeof countsSchema> {}

/** Runs a campaign on the target, as a user would, in a workspace of its own below `folder`; reads from its log when jobs were settled. */
export async function runClade(
  folder: string,
  target: Target,
  {
    jobs,
    concurrency,
    databaseUrl = '',
  }: { readonly jobs: number; readonly concurrency: number; readonly databaseUrl?: string },
): Promise<Counted> {
  const workspace = join(folder, `clade-${concurrency}${databaseUrl === '' ? '' : '-server'}`);
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
  const counted = join(folder, 'counts.json');
  const clade = (node: readonly string[], ...argv: string[]) =>
    timed([process.execPath, ...process.execArgv, ...node, CLADE, '--workspace', workspace, '--json', ...argv], {
      CLADE_DATABASE_URL: databaseUrl,
      CLADE_BENCH_COUNTS: counted,
    });
  const { wholeMs, cpuMs } = await clade(['--import', COUNT], 'run', join(campaign, 'campaign.yaml'));
  const events: z.infer<typeof eventsSchema> = [];
  for (let page = PAGE; page === PAGE; ) {
    const last = events.at(-1);
    const log = await clade(
      [],
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
  const counts = countsSchema.parse(JSON.parse(await readFile(counted, 'utf8')));
  return { settledMs: settled.map(({ at }) => Date.parse(at)), wholeMs, cpuMs, ...counts };
}
