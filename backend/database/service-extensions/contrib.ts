// Trigger functions of PostgreSQL's contrib/spi, which PGlite does not ship: as the originals in C, with their errors.

/** Fails as the originals unless the trigger runs before a change of a row. */
const requireRowBefore = (prefix: string) => `
  if tg_level <> 'ROW' then
    raise internal_error using message = '${prefix}must be fired for row';
  elsif tg_when <> 'BEFORE' then
    raise internal_error using message = '${prefix}must be fired before event';
  end if;`

/** The type of the trigger's column, as in `pg_attribute`. */
const FIND_TYPE = `
  select atttypid into found_type from pg_catalog.pg_attribute where attrelid = tg_relid and attname = column_name and attnum > 0
    and not attisdropped;
  if not found then
    raise triggered_action_exception using message = pg_catalog.format('"%s" has no attribute "%s"', tg_table_name, column_name);
  end if;`

const requireType = (condition: string, types: string) => `
  if ${condition} then
    raise triggered_action_exception using
      message = pg_catalog.format('attribute "%s" of "%s" must be type ${types}', column_name, tg_table_name);
  end if;`

export const MODDATETIME_SCRIPT = `
create function moddatetime() returns trigger language plpgsql as $$
declare
  column_name text := tg_argv[0];
  found_type regtype;
begin${requireRowBefore('moddatetime: ')}
  if tg_op <> 'UPDATE' then
    raise internal_error using message = pg_catalog.format('moddatetime: cannot process %s events', tg_op);
  elsif tg_nargs <> 1 then
    raise internal_error using message = pg_catalog.format('moddatetime (%s): A single argument was expected', tg_table_name);
  end if;${FIND_TYPE}${requireType(
    `found_type not in ('pg_catalog.timestamp'::regtype, 'pg_catalog.timestamptz'::regtype)`,
    'TIMESTAMP or TIMESTAMPTZ',
  )}
  return pg_catalog.jsonb_populate_record(new, pg_catalog.jsonb_build_object(column_name,
    case found_type when 'pg_catalog.timestamp'::regtype then pg_catalog.to_jsonb(localtimestamp)
      else pg_catalog.to_jsonb(current_timestamp) end));
end $$;`

export const INSERT_USERNAME_SCRIPT = `
create function insert_username() returns trigger language plpgsql as $$
declare
  column_name text := tg_argv[0];
  found_type regtype;
begin${requireRowBefore('insert_username: ')}
  if tg_op = 'DELETE' then
    raise internal_error using message = 'insert_username: cannot process DELETE events';
  elsif tg_nargs <> 1 then
    raise internal_error using message = pg_catalog.format('insert_username (%s): one argument was expected', tg_table_name);
  end if;${FIND_TYPE}${requireType(`found_type <> 'pg_catalog.text'::regtype`, 'TEXT')}
  return pg_catalog.jsonb_populate_record(new, pg_catalog.jsonb_build_object(column_name, current_user));
end $$;`

export const AUTOINC_SCRIPT = `
create function autoinc() returns trigger language plpgsql as $$
declare
  column_name text;
  found_type regtype;
  value bigint;
begin${requireRowBefore('')}
  if tg_op = 'DELETE' then
    raise internal_error using message = 'cannot process DELETE events';
  elsif tg_nargs = 0 or tg_nargs % 2 <> 0 then
    raise internal_error using
      message = pg_catalog.format('autoinc (%s): even number gt 0 of arguments was expected', tg_table_name);
  end if;
  for i in 0 .. tg_nargs - 1 by 2 loop
    column_name := tg_argv[i];${FIND_TYPE}${requireType(`found_type <> 'pg_catalog.int4'::regtype`, 'INT4')}
    if coalesce((pg_catalog.to_jsonb(new) ->> column_name)::bigint, 0) <> 0 then
      continue;
    end if;
    value := pg_catalog.nextval(tg_argv[i + 1]::regclass);
    if value = 0 then
      value := pg_catalog.nextval(tg_argv[i + 1]::regclass);
    end if;
    new := pg_catalog.jsonb_populate_record(new, pg_catalog.jsonb_build_object(column_name, value));
  end loop;
  return new;
end $$;`
