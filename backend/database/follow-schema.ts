// Follows changes of the schema: the database reports each, whatever its source.
import type { Engine } from './engine.ts'
import { acceptAnyValue } from './values.ts'

const IS_WATCHED = `
select to_regprocedure('extensions.pgrst_ddl_watch()') is not null
  and (select count(*) from pg_event_trigger where evtname in ('pgrst_ddl_watch', 'pgrst_drop_watch')) = 2
  as watched`

/** A running database may have some of them already. */
const WATCH = `
do $do$ begin
  if to_regprocedure('extensions.pgrst_ddl_watch()') is null then
    create function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql as $$
    begin
      notify pgrst, 'reload schema';
    end $$;
  end if;
  if not exists (select from pg_event_trigger where evtname = 'pgrst_ddl_watch') then
    create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
  end if;
  if not exists (select from pg_event_trigger where evtname = 'pgrst_drop_watch') then
    create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_ddl_watch();
  end if;
end $do$;`

/** Calls back for the first request, and for the next one after each change and after `notify pgrst`. */
export async function followSchema(
  { driver, admin, asOwner }: Pick<Engine, 'driver' | 'admin' | 'asOwner'>,
  read: () => Promise<void>,
): Promise<{ refresh(): Promise<void> }> {
  let isStale = true
  let loading: Promise<void> | undefined
  const load = async () => {
    await acceptAnyValue(driver)
    await read()
  }
  // PL/pgSQL takes a twentieth of a start to load, so only a new database runs the block.
  const { rows } = await driver.query<{ watched: boolean }>(IS_WATCHED)
  if (!rows[0]?.watched) await admin(WATCH)
  await driver.listen('pgrst', () => (isStale = true))
  driver.onGap?.(() => (isStale = true))
  return {
    async refresh() {
      if (isStale) {
        isStale = false
        loading = asOwner(load).catch((error: unknown) => {
          isStale = true
          throw error
        })
      }
      await loading
    },
  }
}
