// Keeps lite's schema cache current: the database reports every schema change, whatever its source.
import type { LiteConnection } from '../engine.ts'
import { acceptAnyValue } from './parameters.ts'

const WATCH = `
create schema if not exists extensions;
create or replace function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql as $$
begin
  notify pgrst, 'reload schema';
end $$;
drop event trigger if exists pgrst_ddl_watch;
create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
drop event trigger if exists pgrst_drop_watch;
create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_ddl_watch();`

/** Makes lite reload the schema and its settings after each change and after `notify pgrst`. */
export async function followSchema(
  connection: LiteConnection,
  reload: () => Promise<void>,
): Promise<{ refresh(): Promise<void> }> {
  const { driver } = connection
  let isStale = true
  await driver.exec(WATCH)
  await driver.listen('pgrst', () => (isStale = true))
  return {
    async refresh() {
      if (!isStale) return
      isStale = false
      await connection.clearSchemaCache()
      await acceptAnyValue(driver)
      await reload()
    },
  }
}
