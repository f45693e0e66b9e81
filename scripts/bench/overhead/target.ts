import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

export interface Target {
  /** Repository whose HEAD is the root. */
  readonly repository: string;
  /** Shell command that makes a new difference with as little work as possible. */
  readonly agent: string;
  /** Script that answers with a value derived from CLADE_COMMIT. */
  readonly evaluator: string;
}

const FILES = 200;
const LINES = 40;

/** One of the files gets one more line, which the clock makes new. */
const AGENT = `n=$(date +%s%N); echo "// $n" >> "src/$((n / 1000 % ${FILES})).js"`;

/** Writes a repository of 200 small files into `folder`. */
export async function writeTarget(folder: string): Promise<Target> {
  const repository = join(folder, 'target');
  await mkdir(join(repository, 'src'), { recursive: true });
  for (let file = 0; file < FILES; file += 1) {
    const lines = Array.from(
      { length: LINES },
      (_, line) => `export const v${line} = ${file} * ${line} + value(${line});`,
    );
    await writeFile(join(repository, 'src', `${file}.js`), `${lines.join('\n')}\n`);
  }
  const env = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = (...argv: string[]) => execa('git', ['-C', repository, ...argv], { env });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '-A');
  await git('-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', 'commit', '--quiet', '-m', 'Start');
  const evaluator = join(folder, 'evaluate.sh');
  await copyFile(join(import.meta.dirname, 'evaluate.sh'), evaluator);
  return { repository, agent: AGENT, evaluator };
}
