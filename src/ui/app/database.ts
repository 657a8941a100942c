// The data client of the connected backend.
import { useClient } from '../react/index.ts'
import type { AnyDatabase, AnyDataClient } from '../../services/workbench/rest/index.ts'

/** Data client of the connected backend. */
export const useData = (): AnyDataClient => useClient<AnyDatabase>().supabase
