/** `evaluator.prepare`, the cache of a split and the CPU of an evaluation, on real processes. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { loadCampaign } from '../../src/config/index.ts';
import { InfrastructureError } from '../../src/errors.ts';
import { measure, openWorkshop, type Workshop } from '../../src/pipeline/index.ts';
import { describeIf } from '../support/requirements.ts';
import { campaignIn, SIGNAL, temporary, workshopOf, writeFiles } from './fixture.ts';

/** Builds once; an evaluation tries to spoil what it was given, and says what it found. */
const PREPARE = `#!/bin/sh
echo "$CLADE_STEP $CLADE_SPLIT" >> "$CLADE_CACHE/log"
test "$PWD" = "$CLADE_ROOT_DIR" && test "$CLADE_COMMIT" = "$CLADE_ROOT_COMMIT" || exit 3
echo built > built
`;
const JUDGE = `#!/bin/sh
found=$(cat "$CLADE_ROOT_DIR/built" "$CLADE_CACHE/log" | tr '\\n' ' ')
for place in "$CLADE_ROOT_DIR/value.txt" "$CLADE_CACHE/poison"; do (echo x > "$place") 2>/dev/null && found="$found wrote"; done
echo "{\\"status\\":\\"valid\\",\\"objectives\\":{\\"speed\\":1},\\"summary\\":\\"$found\\"}" > "$CLADE_RESULT"
`;

