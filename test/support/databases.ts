import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../src/store/index.ts';

/** A database of its own in a folder of its own. */
export interface Fresh {
  readonly workspace: string;
  /** Absent for the embedded database. */
  readonly databaseUrl?: string;
}

/** Gives tests a fresh database with the current schema, and takes it away after each test. */
export interface Databases {
  readonly kind: Store['kind'];
  /** A database, not opened. */
  fresh(): Promise<Fresh>;
  /** A database, opened; closed after the test if the test did not. */
  open(): Promise<Store>;
}

const KINDS = ['pglite', 'postgres'] as const;

/** Runs a suite on the embedded database and on a PostgreSQL server. Where there is none it is skipped, which CI does not accept. */
export function describeDatabases(name: string, suite: (databases: Databases) => void): void {
  for (const kind of KINDS) describeKind(name, kind, suite);
}

function describeKind(name: string, kind: Store['kind'], suite: (databases: Databases) => void): void {
  const title = `${name} (${kind})`;
  if (kind === 'pglite' || serverUrl() !== undefined) {
    describe(title, () => suite(provide(kind)));
  } else if (process.env.CI !== undefined) {
    it(`${title}: needs a PostgreSQL server`, () => expect(serverUrl()).toBeDefined());
  } else {
    it.skip(`${title}: no PostgreSQL server on this machine`);
  }
}

/** The same on a PostgreSQL server alone: for what several processes do with one database. */
export function describeServer(name: string, suite: (databases: Databases) => void): void {
  describeKind(name, 'postgres', suite);
}

function serverUrl(): string | undefined {
  return process.env.CLADE_TEST_DATABASE_URL;
}

function provide(kind: Store['kind']): Databases {
  const stores: Store[] = [];
  const releases: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    for (const release of releases.splice(0)) await release();
  });

  const fresh = async () => {
    templates[kind] ??= kind === 'pglite' ? embeddedTemplate() : serverTemplate();
    const { database, release } = await (await templates[kind]).copy();
    releases.push(release);
    return database;
  };
  return {
    kind,
    fresh,
    async open() {
      const store = await openStore({ ...(await fresh()), label: 'a test' });
      stores.push(store);
      return store;
    },
  };
}

/** A migrated database, made once: copying it takes a tenth of the time of making it. */
interface Template {
  copy(): Promise<{ database: Fresh; release: () => Promise<void> }>;
}

const templates: { [kind in Store['kind']]?: Promise<Template> } = {};

async function embeddedTemplate(): Promise<Template> {
  return {
    async copy() {
      const copy = await workspace();
      await plantDatabase(copy);
      return { database: { workspace: copy }, release: () => remove(copy) };
    },
  };
}

/**
 * Gives a workspace an embedded database with the current schema and that of the queue, as its first run would make it in three times the time.
 * The original is one for all workers of the run, in the folder that `global-setup.ts` takes away: the first to finish gives its own.
 */
export async function plantDatabase(folder: string): Promise<void> {
  const original = join(process.env.CLADE_TEST_RUN ?? '', 'template');
  if (!existsSync(original)) {
    const made = await mkdtemp(`${original}-`);
    const store = await openStore({ workspace: made, label: 'a test' });
    await store.startQueue({ onError() {}, onWarning() {} });
    await store.close();
    // A non-empty folder is not replaced: then another worker was first, and its template is as good.
    await rename(made, original).catch((error: unknown) => {
      if (!existsSync(original)) throw error;
    });
  }
  await mkdir(join(folder, '.clade'), { recursive: true });
  await cp(join(original, '.clade/db'), join(folder, '.clade/db'), { recursive: true });
}

/** One a worker. It stays on the server until that ends; a server of the developer's own keeps a few. */
async function serverTemplate(): Promise<Template> {
  const original = await createDatabase('template0');
  const made = await workspace();
  await (await openStore({ workspace: made, databaseUrl: original.url, label: 'a test' })).close();
  await remove(made);
  return {
    async copy() {
      const database = await createDatabase(original.name);
      const folder = await workspace();
      return {
        database: { workspace: folder, databaseUrl: database.url },
        release: async () => {
          await database.drop();
          await remove(folder);
        },
      };
    },
  };
}

async function createDatabase(template: string): Promise<{ name: string; url: string; drop: () => Promise<void> }> {
  const name = `clade_${randomUUID().replaceAll('-', '')}`;
  await administer(`create database ${name} template ${template}`);
  const url = new URL(serverUrl() ?? '');
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) };
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function workspace(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'clade-store-'));
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}
