// Finds rows that a foreign key may reference.
import { useMemo, useState } from 'react'
import { useClient, useRequest } from '../../../react/index.ts'
import { useHasElapsed } from '../../../widgets/time.ts'
import {
  type Cell,
  cellOf,
  type Column,
  quoteName,
  type Reference,
  type Row,
  selectName,
  type TableInfo,
  titleColumn,
  type Values,
} from '../../../../services/workbench/table/index.ts'
import { callRest } from '../../../../services/workbench/rest/index.ts'
import { useTables } from '../tables.tsx'

const MOST_FOUND = 30
/** Search debounce. */
const TYPING_MS = 180

type Key = Pick<Column, 'name' | 'type'>

/** The referenced columns, looked up together. */
const keysOf = ({ column, pairs }: Reference, info: TableInfo | undefined): readonly Key[] =>
  (pairs ?? [{ theirs: column }]).map(
    ({ theirs }) => info?.columns.find(({ name }) => name === theirs) ?? { name: theirs, type: 'text' },
  )

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const keyTerm = ({ name, type }: Key, wanted: string, like: string): readonly string[] => {
  if (type === 'text') return [`${quoteName(name)}.ilike.${like}`]
  const isWhole = type === 'integer' ? /^-?\d{1,18}$/.test(wanted) : type === 'uuid' && UUID.test(wanted)
  return isWhole ? [`${quoteName(name)}.eq.${wanted}`] : []
}

/** Conditions that find rows by text: in their title, or as one of their keys. */
export const lookupConditions = (
  text: string,
  keys: readonly Key[],
  title: Pick<Column, 'name'> | undefined,
): readonly (readonly [string, string])[] => {
  const wanted = text.trim()
  if (wanted === '') return []
  const like = `"*${wanted.replaceAll(/["\\]/g, character => `\\${character}`)}*"`
  const terms = [
    ...(title === undefined ? [] : [`${quoteName(title.name)}.ilike.${like}`]),
    ...keys.flatMap(key => keyTerm(key, wanted, like)),
  ]
  return terms.length === 0 ? [] : [['or', `(${terms.join(',')})`]]
}

const textOf = (row: Row, name: string): Cell => cellOf(row, { name } as Column)

/** The values other columns of the reference get from a row of the referenced table. */
export const pairValues = ({ pairs = [] }: Reference, column: string, row: Row): Values =>
  Object.fromEntries(
    pairs.filter(({ ours }) => ours !== column).map(({ ours, theirs }) => [ours, textOf(row, theirs)]),
  )

/** A search result. */
export interface FoundRow {
  readonly id: string
  readonly row: Row
  /** The row's keys and title. */
  readonly keys: string
  readonly words: string
  /** The column's new value. */
  readonly cell: Cell
}

export type Lookup =
  | { readonly phase: 'loading' | 'found'; readonly rows: readonly FoundRow[] }
  | { readonly phase: 'failed'; readonly message: string }

/** Rows of the referenced table that match the text. */
export const useLookup = (reference: Reference, text: string): Lookup => {
  const { table, column } = reference
  const client = useClient()
  const { info: infoOf, schema } = useTables()
  const info = infoOf(table)
  const keys = useMemo(() => keysOf(reference, info), [reference, info])
  const title = titleColumn(info, keys)
  const names = [
    ...keys.map(({ name }) => `${selectName(name)}::text`),
    ...(title === undefined ? [] : [selectName(title.name)]),
  ].join(',')
  const conditions = JSON.stringify(lookupConditions(text, keys, title))
  const order = [...(title === undefined ? [] : [title]), ...keys]
    .map(({ name }) => `${quoteName(name)}.asc`)
    .join(',')
  const asked = ['lookup', schema, table, names, conditions, order]
  const isTyped = useHasElapsed(TYPING_MS, asked.join('\n'))
  const { data } = useRequest(isTyped ? asked : undefined, (_data, signal) =>
    callRest(client, {
      method: 'GET',
      path: `/${encodeURIComponent(table)}`,
      query: [
        ['select', names],
        ...(JSON.parse(conditions) as (readonly [string, string])[]),
        ['order', order],
        ['limit', String(MOST_FOUND)],
      ],
      headers: schema === 'public' ? {} : { 'Accept-Profile': schema },
      signal,
    }),
  )
  // The last response stays until the one for another text.
  const [answer, setAnswer] = useState(data)
  if (data !== undefined && data !== answer) setAnswer(data)
  if (answer?.ok === false) return { phase: 'failed', message: answer.failure.message }
  return {
    phase: answer ? 'found' : 'loading',
    rows: (answer?.rows ?? []).map(row => {
      const all = keys.map(({ name }) => textOf(row, name) ?? '')
      const text = title === undefined ? '' : (cellOf(row, title) ?? '')
      return { id: JSON.stringify(all), row, keys: all.join(' · '), words: text, cell: textOf(row, column) }
    }),
  }
}
