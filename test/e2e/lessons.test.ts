import { expect, test } from 'vitest';
import type { CampaignStatus, EventView } from '../../src/daemon/index.ts';
import { type Seen, startModelServer } from '../fixtures/model-server/server.ts';
import type { Step } from '../fixtures/model-server/steps.ts';
import { expectDone, type Workspace, workspaces } from '../support/workspace.ts';

const openWorkspace = workspaces();

async function campaign(workspace: Workspace, baseUrl: string, schedule = '{size: 2}'): Promise<string> {
  return workspace.campaign('pack', {
    'target/pack.js': '// end\n',
    'evaluate.sh': `#!/bin/sh
printf '{"status": "valid", "objectives": {"lines": %s}}' "$(wc -l < pack.js)" > "$CLADE_RESULT"
`,
    'campaign.yaml': `target: {repository: ./target}
goal: more lines
evaluator: {command: [./evaluate.sh], objectives: [{name: lines, direction: maximize}], remeasure: {jump: 0}}
agents:
  concurrency: 2
  coder: {kind: openai, provider: fake, model: scripted, format: whole, output_tokens: 100}
  brief: {lessons_every: 2}
providers: {fake: {base_url: "${baseUrl}", api_key_env: null}}
search: {schedule: ${schedule}}
budget: {jobs: 8}
`,
  });
}

const isLesson = ({ body }: Seen): boolean => JSON.stringify(body.messages).includes('the notebook of a search');

/** Adds a line; writes lessons that are numbered. */
function script(lesson: (number: number) => Step): (seen: Seen) => Step {
  const made = { lines: 0, lessons: 0 };
  return (seen) => {
    if (isLesson(seen)) return lesson(++made.lessons);
    made.lines += 1;
    const text = `More\n\npack.js\n\`\`\`\`\n${'// more\n'.repeat(made.lines)}// end\n\`\`\`\`\n`;
    return { kind: 'answer', text, tools: [] };
  };
}

test('lessons are written anew every two jobs, and told from the next batch on', async () => {
  await using server = await startModelServer(
    script((number) => ({ kind: 'answer', text: `LESSON ${number}: loops pay.`, tools: [] })),
  );
  const workspace = await openWorkspace();
  expectDone(await workspace.run('run', await campaign(workspace, server.baseUrl)));
  const told = server.seen.filter((seen) => !isLesson(seen)).map(({ body }) => JSON.stringify(body.messages));
  const lessons = told.map((text) => /LESSON (\d)/.exec(text)?.[1] ?? null);
  expect(lessons).toEqual([null, null, '1', '1', '2', '2', '3', '3']);
  const asked = server.seen.filter(isLesson).map(({ body }) => JSON.stringify(body.messages));
  expect(asked).toHaveLength(3);
  expect(asked[0]).toContain('(none yet)');
  expect(asked[1]).toContain('LESSON 1: loops pay.');
  expect(asked[1]).toContain('#4');
  expect(asked[1]).not.toContain('#2 on');
  const events = await workspace.ask<EventView[]>('log', 'pack', '--limit', '1000');
  expect(events.filter(({ kind }) => kind === 'lessons.written').map(({ data }) => data)).toMatchObject([
    { settled: 2 },
    { settled: 4 },
    { settled: 6 },
  ]);
  // Two calls for each batch of two, one for lessons between them.
  const status = await workspace.ask<CampaignStatus>('status', 'pack');
  expect(status.calls.calls).toBe(8 + 3);
  expect(status.models.map(({ role, calls }) => ({ role, calls }))).toEqual(
    expect.arrayContaining([
      { role: 'coder', calls: 8 },
      { role: 'lessons', calls: 3 },
    ]),
  );
});

test('a model that cannot write lessons holds nothing up; what it was to be told it is told the next time', async () => {
  const refused: Step = { kind: 'status', status: 400, error: { code: 'bad', message: 'no notebooks here' } };
  await using server = await startModelServer(
    script((number) => (number < 3 ? refused : { kind: 'answer', text: 'LESSON 3: late.', tools: [] })),
  );
  const workspace = await openWorkspace();
  expectDone(await workspace.run('run', await campaign(workspace, server.baseUrl)));
  expect((await workspace.ask<CampaignStatus>('status', 'pack')).budget.settled).toBe(8);
  const events = await workspace.ask<EventView[]>('log', 'pack', '--limit', '1000');
  const faults = events.filter(({ kind, data }) => kind === 'fault' && JSON.stringify(data).includes('the lessons'));
  expect(faults).toHaveLength(2);
  expect(JSON.stringify(faults[0]?.data)).toContain('no notebooks here');
  const asked = server.seen.filter(isLesson).map(({ body }) => JSON.stringify(body.messages));
  const told = asked.map((text) => [...text.matchAll(/- #(\d+) on/g)].map(([, ordinal]) => Number(ordinal)));
  expect(told).toEqual([
    [1, 2],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5, 6],
  ]);
});

test('a run that is ended while a model thinks about lessons ends at once, and has them written when it goes on', async () => {
  const thinking = { forever: true, seen: Promise.withResolvers<void>() };
  await using server = await startModelServer(
    script((number) => {
      thinking.seen.resolve();
      return thinking.forever ? { kind: 'silent' } : { kind: 'answer', text: `LESSON ${number}: on.`, tools: [] };
    }),
  );
  const workspace = await openWorkspace();
  const folder = await campaign(workspace, server.baseUrl);
  const run = workspace.start('run', folder);
  await thinking.seen.promise;
  run.press('SIGINT');
  // The model's own deadline is longer than that of this test.
  expect((await run.ended).code).toBe(130);
  thinking.forever = false;
  expectDone(await workspace.run('run', folder));
  const events = await workspace.ask<EventView[]>('log', 'pack', '--limit', '1000');
  const written = events.filter(({ kind }) => kind === 'lessons.written').map(({ data }) => data);
  expect(written).toMatchObject([{ settled: 2 }, { settled: 4 }, { settled: 6 }]);
  expect(events.filter(({ kind }) => kind === 'fault')).toEqual([]);
});

test('a stream of jobs goes on beside a model that thinks about lessons, and ends without it', async () => {
  await using server = await startModelServer(script(() => ({ kind: 'silent' })));
  const workspace = await openWorkspace();
  expectDone(await workspace.run('run', await campaign(workspace, server.baseUrl, '{mode: streaming, slots: 2}')));
  const { budget } = await workspace.ask<CampaignStatus>('status', 'pack');
  expect(budget).toMatchObject({ planned: 8, settled: 8 });
  // One at a time, though they were due three times.
  expect(server.seen.filter(isLesson)).toHaveLength(1);
});
