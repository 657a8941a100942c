// What the description of a schema adds to PostgREST's: kinds and foreign keys, as pg_catalog has them.
import { expect, test } from 'vitest'
import { isOnServer } from '../../harness/engine.ts'
import { startWorld } from './world.ts'

/** Only a superuser may; on a server, the owner has a procedure, which migrations call without knowing. */
const NO_WRAPPER = isOnServer
  ? `call extensions.chartroom_create_wrapper('nothing', null, null)`
  : 'create foreign data wrapper nothing'

const { backend, sql } = await startWorld(`
  create table graphql_public.charts (id int primary key);
  create table "Odd, ""names""" (a int, "b.c" text, primary key (a, "b.c"));
  create table links (
    id int primary key, parent int references links, a int, "b.c" text, chart int references graphql_public.charts,
    only_one int unique constraint "the one" references links,
    constraint both_of foreign key (a, "b.c") references "Odd, ""names""" (a, "b.c")
  );
  create table hidden_parents (id int primary key);
  create view some_links as select id, parent, a, "b.c" from links;
  create materialized view counted as select count(*) from links;
  create table readings (at date, link int references links) partition by range (at);
  create table readings_2026 partition of readings for values from ('2026-01-01') to ('2027-01-01');
  ${NO_WRAPPER};
  create server nowhere foreign data wrapper nothing;
  create foreign table far (id int) server nowhere;
  grant all on graphql_public.charts to authenticated;
`)

const NAMES = ['Odd, "names"', 'links', 'hidden_parents', 'some_links', 'counted', 'readings', 'far']

const describe = async () => {
  const file = Object(await (await fetch(`${backend.url}/_chartroom/schema`)).json())
  return file.schemas as Record<
    string,
    { definitions: Record<string, Record<string, { kind: string; keys?: unknown }>> }
  >
}

test('relations have the kind of pg_class; partitions are not served', async () => {
  const { definitions } = (await describe())['public'] ?? { definitions: {} }
  const rows = await sql<{ name: string; kind: string }[]>`
    select relname as name, case relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view'
      when 'm' then 'materialized view' when 'f' then 'foreign table' end as kind
    from pg_class where relnamespace = 'public'::regnamespace and relname in ${sql(NAMES)}`
  expect(rows).toHaveLength(NAMES.length)
  for (const { name, kind } of rows)
    expect([name, definitions[name]?.['x-chartroom']?.kind]).toEqual([name, kind])
  expect(definitions['readings_2026']).toBeUndefined()
})

test('foreign keys are those of pg_constraint, with their columns in order', async () => {
  const { definitions } = (await describe())['public'] ?? { definitions: {} }
  const rows = await sql<{ of: string; keys: readonly Record<string, unknown>[] }[]>`
    select c.relname as of, json_agg(json_strip_nulls(json_build_object(
      'name', k.conname,
      'columns', (select json_agg(a.attname order by o.at) from unnest(k.conkey) with ordinality o (n, at)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = o.n),
      'table', t.relname,
      'schema', case when t.relnamespace <> c.relnamespace then t.relnamespace::regnamespace::text end,
      'references', (select json_agg(a.attname order by o.at) from unnest(k.confkey) with ordinality o (n, at)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = o.n)
    ))) as keys
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and c.relname in ${sql(NAMES)} group by c.relname`
  const byName = (list: readonly Record<string, unknown>[]) =>
    list.toSorted((one, other) => String(one['name']).localeCompare(String(other['name'])))
  expect(rows.map(row => row.of).toSorted()).toEqual(['links', 'readings'])
  for (const { of, keys } of rows)
    expect(byName((definitions[of]?.['x-chartroom']?.keys ?? []) as Record<string, unknown>[])).toEqual(
      byName(keys),
    )
  expect(definitions['hidden_parents']?.['x-chartroom']).not.toHaveProperty('keys')
})
