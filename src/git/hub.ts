import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { GitError } from '../errors.ts';
import { gitEnvironment } from './environment.ts';

/** A campaign's bare repository. */
export interface Hub {
  /** Absolute. */
  readonly dir: string;
  /** URL of the hub that all machines share, of which this one is a mirror; null where this one is it. */
  readonly remote: string | null;
}

export type ObjectFormat = 'sha1' | 'sha256';

const CONFIG = `[core]
	hooksPath = /dev/null
	fsmonitor = false
	autocrlf = false
	attributesFile = /dev/null
	logAllRefUpdates = false
	quotePath = true
	filesRefLockTimeout = 1000
	packedRefsTimeout = 1000
[commit]
	gpgSign = false
[gc]
	auto = 0
[maintenance]
	auto = false
[uploadpack]
	allowAnySHA1InWant = true
[receive]
	shallowUpdate = true
[user]
	name = Clade
	email = clade@localhost
`;

/** Wins over every .gitattributes: files are checked out and committed byte for byte. */
const ATTRIBUTES = '* -text -filter -ident -working-tree-encoding -eol !merge !diff\n';

/**
 * Global configuration while a source is read, which may belong to another user: the campaign names it, so it is trusted.
 * A file is the only configuration that also reaches the `upload-pack` that a local fetch starts.
 */
export const SOURCE_CONFIG = 'source.gitconfig';

/** Opens the hub at `dir` (absolute), creating it on first use; several processes may do so at once. */
export async function openHub(dir: string, remote: string | null = null): Promise<Hub> {
  if (!existsSync(join(dir, 'HEAD'))) await createHub(dir, 'sha1');
  return { dir, remote };
}

/** Builds a hub aside and moves it into place, so that nobody ever sees half of one. */
export async function createHub(dir: string, format: ObjectFormat): Promise<void> {
  await mkdir(dirname(dir), { recursive: true });
  const building = await mkdtemp(`${dir}.new-`);
  const result = await execa(
    'git',
    ['init', '--bare', '--quiet', '--template=', `--object-format=${format}`, '--initial-branch=main', building],
    { env: gitEnvironment(building), extendEnv: false, reject: false, cwd: building },
  );
  if (result.exitCode !== 0) throw new GitError('git init failed', result.stderr);
  await appendFile(join(building, 'config'), CONFIG);
  await mkdir(join(building, 'info'), { recursive: true });
  await writeFile(join(building, 'info', 'attributes'), ATTRIBUTES);
  await writeFile(join(building, SOURCE_CONFIG), '[safe]\n\tdirectory = *\n');
  await mkdir(join(building, 'worktrees'));
  try {
    await rename(building, dir);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    if (!existsSync(join(dir, 'HEAD'))) throw error; // else another process was first, and its hub is as good
  }
}
