// The list of tables: from the backend, or as named by the user.
import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { array, string } from 'valibot'
import { useSearch } from '@tanstack/react-router'
import type { Failure } from '../../../services/client/index.ts'
import { explainFailure } from '../../../services/workbench/rest/index.ts'
import { useClient } from '../../react/index.ts'
import { isReportsTable } from '../../../services/workbench/reports/index.ts'
import { loadSchema, type LoadedSchema, type SchemaSource } from '../../../services/workbench/schema/index.ts'
import { useConnected } from '../connected-context.ts'
import { usePageRequest, valueOf } from '../use-page-request.ts'
import { named, own, readSetting, writeSetting } from '../../../services/workbench/storage/index.ts'
import type { TableInfo } from '../../../services/workbench/table/index.ts'

export interface Tables {
  /**
   * `refused`: the backend does not list its tables. `unserved`: no such schema. `unavailable`: the host
   * answers for the backend.
   */
  readonly phase: 'loading' | 'failed' | LoadedSchema['phase']
  readonly tables: readonly string[]
  /** The exposed schemas, when the requested one is not among them. */
  readonly served: readonly string[]
  /** Where the list comes from; undefined without one. */
  readonly source: SchemaSource | undefined
  /** What the backend or its host says instead of a list. */
  readonly refusal: { readonly title: string; readonly message: string } | undefined
  /** Why the list could not be loaded. */
  readonly problem: string | undefined
  /** The schema in the URL. */
  readonly schema: string
  /** Whether the schema has the tables of reports, which are not listed: they have their own page. */
  readonly hasReports: boolean
  /** The tables the backend lists, with their columns. */
  readonly infos: readonly TableInfo[]
  /** The tables of each schema that is known without asking for it; at least those of the schema in the URL. */
  readonly schemas: ReadonlyMap<string, readonly TableInfo[]>
  /** A table's description; undefined while loading or when the backend does not list it. */
  readonly info: (table: string) => TableInfo | undefined
  /** Stores the name of a table that was opened by name. */
  readonly remember: (table: string) => void
  readonly reload: () => void
}

const TablesContext = createContext<Tables | undefined>(undefined)

const bySchema = named(array(string()))

/** Names of tables opened by name, per schema. */
const readNamed = (url: string): Readonly<Record<string, readonly string[]>> =>
  readSetting(`named-tables.${url}`, bySchema, {})

const NONE: readonly TableInfo[] = []

const problemOf = (failure: Failure | undefined): string | undefined => {
  if (failure === undefined) return undefined
  const { message, retry } = explainFailure(failure)
  return retry ? 'The backend is not responding. Retrying automatically.' : message
}

const refusalIn = (answer: LoadedSchema | undefined): Tables['refusal'] => {
  if (answer?.phase === 'unavailable') return answer
  return answer?.phase === 'refused' ? { title: 'Tables are not listed', message: answer.message } : undefined
}

type KnownSchema = Extract<LoadedSchema, { phase: 'known' }>

/** Until a schema is loaded, it is as the last source of all schemas described it. */
const useKnownSchema = (loaded: LoadedSchema | undefined, schema: string): LoadedSchema | undefined => {
  const [last, setLast] = useState<KnownSchema>()
  if (loaded?.phase === 'known' && loaded.schemas !== undefined && loaded !== last) setLast(loaded)
  return useMemo(() => {
    const content = last?.schemas?.get(schema)
    return loaded ?? (last && content && { ...last, ...content })
  }, [loaded, last, schema])
}

const withoutReports = (schema: string, tables: readonly TableInfo[]): readonly TableInfo[] =>
  schema === 'public' ? tables.filter(({ name }) => !isReportsTable(name)) : tables

const listedSchemas = (
  answer: LoadedSchema | undefined,
  schema: string,
  list: readonly TableInfo[],
): Tables['schemas'] => {
  const all = answer?.phase === 'known' ? answer.schemas : undefined
  if (all === undefined) return new Map([[schema, list]])
  const described = [...all].map(([name, { tables }]) => [name, withoutReports(name, tables)] as const)
  return new Map(described.filter(([name, { length }]) => length > 0 || name === schema))
}

/** Whether a table is open, or is opened at once because it was before. */
const hasTable = (url: string, schema: string): boolean =>
  /\/data\/[^/]+/.test(location.pathname) || (own(readNamed(url), schema) ?? []).length > 0

/** Loads once per sign-in, and retries automatically after a failure. */
export function TablesProvider({ children }: { readonly children: ReactNode }) {
  const client = useClient()
  const { url } = client
  const { schemaFile: file } = useConnected()
  const schema = useSearch({ strict: false, select: search => search.schema }) || 'public'
  const {
    data: loaded,
    failure,
    reload,
  } = usePageRequest(['tables', schema, file], async (_data, signal) =>
    valueOf(await loadSchema(client, schema, { file, signal, isTableOpen: () => hasTable(url, schema) })),
  )
  const answer = useKnownSchema(loaded, schema)
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
    const all = answer?.phase === 'known' ? answer.tables : NONE
    const list = withoutReports(schema, all)
    const served = answer?.phase === 'unserved' ? answer.served : []
    const byName = answer?.phase === 'unserved' ? [] : (own(opened, schema) ?? [])
    return {
      phase: answer?.phase ?? (failure ? 'failed' : 'loading'),
      schema,
      hasReports: list.length < all.length,
      tables: answer?.phase === 'known' ? list.map(table => table.name) : byName,
      served,
      source: answer?.phase === 'known' ? answer.source : undefined,
      refusal: refusalIn(answer),
      problem: problemOf(failure),
      infos: list,
      schemas: listedSchemas(answer, schema, list),
      info: name => all.find(table => table.name === name),
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
