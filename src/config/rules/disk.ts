import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isRemote } from '../repository.ts';
import { agentsOf } from './agents.ts';
import { commandsOf, nameOf } from './commands.ts';
import type { DiskRule } from './rule.ts';

const repositoryExists: DiskRule = async ({ target: { repository, mirror } }, report) => {
  const place = mirror ?? repository;
  if (isRemote(place)) return;
  const kind = await kindOf(place);
  if (kind === 'folder') return;
  const problem = kind === 'missing' ? 'does not exist' : 'is not a folder';
  report.error(['target', 'repository'], `${mirror === null ? 'target.repository' : '--target'} ${place} ${problem}`);
};

const evaluatorCanRun: DiskRule = async ({ directory, evaluator }, report) => {
  for (const { at, command } of commandsOf(evaluator)) {
    const [file = ''] = command;
    if (!file.startsWith('./')) continue;
    const path = resolve(directory, file);
    const kind = await kindOf(path);
    if (kind !== 'file') {
      const problem = kind === 'missing' ? 'does not exist in the campaign folder' : 'is a folder';
      report.error(at, `${nameOf(at)} ${file} ${problem}`);
    } else if (!(await isExecutable(path))) {
      report.error(at, `${nameOf(at)} ${file} is not executable; chmod +x ${path}`);
    }
  }
};

const hiddenPathsExist: DiskRule = async ({ evaluator }, report) => {
  for (const [index, { path }] of evaluator.hidden.entries()) {
    if ((await kindOf(path)) !== 'missing') continue;
    report.error(['evaluator', 'hidden', index], `evaluator.hidden[${index}] ${path} does not exist`);
  }
};

const recordingsExist: DiskRule = async ({ agents }, report) => {
  for (const { at, agent } of agentsOf(agents)) {
    if (agent.kind !== 'replay' || (await kindOf(agent.from)) === 'folder') continue;
    const place = [...at, 'from'];
    report.error(
      place,
      `${nameOf(place)} ${agent.from} is no folder; clade export CAMPAIGN --recording --output DIR makes a recording`,
    );
  }
};

export const diskRules: readonly DiskRule[] = [repositoryExists, evaluatorCanRun, hiddenPathsExist, recordingsExist];

async function kindOf(path: string): Promise<'file' | 'folder' | 'missing'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    // Whatever keeps us from looking (ENOENT, ENOTDIR, EACCES) will keep the campaign from using it.
    return 'missing';
  }
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    // The answer of access(2) is the error itself.
    return false;
  }
}
