import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { composeBrief, renderBrief } from '../../src/agent/index.ts';
import { assemble, generate, openWorkshop, type Workshop } from '../../src/pipeline/index.ts';
import {
  claimEvaluation,
  claimJob,
  createCampaign,
  ensurePendingEvaluation,
  finishEvaluation,
  markSettled,
  planJobs,
  planRoot,
  recordCandidate,
  recordFailure,
  type Store,
} from '../../src/store/index.ts';
import { aResult, BY } from '../store/sample.ts';
import { describeDatabases } from '../support/databases.ts';
import { agentThat, campaignIn, inputFor, SIGNAL, temporary } from './fixture.ts';

interface Plan {
  readonly base?: number;
  readonly inspirations?: readonly number[];
  readonly batch: number;
}

/** A campaign whose jobs the test lives one by one. */
async function campaignOn(store: Store) {
  const workspace = await temporary();
  const campaign = await campaignIn(workspace);
  const workshop = await openWorkshop(workspace, campaign, null);
  const { commit, tree } = workshop.root;
  const row = await createCampaign(store.db, {
    name: campaign.name,
    frozen: {},
    live: {},
    directory: campaign.directory,
    rootCommit: commit,
    rootTree: tree,
    bundleHash: workshop.bundle.hash,
  });
  const life = { store, workshop, campaignId: row.id, commits: new Map([[0, commit]]) };
  await store.db.transaction().execute(async (trx) => {
    await planRoot(trx, row.id, { commit, tree, title: 'root' });
    await ensurePendingEvaluation(trx, { campaignId: row.id, tree, split: 'train' }, { commit, ordinal: 0 });
  });
  await settled(life, 0, tree, 1);
  return life;
}

type Life = Awaited<ReturnType<typeof campaignOn>>;

const saidOf = (ordinal: number, speed: number) => ({
  evidence: `evidence of ${ordinal}`,
  metrics: { same: 1, rss: 100 + speed, size: 10 + 10 * speed, [`only ${ordinal}`]: 1, branches: 7 },
});

async function settled({ store, campaignId }: Life, ordinal: number, tree: string, speed: number): Promise<void> {
  const claim = await claimEvaluation(store.db, { campaignId, tree, split: 'train' }, BY);
  if (claim === undefined) throw new Error(`job ${ordinal} has no evaluation to claim`);
  await store.db.transaction().execute(async (trx) => {
    await finishEvaluation(trx, claim, { ...aResult(speed), ...saidOf(ordinal, speed) });
    await markSettled(trx, campaignId, { ordinal, outcome: 'candidate' });
  });
}

async function planned({ store, campaignId }: Life, ordinal: number, { base = 0, inspirations = [], batch }: Plan) {
  await store.db
    .transaction()
    .execute((trx) => planJobs(trx, campaignId, [{ ordinal, island: 0, base, inspirations, decision: {}, batch }]));
  const job = await claimJob(store.db, campaignId, ordinal, 'w');
  if (job === undefined) throw new Error(`job ${ordinal} cannot be claimed`);
  return job;
}

/** A job that writes files, down to its settlement when a speed is given. */
async function made(life: Life, ordinal: number, plan: Plan, files: Record<string, string>, speed?: number) {
  const { store, workshop, campaignId, commits } = life;
  const job = await planned(life, ordinal, plan);
  const base = plan.base ?? 0;
  const agent = agentThat(async (task) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(task.worktree, path)), { recursive: true });
      await writeFile(join(task.worktree, path), text);
    }
    return [{ type: 'finished', title: `job ${ordinal}`, summary: '' }];
  });
  const input = { ...inputFor(workshop, ordinal), base: { ordinal: base, commit: commits.get(base) ?? '' } };
  const { kind, ...generated } = await generate(workshop, agent, input, SIGNAL);
  if (kind !== 'candidate' || !('tree' in generated)) throw new Error(kind);
  const { commit, tree, parent, title } = generated;
  commits.set(ordinal, commit);
  await store.db.transaction().execute(async (trx) => {
    const counts = { files: 1, added: 1, deleted: 1, changedPaths: Object.keys(files) };
    await recordCandidate(trx, job, { commit, tree, parentCommit: parent, title, ...counts });
    await ensurePendingEvaluation(trx, { campaignId, tree, split: 'train' }, { commit, ordinal });
  });
  if (speed !== undefined) await settled(life, ordinal, tree, speed);
}

