// Scripts to begin with, which run on every backend.

interface Example {
  readonly id: string
  readonly title: string
  readonly sql: string
}

export const EXAMPLES: readonly Example[] = [
  {
    id: 'tables',
    title: 'Tables by size',
    sql: `select n.nspname as schema, c.relname as name,
  pg_size_pretty(pg_total_relation_size(c.oid)) as size,
  greatest(c.reltuples, 0)::bigint as estimated_rows
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
order by pg_total_relation_size(c.oid) desc;
`,
  },
  {
    id: 'policies',
    title: 'Row policies',
    sql: `select schemaname, tablename, policyname, roles, cmd, qual, with_check
from pg_policies
where schemaname = 'public'
order by 1, 2, 3;
`,
  },
  {
    id: 'me',
    title: 'Who am I?',
    sql: `-- Choose an account above, and run this as it.
select current_user, auth.uid(), auth.role(), auth.jwt();
`,
  },
  {
    id: 'try',
    title: 'Try a change and roll it back',
    sql: `-- Choose “Run and roll back”.
create table tries (id bigint generated always as identity primary key, note text not null);
insert into tries (note) values ('one'), ('two') returning *;
select count(*) from tries;
`,
  },
  {
    id: 'keys',
    title: 'Foreign keys without an index',
    sql: `select con.conrelid::regclass as "table", con.conname as foreign_key
from pg_constraint con
where con.contype = 'f' and con.connamespace = 'public'::regnamespace
  and not exists (
    select from pg_index i
    where i.indrelid = con.conrelid
      and (i.indkey::int2[])[0:cardinality(con.conkey) - 1] @> con.conkey
  )
order by 1, 2;
`,
  },
]
