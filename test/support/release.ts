import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const CHECKOUT = join(import.meta.dirname, '../..');
export const LATER = '0099_later';

/**
 * A copy of this checkout as another version that was installed beside it; returns its `clade.ts`.
 * @param statements of a migration that this one has not; none: the same version
 */
export async function install(statements: readonly string[] = []): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clade-release-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['src', 'evaluators', 'package.json'])
    await cp(join(CHECKOUT, name), join(folder, name), { recursive: true });
  for (const name of ['node_modules', 'dist'].filter((name) => existsSync(join(CHECKOUT, name)))) {
    await symlink(join(CHECKOUT, name), join(folder, name));
  }
  if (statements.length > 0) await addMigration(join(folder, 'src/store'), statements);
  return join(folder, 'src/cli/clade.ts');
}

/** Adds it as the others are: a file, an import, a line of the table. */
async function addMigration(store: string, statements: readonly string[]): Promise<void> {
  await writeFile(
    join(store, 'migrations/0099-later.ts'),
    `import { type Kysely, sql } from 'kysely';
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of ${JSON.stringify(statements)}) await sql.raw(statement).execute(db);
}
`,
  );
  const file = join(store, 'migrate.ts');
  const text = await readFile(file, 'utf8');
  const listed = text.replace(/(MIGRATIONS: .*? = \{[^}]*)\}/s, `$1  '${LATER}': later,\n}`);
  if (listed === text) throw new Error('migrations are not listed as they were');
  await writeFile(file, `import * as later from './migrations/0099-later.ts';\n${listed}`);
}
