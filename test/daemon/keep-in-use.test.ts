import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporary } from '../pipeline/fixture.ts';
import { describeDatabases } from '../support/databases.ts';
import { campaignIn, eventually, hostOn } from './fixture.ts';

const EVALUATOR = `#!/bin/sh
echo x > "$CLADE_ARTIFACTS/picture.txt"
printf '{"status":"valid","objectives":{"speed":%s}}' "$(cat value.txt)" > "$CLADE_RESULT"
`;

describeDatabases('tidying what is in use', (databases) => {
  test('lanes of a job in flight survive a tidy after a stop', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const agent = `#!/bin/sh
cat > /dev/null
touch ${workspace}/begun
while ! test -e ${workspace}/go; do sleep 0.05; done
echo 7 > value.txt
`;
    const { host } = await hostOn(store, workspace);
    const running = host.run(await campaignIn(workspace, { agent, jobs: 1 }));
    await eventually(() => existsSync(join(workspace, 'begun')));
    await host.api.stop('counting');
    await host.api.tidy('counting', false);
    const lanes = existsSync(join(workspace, '.clade/lanes/counting/generate-0'));
    await writeFile(join(workspace, 'go'), '');
    await running;
    expect((await host.api.job('counting', 1)).stage).not.toBe('scope');
    expect(lanes).toBe(true);
  });

  test('candidates of a campaign still warming up are spared', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    await host.run(
      await campaignIn(workspace, {
        evaluator: EVALUATOR,
        jobs: 2,
        search: 'schedule: {mode: batch, size: 1}',
        more: 'keep: {artifacts: 1}',
      }),
    );
    await host.api.tidy('counting', false);
    const left: number[] = [];
    for (const ordinal of [0, 1, 2]) left.push((await host.api.job('counting', ordinal)).artifacts.length);
    expect(left).toEqual([1, 1, 1]);
  });

  test('what a coder was cut off in survives a tidy of a stopped campaign', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host } = await hostOn(store, workspace);
    await host.run(await campaignIn(workspace, { jobs: 1 }));
    const lane = join(workspace, '.clade/lanes/counting/generate-0');
    await mkdir(lane, { recursive: true });
    await writeFile(`${lane}.job`, JSON.stringify({ ordinal: 1, commit: 'a'.repeat(40) }));
    await host.api.stop('counting').catch(() => undefined);
    await host.api.tidy('counting', false);
    expect(existsSync(lane)).toBe(true);
  });
});
