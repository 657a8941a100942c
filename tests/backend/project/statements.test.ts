// Which statements of a migration run outside of a transaction.
import { expect, test } from 'vitest'
import { partsOf } from '../../../backend/project/statements.ts'

const outside = (sql: string) =>
  partsOf(sql)
    .filter(part => part.isOutside)
    .map(part => part.sql.trim())

test.each([
  'create index concurrently a on t (v);',
  'CREATE UNIQUE INDEX\nCONCURRENTLY IF NOT EXISTS a ON t (v)',
  '-- vacuum\n/* a /* nested */ ; */ drop index concurrently a;',
  'reindex table concurrently t;',
  'REINDEX (CONCURRENTLY, VERBOSE) INDEX i;',
  'reindex schema public;',
  'vacuum;',
  'vacuum(full) t;',
  'cluster;',
  "alter system set work_mem = '1MB';",
  'alter table t detach partition p concurrently;',
  'create database other;',
])('%j does', sql => expect(outside(`select 1;${sql}`)).toEqual([sql]))

test.each([
  "select 'a;\nvacuum; create index concurrently';",
  "select e'it\\'s; vacuum;', 'x''; vacuum;';",
  'do $$ begin perform 1; vacuum; end $$;',
  'do $a$ $$; vacuum; $a$;',
  'comment on table t is $$ ; vacuum; $$;',
  'create rule r as on insert to t do (delete from t; vacuum);',
  'create function f() returns int begin atomic select case when true then 1 end; vacuum; end;',
  'select 1 -- ; vacuum;\n;',
  'create table vacuum_log (a int); select "; vacuum;" from t;',
  'refresh materialized view concurrently v;',
  'create index a on t (concurrently);',
  'select $1$; /* vacuum; */',
])('%j does not', sql => expect(outside(sql)).toEqual([]))

test('the parts are the script, in order', () => {
  const sql = 'select 1; select 2;\nvacuum; create index concurrently i on t (v);\n\nselect 3'
  const parts = partsOf(sql)
  expect(parts.map(part => part.sql).join('')).toBe(sql)
  expect(parts.map(({ start, isOutside }) => [start, isOutside])).toEqual([
    [0, false],
    [19, true],
    [27, true],
    [65, false],
  ])
})
