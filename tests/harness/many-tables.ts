// SQL of a project with hundreds of tables in six schemas, and a relation of every kind.
const SCHEMAS = ['public', 'billing', 'fleet', 'hr', 'log', 'audit'] as const
const SUBJECTS = [
  'order',
  'customer',
  'engine',
  'crew',
  'port',
  'cargo',
  'permit',
  'tariff',
  'invoice',
  'route',
] as const
const PARTS = [
  'items',
  'checks',
  'notes',
  'events',
  'prices',
  'labels',
  'owners',
  'totals',
  'drafts',
  'limits',
] as const

/** The tables are created by one statement, which is faster than one for each. */
export const manyTables = (count: number): string => {
  const names: string[] = []
  for (let at = 0; names.length < count; at += 1) {
    const schema = SCHEMAS[at % SCHEMAS.length] ?? 'public'
    const [subject, part] = [SUBJECTS[Math.floor(at / 6) % 10], PARTS[Math.floor(at / 60) % 10]]
    // The view of sums has this name.
    if (schema === 'public' && subject === 'order' && part === 'totals') continue
    names.push(`${schema}.${schema === 'public' ? '' : `${schema}_`}${subject}_${part}`)
  }
  const furtherSchemas = SCHEMAS.slice(1)
  return `
    ${furtherSchemas.map(schema => `create schema ${schema};`).join('\n')}
    do $$ declare name text; begin
      foreach name in array '{${names.join(',')}}'::text[] loop
        execute format('create table %s (id int primary key, name text)', name);
      end loop;
    end $$;
    create table "Größen" (id int primary key);
    create view order_totals as select count(*) as n from order_items;
    create materialized view order_names as select name from order_items;
    create table readings (at date, value int) partition by range (at);
    create table readings_2026 partition of readings for values from ('2026-01-01') to ('2027-01-01');
    create foreign data wrapper none;
    create server nowhere foreign data wrapper none;
    create foreign table far (id int) server nowhere;
    grant usage on schema ${furtherSchemas.join(', ')} to anon, authenticated;
    ${SCHEMAS.map(schema => `grant all on all tables in schema ${schema} to authenticated;`).join('\n')}
    alter role authenticator set pgrst.db_schemas = '${SCHEMAS.join(', ')}';
    notify pgrst, 'reload config';
    notify pgrst, 'reload schema';
  `
}
