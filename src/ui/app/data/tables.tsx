// The list of tables: from the backend, or as named by the user.
import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { array, string } from 'valibot'
import { useSearch } from '@tanstack/react-router'
import type { ChartroomClient } from '../../../services/client/index.ts'
import { useClient } from '../../react/index.ts'
import { describeSchema, type SchemaDescription } from '../../../services/workbench/rest/index.ts'
import { usePageRequest, valueOf } from '../use-page-request.ts'
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

type Listing = Exclude<SchemaDescription, { readonly phase: 'known' }> | Listed

interface Listed {
  readonly phase: 'known'
  readonly list: readonly TableInfo[]
}

/** The REST root describes itself in OpenAPI; many backends hide that from publishable keys. */
const readTables = async (client: ChartroomClient, schema: string, signal: AbortSignal): Promise<Listing> => {
  const value = valueOf(await describeSchema(client, schema, signal))
  if (value.phase !== 'known') return value
  const list = parseTables(value.document)
  return list === undefined ? { phase: 'refused' } : { phase: 'known', list }
}

const bySchema = named(array(string()))

/** Names of tables opened by name, per schema. */
const readNamed = (url: string): Readonly<Record<string, readonly string[]>> =>
  readSetting(`named-tables.${url}`, bySchema, {})

const NONE: readonly TableInfo[] = []

/** Loads once per sign-in, and retries automatically after a failure. */
export function TablesProvider({ children }: { readonly children: ReactNode }) {
  const client = useClient()
  const { url } = client
  const schema = useSearch({ strict: false, select: search => search.schema }) || 'public'
  const {
    data: answer,
    failure,
    reload,
  } = usePageRequest(['tables', schema], (_data, signal) => readTables(client, schema, signal))
  const [opened, setOpened] = useState(() => readNamed(url))
  useEffect(() => writeSetting(`named-tables.${url}`, opened), [url, opened])
  const remember = useCallback(
    (table: string) =>
      setOpened(all => {
        const list = own(all, schema) ?? []
        return list.includes(table) ? all : { ...all, [schema]: [...list, table] }
      }),
    [schema],
  )
  const value = useMemo((): Tables => {
    const list = answer?.phase === 'known' ? answer.list : NONE
    const served = answer?.phase === 'unserved' ? answer.served : []
    const byName = answer?.phase === 'unserved' ? [] : (own(opened, schema) ?? [])
    return {
      phase: answer?.phase ?? (failure ? 'failed' : 'loading'),
      schema,
      tables: answer?.phase === 'known' ? list.map(table => table.name) : byName,
      served,
      infos: list,
      info: name => list.find(table => table.name === name),
      remember,
      reload,
    }
  }, [failure, answer, schema, opened, remember, reload])
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
