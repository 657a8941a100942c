// Which tables there are: as the backend tells, or else as the user named them.
import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { array, string } from 'valibot'
import { useClient } from '../../react.ts'
import { useData, type AnyDataClient } from '../database.ts'
import { useRenewable, useRetry } from '../hooks.ts'
import { readSetting, writeSetting } from '../local-store.ts'
import { parseTables, type TableInfo } from './schema.ts'

export interface Tables {
  /** `refused`: the backend keeps its list to itself, so tables are opened by name. */
  readonly phase: 'loading' | 'known' | 'refused' | 'failed'
  readonly tables: readonly string[]
  /** Columns of a table; undefined while or when the backend does not tell. */
  readonly info: (table: string) => TableInfo | undefined
  /** Keeps the name of a table that was opened by name. */
  readonly remember: (table: string) => void
  readonly reload: () => void
}

const TablesContext = createContext<Tables | undefined>(undefined)

type Answer =
  | { readonly phase: 'loading' | 'refused' | 'failed' }
  | { readonly phase: 'known'; readonly list: readonly TableInfo[] }

/** The REST root describes itself in OpenAPI; many hosts keep that from publishable keys. */
const readTables = async (data: AnyDataClient, signal: AbortSignal): Promise<Answer> => {
  const { data: answer, status } = await data
    // The root of the REST endpoint, said as a relation: supabase-js has no other way to ask for it.
    .from('.')
    .select('*')
    .setHeader('Accept', 'application/openapi+json')
    .abortSignal(signal)
  if (status === 0 || status >= 500) return { phase: 'failed' }
  const list = parseTables(answer)
  return list === undefined ? { phase: 'refused' } : { phase: 'known', list }
}

const names = array(string())

/** Asks once per sign-in, and again by itself after a failure. */
export function TablesProvider({ children }: { readonly children: ReactNode }) {
  const { url } = useClient()
  const data = useData()
  const [answer, setAnswer] = useState<Answer>({ phase: 'loading' })
  const [named, setNamed] = useState(() => readSetting(`tables.${url}`, names, []))
  const [signal, reload] = useRenewable()
  useEffect(() => {
    const left = new AbortController()
    const ends = AbortSignal.any([signal, left.signal])
    void readTables(data, ends)
      .catch((): Answer => ({ phase: 'failed' }))
      .then(read => {
        if (!ends.aborted) setAnswer(read)
      })
    return () => left.abort()
  }, [data, signal])
  useEffect(() => writeSetting(`tables.${url}`, named), [url, named])
  const remember = useCallback(
    (table: string) => setNamed(list => (list.includes(table) ? list : [...list, table])),
    [],
  )
  useRetry(answer.phase === 'failed' ? answer : undefined, reload)
  const value = useMemo((): Tables => {
    const list = answer.phase === 'known' ? answer.list : []
    return {
      phase: answer.phase,
      tables: answer.phase === 'known' ? list.map(table => table.name) : named,
      info: name => list.find(table => table.name === name),
      remember,
      reload,
    }
  }, [answer, named, remember, reload])
  return <TablesContext value={value}>{children}</TablesContext>
}

/** The tables; only below the provider. */
export const useTables = (): Tables => {
  const tables = use(TablesContext)
  if (tables === undefined) throw new Error('useTables needs a TablesProvider above it')
  return tables
}
