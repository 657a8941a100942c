// The list of tables: from the backend, or as named by the user.
import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { array, string } from 'valibot'
import { useSearch } from '@tanstack/react-router'
import type { ChartroomClient } from '../../../services/client/index.ts'
import { useClient } from '../../react/index.ts'
import { useData } from '../database.ts'
import { type AnyDataClient, schemasIn } from '../../../services/workbench/rest/index.ts'
import { useRenewable } from '../renewable.ts'
import { useRetry } from '../retry.ts'
import { named, own, readSetting, writeSetting } from '../../../services/workbench/storage/index.ts'
import { parseTables, type TableInfo } from '../../../services/workbench/table/index.ts'

export interface Tables {
  /**
   * `refused`: the backend does not list its tables, so they are opened by name. `unserved`: no such schema.
   */
  readonly phase: 'loading' | 'known' | 'refused' | 'failed' | 'unserved'
  readonly tables: readonly string[]
  /** The exposed schemas, when the requested one is not among them. */
  readonly served: readonly string[]
  /** The schema in the URL. */
  readonly schema: string
  /** The tables the backend lists, with their columns. */
  readonly infos: readonly TableInfo[]
  /** A table's description; undefined while loading or when the backend does not list it. */
  readonly info: (table: string) => TableInfo | undefined
  /** Stores the name of a table that was opened by name. */
  readonly remember: (table: string) => void
  readonly reload: () => void
}

const TablesContext = createContext<Tables | undefined>(undefined)

type Answer =
  | { readonly phase: 'loading' | 'refused' | 'failed' }
  | { readonly phase: 'known'; readonly list: readonly TableInfo[] }
  | { readonly phase: 'unserved'; readonly served: readonly string[] }

/** A response without a list: the schemas it names, or nothing. */
const refusalIn = (text: string): Answer => {
  const served = schemasIn(text)
  return served.length === 0 ? { phase: 'refused' } : { phase: 'unserved', served }
}

/** Reads a schema other than the default one by its profile header. */
const readSchema = async (client: ChartroomClient, schema: string, signal: AbortSignal): Promise<Answer> => {
  const headers = { accept: 'application/openapi+json', 'Accept-Profile': schema }
  const answer = await client.fetch('/rest/v1/', { headers, signal })
  if (answer.status >= 500) return { phase: 'failed' }
  if (!answer.ok) return refusalIn(await answer.text())
  const list = parseTables(await answer.json())
  return list === undefined ? { phase: 'refused' } : { phase: 'known', list }
}

/** The REST root describes itself in OpenAPI; many backends hide that from publishable keys. */
const readTables = async (data: AnyDataClient, signal: AbortSignal): Promise<Answer> => {
  const {
    data: answer,
    error,
    status,
  } = await data
    // The root of the REST endpoint, passed as a relation: supabase-js has no other way to request it.
    .from('.')
    .select('*')
    .setHeader('Accept', 'application/openapi+json')
    .abortSignal(signal)
  if (status === 0 || status >= 500) return { phase: 'failed' }
  if (error !== null) return refusalIn(error.message)
  const list = parseTables(answer)
  return list === undefined ? { phase: 'refused' } : { phase: 'known', list }
}

const bySchema = named(array(string()))

/** Names of tables opened by name, per schema. */
const readNamed = (url: string): Readonly<Record<string, readonly string[]>> =>
  readSetting(`named-tables.${url}`, bySchema, {})

const NONE: readonly TableInfo[] = []
const LOADING: Answer = { phase: 'loading' }

/** Loads once per sign-in, and retries automatically after a failure. */
export function TablesProvider({ children }: { readonly children: ReactNode }) {
  const client = useClient()
  const { url } = client
  const data = useData()
  const schema = useSearch({ strict: false, select: search => search.schema }) || 'public'
  const [read, setRead] = useState<{ readonly of: string; readonly answer: Answer }>()
  const answer = read?.of === schema ? read.answer : LOADING
  const [opened, setOpened] = useState(() => readNamed(url))
  const [signal, reload] = useRenewable()
  useEffect(() => {
    const left = new AbortController()
    const ends = AbortSignal.any([signal, left.signal])
    const reading = schema === 'public' ? readTables(data, ends) : readSchema(client, schema, ends)
    void reading
      .catch((): Answer => ({ phase: 'failed' }))
      .then(answer => {
        if (!ends.aborted) setRead({ of: schema, answer })
      })
    return () => left.abort()
  }, [client, data, schema, signal])
  useEffect(() => writeSetting(`named-tables.${url}`, opened), [url, opened])
  const remember = useCallback(
    (table: string) =>
      setOpened(all => {
        const list = own(all, schema) ?? []
        return list.includes(table) ? all : { ...all, [schema]: [...list, table] }
      }),
    [schema],
  )
  useRetry('tables', answer.phase === 'failed' ? answer : undefined, reload)
  const value = useMemo((): Tables => {
    const list = answer.phase === 'known' ? answer.list : NONE
    const served = answer.phase === 'unserved' ? answer.served : []
    const byName = answer.phase === 'unserved' ? [] : (own(opened, schema) ?? [])
    return {
      phase: answer.phase,
      schema,
      tables: answer.phase === 'known' ? list.map(table => table.name) : byName,
      served,
      infos: list,
      info: name => list.find(table => table.name === name),
      remember,
      reload,
    }
  }, [answer, schema, opened, remember, reload])
  return <TablesContext value={value}>{children}</TablesContext>
}

/** The URL parameter for a schema. */
export const inSchema = (schema: string): { readonly schema?: string } =>
  schema === 'public' ? {} : { schema }

/** The tables; requires the provider. */
export const useTables = (): Tables => {
  const tables = use(TablesContext)
  if (tables === undefined) throw new Error('useTables needs a TablesProvider above it')
  return tables
}
