import { PGlite, type Transaction } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Embedded } from '../../src/store/embedded.ts';

let embedded: Embedded;

beforeAll(async () => {
  embedded = new Embedded();
  await embedded.waitReady;
});

afterEach(async () => {
  await embedded.exec('drop table if exists t');
});

afterAll(async () => {
  await embedded.close();
});

/** Names of what is prepared with this text. */
async function preparedFor(text: string): Promise<string[]> {
  const found = 'select name from pg_prepared_statements where statement like $1 -- not kept: asked once each time';
  const { rows } = await embedded.query<{ name: string }>(`${found} ${Math.random()}`, [text]);
  return rows.map(({ name }) => name);
}

async function countPrepared(): Promise<number> {
  return (await preparedFor('%')).length;
}

describe('the embedded database', () => {
  it('answers a statement that comes again as PGlite does, whatever the types', async () => {
    const plain = new PGlite();
    await plain.waitReady;
    const table =
      'create table t (id bigint primary key, at timestamptz, data jsonb, raw bytea, tags text[], on_ boolean)';
    const insert =
      'insert into t values ($1, $2, $3, $4, $5, $6) on conflict (id) do update set tags = excluded.tags returning *';
    const rows = [
      [1, new Date(5000), { a: [1, null] }, new Uint8Array([0, 255, 7]), ['x', 'y "z"'], true],
      [2, null, null, null, null, false],
      [1, new Date(5000), { a: [] }, new Uint8Array([]), [], null],
      [3, '2026-12-01T00:00:00Z', '"text"', new Uint8Array([1]), ['ü'], true],
    ];
    await plain.query(table);
    await embedded.query(table);
    for (const row of rows) expect(await embedded.query(insert, row)).toEqual(await plain.query(insert, row));
    expect(await preparedFor('insert into t%')).toHaveLength(1);
    for (const text of ['select * from t order by id', 'delete from t where id > $1']) {
      const parameters = text.startsWith('delete') ? [2] : [];
      for (const _ of [1, 2, 3])
        expect(await embedded.query(text, parameters)).toEqual(await plain.query(text, parameters));
    }
    expect(await embedded.exec('select id from t')).toEqual(await plain.exec('select id from t'));
    expect(await embedded.exec('select id from t')).toEqual(await plain.exec('select id from t'));
    await plain.close();
  });

  it('answers by the schema that is, also of what was prepared before', async () => {
    const all = 'select * from t';
    await embedded.exec('create table t (a integer); insert into t values (1)');
    for (const _ of [1, 2, 3]) expect((await embedded.query(all)).rows).toEqual([{ a: 1 }]);
    expect(await preparedFor(all)).toHaveLength(1);
    await embedded.query('alter table t add column b integer default 2');
    await embedded.transaction(async (trx) => {
      for (const _ of [1, 2]) expect((await trx.query(all)).rows).toEqual([{ a: 1, b: 2 }]);
      await trx.exec('alter table t drop column a');
      for (const _ of [1, 2]) expect((await trx.query(all)).rows).toEqual([{ b: 2 }]);
    });
    await embedded.exec('begin; alter table t add column c integer; commit');
    expect((await embedded.query(all)).rows).toEqual([{ b: 2, c: null }]);
  });

  it('goes on after statements that failed, in a transaction or alone', async () => {
    const insert = 'insert into t values ($1)';
    await embedded.exec('create table t (a integer primary key)');
    for (const a of [1, 2]) await embedded.query(insert, [a]);
    await expect(embedded.query(insert, [2])).rejects.toMatchObject({ code: '23505' });
    await expect(embedded.query(insert, ['x'])).rejects.toMatchObject({ code: '22P02' });
    const failing = embedded.transaction(async (trx) => {
      await trx.query(insert, [3]);
      await trx.query(insert, [3]);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    for (const _ of [1, 2, 3])
      await expect(embedded.query('select nothing from t')).rejects.toMatchObject({ code: '42703' });
    await embedded.query(insert, [4]);
    expect((await embedded.query('select a from t order by a')).rows).toEqual([{ a: 1 }, { a: 2 }, { a: 4 }]);
  });

  it('lets nobody use a transaction that is over, and nobody between its statements', async () => {
    const count = 'select count(*)::integer as n from t';
    await embedded.exec('create table t (a integer)');
    for (const _ of [1, 2]) await embedded.query(count);
    let kept: Transaction | undefined;
    let beside: Promise<unknown> | undefined;
    await embedded.transaction(async (trx) => {
      kept = trx;
      await trx.query('insert into t values (1)');
      beside = embedded.query(count);
      await trx.query('insert into t values (1)');
      expect((await trx.query(count)).rows).toEqual([{ n: 2 }]);
    });
    expect(await beside).toMatchObject({ rows: [{ n: 2 }] });
    await expect(kept?.query(count)).rejects.toThrow('closed');
  });

  it('prepares anew what is used often, and forgets what is not used for long', async () => {
    const often = 'select 1 as often';
    for (const _ of [1, 2]) await embedded.query(often);
    const [first] = await preparedFor(often);
    for (let use = 0; use < 110; use += 1) await embedded.query(often);
    const [second, ...more] = await preparedFor(often);
    expect(more).toEqual([]);
    expect(second).not.toBe(first);
    for (let other = 0; other < 300; other += 1) {
      for (const _ of [1, 2]) await embedded.query(`select ${other} as other`);
    }
    expect(await countPrepared()).toBeLessThanOrEqual(257);
    expect(await preparedFor(often)).toEqual([]);
  });
});
