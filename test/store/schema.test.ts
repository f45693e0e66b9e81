import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { describeDatabases } from '../support/databases.ts';

describeDatabases('the schema', (databases) => {
  it('is the committed one, column by column, on either database', async () => {
    const store = await databases.open();
    await expect(await dump(store.db)).toMatchFileSnapshot('schema.txt');
  });
});

/** Columns, constraints and indexes as PostgreSQL itself prints them, in one order. */
async function dump<Database>(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select line from (
      select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || case when a.attnotnull then ' not null' else '' end
        || case when a.attidentity <> '' then ' identity' else '' end
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      union all
      select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
      union all
      select indexdef from pg_indexes where schemaname = 'public'
    ) as lines
    order by line collate "C"
  `.execute(db);
  return `${rows.map((row) => row.line).join('\n')}\n`;
}