async function prepared(sandbox: 'off' | 'required', prepare = PREPARE): Promise<Workshop> {
  const workspace = await temporary();
  const evaluatorKeys = 'prepare: [./prepare.sh]\n  splits: [train, validation]';
  const { directory } = await campaignIn(workspace, { evaluator: JUDGE, evaluatorKeys: 'splits: [train]' });
  await writeFiles(directory, { 'prepare.sh': prepare });
  const file = join(directory, 'campaign.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('splits: [train]', evaluatorKeys).replace('"off"', `"${sandbox}"`));
  const { campaign, errors } = await loadCampaign(file);
  if (campaign === null) throw new Error(JSON.stringify(errors));
  return openWorkshop(workspace, campaign, null);
}

const at = (workshop: Workshop, lane: string, split: 'train' | 'validation' = 'train') =>
  measure(workshop, { commit: workshop.root.commit, split, lane }, SIGNAL);

await describeIf('bubblewrap', 'prepare', () => {
  test('runs once a lane and split; root checkout and cache are read-only from then on', async () => {
    const workshop = await prepared('required');
    const runs = [
      await at(workshop, '0'),
      await at(workshop, '0'),
      await at(workshop, '1'),
      await at(workshop, '0', 'validation'),
    ];
    expect(runs.map(({ evaluation }) => evaluation.summary)).toEqual([
      'built prepare train',
      'built prepare train',
      'built prepare train prepare train',
      'built prepare validation',
    ]);
    expect(runs.flatMap(({ notes }) => notes)).toEqual([]);
  });

  test('runs again for another root or evaluator, and when it was left half done', async () => {
    const workshop = await prepared('required');
    await at(workshop, '0');
    const stamp = join(workshop.folders.lanes, 'evaluate-0/root-train.done');
    await rm(stamp);
    await at(workshop, '0');
    const other = { ...workshop, bundle: { ...workshop.bundle, hash: 'another' } };
    expect((await at(other, '0')).evaluation.summary).toBe('built prepare train prepare train prepare train');
  });

  test('that fails is the machine’s fault, with the end of its output, and is not taken for done', async () => {
    const workshop = await prepared('required', '#!/bin/sh\necho no compiler here >&2\nexit 4\n');
    for (const _ of [1, 2]) {
      const error = await at(workshop, '0').catch((reason) => reason);
      expect(error).toBeInstanceOf(InfrastructureError);
      expect(error.message).toMatch(/evaluator\.prepare exited with code 4 on train:\nno compiler here/);
    }
  });
});

describe('without a sandbox', () => {
  test('a spoilt root checkout is made and prepared anew, and the record says that it can be spoilt', async () => {
    const workshop = await prepared('off');
    const first = await at(workshop, '0');
    expect(first.evaluation.summary).toBe('built prepare train wrote wrote');
    expect(first.notes).toEqual([expect.stringContaining('were not read-only: isolation level 0')]);
    const second = await at(workshop, '0');
    expect(second.evaluation.summary).toMatch(/^built prepare train prepare train/);
    expect(await readFile(join(workshop.folders.lanes, 'evaluate-0/root-train/value.txt'), 'utf8')).toBe('x\n');
  });

  test('without prepare every split has its own cache and its own root checkout, which is reset', async () => {
    const judge = `#!/bin/sh
    echo "{\\"status\\":\\"valid\\",\\"objectives\\":{\\"speed\\":1},\\"summary\\":\\"$(ls "$CLADE_CACHE" "$CLADE_ROOT_DIR" | grep left)\\"}" > "$CLADE_RESULT"
    touch "$CLADE_CACHE/left-$CLADE_SPLIT" "$CLADE_ROOT_DIR/left"
    `;
    const workshop = await workshopOf({ evaluator: judge, evaluatorKeys: 'splits: [train, validation]' });
    const told = [await at(workshop, '0'), await at(workshop, '0', 'validation'), await at(workshop, '0')];
    expect(told.map(({ evaluation }) => evaluation.summary)).toEqual(['', '', 'left-train']);
  });

  test('an evaluation has a CPU of the pool to itself, and the record says what else the machine did', async () => {
    const judge = `#!/bin/sh
    cpus=$(sed -n 's/^Cpus_allowed_list:\\s*//p' /proc/self/status)
    mkdir "${'$'}{CLADE_CACHE}/alone" || exit 1
    sleep 0.2
    rmdir "${'$'}{CLADE_CACHE}/alone"
    echo "{\\"status\\":\\"valid\\",\\"objectives\\":{\\"speed\\":1},\\"summary\\":\\"$CLADE_CPUS $cpus\\"}" > "$CLADE_RESULT"
    `;
    const workshop = await workshopOf({ evaluator: judge, evaluatorKeys: 'cpus: [0]' });
    const both = await Promise.all([at(workshop, '0'), at(workshop, '1'), at(workshop, 'patch')]);
    for (const { evaluation, machine } of both) {
      expect(evaluation).toMatchObject({ status: 'valid', summary: '0 0' });
      expect(machine).toMatchObject({
        cpu: 0,
        host: expect.any(String),
        load1: [expect.any(Number), expect.any(Number)],
      });
    }
  });

  test('what evaluator.env names is in nothing that is kept', async () => {
    vi.stubEnv('LICENSE_KEY', 'hush-hush-1234');
    const judge = `#!/bin/sh
    echo "out $LICENSE_KEY"; echo "err $LICENSE_KEY" >&2
    case "$(cat value.txt)" in 0) echo "{\\"status\\":\\"invalid\\",\\"kind\\":\\"gate\\",\\"summary\\":\\"s $LICENSE_KEY\\",\\"evidence\\":\\"e $LICENSE_KEY\\"}" > "$CLADE_RESULT";; esac
    `;
    const stages: unknown[] = [];
    const workshop = await workshopOf({ evaluator: judge, evaluatorKeys: 'env: [LICENSE_KEY]' });
    const input = { commit: workshop.root.commit, split: 'train', lane: '0' } as const;
    const onStage = async (stage: unknown) => {
      stages.push(stage);
      return null;
    };
    const { evaluation, stdout, stderr } = await measure(workshop, input, SIGNAL, { onStage });
    vi.unstubAllEnvs();
    expect(evaluation).toMatchObject({ kind: 'gate', summary: 's [redacted]', evidence: 'e [redacted]' });
    expect([stdout.text, stderr.text]).toEqual(['out [redacted]\n', 'err [redacted]\n']);
    expect(JSON.stringify(stages)).not.toContain('hush');
    expect(JSON.stringify(stages)).toContain('[redacted]');
  });

  test('setup and prepare of the target keep to the limits', async () => {
    const workshop = await workshopOf({
      target: 'setup: ["head -c 3000000 /dev/zero > big"]',
      more: 'limits: {file: 1MiB}',
    });
    await expect(at(workshop, '0')).rejects.toThrow(InfrastructureError);
  });
});
