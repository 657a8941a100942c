// Keeps lite's picture of the schema fresh: the database tells of each change to it, whoever makes it.
import type { PgliteConnection } from '@supabase/lite/pglite'

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

/** Lite reads the schema anew after each change of it, and after a `notify pgrst`. */
export async function watchSchema(connection: PgliteConnection): Promise<void> {
  await connection.driver.exec(WATCH)
  await connection.driver.listen('pgrst', () => void connection.clearSchemaCache())
}
