// Leaves schemas that REST does not serve out of lite's schema information: lite looks tables up by their name,
// so that `auth.users` would be taken for `public.users`.
import type { LiteConnection } from '../engine.ts'
import type { Introspection } from './body.ts'

/** Makes lite see only tables and views of the schemas that are served, and relationships between them. */
export function serveOnly(connection: LiteConnection, schemas: () => readonly string[]): void {
  const isServed = ({ schema = 'public' }: { readonly schema?: string }) => schemas().includes(schema)
  const known = new WeakMap<Introspection, Introspection>()
  const introspect = connection.introspect.bind(connection)
  connection.introspect = async options => {
    const all = await introspect(options)
    const visible = known.get(all) ?? {
      ...all,
      tables: all.tables.filter(isServed),
      views: all.views.filter(isServed),
      columns: all.columns.filter(isServed),
      primary_keys: all.primary_keys.filter(isServed),
      foreign_keys: all.foreign_keys.filter(
        key => isServed(key) && isServed({ schema: key.ref_schema ?? key.schema }),
      ),
    }
    known.set(all, visible)
    return visible
  }
}
