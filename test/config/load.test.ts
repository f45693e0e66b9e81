import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatFinding, loadCampaign } from '../../src/config/index.ts';
import { temporaryFolder, yamlWith } from './file.ts';

const script = { path: 'evaluate.sh', text: '#!/bin/sh\n', executable: true };

const local = {
  name: 'demo',
  target: { repository: './repository' },
  evaluator: { command: ['./evaluate.sh'], hidden: ['./corpora'] },
};

function campaignFile(changes: object) {
  return { path: 'campaign.yaml', text: yamlWith(changes) };
}

async function errorsOf(path: string): Promise<string[]> {
  const { campaign, errors } = await loadCampaign(path);
  expect(campaign === null).toBe(errors.length > 0);
  return errors.map((finding) => formatFinding(finding).replaceAll(path, 'HERE'));
}

describe('loading', () => {
  it('takes the folder or the file', async () => {
    await using folder = await temporaryFolder([
      campaignFile(local),
      script,
      { path: 'repository/a.txt', text: 'a' },
      { path: 'corpora/a.txt', text: 'a' },
    ]);
    const [byFolder, byFile] = [
      await loadCampaign(folder.path),
      await loadCampaign(join(folder.path, 'campaign.yaml')),
    ];
    expect(byFolder).toEqual(byFile);
    expect(byFolder.errors).toEqual([]);
    expect(byFolder.campaign?.directory).toBe(folder.path);
  });

  it('looks for what the campaign names', async () => {
    await using folder = await temporaryFolder([campaignFile(local)]);
    expect(await errorsOf(folder.path)).toEqual([
      'campaign.yaml:2:15 target.repository HERE/repository does not exist',
      'campaign.yaml:5:5 evaluator.command[0] ./evaluate.sh does not exist in the campaign folder'.replace(
        '5:5',
        '6:7',
      ),
      'campaign.yaml:11:7 evaluator.hidden[0] HERE/corpora does not exist',
    ]);
  });

  it('wants a folder to evolve and a file to execute', async () => {
    await using folder = await temporaryFolder([
      campaignFile({ ...local, evaluator: { command: ['./evaluate.sh'] } }),
      { path: 'repository', text: 'a bundle, say' },
      script,
    ]);
    await chmod(join(folder.path, 'evaluate.sh'), 0o644);
    const [repository, evaluator] = await errorsOf(folder.path);
    expect(repository).toMatch(/target\.repository HERE\/repository is not a folder$/);
    expect(evaluator).toMatch(/evaluate\.sh is not executable; chmod \+x HERE\/evaluate\.sh$/);
  });

  it('wants a file, not a folder, to execute', async () => {
    await using folder = await temporaryFolder([
      campaignFile({ name: 'demo', evaluator: { command: ['./bin'] } }),
      { path: 'bin/x', text: '' },
    ]);
    expect(await errorsOf(folder.path)).toEqual([expect.stringMatching(/\.\/bin is a folder$/)]);
  });

  it('wants a recording to be a folder', async () => {
    await using folder = await temporaryFolder([
      campaignFile({ name: 'demo', agents: { coder: { kind: 'replay', from: './recording' } } }),
    ]);
    expect(await errorsOf(folder.path)).toEqual([
      expect.stringMatching(/agents\.coder\.from HERE\/recording is no folder; clade export CAMPAIGN --recording/),
    ]);
  });

  it('reports the disk together with the rest', async () => {
    await using folder = await temporaryFolder([campaignFile({ ...local, budgte: {}, search: { warmup: -1 } })]);
    expect(await errorsOf(folder.path)).toHaveLength(5);
  });

  it('finds nothing where nothing is', async () => {
    await using folder = await temporaryFolder([{ path: 'a/x', text: '' }]);
    expect(await errorsOf(join(folder.path, 'a'))).toEqual(['campaign.yaml:1:1 there is no such file']);
    expect(await errorsOf(join(folder.path, 'b'))).toEqual(['b:1:1 there is no such file']);
    expect(await errorsOf(join(folder.path, 'a/x/y'))).toEqual([
      expect.stringMatching(/^y:1:1 cannot be read: ENOTDIR/),
    ]);
  });
});
