// The search for tables, loaded when it is shown.
import { lazyPart } from '../../lazy-part.tsx'

/** For backends that list no tables. */
export const FindTables = lazyPart(
  'the search for tables',
  async () => (await import('./find-tables.tsx')).FindTables,
)
