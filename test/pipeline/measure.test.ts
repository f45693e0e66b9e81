import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InfrastructureError, InterruptedError } from '../../src/errors.ts';
import { generate, measure, prepareRoot, type Workshop } from '../../src/pipeline/index.ts';
import { agentThat, type CampaignOptions, inputFor, SIGNAL, workshopOf } from './fixture.ts';

async function candidateOf(workshop: Workshop, value: number): Promise<string> {
  const agent = agentThat(async (task) => {
    await writeFile(join(task.worktree, 'value.txt'), `${value}\n`);
    return [{ type: 'finished', title: `${value}`, summary: '' }];
  });
  const made = await generate(workshop, agent, inputFor(workshop, value), SIGNAL);
  if (made.kind !== 'candidate') throw new Error(made.kind);
  return made.commit;
}

const at = (commit: string) => ({ commit, split: 'train', lane: '0' }) as const;
const script = (text: string): CampaignOptions => ({ evaluator: `#!/bin/sh\n${text}\n` });

test('the commit is measured beside the root, and artifacts come back as bytes', async () => {
  const workshop = await workshopOf(
    script(`
    printf '{"status":"valid","objectives":{"speed":%s},"metrics":{"root":%s}}' \\
      "$(cat value.txt)" "$(cat "$CLADE_ROOT_DIR/value.txt")" > "$CLADE_RESULT"
    echo '<svg/>' > "$CLADE_ARTIFACTS/plot.svg"`),
  );
  const measured = await measure(workshop, at(await candidateOf(workshop, 41)), SIGNAL);
  expect(measured.evaluation).toMatchObject({ status: 'valid', objectives: { speed: 41 }, metrics: { root: 0 } });
  expect(measured.artifacts).toEqual([
    { name: 'plot.svg', mediaType: 'image/svg+xml', content: Buffer.from('<svg/>\n') },
  ]);
  expect(measured.notes).toEqual([]);
});

test('what an evaluation builds is gone before the next one in its lane, and links are there again', async () => {
  const workshop = await workshopOf({
    target: 'prepare: ["mkdir deps && echo 1 > deps/one"], link: [deps]',
    ...script(
      'test ! -e built || exit 9; cat deps/one > /dev/null || exit 8; touch built; echo \'{"status":"valid","objectives":{"speed":1}}\'',
    ),
  });
  await prepareRoot(workshop, SIGNAL);
  for (const value of [1, 2]) {
    const measured = await measure(workshop, at(await candidateOf(workshop, value)), SIGNAL);
    expect(measured.evaluation).toMatchObject({ status: 'valid' });
    expect(measured.notes).toEqual([]);
  }
});

test('an evaluator that rewrites the candidate is told on, and the lane recovers even from its removal', async () => {
  const workshop = await workshopOf(
    script(`
    case "$(cat value.txt)" in
      1) echo 99 > value.txt ;;
      2) rm -rf "$PWD" ;;
    esac
    echo '{"status":"valid","objectives":{"speed":1}}' > "$CLADE_RESULT"`),
  );
  const rewritten = await measure(workshop, at(await candidateOf(workshop, 1)), SIGNAL);
  expect(rewritten.notes).toEqual([expect.stringContaining('value.txt')]);
  const removed = await measure(workshop, at(await candidateOf(workshop, 2)), SIGNAL);
  expect(removed.evaluation.status).toBe('valid');
  expect(removed.notes).toHaveLength(1);
  const third = await measure(workshop, at(await candidateOf(workshop, 3)), SIGNAL);
  expect(third).toMatchObject({ evaluation: { status: 'valid' }, notes: [] });
});

test('exit 75 is the machine’s fault, an abort an interruption', async () => {
  const faulty = await workshopOf(script('exit 75'));
  await expect(measure(faulty, at(faulty.root.commit), SIGNAL)).rejects.toThrow(InfrastructureError);
  const slow = await workshopOf(script('sleep 60'));
  const stop = new AbortController();
  const measured = measure(slow, at(slow.root.commit), stop.signal);
  setTimeout(() => stop.abort(), 500);
  await expect(measured).rejects.toThrow(InterruptedError);
});