async function failedAt(life: Life, ordinal: number, plan: Plan): Promise<void> {
  const job = await planned(life, ordinal, plan);
  await life.store.db.transaction().execute(async (trx) => {
    const failure = { outcome: 'failed', stage: 'agent', kind: 'crash', reason: `reason of ${ordinal}` } as const;
    await recordFailure(trx, job, { ...failure, title: `crash ${ordinal}` });
    await markSettled(trx, life.campaignId, { ordinal, outcome: 'failed' });
  });
}

const look = ({ store, workshop }: { store: Store; workshop: Workshop }, job: Parameters<typeof assemble>[2]) =>
  assemble(store.db, workshop, job);

describeDatabases('what an agent may know', (databases) => {
  test('the base with its ancestors, and inspirations as their difference to it', async () => {
    const life = await campaignOn(await databases.open());
    await made(life, 1, { batch: 1 }, { 'value.txt': '1\n' }, 11);
    await made(life, 2, { base: 1, batch: 2 }, { 'src/new.js': 'new\n' }, 12);
    await made(life, 3, { base: 1, batch: 3 }, { 'src/main.js': 'export const speed = 3;\n' }, 13);
    const input = await look(life, await planned(life, 4, { base: 2, inspirations: [3], batch: 4 }));

    expect(input.base).toEqual({ ordinal: 2, commit: life.commits.get(2) });
    expect(await input.files()).toEqual(['README.md', 'src/main.js', 'src/new.js', 'value.txt']);
    expect(input.brief).toMatchObject({
      goal: 'go faster',
      base: { ordinal: 2, title: 'job 2', objectives: { speed: 12 }, evidence: 'evidence of 2' },
      root: { ordinal: 0, objectives: { speed: 1 } },
      lineage: [
        { ordinal: 0, extent: null },
        { ordinal: 1, objectives: { speed: 11 }, extent: { files: 1, added: 1, deleted: 1 }, paths: ['value.txt'] },
        { ordinal: 2, objectives: { speed: 12 }, paths: ['src/new.js'] },
      ],
      inspirations: [{ ordinal: 3, objectives: { speed: 13 }, evidence: 'evidence of 3', moreFiles: 0 }],
      failures: [],
    });
    const [inspiration] = input.brief.inspirations;
    // Told since the common ancestor, job 1: of the base's own work there is nothing to undo.
    expect(inspiration?.line.map(({ ordinal }) => ordinal)).toEqual([1, 3]);
    expect(inspiration?.diffs.map(({ path }) => path)).toEqual(['src/main.js']);
    expect(inspiration?.diffs[0]?.diff).toContain('+export const speed = 3;');
    expect(input.brief.files.shown).toMatchObject([
      { path: 'value.txt', steps: 1, inspirations: [], diff: expect.stringContaining('-0\n+1') },
      { path: 'src/new.js', steps: 1, inspirations: [], diff: expect.stringContaining('+new') },
      { path: 'src/main.js', steps: 0, inspirations: [3], diff: '' },
    ]);
    expect(input.brief.files.more).toBe(0);
    // As a patch it is what it changed since the common ancestor, job 1.
    expect(await input.inspirations()).toEqual([
      {
        ordinal: 3,
        files: [{ path: 'src/main.js', before: 'export const speed = 1;\n', after: 'export const speed = 3;\n' }],
      },
    ]);
  });

  test('a tree and a failure of an earlier batch are known, those of its own batch are not', async () => {
    const life = await campaignOn(await databases.open());
    await made(life, 1, { batch: 1 }, { 'value.txt': '1\n' }, 1);
    await failedAt(life, 2, { batch: 1 });
    await made(life, 3, { batch: 3 }, { 'value.txt': '3\n' }, 3);
    await failedAt(life, 4, { batch: 3 });
    const mate = await look(life, await planned(life, 5, { batch: 3 }));
    const next = await look(life, await planned(life, 6, { batch: 6 }));

    const knows = (input: typeof mate, text: string) => input.seen(new Map([['value.txt', text]]));
    expect([await knows(mate, '1\n'), await knows(mate, '3\n')]).toEqual([true, false]);
    expect([await knows(next, '1\n'), await knows(next, '3\n')]).toEqual([true, true]);
    expect(mate.brief.failures).toEqual([{ title: 'crash 2', reason: 'reason of 2', evidence: '', output: '' }]);
    expect(next.brief.failures.map((failure) => failure.title)).toEqual(['crash 4', 'crash 2']);
  });

  test('the metrics that moved most since the root, as many as the campaign says', async () => {
    const life = await campaignOn(await databases.open());
    await made(life, 1, { batch: 1 }, { 'value.txt': '1\n' }, 11);
    const job = await planned(life, 2, { base: 1, batch: 2 });
    const told = async (metrics: number) => {
      const { brief } = await assemble(life.store.db, withBrief(life.workshop, { metrics }), job);
      return [brief.base.metrics, brief.root?.metrics];
    };
    expect(await told(4)).toEqual([
      { size: 120, rss: 111, branches: 7, same: 1 },
      { size: 20, rss: 101, branches: 7, same: 1 },
    ]);
    expect(await told(1)).toEqual([{ size: 120 }, { size: 20 }]);
    expect(await told(0)).toEqual([{}, {}]);
    // What the root does not have comes last.
    expect(Object.keys((await told(5))[0] ?? {})).toEqual(['size', 'rss', 'branches', 'same', 'only 1']);
  });

  test('nothing of sections that are left out is asked for, nor Git for a base without inspirations', async () => {
    const life = await campaignOn(await databases.open());
    await made(life, 1, { batch: 1 }, { 'value.txt': '1\n' }, 11);
    await made(life, 2, { batch: 2 }, { 'src/new.js': 'new\n' }, 12);
    await failedAt(life, 3, { base: 1, batch: 3 });
    const job = await planned(life, 4, { base: 1, inspirations: [2], batch: 4 });
    const nowhere = { ...life.workshop, hub: { dir: '/nowhere', remote: null } };
    await expect(assemble(life.store.db, nowhere, job)).rejects.toThrow();
    const without = ['lineage', 'inspirations', 'evidence', 'files', 'failures', 'lessons'];
    const { brief } = await assemble(life.store.db, withBrief(nowhere, { without }), job);
    expect(brief).toMatchObject({ base: { ordinal: 1 }, root: { ordinal: 0 }, steps: [], lineage: [], lessons: '' });
    expect(brief).toMatchObject({ inspirations: [], failures: [], files: { shown: [], more: 0 } });
    const first = await planned(life, 5, { batch: 5 });
    expect((await assemble(life.store.db, nowhere, first)).brief.files).toEqual({ shown: [], more: 0 });
  });

  test('the same job is told the same, and a long way is told by its ends', async () => {
    const life = await campaignOn(await databases.open());
    for (let ordinal = 1; ordinal <= 12; ordinal += 1) {
      const files = { 'value.txt': `${ordinal}\n`, [`src/${ordinal % 4}.js`]: `// ${ordinal}\n`.repeat(ordinal) };
      await made(life, ordinal, { base: ordinal - 1, batch: ordinal }, files, ordinal);
    }
    await made(life, 13, { base: 5, batch: 13 }, { 'src/1.js': '// other\n', 'src/own.js': 'own\n' }, 20);
    await made(life, 14, { base: 13, batch: 14 }, { 'src/own.js': 'own again\n' }, 21);
    await failedAt(life, 15, { base: 12, batch: 15 });
    await failedAt(life, 16, { base: 11, batch: 16 });
    const job = await planned(life, 17, { base: 12, inspirations: [14, 8], batch: 17 });
    const brief = async () => {
      const input = await look(life, job);
      return renderBrief(composeBrief(input.brief, { without: [] }));
    };
    const told = await brief();
    await expect(told).toMatchFileSnapshot('briefs/long.txt');
    // What comes after it was planned changes nothing.
    await made(life, 18, { base: 12, batch: 17 }, { 'value.txt': '99\n' }, 99);
    await failedAt(life, 19, { base: 12, batch: 17 });
    expect(await brief()).toBe(told);
  });
});

function withBrief(workshop: Workshop, brief: Partial<Workshop['campaign']['agents']['brief']>): Workshop {
  const { campaign } = workshop;
  const { agents } = campaign;
  return { ...workshop, campaign: { ...campaign, agents: { ...agents, brief: { ...agents.brief, ...brief } } } };
}
